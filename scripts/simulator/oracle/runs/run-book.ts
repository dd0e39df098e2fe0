import type { Message } from "../../truth/runs/run-job.ts";

const MINUTE = 60_000;

/** A limit is learned after so many runs that ended `ok`, from the longest of the last `REMEMBERED`. */
const [KNOWN_AFTER, REMEMBERED] = [5, 20];

const MAX_OPEN = 100;

/** A start that arrives so long after the end of its run opens none; milliseconds. */
const LATE_START = 3_600_000;

/** So many outages between two check-ins make the runs that are open unknown. */
const MAX_OUTAGES = 3;

/**
 * A run that the reports of a job opened.
 *
 * @property run the place of the true run that reported the start
 * @property start by a clock that goes as the one of the server did since; milliseconds
 * @property limitFrom from when its limit counts @property isUnknown whether its end may be lost with the server
 * @property unseen how long the server did not run since the start
 * @property isDecided whether it was recorded that it takes too long, or never is
 */
export interface BookedRun {
  run: number;
  rid: string | undefined;
  start: number;
  limitFrom: number;
  isUnknown: boolean;
  unseen: number;
  isDecided: boolean;
}

/** The runs of a job as the contract reads its reports: a second account of them, from the reports that arrived. */
export class RunBook {
  open: BookedRun[] = [];
  /** How many of the latest check-ins ended a run each. */
  paired = 0;
  /** The first start since the last check-in. */
  firstStart: number | null = null;
  /** From when the limit counts that keeps the job from being late. */
  excusedFrom: number | null = null;
  /** Since when the limit is not longer than now. */
  limitSince = 0;
  readonly #lengths: number[] = [];
  readonly #ended = new Map<string, { at: number; startedAgain: boolean }>();
  #outages = 0;

  /** @param maxRunTime seconds */
  constructor(readonly maxRunTime: number | undefined) {}

  /** How long a run may take, in milliseconds; null while it is unknown. */
  limit(): number | null {
    if (this.maxRunTime !== undefined) return this.maxRunTime * 1000;
    if (this.#lengths.length < KNOWN_AFTER) return null;
    const longest = Math.max(...this.#lengths);
    return Math.max(1.5 * longest, longest + MINUTE);
  }

  /** @returns whether another run is open for certain */
  start({ at, run, rid }: Message, isPaused: boolean): boolean {
    const ended = this.#endedLately(rid, at);
    if (ended && !this.open.some((one) => one.rid === rid)) {
      ended.startedAgain = true;
      return false;
    }
    const others = this.open.filter((one) => one.rid !== rid);
    const limit = this.limit() ?? Number.POSITIVE_INFINITY;
    const isOverlapping = others.some((one) => !one.isUnknown && at <= one.limitFrom + limit);
    if (this.firstStart === null) this.excusedFrom = at;
    else if (this.#outages <= MAX_OUTAGES && this.open.every((one) => one.isUnknown)) this.excusedFrom = at;
    const opened = { run, rid, start: at, limitFrom: at, isUnknown: false, unseen: 0, isDecided: isPaused };
    this.open = [...others, opened].slice(-MAX_OPEN);
    this.firstStart ??= at;
    return isOverlapping;
  }

  /** @returns the run that a check-in ends, if it ends one; `repeated` if it is the end of a run that has ended */
  end({ at, rid }: Message, isOk: boolean): BookedRun | "repeated" | null {
    const ended = this.open.findLast((one) => one.rid === rid) ?? null;
    const before = this.#endedLately(rid, at);
    if (!ended && before && !before.startedAgain) return "repeated";
    if (rid !== undefined) this.#ended.set(rid, { at, startedAgain: false });
    this.firstStart = this.excusedFrom = null;
    this.#outages = 0;
    this.paired = ended ? this.paired + 1 : 0;
    if (!ended) return null;
    this.open = this.open.filter((one) => one !== ended);
    if (!isOk) return ended;
    const limit = this.limit() ?? Number.POSITIVE_INFINITY;
    this.#lengths.push(Math.max(0, at - ended.start - ended.unseen));
    if (this.#lengths.length > REMEMBERED) this.#lengths.shift();
    if ((this.limit() ?? Number.POSITIVE_INFINITY) < limit) this.limitSince = at;
    return ended;
  }

  /** No server ran, or it stalled. */
  outage({ from, to }: { from: number; to: number }): void {
    if (this.open.length === 0) return;
    this.#outages++;
    const later = (since: number) => (this.#outages <= MAX_OUTAGES ? to : Math.min(to, since + to - from));
    for (const run of this.open) {
      run.unseen += Math.max(0, to - Math.max(from, run.start));
      run.limitFrom = later(run.limitFrom);
      run.isUnknown = true;
    }
    if (this.excusedFrom !== null) this.excusedFrom = later(this.excusedFrom);
  }

  /** The clock was set forward, which looks like an outage. */
  stepForward(at: number, by: number): void {
    for (const one of this.#ended.values()) one.at -= by;
    this.outage({ from: at, to: at });
  }

  #endedLately(rid: string | undefined, at: number) {
    const ended = rid === undefined ? undefined : this.#ended.get(rid);
    return ended && at - ended.at < LATE_START ? ended : undefined;
  }
}
