import { type Certificate, judgeCertificate } from "../checks/certificate.ts";
import { checkTimeout, nextCheckAt } from "../checks/check-slot.ts";
import type { Expectations } from "../checks/expectation-rules.ts";
import type { Detail } from "../checks/observation.ts";
import { SECOND } from "../duration.ts";
import type { Seen } from "../monitors/confirmation.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { bySeverity, levelOf, type Status } from "../monitors/status.ts";
import { hasField, type ReplayChanges } from "./changes.ts";
import { type CheckKind, type MonitorPast, type PastChecks, settingsAt } from "./history.ts";

/*
 * The checks that a monitor would have made with other settings. A check that was made is known. A check that was not made saw the
 * same as the recorded checks before and after it, if they agree; otherwise both are possible: see `Guess`. Times are milliseconds since 1970.
 */

/** When a target changed between two recorded checks: right after the earlier check, or right before the later check. */
export type Turn = "early" | "late";

/** How checks are answered that were never made, between checks that saw something else. */
export interface Guess {
  /** A change for the worse. */
  worse: Turn;
  /** A change for the better. */
  better: Turn;
}

/**
 * A check of a replay.
 *
 * @property place the name of its location; null without locations
 * @property isKnown false if it was never made, or its result does not say enough
 * @property isGuessed whether it may have been otherwise, so that other guesses are tried
 */
export interface ReplayedCheck {
  seen: NewResult;
  startAt: number;
  place: string | null;
  isKnown: boolean;
  isGuessed: boolean;
}

/** A check may begin so much earlier or later than it is due. */
const TOLERANCE = 1500;
/** A requested check begins within this time. */
const REQUESTED_WITHIN = 2500;
/** In intervals: if a pause is longer, no server ran. */
const MAX_PAUSE = 3;

/** The checks of a monitor, in their order. */
export class ReplayedChecks {
  readonly #past: PastChecks;
  readonly #monitor: MonitorPast;
  readonly #changes: ReplayChanges;
  readonly #guess: Guess;
  /** The position of the first recorded check that is not used or left out. */
  #next = 0;
  /** The position of the recorded check that was used last; -1 if the last one was never made. */
  #used = -1;
  readonly #kinds: SeenKind[];

  /** @param checks of the monitor: see `alteredChecks` */
  constructor(
    monitor: MonitorPast,
    { checks, changes, guess }: { checks: PastChecks; changes: ReplayChanges; guess: Guess },
  ) {
    this.#monitor = monitor;
    this.#past = checks;
    this.#changes = changes;
    this.#guess = guess;
    this.#kinds = monitor.checks.kinds.map((kind) => seenKind(kind));
  }

  /**
   * The next check.
   *
   * @param last when the last one ended; null before the first
   * @param due when a re-check is due; null without one @param requestedAt when a check was requested; null without one
   * @returns null after the last one, with a function that uses it otherwise
   */
  next(
    rhythm: { interval: number; timeout?: number },
    { last, due, requestedAt }: { last: number | null; due: number | null; requestedAt: number | null },
  ): { check: ReplayedCheck; use: () => void } | null {
    if (this.#monitor.type === "SCHEDULED" || this.#isPlaced || last === null)
      return this.#recorded(this.#next);
    if (requestedAt !== null && (due === null || requestedAt < due))
      return (
        this.#requested(requestedAt, rhythm) ??
        this.#neverMade(requestedAt, rhythm) ??
        this.#recorded(this.#next)
      );
    return due === null ? this.#ofSlot(last, rhythm) : this.#again(due, rhythm);
  }

  get #isPlaced(): boolean {
    return this.#monitor.settings.some(({ places }) => places !== null);
  }

  #recorded(at: number) {
    if (at >= this.#past.count) return null;
    const check = this.#checkAt(at);
    const use = () => {
      this.#used = at;
      this.#next = at + 1;
    };
    return { check, use };
  }

  /** Without a suspicion, checks are made in the slots. Recorded re-checks are left out, and slots that they used up are not. */
  #ofSlot(last: number, rhythm: { interval: number; timeout?: number }) {
    let at = this.#next;
    if (!this.#isRecheck(at)) return this.#recorded(at);
    while (at < this.#past.count && this.#isRecheck(at)) at++;
    const slot = nextCheckAt(this.#monitor.id, rhythm.interval, last);
    if (at < this.#past.count && slot >= this.#startOf(at, rhythm) - TOLERANCE) return this.#recorded(at);
    return this.#neverMade(slot, rhythm) ?? this.#recorded(at);
  }

  #again(due: number, rhythm: { interval: number; timeout?: number }) {
    const at = this.#next;
    // The same re-check as the recorded one, however late it began.
    if (this.#used === at - 1 && this.#isRecheck(at)) return this.#recorded(at);
    for (let later = at; later < this.#past.count; later++) {
      const start = this.#startOf(later, rhythm);
      if (start > due + TOLERANCE) break;
      if (start >= due - TOLERANCE) return this.#recorded(later);
    }
    return this.#neverMade(due, rhythm) ?? this.#recorded(at);
  }

  #requested(requestedAt: number, rhythm: { interval: number; timeout?: number }) {
    const start =
      this.#next < this.#past.count ? this.#startOf(this.#next, rhythm) : Number.POSITIVE_INFINITY;
    const isIt = start >= requestedAt - TOLERANCE && start <= requestedAt + REQUESTED_WITHIN;
    return isIt ? this.#recorded(this.#next) : null;
  }

  /** @returns null if no server ran then */
  #neverMade(due: number, rhythm: { interval: number; timeout?: number }) {
    const { count, times, isAfterUsual } = this.#past;
    let after = Math.max(this.#next, 0);
    while (after < count && (times[after] ?? 0) <= due) after++;
    const before = after - 1;
    const isBeforeUsual = after < count && isAfterUsual[after] === 1;
    if (before < 0) return null;
    if (after < count && !isBeforeUsual) {
      const pause = this.#startOf(after, rhythm) - (times[before] ?? 0);
      if (pause > MAX_PAUSE * rhythm.interval * SECOND) return null;
    }
    const [one, other] = [
      this.#kindAt(before),
      isBeforeUsual ? this.#usual : this.#kindAt(Math.min(after, count - 1)),
    ];
    const [from, to] = [levelOf[one.status], levelOf[other.status]];
    const turn = to > from ? this.#guess.worse : this.#guess.better;
    const isEarly = from !== to && turn === "early";
    const kind = isEarly ? other : one;
    const took = this.#tookOf(isEarly && !isBeforeUsual ? Math.min(after, count - 1) : before, rhythm);
    const at = due + took;
    const latencyMs = kind === this.#usual ? null : this.#latencyOf(isEarly ? after : before);
    const { status, detail } = kind;
    const seen = { status, detail, latencyMs, createdAt: at };
    const judged = this.#judged(seen);
    const check = {
      ...{ seen: judged.seen, startAt: due, place: null },
      ...{ isKnown: false, isGuessed: judged.isGuessed || from !== to },
    };
    const use = () => {
      this.#used = -1;
      this.#next = after;
    };
    return { check, use };
  }

  #checkAt(at: number): ReplayedCheck {
    const kind = this.#kindAt(at);
    const createdAt = this.#past.times[at] ?? 0;
    const { status, maintenance } = kind;
    const detail = maintenance === undefined ? kind.detail : { ...kind.detail, maintenance };
    const seen = { status, detail, latencyMs: this.#latencyOf(at), createdAt };
    const startAt = createdAt - (seen.latencyMs ?? 0);
    return { ...this.#judged(seen), startAt, place: kind.place };
  }

  #kindAt(at: number): SeenKind {
    return this.#kinds[this.#past.kindOf[at] ?? 0] ?? this.#usual;
  }

  get #usual(): SeenKind {
    const status = bySeverity[this.#monitor.type].at(-1) as Status;
    return seenKind({ status, detail: null });
  }

  #latencyOf(at: number): number | null {
    const latency = this.#past.latencies[at] ?? Number.NaN;
    return Number.isNaN(latency) ? null : latency;
  }

  /** Whether a recorded check was a re-check: the one before it left a suspicion. */
  #isRecheck(at: number): boolean {
    return (
      at > 0 &&
      at < this.#past.count &&
      this.#past.isAfterUsual[at] !== 1 &&
      this.#kindAt(at - 1).isSuspicious
    );
  }

  #startOf(at: number, rhythm: { interval: number; timeout?: number }): number {
    return (this.#past.times[at] ?? 0) - this.#tookOf(at, rhythm);
  }

  /** How long a check took: a failed one has no latency, but began in its slot. */
  #tookOf(at: number, { interval, timeout }: { interval: number; timeout?: number }): number {
    const latency = this.#latencyOf(at);
    if (latency !== null) return latency;
    const end = this.#past.times[at] ?? 0;
    const longest = checkTimeout({ interval, ...(timeout !== undefined && { timeout }) });
    const sinceSlot = end - (nextCheckAt(this.#monitor.id, interval, end) - interval * SECOND);
    return sinceSlot <= longest + TOLERANCE ? sinceSlot : 0;
  }

  /** A check by the changed settings, as far as its result says it. */
  #judged(seen: NewResult): Pick<ReplayedCheck, "seen" | "isKnown" | "isGuessed"> {
    const { warnDays, "expect.within": within } = this.#changes;
    const { detail, latencyMs, createdAt } = seen;
    const { type } = this.#monitor;
    // A reason explains another status than the status by the date of the certificate.
    const isByDate = type === "TLS" && detail !== null && "validTo" in detail && detail.reason === undefined;
    if (warnDays !== undefined && isByDate) {
      const status = judgeCertificate(detail as unknown as Certificate, createdAt, { warnDays });
      return { seen: { ...seen, status }, ...KNOWN };
    }
    const { config } = settingsAt(this.#monitor, createdAt);
    const isTimed = within !== undefined && latencyMs !== null && levelOf[seen.status] <= 1;
    if (!isTimed || !hasField("expect.within", { type, config })) return { seen, ...KNOWN };
    const { expect } = config as { expect?: Expectations };
    // The latency ends with the head of the answer.
    const isKnown = !readsBody(expect);
    if (latencyMs > within) return { seen: { ...seen, status: "degraded" }, isKnown, isGuessed: false };
    const wasSlow = seen.status === "degraded" && detail?.reason === undefined;
    if (!wasSlow || latencyMs <= (expect?.within ?? Number.POSITIVE_INFINITY))
      return { seen, isKnown, isGuessed: false };
    // Perhaps the baseline of the monitor made it Degraded as well.
    const status = this.#guess.better === "late" ? seen.status : "up";
    return { seen: { ...seen, status }, isKnown: false, isGuessed: true };
  }
}

const KNOWN = { isKnown: true, isGuessed: false };

/** Whether an expectation needs the body of the answer. */
function readsBody(expect: Expectations | undefined): boolean {
  return [expect?.contains, expect?.lacks, expect?.json, expect?.complete].some(Boolean);
}

/**
 * A kind of recorded results, by what their checks saw.
 *
 * @property detail without the window of a maintenance @property maintenance the ID of the maintenance in whose window it was made
 */
interface SeenKind {
  status: Status;
  detail: Detail | null;
  maintenance: unknown;
  place: string | null;
  isSuspicious: boolean;
}

/** The recorded detail has the observation of its check if the status differs from it (behavior 11.7). */
function seenKind({ status, detail }: CheckKind): SeenKind {
  const { seen: stored, location, maintenance, ...others } = detail ?? {};
  const seen: Seen = isSeen(stored) ? stored : { status };
  const { reason, message } = seen;
  const full: Detail = {
    ...others,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
  return {
    ...{ status: seen.status, detail: detail === null ? null : full, maintenance },
    place: typeof location === "string" ? location : null,
    isSuspicious: seen.status !== status,
  };
}

function isSeen(value: unknown): value is Seen {
  return typeof value === "object" && value !== null && "status" in value;
}
