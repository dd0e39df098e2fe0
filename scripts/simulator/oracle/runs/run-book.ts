import type { Message } from "../../truth/runs/run-job.ts";

const MINUTE = 60_000;

/** A limit is learned after so many runs that ended `ok`, from the longest of the last `REMEMBERED`. */
const [KNOWN_AFTER, REMEMBERED] = [5, 20];

const MAX_OPEN = 100;

/**
 * A run that the reports of a job opened.
 *
 * @property run the place of the true run that reported the start
 * @property start by a clock that goes as the one of the server did since; milliseconds
 * @property isDecided whether it was recorded that it takes too long, or never is
 */
export interface BookedRun {
  run: number;
  rid: string | undefined;
  start: number;
  isDecided: boolean;
}

/** The runs of a job as the contract reads its reports: a second account of them, from the reports that arrived. */
export class RunBook {
  open: BookedRun[] = [];
  /** How many of the latest check-ins ended a run each. */
  paired = 0;
  /** The first start since the last check-in. */
  firstStart: number | null = null;
  /** Since when the limit is not longer than now. */
  limitSince = 0;
  readonly #lengths: number[] = [];

  /** @param maxRunTime seconds */
  constructor(readonly maxRunTime: number | undefined) {}

  /** How long a run may take, in milliseconds; null while it is unknown. */
  limit(): number | null {
    if (this.maxRunTime !== undefined) return this.maxRunTime * 1000;
    if (this.#lengths.length < KNOWN_AFTER) return null;
    const longest = Math.max(...this.#lengths);
    return Math.max(1.5 * longest, longest + MINUTE);
  }

  /** @returns whether another run is open */
  start({ at, run, rid }: Message, isPaused: boolean): boolean {
    const others = this.open.filter((one) => one.rid !== rid);
    this.open = [...others, { run, rid, start: at, isDecided: isPaused }].slice(-MAX_OPEN);
    this.firstStart ??= at;
    return others.length > 0;
  }

  /** @returns the run that a check-in ends, if it ends one */
  end({ at, rid }: Message, isOk: boolean): BookedRun | null {
    const ended = this.open.findLast((one) => one.rid === rid) ?? null;
    this.firstStart = null;
    this.paired = ended ? this.paired + 1 : 0;
    if (!ended) return null;
    this.open = this.open.filter((one) => one !== ended);
    if (!isOk) return ended;
    const before = this.limit() ?? Number.POSITIVE_INFINITY;
    this.#lengths.push(Math.max(0, at - ended.start));
    if (this.#lengths.length > REMEMBERED) this.#lengths.shift();
    if ((this.limit() ?? Number.POSITIVE_INFINITY) < before) this.limitSince = at;
    return ended;
  }

  /** The clock was set forward: open runs look longer. */
  stepForward(by: number): void {
    for (const run of this.open) run.start -= by;
  }
}
