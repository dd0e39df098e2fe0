import { slotOffset } from "../locations/location.ts";
import { type MonitorPast, settingsAt } from "./history.ts";
import {
  type CheckRhythm,
  type CheckSource,
  type NextCheck,
  RecordedChecks,
  requestedWithin,
  toleranceOf,
} from "./recorded-checks.ts";

/**
 * The checks of a monitor with locations, in their order. A location makes a check outside of its slots only if one is requested of it: a
 * re-check, or one before a notification. Times are milliseconds since 1970.
 */
export class PlacedChecks {
  readonly #monitor: MonitorPast;
  readonly #recorded: RecordedChecks;
  /** Whether recorded checks outside of the slots that were not requested are left out. */
  readonly #isStrict: boolean;
  /** Without changes, every check was recorded. */
  readonly #isAsItWas: boolean;
  /** When a check of a location is due outside of its slots, by the name of the location. */
  readonly #due = new Map<string, number>();
  #next = 0;

  constructor(monitor: MonitorPast, source: CheckSource, isStrict: boolean) {
    this.#monitor = monitor;
    this.#recorded = new RecordedChecks(monitor, source);
    this.#isStrict = isStrict;
    this.#isAsItWas = Object.keys(source.changes).length === 0;
  }

  /** Requests a check of some locations, if none is due earlier. */
  request(names: readonly string[], at: number): void {
    for (const name of names) this.#due.set(name, Math.min(this.#due.get(name) ?? at, at));
  }

  /** @returns null after the last one */
  next(rhythm: CheckRhythm): NextCheck | null {
    while (this.#next < this.#recorded.count && this.#isLeftOut(this.#next, rhythm)) this.#next++;
    const made = this.#made(this.#next, rhythm);
    let first = made;
    if (this.#isAsItWas) return made;
    for (const [name, due] of this.#due) {
      const check = this.#neverMade(name, { due, rhythm });
      if (check && (!first || check.check.seen.createdAt < first.check.seen.createdAt)) first = check;
    }
    return first;
  }

  #made(at: number, rhythm: CheckRhythm): NextCheck | null {
    if (at >= this.#recorded.count) return null;
    const check = this.#recorded.at(at);
    const use = () => {
      this.#next = at + 1;
      const { place } = check;
      if (place !== null && this.#isRequested(at, this.#of(place, at, rhythm))) this.#due.delete(place);
    };
    return { check, use };
  }

  #isLeftOut(at: number, rhythm: CheckRhythm): boolean {
    const place = this.#recorded.placeOf(at);
    if (!this.#isStrict || place === null || this.#recorded.isAfterUsual(at)) return false;
    const own = this.#of(place, at, rhythm);
    return !this.#recorded.isInSlot(at, own) && !this.#isRequested(at, own);
  }

  /** Whether a recorded check is the one that is due of its location. */
  #isRequested(at: number, rhythm: CheckRhythm): boolean {
    const due = this.#due.get(this.#recorded.placeOf(at) ?? "");
    return due !== undefined && this.#recorded.startOf(at, rhythm) >= due - toleranceOf(rhythm);
  }

  /** The check that is due of a location, if none was recorded soon after. */
  #neverMade(name: string, { due, rhythm }: { due: number; rhythm: CheckRhythm }): NextCheck | null {
    let before: number | null = null;
    for (let at = this.#next - 1; at >= 0 && before === null; at--)
      if (this.#recorded.placeOf(at) === name) before = at;
    for (let at = this.#next; at < this.#recorded.count; at++) {
      if (this.#recorded.placeOf(at) !== name) continue;
      const own = this.#of(name, at, rhythm);
      const start = this.#recorded.startOf(at, own);
      if (start < due - toleranceOf(rhythm)) {
        before = at;
        continue;
      }
      if (start <= due + requestedWithin(rhythm)) return null;
      return this.#between(name, due, { before, after: this.#recorded.isAfterUsual(at) ? null : at }, own);
    }
    // No later check of the location is recorded.
    return null;
  }

  #between(
    name: string,
    due: number,
    around: { before: number | null; after: number | null },
    rhythm: CheckRhythm,
  ): NextCheck {
    const check = { ...this.#recorded.neverMade(due, around, rhythm), place: name };
    return { check, use: () => void this.#due.delete(name) };
  }

  /** The rhythm of a location. */
  #of(name: string, at: number, rhythm: CheckRhythm): CheckRhythm {
    const names = settingsAt(this.#monitor, this.#recorded.endOf(at)).places?.names ?? [];
    const offset = slotOffset(Math.max(0, names.indexOf(name)), Math.max(1, names.length), rhythm.interval);
    return { ...rhythm, offset };
  }
}
