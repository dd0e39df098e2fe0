import { pingSetting } from "./ping-access.ts";
import type { PingAddress, PingFamily } from "./ping-address.ts";
import type { Echo } from "./ping-memory.ts";
import { type EchoListener, PingSocket } from "./ping-socket.ts";

/** Interval at which replies are read while there are pings without one, in milliseconds: the kernel notes when they arrive. */
const READ_EVERY = 10;

const SEQUENCES = 2 ** 16;

/** A ping to send. @property size bytes behind the header @property onReply called with the round trip in milliseconds */
export interface Ping {
  size: number;
  onReply(ms: number): void;
  onUnreachable(): void;
}

interface Outstanding extends Echo {
  ping: Ping;
  /** By the real time, and in milliseconds of `performance.now()`. */
  sentAt: number;
  startedAt: number;
}

/** The pings of one version of IP, all by one socket, which is open while somebody uses it. */
export class Pinger implements EchoListener {
  private readonly outstanding = new Map<number, Outstanding>();
  private socket: PingSocket | undefined;
  private users = 0;
  private lastSequence = 0;
  private timer: Timer | undefined;
  /** How many replies this machine has lost, and when that was last seen to grow, in milliseconds of `performance.now()`. */
  private drops = 0;
  private droppedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly family: PingFamily) {}

  /** To be called before the first ping of a user, and `release` once after its last one. @throws an error of the system */
  use(): void {
    this.socket ??= openSocket(this.family, this);
    this.users++;
  }

  release(): void {
    if (--this.users > 0) return;
    this.socket?.close();
    this.socket = undefined;
    this.drops = 0;
  }

  /** @returns forgets the ping @throws an error of the system, also if as many pings as possible have no answer yet */
  send(address: PingAddress, ping: Ping): () => void {
    if (!this.socket) throw new Error("a ping was sent without a socket");
    const sequence = this.freeSequence();
    const startedAt = performance.now();
    const one = { address, sequence, nonce: nextNonce(), size: ping.size, ping, sentAt: 0, startedAt };
    one.sentAt = this.socket.send(one);
    this.outstanding.set(sequence, one);
    this.timer ??= setInterval(() => this.receive(), READ_EVERY);
    return () => {
      if (this.outstanding.get(sequence) === one) this.forget(sequence);
    };
  }

  /** Reads replies now, for whoever can't wait. */
  receive(): void {
    if (!this.socket) return;
    this.socket.receive();
    const drops = this.socket?.drops() ?? 0;
    if (drops > this.drops) this.droppedAt = performance.now();
    this.drops = drops;
  }

  /** Whether this machine has lost replies since a time of `performance.now()`, as far as they were read. */
  hasDroppedSince(time: number): boolean {
    return this.droppedAt >= time;
  }

  find(sequence: number): Echo | undefined {
    return this.outstanding.get(sequence);
  }

  onReply(sequence: number, at: number): void {
    const answered = this.outstanding.get(sequence);
    if (!answered) return;
    this.forget(sequence);
    const { ping, sentAt, startedAt } = answered;
    const ms = at - sentAt;
    const longest = performance.now() - startedAt;
    // The real time was set meanwhile.
    ping.onReply(ms >= 0 && ms <= longest ? ms : longest);
  }

  onUnreachable(sequence: number): void {
    const refused = this.outstanding.get(sequence);
    this.forget(sequence);
    refused?.ping.onUnreachable();
  }

  private forget(sequence: number): void {
    this.outstanding.delete(sequence);
    if (this.outstanding.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private freeSequence(): number {
    if (this.outstanding.size === SEQUENCES) {
      const error = new Error("too many pings wait for an answer");
      throw Object.assign(error, { code: "ENOBUFS" });
    }
    do this.lastSequence = (this.lastSequence + 1) % SEQUENCES;
    while (this.outstanding.has(this.lastSequence));
    return this.lastSequence;
  }
}

/** @throws an error that says what to set, if this process may not ping */
function openSocket(family: PingFamily, listener: EchoListener): PingSocket {
  try {
    return new PingSocket(family, listener);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw code === "EACCES" || code === "EPERM" ? new Error(pingSetting()) : error;
  }
}

/** Random numbers, drawn many at once, which costs less. */
const NONCES = new Uint32Array(1024);
let drawn = NONCES.length;

function nextNonce(): [number, number] {
  if (drawn === NONCES.length) {
    crypto.getRandomValues(NONCES);
    drawn = 0;
  }
  drawn += 2;
  return [NONCES[drawn - 2] ?? 0, NONCES[drawn - 1] ?? 0];
}
