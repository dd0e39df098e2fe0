import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import type { Issued } from "./authority.ts";
import { changed, type Effect, type Lie } from "./lies.ts";

/** Where a flood ends, if the check does not; bytes. */
const MAX_FLOOD = 64 * 1024 * 1024;

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/** A TLS server on 127.0.0.1, and between it and the check somebody who lies about its first flight. */
export class LyingServer implements AsyncDisposable {
  /** The outcome that the lie must have; known after the first flight. */
  effect: Effect | undefined;
  /** Bytes that a flood has sent. */
  flooded = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: TlsServer,
    private readonly liar: Server,
    private readonly lie: Lie,
  ) {
    liar.on("connection", (client) => this.accept(client));
  }

  static async start(issued: Issued, version: "TLSv1.2" | "TLSv1.3", lie: Lie): Promise<LyingServer> {
    const tls = { ...issued, minVersion: version, maxVersion: version };
    const server = createTlsServer(tls, (socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.end(ANSWER));
    });
    server.on("tlsClientError", () => {});
    const liar = createServer();
    await Promise.all(
      [server, liar].map((one) => new Promise<void>((done) => one.listen(0, "127.0.0.1", done))),
    );
    return new LyingServer(server, liar, lie);
  }

  get port(): number {
    return portOf(this.liar);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([this.server, this.liar].map((one) => new Promise((done) => one.close(done))));
  }

  private accept(client: Socket): void {
    this.keep(client);
    if (this.lie.kind === "instead") {
      client.once("data", () => this.send(client, Buffer.alloc(0)));
      return;
    }
    const server = connect(portOf(this.server), "127.0.0.1");
    this.keep(server);
    client.on("data", (bytes) => server.write(bytes));
    client.on("close", () => server.destroy());
    let isFirst = true;
    server.on("data", (bytes: Buffer) => {
      if (isFirst) this.send(client, bytes);
      else write(client, bytes, this.lie);
      isFirst = false;
    });
    server.on("close", () => client.end());
  }

  private send(client: Socket, flight: Buffer): void {
    const { bytes, effect } = changed(flight, this.lie);
    this.effect = effect;
    write(client, bytes, this.lie);
    if (this.lie.kind === "cut") {
      if (this.lie.isReset) client.resetAndDestroy();
      else client.end();
    } else if (this.lie.kind === "instead" && this.lie.then === "close") client.end();
    else if (this.lie.kind === "instead" && this.lie.then === "flood") this.flood(client, bytes);
  }

  private flood(client: Socket, bytes: Buffer): void {
    const many = Buffer.alloc(64 * 1024 - ((64 * 1024) % bytes.length), bytes);
    const go = () => {
      while (!client.destroyed && this.flooded < MAX_FLOOD) {
        this.flooded += many.length;
        if (!client.write(many)) return;
      }
    };
    client.on("drain", go);
    go();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.sockets.delete(socket));
  }
}

function write(client: Socket, bytes: Buffer, lie: Lie): void {
  const size = lie.kind === "split" ? lie.size : bytes.length;
  for (let at = 0; at < bytes.length; at += size) client.write(bytes.subarray(at, at + size));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
