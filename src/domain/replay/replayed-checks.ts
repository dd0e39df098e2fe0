import { nextCheckAt } from "../checks/check-slot.ts";
import { SECOND } from "../duration.ts";
import type { Status } from "../monitors/status.ts";
import type { MonitorPast } from "./history.ts";
import {
  type CheckRhythm,
  type CheckSource,
  type NextCheck,
  RecordedChecks,
  requestedWithin,
  toleranceOf,
} from "./recorded-checks.ts";

/*
 * The checks that a monitor would have made with other settings. A check that was made is known. A check that was not made saw the
 * same as the recorded checks before and after it, if they agree; otherwise both are possible: see `Guess`. Times are milliseconds since 1970.
 */

/** In intervals: if a pause is longer, no server ran. */
const MAX_PAUSE = 3;

/** When notifications requested checks of a monitor: its own notifications, and the notifications of monitors that depend on it. */
interface Requests {
  own: readonly number[];
  others: readonly number[];
}

/** The checks of a monitor that only this server checks, or the reports of a job, in their order. */
export class ReplayedChecks {
  readonly #monitor: MonitorPast;
  readonly #recorded: RecordedChecks;
  readonly #isAsItWas: boolean;
  readonly #requests: Requests;
  /** The position of the first recorded check that is not used or left out. */
  #next = 0;
  /** The position of the recorded check that was used last; -1 if the last one was never made. */
  #used = -1;

  /** @param requests when notifications requested checks as it was: without the request, such a check was not made */
  constructor(monitor: MonitorPast, source: CheckSource, requests: Requests) {
    this.#monitor = monitor;
    this.#requests = requests;
    this.#recorded = new RecordedChecks(monitor, source);
    this.#isAsItWas = Object.keys(source.changes).length === 0;
  }

  /**
   * The next check.
   *
   * @param last when the last one ended; null before the first
   * @param due when a re-check is due; null without one @param requestedAt when a check was requested; null without one
   * @returns null after the last one
   */
  next(
    rhythm: CheckRhythm,
    { last, due, requestedAt }: { last: number | null; due: number | null; requestedAt: number | null },
  ): NextCheck | null {
    if (this.#monitor.type === "SCHEDULED" || last === null) return this.#made(this.#next);
    if (requestedAt !== null && (due === null || requestedAt < due))
      return (
        this.#requested(requestedAt, rhythm) ?? this.#neverMade(requestedAt, rhythm) ?? this.#made(this.#next)
      );
    return due === null ? this.#ofSlot(last, rhythm) : this.#again(due, rhythm);
  }

  /**
   * Uses the checks in a row that saw a status, while none is due out of turn: they change nothing.
   *
   * @param until the moment before which they ended @returns when the last of them ended; null if there is none
   */
  skip(status: Status, until: number, rhythm: CheckRhythm): number | null {
    let last: number | null = null;
    for (; this.#next < this.#recorded.count; this.#next++) {
      const end = this.#recorded.endOf(this.#next);
      const isRecheck = this.#recorded.isRecheck(this.#next, rhythm);
      if (end >= until || isRecheck || !this.#recorded.isLike(this.#next, status)) break;
      last = end;
      this.#used = this.#next;
    }
    return last;
  }

  #made(at: number): NextCheck | null {
    if (at >= this.#recorded.count) return null;
    const use = () => {
      this.#used = at;
      this.#next = at + 1;
    };
    return { check: this.#recorded.at(at), use };
  }

  /** Without a suspicion, checks are made in the slots. Recorded re-checks are left out, and slots that they used up are not. */
  #ofSlot(last: number, rhythm: CheckRhythm): NextCheck | null {
    const { count } = this.#recorded;
    let at = this.#next;
    while (this.#isOnlyRequested(at, rhythm)) at++;
    if (!this.#recorded.isRecheck(at, rhythm)) return this.#made(at);
    while (at < count && this.#recorded.isRecheck(at, rhythm)) at++;
    const slot = nextCheckAt(this.#monitor.id, rhythm.interval, last);
    if (at < count && slot >= this.#recorded.startOf(at, rhythm) - toleranceOf(rhythm)) return this.#made(at);
    return this.#neverMade(slot, rhythm) ?? this.#made(at);
  }

  /** Whether somebody asked for a recorded check, or edited the monitor: it is made with any settings. */
  #isByHand(at: number, rhythm: CheckRhythm): boolean {
    if (this.#recorded.isInSlot(at, rhythm) || this.#recorded.isRecheck(at, rhythm)) return false;
    return !this.#isOnlyRequested(at, rhythm) && !this.#isAmong(this.#requests.others, at, rhythm);
  }

  /** Whether a recorded check was made only because a notification requested it as it was. */
  #isOnlyRequested(at: number, rhythm: CheckRhythm): boolean {
    const { own } = this.#requests;
    if (own.length === 0 || at >= this.#recorded.count) return false;
    if (this.#recorded.isRecheck(at, rhythm) || this.#recorded.isInSlot(at, rhythm)) return false;
    return this.#isAmong(own, at, rhythm);
  }

  #isAmong(requests: readonly number[], at: number, rhythm: CheckRhythm): boolean {
    const start = this.#recorded.startOf(at, rhythm);
    const within = { from: toleranceOf(rhythm), to: requestedWithin(rhythm) };
    return requests.some((one) => start >= one - within.from && start <= one + within.to);
  }

  #again(due: number, rhythm: CheckRhythm): NextCheck | null {
    const at = this.#next;
    // The same re-check as the recorded one, however late it began.
    if (this.#used === at - 1 && this.#recorded.isRecheck(at, rhythm)) return this.#made(at);
    for (let later = at; later < this.#recorded.count; later++) {
      const start = this.#recorded.startOf(later, rhythm);
      if (start > due + toleranceOf(rhythm)) break;
      if (start >= due - toleranceOf(rhythm) || this.#isByHand(later, rhythm)) return this.#made(later);
    }
    return this.#neverMade(due, rhythm) ?? this.#made(at);
  }

  #requested(requestedAt: number, rhythm: CheckRhythm): NextCheck | null {
    if (this.#next >= this.#recorded.count) return null;
    const start = this.#recorded.startOf(this.#next, rhythm);
    const isIt = start >= requestedAt - toleranceOf(rhythm) && start <= requestedAt + requestedWithin(rhythm);
    return isIt ? this.#made(this.#next) : null;
  }

  /** Whether no server ran before a recorded check, or the monitor was paused. */
  #isAfterPause(at: number, rhythm: CheckRhythm): boolean {
    if (at >= this.#recorded.count) return false;
    const pause = this.#recorded.startOf(at, rhythm) - this.#recorded.endOf(at - 1);
    return pause > MAX_PAUSE * rhythm.interval * SECOND;
  }

  /** @returns null if no server ran then, or without changes: then every check was recorded */
  #neverMade(due: number, rhythm: CheckRhythm): NextCheck | null {
    if (this.#isAsItWas) return null;
    const { count } = this.#recorded;
    let after = this.#next;
    while (after < count && this.#recorded.endOf(after) <= due) after++;
    const before = after - 1;
    if (before < 0) return null;
    const isBeforeUsual = after < count && this.#recorded.isAfterUsual(after);
    const isLast = isBeforeUsual || this.#isAfterPause(after, rhythm);
    // Right after a recorded check, the server still ran.
    if (isLast && !isBeforeUsual && due - this.#recorded.endOf(before) > rhythm.interval * SECOND)
      return null;
    const around = { before, after: isLast ? null : Math.min(after, count - 1) };
    const use = () => {
      this.#used = -1;
      this.#next = after;
    };
    return { check: this.#recorded.neverMade(due, around, rhythm), use };
  }
}
