import { type PingFacts, pingFacts } from "../../domain/checks/judge.ts";
import type { Closable } from "../lifetime.ts";
import { Deadlines, systemProbeClock } from "../probe-clock.ts";
import { asProbeError, ProbeError } from "../probe-error.ts";
import { type PingAddress, type PingFamily, pingAddress } from "./dialect.ts";
import { AF_INET, AF_INET6 } from "./libc.ts";
import { pingSetting } from "./ping-access.ts";
import { type Echo, type EchoListener, PingSocket } from "./ping-socket.ts";

/** Interval at which replies are read while there are pings without one, in milliseconds: the kernel notes when they arrive. */
const READ_EVERY = 10;

const SEQUENCES = 2 ** 16;

/** A ping to send. @property size bytes behind the header @property onReply called with the round trip in milliseconds */
interface Ping {
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
class Pinger implements EchoListener {
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

/** Milliseconds between two pings (behavior 20.31). */
const GAP = 200;

const pingers = { [AF_INET]: new Pinger(AF_INET), [AF_INET6]: new Pinger(AF_INET6) };

/** @property count how many pings @property size bytes of data in each */
export interface PingOptions {
  count: number;
  size: number;
}

/** The pings of a check to one address. */
export class PingSeries implements Closable {
  private static readonly gaps = new Deadlines<PingSeries>(systemProbeClock, (one) => one.sendNext());
  /** Resolves with the first reply. Rejects if all pings are over without one, with a ProbeError unless this machine is at fault. */
  readonly firstReply: Promise<this>;
  /** Resolves when each ping has an answer, or at `finish`. */
  readonly end: Promise<void>;
  private readonly address: PingAddress;
  private readonly pinger: Pinger;
  private readonly first = Promise.withResolvers<this>();
  private readonly whole = Promise.withResolvers<void>();
  private readonly roundTrips: number[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly startedAt = performance.now();
  private sent = 0;
  private tried = 0;
  private unreachable: ProbeError | undefined;
  /** A fault of this machine that kept a ping from being sent. */
  private fault: unknown;
  private isOver = false;

  /** @param timeout of the check in milliseconds, for the message @throws an error of the system, if this machine can't ping */
  constructor(
    address: string,
    private readonly options: PingOptions,
    private readonly timeout: number,
  ) {
    this.address = pingAddress(address);
    this.pinger = pingers[this.address.family];
    this.firstReply = this.first.promise;
    this.end = this.whole.promise;
    this.pinger.use();
    this.sendNext();
  }

  facts(): PingFacts {
    return pingFacts(this.sent, this.roundTrips);
  }

  /** A fault of this machine that may be why a reply is missing; undefined if there was none, or none is missing. */
  ownFault(): unknown {
    return this.roundTrips.length < this.sent ? this.fault : undefined;
  }

  /** Pings without an answer are lost. */
  finish(): void {
    if (this.isOver) return;
    this.pinger.receive();
    this.settle();
  }

  /** Waits for nothing any more. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    PingSeries.gaps.delete(GAP, this);
    for (const forget of this.waiting) forget();
    this.noteDrops();
    this.pinger.release();
  }

  private sendNext(): void {
    this.tried++;
    if (this.tried < this.options.count) PingSeries.gaps.add(GAP, this);
    try {
      this.send();
      this.sent++;
    } catch (error) {
      this.noteError(error);
    }
    this.settleIfAnswered();
  }

  private send(): void {
    const answered = () => {
      this.waiting.delete(forget);
      this.settleIfAnswered();
    };
    const forget = this.pinger.send(this.address, {
      size: this.options.size,
      onReply: (ms) => {
        this.roundTrips.push(ms);
        this.first.resolve(this);
        answered();
      },
      onUnreachable: () => {
        this.unreachable ??= new ProbeError(
          "unreachable",
          "the network reports that the host is unreachable",
        );
        answered();
      },
    });
    this.waiting.add(forget);
  }

  /** A lack of a route is about the target. */
  private noteError(error: unknown): void {
    const probeError = asProbeError(error);
    if (probeError) this.unreachable ??= probeError;
    else this.fault ??= error;
    if (probeError) this.sent++;
  }

  private noteDrops(): void {
    if (!this.pinger.hasDroppedSince(this.startedAt)) return;
    const error = new Error("replies to pings were lost on this machine: too many waited to be read");
    this.fault ??= Object.assign(error, { code: "ENOBUFS" });
  }

  private settleIfAnswered(): void {
    if (this.tried === this.options.count && this.waiting.size === 0) this.settle();
  }

  private settle(): void {
    if (this.isOver) return;
    this.close();
    if (this.roundTrips.length === 0) this.first.reject(this.failure());
    this.whole.resolve();
  }

  private failure(): unknown {
    if (this.fault) return this.fault;
    const { sent } = this;
    const silence = `no reply to ${sent === 1 ? "a ping" : `${sent} pings`} within ${this.timeout / 1000} s`;
    const { reason, message } = this.unreachable ?? new ProbeError("timeout", silence);
    return new ProbeError(reason, message, { ping: this.facts() });
  }
}
