import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** An open connection. Received data is kept until it is read. */
export abstract class Connection {
  private received = "";
  private end: { error: Error | undefined } | undefined;
  private wake: (() => void) | undefined;

  /** @param address of the peer */
  constructor(readonly address: string) {}

  /** The protocol that the TLS handshake agreed on (ALPN). */
  get agreedProtocol(): string | undefined {
    return undefined;
  }

  /** Sends bytes, or text as UTF-8. */
  abstract write(data: string | Buffer): void;

  /**
   * Reads what has arrived since the last read, or waits for more.
   *
   * @returns one character for each byte; undefined at the end of the stream
   * @throws the error of the socket
   */
  async read(): Promise<string | undefined> {
    if (!this.received && !this.end) await new Promise<void>((resolve) => (this.wake = resolve));
    if (!this.received && this.end?.error) throw this.end.error;
    return this.takeReceived() || undefined;
  }

  protected takeReceived(): string {
    const text = this.received;
    this.received = "";
    return text;
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

/** A connection that has ended, with an error if there was one. */
export class EndedConnection extends Connection {
  constructor(address: string, error?: Error) {
    super(address);
    this.finish(error);
  }

  write(): void {}
}

/** The connection of an open socket of `node:net` or `node:tls`. */
export class NodeConnection extends Connection {
  private readonly onData = (chunk: Buffer) => this.receive(chunk);

  constructor(private readonly socket: Socket | TLSSocket) {
    super(socket.remoteAddress ?? "");
    socket.on("data", this.onData);
    socket.on("error", (error) => this.finish(error));
    socket.once("close", () => this.finish());
  }

  override get agreedProtocol(): string | undefined {
    return ("alpnProtocol" in this.socket && this.socket.alpnProtocol) || undefined;
  }

  /** From now on, something else reads the socket, which must begin at once. @returns what has arrived and was not read */
  release(): string {
    this.socket.off("data", this.onData);
    return this.takeReceived();
  }

  write(data: string | Buffer): void {
    this.socket.write(data);
  }
}
