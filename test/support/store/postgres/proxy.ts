import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";

const PORT = 5432;

/** A TCP address of a cluster, whose connections a test can break. */
export class DatabaseProxy implements Disposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Set<Socket>();
  #isSilent = false;

  private constructor(
    server: Server,
    readonly port: number,
  ) {
    this.#server = server;
  }

  static async start({ dir }: Pick<Cluster, "dir">): Promise<DatabaseProxy> {
    const server = createServer({ pauseOnConnect: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const { port } = server.address() as { port: number };
    const proxy = new DatabaseProxy(server, port);
    server.on("connection", (client) => proxy.#forward(client, join(dir, `.s.PGSQL.${PORT}`)));
    return proxy;
  }

  /** How stillup reaches a database through the proxy. */
  url(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Passes nothing on, and accepts connections that get no answer. */
  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Those that open now work again. The others stay open and silent, as after a failover to another machine. */
  heal(): void {
    this.#isSilent = false;
  }

  /** Closes all connections. Those that open now work again. */
  cut(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(client: Socket, path: string): void {
    const database = connect(path);
    this.#clients.add(client);
    client.on("close", () => this.#clients.delete(client));
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => {});
      from.on("data", (data) => to.write(data));
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isSilent) from.pause();
      else from.resume();
    }
  }

  [Symbol.dispose](): void {
    this.cut();
    this.#server.close();
  }
}
