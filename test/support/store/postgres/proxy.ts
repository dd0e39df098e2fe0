import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from "node:net";
import { join } from "node:path";
import type pg from "pg";
import type { Cluster } from "./cluster.ts";
import { Pipe } from "./pipe.ts";
import { StatementCounter } from "./statement-counter.ts";

/**
 * Behavior of the connections to the database: nothing, each packet takes longer in each direction (milliseconds, fractions
 * too), they are reset and refused, or their packets are kept until this ends.
 */
export type Weather = "fair" | { delay: number } | "cut" | "black hole";

/** A database at a usual distance, in another zone of a data center: 2.5 ms there and back. */
export const DISTANT = { delay: 1.25 } as const satisfies Weather;

const PORT = 5432;

/** A TCP proxy in front of a database, whose connections a test can delay, lose and stall. It counts statements. */
export class DatabaseProxy implements Disposable {
  #weather: Weather = "fair";
  readonly #pairs = new Set<Pair>();
  readonly #counter = new StatementCounter();

  private constructor(
    private readonly server: Server,
    private readonly upstream: NetConnectOpts,
  ) {
    server.on("connection", (client) => this.#accept(client));
  }

  /** @param upstream a cluster, or the address of its port */
  static async start(upstream: Pick<Cluster, "dir"> | NetConnectOpts): Promise<DatabaseProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const address = "dir" in upstream ? { path: join(upstream.dir, `.s.PGSQL.${PORT}`) } : upstream;
    const proxy = new DatabaseProxy(server, address);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How `pg` reaches a database through the proxy. */
  config(database: string): pg.ClientConfig {
    return { host: "127.0.0.1", port: this.port, user: "postgres", database, ssl: false };
  }

  /** How stillup reaches a database through the proxy. */
  url(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** How many statements clients have sent, the begins and ends of transactions included: each is a round trip. */
  get statements(): number {
    return this.#counter.count;
  }

  become(weather: Weather): void {
    this.#weather = weather;
    for (const pair of this.#pairs) {
      if (weather === "cut") pair.reset();
      else pair.become(weather);
    }
  }

  /** Passes nothing on, and accepts connections that get no answer. */
  silence(): void {
    this.become("black hole");
  }

  /** New connections work again. The others stay open and silent, as after a failover to another machine. */
  heal(): void {
    this.#weather = "fair";
  }

  /** Closes all connections. Connections that open now work again. */
  cut(): void {
    this.become("cut");
    this.#weather = "fair";
  }

  [Symbol.dispose](): void {
    for (const pair of this.#pairs) pair.reset();
    this.server.close();
  }

  #accept(client: Socket): void {
    if (this.#weather === "cut") {
      client.on("error", () => {});
      client.resetAndDestroy();
      return;
    }
    client.on("data", this.#counter.follow());
    const database = connect({ ...this.upstream, allowHalfOpen: true, noDelay: true } as NetConnectOpts);
    const pair = new Pair(client, database, () => this.#pairs.delete(pair));
    this.#pairs.add(pair);
    pair.become(this.#weather);
  }
}

/** A connection of a client, and the one to the database that belongs to it. */
class Pair {
  readonly #pipes: [Pipe, Pipe];

  constructor(
    private readonly client: Socket,
    private readonly database: Socket,
    onEnd: () => void,
  ) {
    this.#pipes = [new Pipe(client, database), new Pipe(database, client)];
    let open = 2;
    for (const socket of [client, database]) socket.once("close", () => --open === 0 && onEnd());
  }

  become(weather: Exclude<Weather, "cut">): void {
    for (const pipe of this.#pipes) pipe.become(weather);
  }

  reset(): void {
    for (const pipe of this.#pipes) pipe.stop();
    for (const socket of [this.client, this.database]) {
      if (socket.connecting) socket.destroy();
      else socket.resetAndDestroy();
    }
  }
}
