import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** An open connection. Received data is kept until it is read. */
export class Connection {
  private received = "";
  private end: { error: Error | undefined } | undefined;
  private wake: (() => void) | undefined;

  /** @param write sends text, as UTF-8 @param address of the peer */
  constructor(
    readonly write: (text: string) => void,
    readonly address: string,
  ) {}

  /**
   * Reads what has arrived since the last read, or waits for more.
   *
   * @returns one character for each byte; undefined at the end of the stream
   * @throws the error of the socket
   */
  async read(): Promise<string | undefined> {
    if (!this.received && !this.end) await new Promise<void>((resolve) => (this.wake = resolve));
    if (!this.received && this.end?.error) throw this.end.error;
    const text = this.received;
    this.received = "";
    return text || undefined;
  }

  receive(chunk: Buffer): void {
    this.received += chunk.toString("latin1");
    this.wake?.();
  }

  finish(error?: Error): void {
    this.end ??= { error };
    this.wake?.();
  }
}

/** The connection of an open socket of `node:net` or `node:tls`. */
export function connectionOf(socket: Socket | TLSSocket): Connection {
  const connection = new Connection((text) => socket.write(text), socket.remoteAddress ?? "");
  socket.on("data", (chunk: Buffer) => connection.receive(chunk));
  socket.on("error", (error) => connection.finish(error));
  socket.once("close", () => connection.finish());
  return connection;
}
