import { DAY, HOUR } from "../../domain/duration.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { PastChecks } from "../../domain/replay/history.ts";
import {
  CheckKinds,
  type KeptTraits,
  keepChecks,
  keptDetail,
  type Piece,
  type PieceResult,
} from "../../domain/replay/kept-checks.ts";
import { dayOf, type Stretch } from "../../domain/results/rollup.ts";
import { DURATIONS, kindOfHead, type ResultColumns } from "../../domain/results/segments/segment.ts";
import type { Engine } from "../engine.ts";
import type { ResultRow } from "../results/result-items.ts";
import {
  columnsOf,
  DamagedSegments,
  readKinds,
  readSegment,
  type SegmentRow,
} from "../results/segment-rows.ts";
import { statusOfCode } from "../status-codes.ts";
import { createTurns } from "../turns.ts";
import { fromJson } from "../tx.ts";

/*
 * The results of monitors that a replay keeps. Of most packed results, only the times and the kind are read, that is the status and
 * detail that all results of a segment have. Times are milliseconds since 1970.
 */

/** A monitor whose results are read. @property since the time of the first one @property isOlder whether it has earlier results */
export interface ReadMonitor {
  isOlder: boolean;
  pk: number;
  type: MonitorType;
  config: MonitorConfig;
  since: number;
}

export interface CheckWishes {
  slowerThan?: number | undefined;
  warnDays?: number | undefined;
}

/** The combinations of status and detail of the results of a monitor that are not packed. @property status its code */
export interface UnpackedKind {
  monitorPk: number;
  status: number;
  detailPk: number | null;
  count: number;
  firstAt: number;
  lastAt: number;
}

/**
 * The segments of a monitor, without their results.
 *
 * @property list of each segment, one after the other: the first number, the first and the last time, and in hexadecimal the head of its data
 *   if all its results are of one kind (see `kindOfHead`), else an empty text
 */
export interface ListedSegments {
  monitorPk: number;
  list: (number | string)[] | string;
}

export type SegmentKey = Pick<SegmentRow, "monitorPk" | "firstPk" | "firstAt">;

/** The reads of a replay in which the engines differ. */
export interface PastReads {
  /** How many results a segment has at least, if a day has so many. */
  resultsInSegment: number;
  /** The segments of a stretch of whole days. */
  listSegments(monitorPks: readonly number[], stretch: Required<Stretch>): Promise<ListedSegments[]>;
  loadSegments(keys: readonly SegmentKey[]): Promise<SegmentRow[]>;
  unpackedKinds(monitorPks: readonly number[], stretch: Required<Stretch>): Promise<UnpackedKind[]>;
  /** The results that are not packed, or are still rows, in any order. */
  unpackedResults(monitorPks: readonly number[], stretch: Required<Stretch>): Promise<ResultRow[]>;
  damaged: DamagedSegments;
}

/** As many are read in some milliseconds. */
const LISTED_AT_ONCE = 2500;
const LOADED_AT_ONCE = 300;
const DETAILS_AT_ONCE = 500;
const RESULTS_AT_ONCE = 2500;

/** How many monitors are read at once at most, as a multiple of those whose hours are. */
const MORE = 5;

/**
 * The results of some monitors, by number. Reads them in slices.
 *
 * @param monitors in any order @property until their end @property places the present names of locations by earlier ones
 */
export async function readChecks(
  engine: Engine,
  monitors: readonly ReadMonitor[],
  { until, places, ...wishes }: CheckWishes & { until: number; places: ReadonlyMap<string, string> },
): Promise<Map<number, PastChecks>> {
  const found = new Map<number, PastChecks>();
  const most = engine.monitorsInSlice * MORE;
  const perSegment = await engine.readSlice(async ({ reads }) => reads.past.resultsInSegment);
  const sizeOf = (monitor: ReadMonitor) =>
    Math.max(segmentsIn(monitor, { until, perSegment }), Math.ceil(LISTED_AT_ONCE / most));
  for (const group of groupsOf(monitors, sizeOf, LISTED_AT_ONCE)) {
    const days = Math.floor(((until - sinceOf(group)) / DAY) * (LISTED_AT_ONCE / sum(group.map(sizeOf))));
    const read = new Reading(engine, group, { until, places, days: Math.max(1, days) });
    await read.list();
    const slow = await readSlowHours(engine, group, { until, ...wishes });
    for (const [pk, checks] of await read.keep((monitor) => traitsOf(monitor, wishes, slow)))
      found.set(pk, checks);
  }
  return found;
}

function sinceOf(group: readonly ReadMonitor[]): number {
  return Math.min(...group.map(({ since }) => since));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** How many segments a monitor is expected to have. */
function segmentsIn(
  { type, config, since }: ReadMonitor,
  { until, perSegment }: { until: number; perSegment: number },
): number {
  const days = Math.max(1, Math.ceil((until - since) / DAY));
  const interval = type === "SCHEDULED" || !("interval" in config) ? 60 : config.interval;
  return days * Math.ceil(DAY / 1000 / interval / perSegment);
}

/** Items in groups of at most so much in all, or of one. */
function groupsOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number, most: number): Item[][] {
  const groups: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (size > left || groups.length === 0) {
      groups.push([]);
      left = most;
    }
    groups.at(-1)?.push(item);
    left -= size;
  }
  return groups;
}

function traitsOf(
  { pk, type, isOlder }: ReadMonitor,
  { slowerThan, warnDays }: CheckWishes,
  slow: ReadonlyMap<number, ReadonlySet<number>>,
): KeptTraits {
  const slowHours = slow.get(pk);
  return { type, warnDays, isAfterOthers: isOlder, ...(slowHours && { slowerThan, slowHours }) };
}

/** A segment. @property isMixed whether its results are of several kinds, which are known only after it is loaded */
interface SegmentPiece extends Piece, SegmentKey {
  isMixed: boolean;
}

const NONE: readonly number[] = [];

/** The results that are not packed. */
interface UnpackedPiece extends Piece {
  monitorPk: number;
  count: number;
}

/** The pieces of the results of a monitor. */
interface Pieces {
  monitor: ReadMonitor;
  kinds: CheckKinds;
  segments: SegmentPiece[];
  unpacked: UnpackedPiece | null;
}

/** Reads the results of some monitors. */
class Reading {
  readonly #engine: Engine;
  readonly #group: readonly ReadMonitor[];
  readonly #until: number;
  readonly #places: ReadonlyMap<string, string>;
  readonly #days: number;
  readonly #byMonitor: ReadonlyMap<number, Pieces>;
  /** The parts of details that are needed, by number. */
  readonly #details = new Map<number, ReturnType<typeof keptDetail>>();
  #turn = createTurns();

  /** @param days how many are listed at once */
  constructor(
    engine: Engine,
    group: readonly ReadMonitor[],
    { until, places, days }: { until: number; places: ReadonlyMap<string, string>; days: number },
  ) {
    this.#engine = engine;
    this.#group = group;
    this.#until = until;
    this.#places = places;
    this.#days = days;
    this.#byMonitor = new Map(
      group.map((monitor) => [
        monitor.pk,
        { monitor, kinds: new CheckKinds(), segments: [], unpacked: null },
      ]),
    );
  }

  /** Lists the segments, and the kinds of all results. */
  async list(): Promise<void> {
    const pks = this.#group.map(({ pk }) => pk);
    const since = sinceOf(this.#group);
    for (let from = dayOf(since); from < this.#until; from += this.#days * DAY) {
      const stretch = {
        since: Math.max(from, since),
        until: Math.min(from + this.#days * DAY, this.#until),
      };
      const { listed, unpacked } = await this.#engine.readSlice(async ({ reads: { past } }) => ({
        // Rows first, because they become segments and not the other way around.
        unpacked: await past.unpackedKinds(pks, stretch),
        listed: await past.listSegments(pks, stretch),
      }));
      for (const segments of listed) await this.#addListed(segments);
      await this.#addUnpacked(unpacked);
    }
    await this.#loadMixed();
  }

  async #addListed({ monitorPk, list: text }: ListedSegments): Promise<void> {
    const own = this.#byMonitor.get(monitorPk);
    const list = fromJson(text);
    if (!own) return;
    const heads = new Set<string>();
    for (let at = 3; at < list.length; at += 4) heads.add(list[at] as string);
    heads.delete("");
    const found = [...heads].map((head) => ({ head, ...kindOfHead(Uint8Array.fromHex(head)) }));
    await this.#readDetails(found.map(({ detail }) => detail));
    const kindsOf = new Map<string, readonly number[]>(
      found.map(({ head, status, detail }) => [head, [this.#placeOf(own, status, detail)]]),
    );
    for (let at = 0; at < list.length; at += 4) {
      const firstPk = list[at] as number;
      const firstAt = list[at + 1] as number;
      const lastAt = list[at + 2] as number;
      const kinds = kindsOf.get(list[at + 3] as string);
      own.segments.push({
        monitorPk,
        firstPk,
        firstAt,
        lastAt,
        kinds: kinds ?? NONE,
        isMixed: !kinds,
        results: null,
      });
    }
    await this.#pause();
  }

  async #addUnpacked(kinds: readonly UnpackedKind[]): Promise<void> {
    await this.#readDetails(kinds.map(({ detailPk }) => detailPk ?? 0));
    for (const [monitorPk, some] of Map.groupBy(kinds, (one) => one.monitorPk)) {
      const own = this.#byMonitor.get(monitorPk);
      if (!own) continue;
      const before = own.unpacked;
      const places = some.map(({ status, detailPk }) => this.#placeOf(own, status, detailPk ?? 0));
      own.unpacked = {
        monitorPk,
        firstAt: Math.min(before?.firstAt ?? Number.POSITIVE_INFINITY, ...some.map((one) => one.firstAt)),
        lastAt: Math.max(before?.lastAt ?? 0, ...some.map((one) => one.lastAt)),
        count: (before?.count ?? 0) + sum(some.map(({ count }) => count)),
        kinds: [...new Set([...(before?.kinds ?? []), ...places])],
        results: null,
      };
    }
  }

  /** The kinds of segments with several. */
  async #loadMixed(): Promise<void> {
    const all = [...this.#byMonitor.values()].flatMap((own) =>
      own.segments.flatMap((piece) => (piece.isMixed ? [{ own, piece }] : [])),
    );
    for (let at = 0; at < all.length; at += LOADED_AT_ONCE) {
      const some = all.slice(at, at + LOADED_AT_ONCE);
      const rows = await this.#loadSegments(some.map(({ piece }) => piece));
      const kindsOf = new Map<SegmentPiece, ReturnType<typeof readKinds>>();
      for (const { piece } of some) {
        const row = rows.get(piece);
        const kinds = row && this.#damaged.skip(row, readKinds);
        if (kinds) kindsOf.set(piece, kinds);
        await this.#pause();
      }
      await this.#readDetails([...kindsOf.values()].flatMap((kinds) => kinds.map(({ detail }) => detail)));
      for (const { own, piece } of some)
        piece.kinds = (kindsOf.get(piece) ?? []).map(({ status, detail }) =>
          this.#placeOf(own, status, detail),
        );
    }
  }

  /** Chooses the results of each monitor. The monitors take their steps together, so that what they need is read at once. */
  async keep(traitsFor: (monitor: ReadMonitor) => KeptTraits): Promise<Map<number, PastChecks>> {
    const kept = new Map<number, PastChecks>();
    let working = [...this.#byMonitor].map(([pk, own]) => {
      const pieces: Piece[] = own.unpacked ? [...own.segments, own.unpacked] : own.segments;
      return { pk, own, steps: keepChecks(pieces, own.kinds, traitsFor(own.monitor)) };
    });
    while (working.length > 0) {
      const needed: { own: Pieces; piece: Piece }[] = [];
      for (const one of working) {
        const { done, value } = one.steps.next();
        if (done) kept.set(one.pk, value);
        else needed.push(...value.map((piece) => ({ own: one.own, piece })));
        await this.#pause();
      }
      working = working.filter(({ pk }) => !kept.has(pk));
      await this.#load(needed.filter(({ piece }) => piece.results === null));
    }
    return kept;
  }

  async #load(needed: readonly { own: Pieces; piece: Piece }[]): Promise<void> {
    const segments = needed.flatMap(({ own, piece }) => (isSegment(piece) ? [{ own, piece }] : []));
    for (let at = 0; at < segments.length; at += LOADED_AT_ONCE) {
      const some = segments.slice(at, at + LOADED_AT_ONCE);
      const rows = await this.#loadSegments(some.map(({ piece }) => piece));
      for (const { own, piece } of some) {
        const row = rows.get(piece);
        const columns = row && this.#damaged.skip(row, readSegment);
        piece.results = columns ? this.#resultsOf(own, columns) : [];
        await this.#pause();
      }
    }
    const unpacked = needed.flatMap(({ own }) => own.unpacked ?? []);
    const wanted = unpacked.filter((piece) => needed.some((one) => one.piece === piece));
    for (const group of groupsOf([...new Set(wanted)], ({ count }) => count, RESULTS_AT_ONCE))
      await this.#loadUnpacked(group);
  }

  async #loadUnpacked(group: readonly UnpackedPiece[]): Promise<void> {
    const pks = group.map(({ monitorPk }) => monitorPk);
    const since = Math.min(...group.map(({ firstAt }) => firstAt));
    const until = Math.max(...group.map(({ lastAt }) => lastAt)) + 1;
    const rows = await this.#engine.readSlice(({ reads }) =>
      reads.past.unpackedResults(pks, { since, until }),
    );
    // A result may be recorded since the kinds were read.
    await this.#readDetails(rows.map(({ detailPk }) => detailPk ?? 0));
    const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
    for (const piece of group) {
      const own = this.#byMonitor.get(piece.monitorPk);
      if (own) piece.results = this.#resultsOf(own, columnsOf(byMonitor.get(piece.monitorPk) ?? []));
    }
  }

  async #loadSegments(pieces: readonly SegmentPiece[]): Promise<Map<SegmentPiece, SegmentRow>> {
    const rows = await this.#engine.readSlice(async ({ reads: { past } }) => {
      this.#damaged = past.damaged;
      return past.loadSegments(pieces);
    });
    const byKey = new Map(rows.map((row) => [`${row.monitorPk} ${row.firstPk}`, row]));
    return new Map(
      pieces.flatMap((piece) => {
        const row = byKey.get(`${piece.monitorPk} ${piece.firstPk}`);
        return row ? [[piece, row] as const] : [];
      }),
    );
  }

  #damaged = new DamagedSegments();

  async #readDetails(numbers: readonly number[]): Promise<void> {
    const missing = new Set(numbers.filter((pk) => pk !== 0 && !this.#details.has(pk)));
    const pks = [...missing];
    for (let at = 0; at < pks.length; at += DETAILS_AT_ONCE) {
      const some = pks.slice(at, at + DETAILS_AT_ONCE);
      const rows = await this.#engine.readSlice((tx) =>
        tx.query<{ pk: number; text: string }>(DETAILS, [some]),
      );
      for (const { pk, text } of rows) this.#details.set(pk, this.#atPlace(keptDetail(JSON.parse(text))));
    }
  }

  #atPlace(detail: ReturnType<typeof keptDetail>): ReturnType<typeof keptDetail> {
    const location = this.#places.get(String(detail?.location));
    return location === undefined ? detail : { ...detail, location };
  }

  /** The place of a kind. */
  #placeOf({ kinds }: Pieces, status: number, detail: number): number {
    return kinds.placeOf(statusOfCode(status), this.#details.get(detail) ?? null);
  }

  /** In the order of their times. */
  #resultsOf(own: Pieces, { count, pks, times, statuses, details, parts, durations }: ResultColumns) {
    const results: PieceResult[] = [];
    let [isSorted, last] = [true, 0];
    let [lastStatus, lastDetail, kind] = [-1, -1, 0];
    for (let at = 0; at < count; at++) {
      const [status = 0, detail = 0, time = 0] = [statuses[at], details[at], times[at]];
      if (status !== lastStatus || detail !== lastDetail) {
        kind = this.#placeOf(own, status, detail);
        [lastStatus, lastDetail] = [status, detail];
      }
      const hasLatency = ((parts[at] ?? 0) & (1 << LATENCY)) !== 0;
      const latency = hasLatency ? (durations[LATENCY]?.[at] ?? 0) / 100 : Number.NaN;
      isSorted &&= time >= last;
      last = time;
      results.push({ pk: pks[at] ?? 0, time, kind, latency });
    }
    return isSorted ? results : results.sort((a, b) => a.time - b.time);
  }

  async #pause(): Promise<void> {
    const others = this.#turn();
    if (others) await others;
  }
}

function isSegment(piece: Piece): piece is SegmentPiece {
  return "isMixed" in piece;
}

const LATENCY = DURATIONS.indexOf("latency");

const DETAILS = "SELECT pk, text FROM details WHERE pk = ANY($1)";

const SLOW_HOURS = `SELECT DISTINCT monitor_pk AS "monitorPk", start FROM hourly_totals
  WHERE monitor_pk = ANY($1::integer[]) AND start >= $2 AND start < $3 AND longest > $4`;

/** Rollups have tenths of a millisecond. */
const TENTHS = 10;

/** The hours that may have good results with a longer latency, by the number of the monitor; of HTTP monitors. */
async function readSlowHours(
  engine: Engine,
  group: readonly ReadMonitor[],
  { slowerThan, until }: CheckWishes & { until: number },
): Promise<Map<number, Set<number>>> {
  const slow = new Map<number, Set<number>>();
  const sites = slowerThan === undefined ? [] : group.filter(({ type }) => type === "HTTP");
  if (sites.length === 0 || slowerThan === undefined) return slow;
  const since = Math.floor(Math.min(...sites.map((one) => one.since)) / HOUR);
  const pks = sites.map(({ pk }) => pk);
  const values = [pks, since, Math.ceil(until / HOUR), Math.floor(slowerThan * TENTHS)];
  const rows = await engine.readSlice((tx) =>
    tx.query<{ monitorPk: number; start: number }>(SLOW_HOURS, values),
  );
  for (const pk of pks) slow.set(pk, new Set());
  for (const { monitorPk, start } of rows) slow.get(monitorPk)?.add(start * HOUR);
  return slow;
}
