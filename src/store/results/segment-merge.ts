import type { ResultRow } from "./result-items.ts";
import { readSegment, rowAt, type SegmentRow } from "./segment-rows.ts";

/** Results that are in memory beside overlapping segments. */
const AT_ONCE = 10_000;

/** Puts the results of segments in the order of their numbers. Segments whose numbers overlap are in memory at once. */
export class SegmentMerge {
  #open: ResultRow[] = [];
  #added = 0;

  /** @param segment the next one by its first number @returns the results that are before it and all later ones */
  add(segment: SegmentRow): ResultRow[] {
    // Seldom, because each time all of them are sorted.
    const ready = this.#added > this.#open.length / 2 + AT_ONCE ? this.#take(segment.firstPk) : [];
    const columns = readSegment(segment);
    for (let at = 0; at < columns.count; at++) this.#open.push(rowAt(columns, at, segment.monitorPk));
    this.#added += columns.count;
    return ready;
  }

  /** @returns the results that `add` has not returned */
  end(): ResultRow[] {
    return this.#take(Number.POSITIVE_INFINITY);
  }

  #take(before: number): ResultRow[] {
    this.#added = 0;
    this.#open.sort((a, b) => a.pk - b.pk);
    const rest = this.#open.findIndex(({ pk }) => pk >= before);
    return this.#open.splice(0, rest < 0 ? this.#open.length : rest);
  }
}
