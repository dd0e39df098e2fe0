import { type PingFacts, pingFacts } from "../../domain/checks/ping.ts";
import { Deadlines } from "../deadlines.ts";
import type { Closable } from "../lifetime.ts";
import { systemProbeClock } from "../probe-clock.ts";
import { asProbeError, ProbeError } from "../probe-error.ts";
import { AF_INET, AF_INET6 } from "./libc.ts";
import { type PingAddress, pingAddress } from "./ping-address.ts";
import { Pinger } from "./pinger.ts";

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
