import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from "node:net";
import { Pipe } from "./pipe.ts";

/**
 * What happens to the connections of one node to the database: nothing, each packet takes longer (milliseconds), they are
 * reset and refused, or their packets are kept until this ends.
 */
export type Weather = "fair" | { delay: number } | "cut" | "black hole";

/** A TCP proxy between a node and the database. */
export class DatabaseProxy implements Disposable {
  #weather: Weather = "fair";
  readonly #pairs = new Set<Pair>();

  private constructor(
    private readonly server: Server,
    private readonly upstream: NetConnectOpts,
  ) {
    server.on("connection", (client) => this.#accept(client));
  }

  static async start(upstream: NetConnectOpts): Promise<DatabaseProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const proxy = new DatabaseProxy(server, upstream);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  become(weather: Weather): void {
    this.#weather = weather;
    for (const pair of this.#pairs) {
      if (weather === "cut") pair.reset();
      else pair.become(weather);
    }
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
    const pair = new Pair(client, connect({ ...this.upstream, allowHalfOpen: true } as NetConnectOpts), () =>
      this.#pairs.delete(pair),
    );
    this.#pairs.add(pair);
    pair.become(this.#weather);
  }
}

/** A connection of a node, and the one to the database that belongs to it. */
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
