import { type Certificate, judgeCertificate } from "../checks/certificate.ts";
import { checkTimeout, nextCheckAt } from "../checks/check-slot.ts";
import type { Expectations } from "../checks/expectation-rules.ts";
import { needsBody } from "../checks/expectations.ts";
import type { Detail } from "../checks/observation.ts";
import { SECOND } from "../duration.ts";
import { recheckDelay, type Seen } from "../monitors/confirmation.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { bySeverity, levelOf, type Status } from "../monitors/status.ts";
import { hasField, type ReplayChanges } from "./changes.ts";
import { type CheckKind, type MonitorPast, type PastChecks, settingsAt } from "./history.ts";

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
 * @property startAt when it began, in milliseconds since 1970; about, if it had no latency
 * @property place the name of its location; null without locations
 * @property isKnown false if it was never made, or its result does not say enough
 * @property guessed the guess that it follows from, if it may have been otherwise
 */
export interface ReplayedCheck {
  seen: NewResult;
  startAt: number;
  place: string | null;
  isKnown: boolean;
  guessed: keyof Guess | null;
}

/** A check of a replay that may be next. @property use is called if it is */
export interface NextCheck {
  check: ReplayedCheck;
  use: () => void;
}

/** How often a monitor is checked, in seconds. @property offset of the slots of a location, in milliseconds */
export interface CheckRhythm {
  interval: number;
  timeout?: number;
  offset?: number;
}

/** A check may begin so much earlier or later than it is due, in milliseconds: less if the next slot is near. */
export function toleranceOf({ interval }: CheckRhythm): number {
  return Math.min(1500, interval * 250);
}

/** A requested check begins within this time, in milliseconds. */
export function requestedWithin({ interval }: CheckRhythm): number {
  return Math.min(2500, interval * 500);
}

/** The checks of a replay. @property checks of the monitor: see `alteredChecks` */
export interface CheckSource {
  checks: PastChecks;
  changes: ReplayChanges;
  guess: Guess;
}

/** The recorded checks of a monitor, by their positions, as they count with changed settings. */
export class RecordedChecks {
  readonly count: number;
  readonly #past: PastChecks;
  readonly #monitor: MonitorPast;
  readonly #changes: ReplayChanges;
  readonly #guess: Guess;
  readonly #kinds: SeenKind[];
  readonly #usual: SeenKind;
  readonly #isJudgedAgain: boolean;

  constructor(monitor: MonitorPast, { checks, changes, guess }: CheckSource) {
    this.count = checks.count;
    this.#past = checks;
    this.#monitor = monitor;
    this.#changes = changes;
    this.#guess = guess;
    this.#isJudgedAgain = changes.warnDays !== undefined || changes["expect.within"] !== undefined;
    this.#kinds = checks.kinds.map((kind) => seenKind(kind));
    this.#usual = seenKind({ status: bySeverity[monitor.type].at(-1) as Status, detail: null });
  }

  at(position: number): ReplayedCheck {
    const { status, detail: seenDetail, maintenance, place } = this.#kindAt(position);
    const createdAt = this.endOf(position);
    const detail = maintenance === undefined ? seenDetail : { ...seenDetail, maintenance };
    const seen = { status, detail, latencyMs: this.#latencyOf(position), createdAt };
    return { ...this.#judged(seen), startAt: createdAt - (seen.latencyMs ?? 0), place };
  }

  /**
   * A check that was never made.
   *
   * @param dueAt when it would have begun @param before, after the positions of the recorded checks before and after it; a usual one if null
   */
  neverMade(
    dueAt: number,
    { before, after }: { before: number | null; after: number | null },
    rhythm: CheckRhythm,
  ): ReplayedCheck {
    const one = this.#kindAt(before);
    const next = this.#kindAt(after);
    // The latency is near its limit: the check may have been fast enough.
    const isSlow = isByLatency(one) && isByLatency(next);
    const other = isSlow ? this.#usual : next;
    const [from, to] = [levelOf[one.status], levelOf[other.status]];
    const direction = to > from ? "worse" : "better";
    const isEarly = from !== to && this.#guess[direction] === "early";
    const like = isEarly ? after : before;
    const { status, detail, place } = isEarly ? other : one;
    const took = like === null ? 0 : this.tookOf(like, rhythm);
    const latencyMs = like === null ? null : this.#latencyOf(like);
    const judged = this.#judged({ status, detail, latencyMs, createdAt: dueAt + took });
    const guessed = from === to ? judged.guessed : direction;
    return { seen: judged.seen, startAt: dueAt, place, isKnown: false, guessed };
  }

  /** Whether a recorded check saw a status, with the settings that were in force and with the changed ones. */
  isLike(position: number, status: Status): boolean {
    return !this.#isJudgedAgain && this.#kindAt(position).status === status;
  }

  endOf(position: number): number {
    return this.#past.times[position] ?? 0;
  }

  placeOf(position: number): string | null {
    return this.#kindAt(position).place;
  }

  isAfterUsual(position: number): boolean {
    return this.#past.isAfterUsual[position] === 1;
  }

  /** Whether a recorded check was a re-check: the one before it left a suspicion, and it began when it was due, or later. */
  isRecheck(position: number, rhythm: CheckRhythm): boolean {
    const isAny = position > 0 && position < this.count && !this.isAfterUsual(position);
    if (!isAny || !this.#kindAt(position - 1).isSuspicious) return false;
    const due = this.endOf(position - 1) + recheckDelay(rhythm.interval);
    return this.startOf(position, rhythm) >= due - toleranceOf(rhythm);
  }

  startOf(position: number, rhythm: CheckRhythm): number {
    return this.endOf(position) - this.tookOf(position, rhythm);
  }

  /** How long a check took: a failed one has no latency, but began in its slot. */
  tookOf(position: number, rhythm: CheckRhythm): number {
    const latency = this.#latencyOf(position);
    if (latency !== null) return latency;
    const sinceSlot = this.#sinceSlot(this.endOf(position), rhythm);
    return sinceSlot <= checkTimeout(rhythm) + toleranceOf(rhythm) ? sinceSlot : 0;
  }

  /** Whether a recorded check began in a slot, as far as that is known. */
  isInSlot(position: number, rhythm: CheckRhythm): boolean {
    const latency = this.#latencyOf(position);
    if (latency === null)
      return this.#sinceSlot(this.endOf(position), rhythm) <= checkTimeout(rhythm) + toleranceOf(rhythm);
    return (
      this.#sinceSlot(this.endOf(position) - latency + toleranceOf(rhythm), rhythm) <= 2 * toleranceOf(rhythm)
    );
  }

  #sinceSlot(at: number, { interval, offset = 0 }: CheckRhythm): number {
    return at - (nextCheckAt(this.#monitor.id, interval, at, offset) - interval * SECOND);
  }

  #kindAt(position: number | null): SeenKind {
    if (position === null) return this.#usual;
    return this.#kinds[this.#past.kindOf[position] ?? 0] ?? this.#usual;
  }

  #latencyOf(position: number): number | null {
    const latency = this.#past.latencies[position] ?? Number.NaN;
    return Number.isNaN(latency) ? null : latency;
  }

  /** A check by the changed settings, as far as its result says it. */
  #judged(seen: NewResult): Pick<ReplayedCheck, "seen" | "isKnown" | "guessed"> {
    if (!this.#isJudgedAgain) return { seen, ...KNOWN };
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
    const isKnown = !needsBody(expect ?? {});
    if (latencyMs > within) return { seen: { ...seen, status: "degraded" }, isKnown, guessed: null };
    const wasSlow = seen.status === "degraded" && detail?.reason === undefined;
    if (!wasSlow || latencyMs <= (expect?.within ?? Number.POSITIVE_INFINITY))
      return { seen, isKnown, guessed: null };
    // Perhaps the baseline of the monitor made it Degraded as well.
    const status = this.#guess.better === "late" ? seen.status : "up";
    return { seen: { ...seen, status }, isKnown: false, guessed: "better" };
  }
}

const KNOWN = { isKnown: true, guessed: null };

/** Whether a check was Degraded by its latency, which has no reason. */
function isByLatency({ status, detail }: SeenKind): boolean {
  return status === "degraded" && detail?.reason === undefined;
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
