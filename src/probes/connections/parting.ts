import type { Socket } from "node:net";
import { descriptorLimit } from "../../descriptors.ts";

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
