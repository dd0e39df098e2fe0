import type { ResultColumns } from "../../../domain/results/segments/segment.ts";
import type { ResultRow, Selection, Stretch } from "../../results/result-items.ts";
import { type FoundSegment, rowAt } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../database.ts";
import { turn } from "../slices.ts";
import { findColumns, findNumbers, USUAL_STATUSES } from "./segments.ts";

/** @property before only results with a smaller number @property floor results with smaller numbers are not needed */
interface Page extends Stretch {
  before: number;
  limit: number;
  floor: number;
}

const SEALED_UNTIL = "SELECT sealed_until AS pk FROM service";

/** All results in segments have a smaller number. */
export function sealedUntil(db: Database): number {
  return prepared<{ pk: number | null }, []>(db, SEALED_UNTIL).get()?.pk ?? Number.MAX_SAFE_INTEGER;
}

/** The newest results of several selections that are in segments, newest first. */
export async function newestSealed(
  db: Database,
  selections: readonly Selection[],
  page: Page,
): Promise<ResultRow[]> {
  const newest = new NewestResults(db, bitsOf(selections), page);
  const areUnusual = selections.every(({ statuses }) => statuses.every(isUnusual));
  if (areUnusual && newest.wanted.size > FEW) await readUnusual(db, newest);
  else await merge(db, newest);
  return newest.rows();
}

/** All segments of so many monitors are read faster than all segments with unusual statuses of any monitors. */
const FEW = 5;

function isUnusual(status: keyof typeof statusCodes): boolean {
  return ((1 << statusCodes[status]) & USUAL_STATUSES) === 0;
}

/** The bits of the wanted statuses, by monitor. */
function bitsOf(selections: readonly Selection[]): Map<number, number> {
  const wanted = new Map<number, number>();
  for (const { monitorPks, statuses } of selections) {
    const bits = statuses.reduce((sum, status) => sum | (1 << statusCodes[status]), 0);
    if (bits !== 0) for (const monitorPk of monitorPks) wanted.set(monitorPk, bits);
  }
  return wanted;
}

/** @property lastAt the latest time, milliseconds since 1970 */
type TimedSegment = FoundSegment & { lastAt: number };

/** Collects the newest results. Segments may come in any order. */
class NewestResults {
  readonly #db: Database;
  /** The newest first. @property at the place in its segment */
  #found: { pk: number; segment: FoundSegment; at: number }[] = [];

  constructor(
    db: Database,
    readonly wanted: ReadonlyMap<number, number>,
    readonly page: Page,
  ) {
    this.#db = db;
  }

  /**
   * Whether results with numbers up to this one are not needed: the page is full of newer results, or it has all numbers from this one
   * down to its last result.
   */
  isFull(highest: number): boolean {
    const { before, limit, floor } = this.page;
    const last = this.#found[limit - 1]?.pk;
    if (highest < floor) return true;
    if (last === undefined) return false;
    const top = Math.min(highest, before - 1);
    return last > top || this.#isDense(top, last);
  }

  /** Whether the page has all numbers from one down to its last one. */
  #isDense(top: number, last: number): boolean {
    const first = this.page.limit - 1 - (top - last);
    return first >= 0 && this.#found[first]?.pk === top;
  }

  has({ monitorPk, statuses, lastAt }: TimedSegment): boolean {
    return lastAt >= (this.page.from ?? 0) && (statuses & (this.wanted.get(monitorPk) ?? 0)) !== 0;
  }

  add(segment: FoundSegment): void {
    const { before, limit } = this.page;
    const numbers = findNumbers(this.#db, segment, this.page);
    if (!numbers) return;
    const { count, pks, statuses, isWithin } = numbers;
    const bits = this.wanted.get(segment.monitorPk) ?? 0;
    const lowest = this.#found[limit - 1]?.pk ?? 0;
    let taken = 0;
    for (let at = count - 1; at >= 0 && taken < limit; at--) {
      const pk = pks[at] ?? 0;
      if (pk < lowest) break;
      if (pk >= before || ((1 << (statuses[at] ?? 0)) & bits) === 0 || !isWithin(at)) continue;
      this.#found.push({ pk, segment, at });
      taken++;
    }
    if (taken > 0) this.#found = this.#found.sort((a, b) => b.pk - a.pk).slice(0, limit);
  }

  rows(): ResultRow[] {
    const segments = new Map(
      [...new Set(this.#found.map(({ segment }) => segment))].map((one) => [one, findColumns(this.#db, one)]),
    );
    return this.#found.flatMap(({ segment, at }) => {
      const columns = segments.get(segment);
      return columns ? [rowAt(columns, at, segment.monitorPk)] : [];
    });
  }
}

/** Segments that are read in one turn of the event loop: 1 to 3 ms. */
const IN_TURN = 200;

const LIST_UNUSUAL = `SELECT monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, statuses, last_at AS lastAt FROM result_segments
  WHERE statuses & ~${USUAL_STATUSES} <> 0 AND first_pk < ?1 AND last_pk < ?2 AND statuses & ?3 <> 0 ORDER BY last_pk DESC LIMIT ?4`;

/** A small index has all segments with unusual statuses, the newest last. */
async function readUnusual(db: Database, newest: NewestResults): Promise<void> {
  const bits = [...newest.wanted.values()].reduce((sum, one) => sum | one, 0);
  const list = prepared<TimedSegment, [number, number, number, number]>(db, LIST_UNUSUAL);
  for (let end = Number.MAX_SAFE_INTEGER, size = IN_TURN; size === IN_TURN; ) {
    const some = list.all(newest.page.before, end, bits, IN_TURN);
    for (const segment of some) {
      if (newest.isFull(segment.lastPk)) return;
      if (newest.has(segment)) newest.add(segment);
    }
    size = some.length;
    end = some.at(-1)?.lastPk ?? 0;
    if (size === IN_TURN) await turn(db);
  }
}

const LIST_HEADS = `SELECT segment.monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, statuses, last_at AS lastAt, count
  FROM json_each(?1) AS monitor
  CROSS JOIN result_segments AS segment ON segment.monitor_pk = monitor.value AND first_pk =
    (SELECT first_pk FROM result_segments WHERE monitor_pk = monitor.value AND first_pk < ?2 AND first_at < ?3
     ORDER BY first_pk DESC LIMIT 1)`;

const PREVIOUS = `SELECT monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, statuses, last_at AS lastAt FROM result_segments
  WHERE monitor_pk = ? AND first_pk < ? AND statuses & ? <> 0 ORDER BY first_pk DESC LIMIT 1`;

/**
 * Reads the newest segment of each monitor, and then older ones if they may have some of the newest results.
 *
 * The results of many monitors alternate, so that the newest segments of all of them may have some. Those come first that probably have
 * the largest numbers: usually the page is complete after some of them.
 */
async function merge(db: Database, newest: NewestResults): Promise<void> {
  const { before } = newest.page;
  const heads = await listHeads(db, newest);
  const rests = new Rests();
  for (const [at, { head }] of heads.entries()) {
    if (newest.isFull(before - 1)) return;
    if (newest.isFull(head.lastPk)) continue;
    if (newest.has(head)) newest.add(head);
    rests.push({ monitorPk: head.monitorPk, end: head.firstPk });
    if (at % IN_TURN === IN_TURN - 1) await turn(db);
  }
  const previous = prepared<TimedSegment, [number, number, number]>(db, PREVIOUS);
  for (let read = 1; ; read++) {
    const rest = rests.pop();
    if (!rest || newest.isFull(rest.end - 1)) return;
    const { monitorPk, end } = rest;
    const older = previous.get(monitorPk, end, newest.wanted.get(monitorPk) ?? 0);
    if (older && newest.has(older) && !newest.isFull(older.lastPk)) newest.add(older);
    if (older) rests.push({ monitorPk, end: older.firstPk });
    if (read % IN_TURN === 0) await turn(db);
  }
}

/** The segments with the newest results of each monitor, those first that probably have the largest numbers. */
async function listHeads(db: Database, { wanted, page }: NewestResults) {
  const monitorPks = [...wanted.keys()];
  const list = prepared<TimedSegment & { count: number }, [string, number, number]>(db, LIST_HEADS);
  const heads: { head: TimedSegment; distance: number }[] = [];
  for (let at = 0; at < monitorPks.length; at += IN_TURN) {
    if (at > 0) await turn(db);
    const some = JSON.stringify(monitorPks.slice(at, at + IN_TURN));
    for (const head of list.all(some, page.before, page.to ?? Number.MAX_SAFE_INTEGER))
      heads.push({ head, distance: distanceOf(head, page.before) });
  }
  return heads.sort((a, b) => a.distance - b.distance);
}

/** How much the numbers of most monitors differ from regular ones, because checks do not take equally long each time. */
const IRREGULAR = 100;

/** How far the last number of a segment before a number is from it, if its numbers are about as regular as the checks of most monitors. */
function distanceOf({ firstPk, lastPk, count }: FoundSegment & { count: number }, before: number): number {
  if (lastPk < before) return before - 1 - lastPk + IRREGULAR;
  const step = Math.max(1, (lastPk - firstPk) / Math.max(1, count - 1));
  return (before - 1 - firstPk + IRREGULAR) % step;
}

/** The older segments of a monitor. @property end the first number after them */
interface Rest {
  monitorPk: number;
  end: number;
}

/** A binary heap of what is left of each monitor. */
class Rests {
  readonly #heap: Rest[] = [];

  push(rest: Rest): void {
    const heap = this.#heap;
    let at = heap.push(rest) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && isAfter(rest, heap[parent]); parent = (at - 1) >> 1) {
      heap[at] = heap[parent] as Rest;
      at = parent;
    }
    heap[at] = rest;
  }

  /** Takes the one with the largest numbers. */
  pop(): Rest | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || !last) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (isAfter(heap[child + 1], heap[child])) child++;
      if (!isAfter(heap[child], last)) break;
      heap[at] = heap[child] as Rest;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isAfter(a: Rest | undefined, b: Rest | undefined): boolean {
  return a !== undefined && (b === undefined || a.end > b.end);
}

const LIST_BETWEEN = `SELECT monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, statuses FROM result_segments
  WHERE monitor_pk = ? AND last_at >= ? AND first_at < ?`;

/** The columns of the segments of a monitor that may have results of a stretch of time, in milliseconds since 1970. */
export function* sealedBetween(
  db: Database,
  monitorPk: number,
  { since, until }: { since: number; until: number },
): Generator<ResultColumns> {
  const list = prepared<FoundSegment, [number, number, number]>(db, LIST_BETWEEN);
  for (const segment of list.all(monitorPk, since, until)) {
    const columns = findColumns(db, segment);
    if (columns) yield columns;
  }
}

const NEXT = `SELECT monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, statuses FROM result_segments
  WHERE monitor_pk = ?1
    AND first_pk >= coalesce((SELECT max(first_pk) FROM result_segments WHERE monitor_pk = ?1 AND first_pk <= ?2 + 1), 0)
    AND last_pk > ?2 AND first_at < ?4 AND last_at >= ?3 AND statuses & ?5 <> 0
  ORDER BY first_pk LIMIT 1`;

/**
 * The next intact segment of a selection of one monitor with results after a number.
 *
 * @property from only a segment with results from this time on @property to only a segment with results before this time
 */
export function nextSealed(
  db: Database,
  selection: Selection,
  { after, from, to }: { after: number; from: number; to: number },
): ResultColumns | null {
  const [[monitorPk, bits] = [0, 0]] = bitsOf([selection]);
  const next = prepared<FoundSegment, [number, number, number, number, number]>(db, NEXT);
  for (let place = after; ; ) {
    const found = next.get(monitorPk, place, from, to, bits);
    const columns = found && findColumns(db, found);
    if (!found || columns) return columns ?? null;
    place = found.lastPk;
  }
}
