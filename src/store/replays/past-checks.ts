import { DAY, HOUR } from "../../domain/duration.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { PastChecks } from "../../domain/replay/history.ts";
import {
  CheckKinds,
  type KeptTraits,
  keepChecks,
  keptDetail,
  mayDecode,
  type Piece,
  type PieceResult,
} from "../../domain/replay/kept-checks.ts";
import { dayOf, type Stretch } from "../../domain/results/rollup.ts";
import { DURATIONS, MAX_RESULTS, type ResultColumns } from "../../domain/results/segments/segment.ts";
import type { Engine } from "../engine.ts";
import type { ResultRow } from "../results/result-items.ts";
import {
  columnsOf,
  type DamagedSegments,
  readKinds,
  readSegment,
  type SegmentRow,
} from "../results/segment-rows.ts";
import { statusOfCode } from "../status-codes.ts";
import { createTurns, inTurns } from "../turns.ts";

/*
 * The results of monitors that a replay keeps. The kinds of all packed results are decoded, and only of few segments all the rest.
 * Times are milliseconds since 1970.
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

/** The stored results of some monitors, as they are packed, and what the others are like. */
export interface StoredResults {
  segments: SegmentRow[];
  unpacked: UnpackedKind[];
  damaged: DamagedSegments;
}

/** Segments that are read at once: some milliseconds on SQLite, where the process waits for it, and about a megabyte. */
const SEGMENTS_AT_ONCE = 500;
const DETAILS_AT_ONCE = 500;
const RESULTS_AT_ONCE = 2500;

/** How many monitors are read at once at most, as a multiple of those whose hours are. */
const MORE = 5;

/** How much each monitor is expected to have, to read some of them at once. */
function segmentsIn({ type, config, since }: ReadMonitor, until: number): number {
  const days = Math.max(1, Math.ceil((until - since) / DAY));
  const interval = type === "SCHEDULED" || !("interval" in config) ? 60 : config.interval;
  return days * Math.ceil(DAY / 1000 / interval / MAX_RESULTS);
}

/** The results of some monitors, by number. Reads them in slices. */
export async function readChecks(
  engine: Engine,
  monitors: readonly ReadMonitor[],
  { until, ...wishes }: CheckWishes & { until: number },
): Promise<Map<number, PastChecks>> {
  const found = new Map<number, PastChecks>();
  const most = engine.monitorsInSlice * MORE;
  const sizeOf = (monitor: ReadMonitor) =>
    Math.max(segmentsIn(monitor, until), Math.ceil(SEGMENTS_AT_ONCE / most));
  for (const group of groupsOf(monitors, sizeOf, SEGMENTS_AT_ONCE)) {
    const read = await readPieces(engine, group, until);
    const slow = await readSlowHours(engine, group, { until, ...wishes });
    const traits = new Map(group.map((monitor) => [monitor.pk, traitsOf(monitor, wishes, slow)]));
    await loadUnpacked(engine, read, traits);
    for (const [pk, { pieces, kinds }] of read.found) {
      const own = traits.get(pk);
      if (own) found.set(pk, await inTurns(keepChecks(pieces, kinds, own)));
    }
  }
  return found;
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

/** The pieces of the results of a monitor. @property unpacked of those that are not packed, with its results if they are needed */
interface Pieces {
  kinds: CheckKinds;
  pieces: Piece[];
  unpacked: Unpacked | null;
}

interface Unpacked extends Piece {
  count: number;
  results: PieceResult[];
}

/** @property found by the number of the monitor */
interface ReadPieces {
  found: ReadonlyMap<number, Pieces>;
  details: Details;
}

async function readPieces(engine: Engine, group: readonly ReadMonitor[], until: number): Promise<ReadPieces> {
  const pks = group.map(({ pk }) => pk);
  const stored: StoredResults[] = [];
  const since = Math.min(...group.map((one) => one.since));
  for (const stretch of stretchesOf(group, { since, until }))
    stored.push(await engine.readSlice((tx) => tx.reads.storedResults(pks, stretch)));
  const kindsOf = await decodeKindsOf(stored);
  const details = await readKeptDetails(engine, numbersOf(kindsOf, stored));
  const found = new Map<number, Pieces>(
    pks.map((pk) => [pk, { kinds: new CheckKinds(), pieces: [], unpacked: null }]),
  );
  for (const { segments, unpacked, damaged } of stored) {
    for (const segment of segments) {
      const [own, kinds] = [found.get(segment.monitorPk), kindsOf.get(segment)];
      if (own && kinds) own.pieces.push(pieceOf(segment, { kinds, own, details, damaged }));
    }
    for (const [pk, some] of Map.groupBy(unpacked, ({ monitorPk }) => monitorPk)) {
      const own = found.get(pk);
      if (own) addUnpacked(own, some, details);
    }
  }
  return { found, details };
}

/** Whole days, because each segment is of one day: the first stretch has what is before. */
function* stretchesOf(
  group: readonly ReadMonitor[],
  { since, until }: Required<Stretch>,
): Generator<Required<Stretch>> {
  const total = group.reduce((sum, one) => sum + segmentsIn(one, until), 0);
  const days = Math.max(1, Math.floor((((until - since) / DAY) * SEGMENTS_AT_ONCE) / total));
  for (let from = dayOf(since); from < until; from += days * DAY)
    yield { since: Math.max(from, since), until: Math.min(from + days * DAY, until) };
}

type KindsOf = Map<SegmentRow, ReturnType<typeof readKinds>>;

async function decodeKindsOf(stored: readonly StoredResults[]): Promise<KindsOf> {
  const kindsOf: KindsOf = new Map();
  const turn = createTurns();
  for (const { segments, damaged } of stored)
    for (const segment of segments) {
      const kinds = damaged.skip(segment, readKinds);
      if (kinds) kindsOf.set(segment, kinds);
      const others = turn();
      if (others) await others;
    }
  return kindsOf;
}

/** The parts of details that are needed, by number. */
type Details = Map<number, ReturnType<typeof keptDetail>>;

function numbersOf(kindsOf: KindsOf, stored: readonly StoredResults[]): Set<number> {
  const numbers = new Set<number>();
  for (const kinds of kindsOf.values()) for (const { detail } of kinds) numbers.add(detail);
  for (const { unpacked } of stored) for (const { detailPk } of unpacked) numbers.add(detailPk ?? 0);
  numbers.delete(0);
  return numbers;
}

async function readKeptDetails(engine: Engine, numbers: ReadonlySet<number>): Promise<Details> {
  const pks = [...numbers];
  const details = new Map<number, ReturnType<typeof keptDetail>>();
  for (let at = 0; at < pks.length; at += DETAILS_AT_ONCE) {
    const some = pks.slice(at, at + DETAILS_AT_ONCE);
    const rows = await engine.readSlice((tx) => tx.query<{ pk: number; text: string }>(DETAILS, [some]));
    for (const { pk, text } of rows) details.set(pk, keptDetail(JSON.parse(text)));
  }
  return details;
}

const DETAILS = "SELECT pk, text FROM details WHERE pk = ANY($1)";

function pieceOf(
  segment: SegmentRow,
  {
    kinds,
    own: { kinds: known },
    details,
    damaged,
  }: { kinds: ReturnType<typeof readKinds>; own: Pieces; details: Details; damaged: DamagedSegments },
): Piece {
  const { firstAt, lastAt } = segment;
  const placeOf = (status: number, detail: number) =>
    known.placeOf(statusOfCode(status), details.get(detail) ?? null);
  return {
    ...{ firstAt, lastAt },
    kinds: [...new Set(kinds.map(({ status, detail }) => placeOf(status, detail)))],
    decode() {
      const columns = damaged.skip(segment, readSegment);
      return columns ? resultsOf(columns, placeOf) : [];
    },
  };
}

const LATENCY = DURATIONS.indexOf("latency");

/** In the order of their times. @param placeOf the place of a kind */
function resultsOf(
  { count, pks, times, statuses, details, parts, durations }: ResultColumns,
  placeOf: (status: number, detail: number) => number,
): PieceResult[] {
  const results: PieceResult[] = [];
  let isSorted = true;
  let [lastStatus, lastDetail, kind] = [-1, -1, 0];
  for (let at = 0; at < count; at++) {
    const [status = 0, detail = 0, time = 0] = [statuses[at], details[at], times[at]];
    if (status !== lastStatus || detail !== lastDetail) {
      kind = placeOf(status, detail);
      [lastStatus, lastDetail] = [status, detail];
    }
    const hasLatency = ((parts[at] ?? 0) & (1 << LATENCY)) !== 0;
    const latency = hasLatency ? (durations[LATENCY]?.[at] ?? 0) / 100 : Number.NaN;
    isSorted &&= time >= (results.at(-1)?.time ?? 0);
    results.push({ pk: pks[at] ?? 0, time, kind, latency });
  }
  return isSorted ? results : results.sort((a, b) => a.time - b.time);
}

function addUnpacked(own: Pieces, some: readonly UnpackedKind[], details: Details): void {
  const kinds = some.map(({ status, detailPk }) =>
    own.kinds.placeOf(statusOfCode(status), details.get(detailPk ?? 0) ?? null),
  );
  const [firstAt, lastAt] = [
    Math.min(...some.map((one) => one.firstAt)),
    Math.max(...some.map((one) => one.lastAt)),
  ];
  const count = some.reduce((sum, one) => sum + one.count, 0);
  if (!own.unpacked) {
    const results: PieceResult[] = [];
    own.unpacked = { firstAt, lastAt, kinds, count, results, decode: () => results };
    own.pieces.push(own.unpacked);
    return;
  }
  const { unpacked } = own;
  own.unpacked = Object.assign(unpacked, {
    firstAt: Math.min(unpacked.firstAt, firstAt),
    lastAt: Math.max(unpacked.lastAt, lastAt),
    count: unpacked.count + count,
    kinds: [...new Set([...unpacked.kinds, ...kinds])],
  });
}

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

/** Reads the results that are not packed of those monitors of which some may be kept. Packed results may still be among them. */
async function loadUnpacked(
  engine: Engine,
  { found, details }: ReadPieces,
  traits: ReadonlyMap<number, KeptTraits>,
): Promise<void> {
  const needed = [...found].flatMap(([pk, { pieces, kinds, unpacked }]) => {
    const own = traits.get(pk);
    return own && unpacked && mayDecode(unpacked, pieces, kinds, own) ? [{ pk, kinds, unpacked }] : [];
  });
  for (const group of groupsOf(needed, ({ unpacked }) => unpacked.count, RESULTS_AT_ONCE)) {
    const since = Math.min(...group.map(({ unpacked }) => unpacked.firstAt));
    const until = Math.max(...group.map(({ unpacked }) => unpacked.lastAt)) + 1;
    const pks = group.map(({ pk }) => pk);
    const rows = await engine.readSlice((tx) => tx.reads.unpackedResults(pks, { since, until }));
    await addMissing(engine, details, rows);
    const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
    for (const { pk, kinds, unpacked } of group) {
      const placeOf = (status: number, detail: number) =>
        kinds.placeOf(statusOfCode(status), details.get(detail) ?? null);
      unpacked.results.push(...resultsOf(columnsOf(byMonitor.get(pk) ?? []), placeOf));
    }
  }
}

/** A result may be recorded since the kinds were read. */
async function addMissing(engine: Engine, details: Details, rows: readonly ResultRow[]): Promise<void> {
  const missing = rows.flatMap(({ detailPk }) => (detailPk && !details.has(detailPk) ? [detailPk] : []));
  for (const [pk, detail] of await readKeptDetails(engine, new Set(missing))) details.set(pk, detail);
}
