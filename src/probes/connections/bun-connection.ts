import type { SocketHandler } from "bun";
import { Connection, Parting } from "./connection.ts";
import type { Endpoint } from "./connector.ts";

/** Whoever counts the attempts and the sockets of Bun. */
export interface Attempts {
  /** The attempt has an answer, so that its socket can be closed. */
  answered(): void;
  /** The attempt has no answer, and nobody waits for it any more. */
  abandoned(attempt: BunConnection): void;
  /** The socket is closed. */
  closed(): void;
}

const NOTHING = Buffer.alloc(0);

/** An attempt of Bun to connect, and then its connection. Bun can't cancel an attempt. */
export class BunConnection extends Connection {
  readonly port: number;
  protected socket: Bun.Socket<BunConnection> | undefined = undefined;
  private isWaiting = true;
  private isClosed = false;
  private parting: Parting | undefined;
  /** Bun writes as much as the send buffer has room for. */
  private unsent: Buffer = NOTHING;

  constructor(
    { address, port }: Endpoint,
    private readonly attempts: Attempts,
  ) {
    super(address);
    this.port = port;
  }

  /** Connects. @throws the error of the attempt */
  connect(): Promise<unknown> {
    return Bun.connect({ hostname: this.address, port: this.port, data: this, socket: handlers });
  }

  write(data: string | Buffer): void {
    if (this.unsent.length > 0) {
      this.send(Buffer.concat([this.unsent, bytesOf(data)]));
      return;
    }
    const written = Math.max(0, this.socket?.write(data) ?? 0);
    if (written < Buffer.byteLength(data)) this.unsent = bytesOf(data).subarray(written);
  }

  drain(): void {
    if (this.unsent.length > 0) this.send(this.unsent);
  }

  opened(socket: Bun.Socket<BunConnection>): void {
    this.socket = socket;
    this.answered();
  }

  failed(): void {
    this.answered();
  }

  override leave(goodbye: string | Buffer): void {
    if (this.hasEnded || this.parting) return;
    this.write(goodbye);
    this.takeReceived();
    this.parting = new Parting(() => this.release());
    this.socket?.shutdown();
    // Bytes for which the send buffer has no room are lost: a server that reads so little does not wait for a goodbye.
    this.parting.sent();
  }

  protected override pause(): void {
    this.socket?.pause();
  }

  protected override resume(): void {
    if (!this.isClosed) this.socket?.resume();
  }

  override close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.parting) return;
    super.close();
    if (this.isWaiting) this.attempts.abandoned(this);
    else this.release();
  }

  override receive(chunk: Buffer): void {
    if (this.parting) this.parting.received(chunk.length);
    else if (!this.isClosed) super.receive(chunk);
  }

  override finish(error?: Error): void {
    super.finish(error);
    this.parting?.end();
  }

  protected release(): void {
    // With TLS, `end` would wait for the peer.
    this.socket?.close();
    this.attempts.closed();
  }

  private answered(): void {
    this.isWaiting = false;
    this.attempts.answered();
    if (this.isClosed) this.release();
  }

  private send(bytes: Buffer): void {
    this.unsent = bytes.subarray(Math.max(0, this.socket?.write(bytes) ?? 0));
  }
}

/** Shared by all connections, because Bun checks them for each new object. */
export const handlers: SocketHandler<BunConnection> = {
  open: (socket) => socket.data.opened(socket),
  connectError: (socket) => socket.data.failed(),
  data: (socket, chunk) => socket.data.receive(chunk),
  drain: (socket) => socket.data.drain(),
  close: (socket, error) => socket.data.finish(error),
};

function bytesOf(data: string | Buffer): Buffer {
  return typeof data === "string" ? Buffer.from(data) : data;
}
