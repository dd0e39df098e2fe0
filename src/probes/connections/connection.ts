import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { descriptorLimit } from "../../descriptors.ts";
import type { Closable, Lifetime } from "../lifetime.ts";
import { asProbeError } from "../probe-error.ts";

/** After so many bytes, a connection reads from its socket only when a reader waits for more (behavior 1.62). */
const MAX_UNREAD = 256 * 1024;

/** The same from the first byte, while all connections of a thread have so many unread bytes. */
const MAX_UNREAD_OF_ALL = 8 * 1024 * 1024;

let unreadOfAll = 0;

const NOTHING = Buffer.alloc(0);

/** An open connection. Received data is kept until it is read; the server has to wait if that is much. */
export abstract class Connection implements Closable {
  private received: Buffer[] = [];
  private unread = 0;
  private arrived = 0;
  private end: { error: Error | undefined } | undefined;
  private wake: (() => void) | undefined;
  private isPaused = false;

  /** @param address of the peer */
  constructor(readonly address: string) {}

  /** The protocol that the TLS handshake agreed on (ALPN). */
  get agreedProtocol(): string | undefined {
    return undefined;
  }

  /** Sends bytes, or text as UTF-8. */
  abstract write(data: string | Buffer): void;

  /**
   * Ends a conversation. The connection may stay open after the check, so that the server can answer. Bytes that arrive are dropped.
   *
   * @param goodbye the last words
   */
  leave(goodbye: string | Buffer): void {
    this.write(goodbye);
  }

  /** Stops reading from the socket. The system then stops the server (RFC 9293, 3.8.6). */
  protected pause(): void {}

  /** Reads from the socket again. */
  protected resume(): void {}

  /** Closes the connection and drops what is unread. Later calls have no effect. */
  close(): void {
    this.takeReceived();
    this.finish();
  }

  /**
   * Reads what has arrived since the last read, or waits for more.
   *
   * @returns one character for each byte; undefined at the end of the stream
   * @throws the error of the socket
   */
  async read(): Promise<string | undefined> {
    return (await this.readBytes())?.toString("latin1");
  }

  /** Like `read`, without a conversion. */
  async readBytes(): Promise<Buffer | undefined> {
    if (this.unread === 0 && !this.end) await this.more();
    if (this.unread === 0 && this.end?.error) throw this.end.error;
    const bytes = this.takeReceived();
    return bytes.length > 0 ? bytes : undefined;
  }

  private more(): Promise<void> {
    if (this.isPaused) {
      this.isPaused = false;
      this.resume();
    }
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Whether anything has arrived. */
  get hasAnswered(): boolean {
    return this.arrived > 0;
  }

  /** Whether the peer has reset it. */
  get isReset(): boolean {
    return this.end?.error !== undefined && asProbeError(this.end.error)?.reason === "reset";
  }

  protected get hasEnded(): boolean {
    return this.end !== undefined;
  }

  protected takeReceived(): Buffer {
    const [first = NOTHING, ...others] = this.received;
    const bytes = others.length === 0 ? first : Buffer.concat(this.received);
    unreadOfAll -= this.unread;
    countPassed(this.unread);
    this.received = [];
    this.unread = 0;
    return bytes;
  }

  receive(chunk: Buffer): void {
    this.received.push(chunk);
    this.unread += chunk.length;
    unreadOfAll += chunk.length;
    this.arrived += chunk.length;
    this.wakeReader();
    if (!this.isPaused && this.hasMuch()) {
      this.isPaused = true;
      this.pause();
    }
  }

  finish(error?: Error): void {
    this.end ??= { error };
    this.wakeReader();
  }

  private wakeReader(): void {
    this.wake?.();
    this.wake = undefined;
  }

  private hasMuch(): boolean {
    return this.arrived > MAX_UNREAD || unreadOfAll > MAX_UNREAD_OF_ALL;
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
class NodeConnection extends Connection {
  private readonly onData = (chunk: Buffer) => this.receive(chunk);

  constructor(
    private readonly socket: Socket | TLSSocket,
    private readonly plain: Socket,
  ) {
    super(socket.remoteAddress ?? "");
    socket.on("data", this.onData);
    socket.on("error", (error) => this.finish(error));
    socket.once("close", () => this.finish());
  }

  override get agreedProtocol(): string | undefined {
    return ("alpnProtocol" in this.socket && this.socket.alpnProtocol) || undefined;
  }

  /** From now on, something else reads the socket, which must begin at once. @returns what has arrived and was not read */
  release(): Buffer {
    this.socket.off("data", this.onData);
    return this.takeReceived();
  }

  write(data: string | Buffer): void {
    this.socket.write(data);
  }

  protected override pause(): void {
    this.socket.pause();
  }

  protected override resume(): void {
    this.socket.resume();
  }

  override leave(goodbye: string | Buffer): void {
    this.release();
    partFrom(this.socket, goodbye, this.plain);
  }

  override close(): void {
    this.socket.off("data", this.onData);
    destroy(this.socket);
    super.close();
  }
}

/** The connection of an open socket, until the end of a lifetime. @param plain the socket below one of `node:tls` */
export function nodeConnection(
  socket: Socket | TLSSocket,
  lifetime: Lifetime,
  plain: Socket = socket,
): NodeConnection {
  const connection = new NodeConnection(socket, plain);
  lifetime.add(connection);
  return connection;
}

/** How long a server may take to end its side of a connection, in milliseconds. */
const PATIENCE = 1000;

/** How much it may still send meanwhile, in bytes. */
const MAX_BYTES = 64 * 1024;

/** How many connections wait for their servers at a time. Others close as soon as their last bytes are sent. */
const MAX_WAITING = Math.min(100, Math.floor(descriptorLimit() / 20));

let waiting = 0;

/**
 * The end of a connection after its check: the last bytes of the client are sent, and the server may answer them and close. A
 * server whose answer to a goodbye can't be delivered takes the client for broken, and some ban it.
 */
export class Parting {
  private readonly isPatient = waiting < MAX_WAITING;
  private readonly timer: Timer;
  private bytesLeft = MAX_BYTES;
  private isOver = false;

  /** @param close called once, when nothing more is to be expected */
  constructor(private readonly close: () => void) {
    if (this.isPatient) waiting++;
    this.timer = setTimeout(() => this.end(), PATIENCE);
    this.timer.unref();
  }

  /** The system has taken all that the client sends. */
  sent(): void {
    if (!this.isPatient) this.end();
  }

  received(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft < 0) this.end();
  }

  /** Also if the server has closed the connection. Later calls have no effect. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.isPatient) waiting--;
    clearTimeout(this.timer);
    this.close();
  }
}

/** The sockets that close by themselves, later than their lifetime. */
const parting = new WeakSet<object>();

/**
 * Ends a socket of `node:net` or `node:tls`, which finishes its handshake and says that it closes (close_notify).
 *
 * @param goodbye sent before
 * @param plain the socket below one of `node:tls`
 */
export function partFrom(socket: Socket, goodbye: string | Buffer, plain: Socket = socket): void {
  if (socket.destroyed || plain.destroyed || parting.has(plain)) return;
  parting.add(socket).add(plain);
  const end = new Parting(() => {
    socket.destroy();
    plain.destroy();
  });
  socket.on("error", () => end.end());
  socket.once("close", () => end.end());
  socket.on("data", (bytes: Buffer) => end.received(bytes.length));
  socket.end(goodbye, () => end.sent());
}

/** Closes a socket at the end of its lifetime. */
export function destroy(socket: Socket): void {
  if (!parting.has(socket)) socket.destroy();
}

/** Waits for what a server sends. A reset ends the connection too. @returns undefined at the end of the connection */
export async function readMore(connection: Connection): Promise<string | undefined> {
  try {
    return await connection.read();
  } catch (error) {
    if (asProbeError(error)) return undefined;
    throw error;
  }
}

/** After so many bytes, those that nothing holds any more are reclaimed. */
const EVERY = 16 * 1024 * 1024;

let passed = 0;

/**
 * Counts bytes that have passed through this thread. The garbage collector knows little of buffers that the system fills, and would
 * leave hundreds of MiB of them behind. A collection takes some milliseconds, and small answers seldom cause one.
 */
export function countPassed(bytes: number): void {
  passed += bytes;
  if (passed < EVERY) return;
  passed = 0;
  Bun.gc(true);
}
