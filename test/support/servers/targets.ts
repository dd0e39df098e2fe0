import { createServer, type Server, type Socket } from "node:net";
import type { Server as HttpServer } from "bun";
import { freePort } from "../free-port.ts";

/** A local HTTP server that counts its requests. It can be stopped by `break` and started again by `fix`, on the same port. */
export class HttpTarget implements AsyncDisposable {
  requests = 0;
  #server: HttpServer<undefined> | undefined;
  /** Nothing else takes it while the target is broken. */
  readonly #port = freePort();

  constructor(
    private readonly answer: (request: Request) => Response | Promise<Response> = () => new Response("fine"),
  ) {
    this.fix();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  fix(): void {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: this.#port,
      fetch: (request) => {
        this.requests++;
        return this.answer(request);
      },
    });
  }

  async break(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.break();
  }
}

/** A local TCP server with `break` and `fix`. */
export class TcpTarget implements AsyncDisposable {
  #server: Server | undefined;
  #sockets = new Set<Socket>();
  /** Nothing else takes it while the target is broken. */
  readonly port = freePort();

  static async start(): Promise<TcpTarget> {
    const target = new TcpTarget();
    await target.fix();
    return target;
  }

  async fix(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server = createServer((socket) => this.#track(socket)).listen(this.port, "127.0.0.1", resolve);
    await promise;
  }

  async break(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server?.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server?.listening) await this.break();
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket));
  }
}
