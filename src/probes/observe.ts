import type { Detail, Lookup, Observation, Phases, TlsFacts } from "../domain/checks/observation.ts";
import type { Attempt, CheckFacts, HttpEvidence } from "../domain/evidence/evidence.ts";
import { factsOf } from "./check-facts.ts";
import type { Connection } from "./connections/connection.ts";
import type { ShownTls } from "./connections/handshake.ts";
import type { Network } from "./connections/network.ts";
import type { DnsListener } from "./dns/resolve.ts";
import { type Closable, Lifetime } from "./lifetime.ts";
import { Deadlines, systemProbeClock } from "./probe-clock.ts";
import { AccessError, asProbeError, isShortage, ProbeError } from "./probe-error.ts";

/** Arguments of a probe, besides the config of the monitor. */
export interface ProbeInput {
  /** Milliseconds. */
  timeout: number;
  network: Network;
  /** Cancels the probe when it is closed. */
  lifetime?: Lifetime;
  /** When the check began whose part this probe is, in milliseconds of `performance.now()`. Default: now. */
  startedAt?: number;
}

/** An observation, except that a target that cannot be reached is an error. */
export type Seen = Exclude<Observation, { outcome: "failed" }>;

const CANCELLED: Observation = { outcome: "inconclusive", message: "the check was cancelled" };

const timeouts = new Deadlines<ProbeContext>(systemProbeClock, (context) => context.expire());

/** How long a check waits for this process at a time, in milliseconds. */
const PATIENCE = 10_000;

const KEPT_WAITING = "this process was too busy with other answers";

const patience = new Deadlines<ProbeContext>(systemProbeClock, (context) =>
  context.fail(new Error(KEPT_WAITING)),
);

/** For how long a check may wait, in milliseconds, before its failure may be due to that. Like a stall (behavior 1.46). */
const HARMLESS = 250;

/** A timeout that was moved is rounded up to so many milliseconds, because each duration takes a timer of its own. */
const ROUNDED_TO = 100;

/** Runs a probe with its timeout and turns the result, or the error, into an Observation. Never throws. */
export function observe(
  input: ProbeInput,
  probe: (context: ProbeContext) => Promise<Seen>,
): Promise<Observation> {
  return new Promise((resolve) => {
    const context = new ProbeContext(input, resolve);
    probe(context).then(
      (seen) => context.succeed(seen),
      (error) => context.fail(error),
    );
  });
}

/** For how long a failed check waits for what has been announced of an answer, in milliseconds. */
const ANSWER_PATIENCE = 200;

/** The state of one running probe. Its address and phases are part of the detail, however the probe ends. */
export class ProbeContext implements Closable, DnsListener {
  readonly timeout: number;
  readonly network: Network;
  /** When the check began, in milliseconds of `performance.now()`. A pause moves it. */
  start: number;
  /** When its request began, with redirects the first one: the start of the check, or of its step. A pause moves it too. */
  begunAt: number;
  /** Whether a step was made before. */
  isLaterStep = false;
  /** Over at the timeout and when the probe ends: it closes everything that the probe opened. */
  lifetime: Lifetime;
  /** The IP address of the connection, or the one that was tried last. */
  address = "";
  /**
   * The lack of descriptors, memory or ports that prevented an attempt. If set, a failure says nothing about the
   * target.
   */
  shortage: Error | undefined = undefined;
  /** The step in progress, for the message of a timeout. */
  waitingFor:
    | "DNS answer"
    | "connection"
    | "TLS handshake"
    | "greeting"
    | "answer"
    | "reply"
    | "end of the body"
    | "expected text"
    | "pong" = "answer";
  /** Ends a probe at its timeout that knows more then than that something is missing. */
  onTimeout: (() => void) | undefined = undefined;
  phases: Phases = {};
  /** The status of an answer that more is expected after: a failure then has it. */
  statusCode: number | undefined = undefined;
  /** The first handshake. */
  tls: TlsFacts | undefined = undefined;
  /** The addresses of the first host, if it is a name. */
  told: string[] | undefined = undefined;
  /** Whether the probe is one of several about one host, each at another address. */
  readonly isPart: boolean;
  /** Whether the host is one of a redirect. */
  isRedirected = false;
  /** The answers of the DNS about the host, and when the lookup began, in milliseconds of `performance.now()`. */
  lookups: Lookup[] | undefined = undefined;
  lookupAt: number;
  /** The handshake with the host. */
  handshake: ShownTls | undefined = undefined;
  /** The connection on which the answer is expected. */
  conversation: Connection | undefined = undefined;
  /** Gives the outcomes at the addresses of the host, if several were tried. */
  attempts: (() => Attempt[]) | undefined = undefined;
  /** Reads the answer of the host for the evidence of a failure. @param patience milliseconds */
  readAnswer: ((patience: number) => Promise<HttpEvidence | null>) | undefined = undefined;
  private isFailing = false;
  /** The lifetime of the whole probe; its parts may have shorter ones. */
  private readonly whole: Lifetime;
  /** The time of the timeout, in milliseconds of `performance.now()`, and the milliseconds of its timer. */
  private deadline: number;
  private rest: number;
  /** How many milliseconds of the latency are due to faults of the DNS servers of the operator (behavior 4.23). */
  lateBy = 0;
  /** How many milliseconds all pauses took. */
  paused = 0;
  /** For how many milliseconds this process kept the check waiting, which is not the time of the target. */
  waited = 0;
  private hasLeftTarget = false;
  private leftAt = 0;

  constructor(
    { timeout, network, lifetime = new Lifetime(), startedAt }: ProbeInput,
    private readonly settle: (observation: Observation) => void,
  ) {
    const now = performance.now();
    this.start = this.begunAt = this.lookupAt = startedAt ?? now;
    this.isPart = startedAt !== undefined;
    this.timeout = timeout;
    this.deadline = this.start + timeout;
    this.rest = startedAt === undefined ? timeout : Math.max(0, Math.ceil(this.deadline - now));
    this.network = network;
    this.lifetime = this.whole = lifetime;
    timeouts.add(this.rest, this);
    lifetime.add(this);
  }

  /** A further step begins: what was measured of the one before does not count for it. */
  beginStep(): void {
    this.returnToTarget();
    this.begunAt = performance.now();
    this.isLaterStep = true;
    this.isRedirected = false;
    this.waited = 0;
    this.phases = {};
    this.address = "";
    this.beginHost(this.begunAt);
  }

  /** The probe turns to a host: nothing is known of it. @param at when its lookup began, in milliseconds of `performance.now()` */
  beginHost(at: number): void {
    this.lookupAt = at;
    this.lookups = this.attempts = undefined;
    this.leaveAnswer();
  }

  /** Another request follows: a failure is not about the answer so far. */
  leaveAnswer(): void {
    this.handshake = this.readAnswer = this.conversation = undefined;
  }

  /** Drops the facts about the host, which is a proxy and not the target. */
  forgetHost(): void {
    this.beginHost(this.lookupAt);
    this.told = undefined;
    this.address = "";
  }

  heard(lookups: Lookup[], ownWait: number): void {
    this.lookups = lookups;
    if (ownWait === 0) return;
    this.lateBy += ownWait;
    timeouts.delete(this.rest, this);
    this.postpone(ownWait);
  }

  succeed(seen: Seen): void {
    if (this.isFailing) return;
    if ("detail" in seen) {
      Object.assign(seen.detail, this.trace());
      if (this.tls) seen.tls = this.tls;
      if (this.told) seen.told = this.told;
      if (this.lateBy > 0 && seen.outcome === "reached") seen.lateBy = this.lateBy;
    }
    this.end(seen);
  }

  fail(error: unknown): void {
    if (this.isFailing || this.whole.isOver) return;
    this.isFailing = true;
    const cause = this.shortage ?? error;
    const probeError = asProbeError(cause);
    const mayBeOwn = this.waited > HARMLESS && probeError?.reason !== "unexpected";
    if (!probeError) this.end(inconclusive(cause));
    else if (mayBeOwn) this.end(inconclusive(new Error(KEPT_WAITING)));
    else void this.endWithFacts(failure(probeError, this), factsOf(this, probeError));
  }

  /** Reads the part of the answer that has come, which may take a moment. */
  private async endWithFacts(failed: Failed, facts: CheckFacts): Promise<void> {
    const patience = Math.max(0, Math.min(ANSWER_PATIENCE, this.deadline - performance.now()));
    const http = this.readAnswer ? await this.readAnswer(patience).catch(() => null) : null;
    this.end({ ...failed, facts: { ...facts, http } });
  }

  expire(): void {
    if (this.onTimeout) this.onTimeout();
    else this.fail(new ProbeError("timeout", `no ${this.waitingFor} within ${this.timeout / 1000} s`));
  }

  /**
   * Waits for this process while the target waits too. The timeout is later by this time. The target may react to the wait, so a
   * later failure says nothing about it, except if its answer has arrived and is not as expected.
   */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    if (this.hasLeftTarget) return work();
    timeouts.delete(this.rest, this);
    patience.add(PATIENCE, this);
    const start = performance.now();
    try {
      return await work();
    } finally {
      patience.delete(PATIENCE, this);
      const ms = performance.now() - start;
      this.waited += ms;
      this.postpone(ms);
    }
  }

  /**
   * Waits for something that is no part of the target, before a request to it: neither the latency nor the timeout counts this time.
   *
   * @param work has a limit of its own
   */
  async pause<T>(work: () => Promise<T>): Promise<T> {
    timeouts.delete(this.rest, this);
    const began = performance.now();
    try {
      return await work();
    } finally {
      const ms = performance.now() - began;
      this.paused += ms;
      this.start += ms;
      this.begunAt += ms;
      this.postpone(ms);
    }
  }

  /** Nothing that the target does counts any more: what takes time from here on is this process. */
  leaveTarget(): void {
    if (this.hasLeftTarget || this.whole.isOver) return;
    this.hasLeftTarget = true;
    this.leftAt = performance.now();
    timeouts.delete(this.rest, this);
    patience.add(PATIENCE, this);
  }

  /** The timeout counts again, without the time since the target was left. */
  private returnToTarget(): void {
    if (!this.hasLeftTarget) return;
    this.hasLeftTarget = false;
    patience.delete(PATIENCE, this);
    this.postpone(performance.now() - this.leftAt);
  }

  private postpone(ms: number): void {
    this.deadline += ms;
    if (this.whole.isOver) return;
    const rest = Math.max(0, this.deadline - performance.now());
    this.rest = Math.ceil(rest / ROUNDED_TO) * ROUNDED_TO;
    timeouts.add(this.rest, this);
  }

  /** From now on, parts of the probe have the timeout. */
  leaveTimeout(): void {
    timeouts.delete(this.rest, this);
  }

  /** The lifetime is over: the probe was cancelled, if it has not ended. */
  close(): void {
    timeouts.delete(this.rest, this);
    if (this.hasLeftTarget) patience.delete(PATIENCE, this);
    this.settle(CANCELLED);
  }

  trace(): Detail {
    const { address, phases } = this;
    return address === "" ? { phases } : { address, phases };
  }

  /** @param observation has no effect after another one */
  private end(observation: Observation): void {
    this.settle(observation);
    this.whole.close();
  }
}

type Failed = Extract<Observation, { outcome: "failed" }>;

function failure({ reason, message, seen }: ProbeError, context: ProbeContext): Failed {
  const { statusCode = context.statusCode, code, ping, latencyMs, certificate, sample } = seen;
  const evidence = {
    ...(latencyMs !== undefined && { latencyMs }),
    ...(certificate && { certificate }),
    ...(sample && { sample }),
  };
  const numbers = { ...(statusCode !== undefined && { statusCode }), ...(code !== undefined && { code }) };
  const detail = { ...numbers, ...(ping && { ping }), message, ...context.trace() };
  const { tls, told } = context;
  return { outcome: "failed", reason, ...evidence, ...(tls && { tls }), ...(told && { told }), detail };
}

function inconclusive(error: unknown): Observation {
  if (error instanceof AccessError) {
    const { message, reason } = error;
    return { outcome: "inconclusive", message, reason };
  }
  const message = String(error);
  return isShortage(error)
    ? { outcome: "inconclusive", message, isShortage: true }
    : { outcome: "inconclusive", message };
}
