import type { Detail } from "../checks/observation.ts";
import { DAY } from "../duration.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { groupOf, type Status } from "../monitors/status.ts";
import { AFTER, BEFORE, type CheckKind, type PastChecks } from "./history.ts";

/*
 * The choice of the results that a replay keeps in memory: see `PastChecks`. Results come in pieces, such as packed segments, of which
 * only those are read that have a result to keep. Times are milliseconds since 1970.
 */

/** A result. @property pk its number @property kind its place in the kinds that are known @property latency milliseconds; NaN without one */
export interface PieceResult {
  pk: number;
  time: number;
  kind: number;
  latency: number;
}

/**
 * Some results of a monitor, as they are stored.
 *
 * @property kinds the kinds that its results have, by their places in the list of all kinds
 * @property results all of them in the order of their times; null until they are asked for
 */
export interface Piece {
  firstAt: number;
  lastAt: number;
  kinds: readonly number[];
  results: readonly PieceResult[] | null;
}

/**
 * The traits that decide which good results are kept too.
 *
 * @property isAfterOthers whether earlier results are not among the pieces
 * @property slowerThan also good results with a longer latency, in milliseconds @property slowHours the hours that may have such results,
 *   by their starts
 * @property warnDays also the first result after each moment at which a certificate ends in so many days
 */
export interface KeptTraits {
  type: MonitorType;
  isAfterOthers?: boolean;
  slowerThan?: number | undefined;
  slowHours?: ReadonlySet<number> | undefined;
  warnDays?: number | undefined;
}

/** The parts of a detail that a replay needs; the others would make many kinds of equal checks. */
const KEPT = [
  "seen",
  "reason",
  "location",
  "maintenance",
  "exitCode",
  "validFrom",
  "validTo",
  "registration",
] as const;

export function keptDetail(detail: Detail): Detail | null {
  const kept: Detail = {};
  for (const field of KEPT) if (detail[field] !== undefined) kept[field] = detail[field];
  const { seen } = kept as { seen?: { message?: unknown } };
  if (seen) {
    const { message: _, ...others } = seen;
    kept.seen = others;
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

/** The most kinds of one monitor: their places have 16 bits. */
const MAX_KINDS = 2 ** 16;

/** The kinds of the results of a monitor, each once. */
export class CheckKinds {
  readonly list: CheckKind[] = [];
  readonly #places = new Map<string, number>();

  /** @param detail as `keptDetail` returns it @returns its place; kinds that are too many have no detail */
  placeOf(status: Status, detail: Detail | null): number {
    const key = `${status} ${detail ? JSON.stringify(detail) : ""}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (detail && this.list.length >= MAX_KINDS - 100) return this.placeOf(status, null);
    const place = this.list.push({ status, detail }) - 1;
    this.#places.set(key, place);
    return place;
  }
}

const NOTHING: PastChecks = {
  ...{ count: 0, kinds: [], times: new Float64Array(), kindOf: new Uint16Array() },
  ...{ latencies: new Float32Array(), isAfterUsual: new Uint8Array() },
};

/** Whether the results of a kind are usual ones. A maintenance changes nothing about good results. */
export function isUsual({ status, detail }: CheckKind): boolean {
  return groupOf[status] === "healthy" && !detail?.seen && !detail?.reason && detail?.exitCode === undefined;
}

/**
 * Chooses the results of a monitor, in steps.
 *
 * @param pieces in any order
 * @yields pieces whose results are needed for the next step
 */
export function* keepChecks(
  pieces: readonly Piece[],
  { list: kinds }: CheckKinds,
  traits: KeptTraits,
): Generator<readonly Piece[], PastChecks> {
  const interest = interestOf(kinds, traits);
  const clusters = clustersOf(pieces);
  const wanted = wantedOf(clusters, interest);
  if (!wanted.includes(true)) return NOTHING;
  const decoded = yield* decodeWanted(clusters, wanted, interest);
  const kept = new Kept(interestOf(kinds, traits));
  for (const results of decoded) {
    if (!results) {
      kept.skip();
      continue;
    }
    for (const result of results) kept.add(result);
    yield [];
  }
  return kept.finish(kinds);
}

/** The farthest cluster of which usual results are kept beside others. */
const FARTHEST = 3;

/** The traits of results of a monitor that make them interesting. @property places the locations; one without a name if only this server checks */
interface Interest {
  traits: KeptTraits;
  isUsual: readonly boolean[];
  placeOf: readonly number[];
  places: number;
  /** The certificates of the kinds: a text that differs if they do, and when each ends; only of a TLS monitor. */
  certificates: readonly { text: string; endsAt: number }[] | null;
}

function interestOf(kinds: readonly CheckKind[], traits: KeptTraits): Interest {
  const names = [...new Set(kinds.map(({ detail }) => detail?.location))];
  const isJob = traits.type === "SCHEDULED";
  return {
    traits,
    isUsual: kinds.map((kind) => !isJob && isUsual(kind)),
    placeOf: kinds.map(({ detail }) => names.indexOf(detail?.location)),
    places: names.length,
    certificates: traits.type === "TLS" ? kinds.map(certificateOf) : null,
  };
}

function certificateOf({ detail }: CheckKind) {
  const { validFrom, validTo, registration } = detail ?? {};
  return {
    text: JSON.stringify([validFrom, validTo, registration]),
    endsAt: typeof validTo === "string" ? Date.parse(validTo) : Number.NaN,
  };
}

/** Pieces whose times overlap, because some of their results were late. */
interface Cluster {
  firstAt: number;
  lastAt: number;
  pieces: Piece[];
}

function clustersOf(pieces: readonly Piece[]): Cluster[] {
  const clusters: Cluster[] = [];
  let last: Cluster | undefined;
  for (const piece of pieces.toSorted((a, b) => a.firstAt - b.firstAt)) {
    const { firstAt, lastAt } = piece;
    if (last && firstAt <= last.lastAt) {
      last.pieces.push(piece);
      last.lastAt = Math.max(last.lastAt, lastAt);
    } else {
      last = { firstAt, lastAt, pieces: [piece] };
      clusters.push(last);
    }
  }
  return clusters;
}

function kindsOf({ pieces }: Cluster): readonly number[] {
  const [first] = pieces;
  return first && pieces.length === 1 ? first.kinds : pieces.flatMap(({ kinds }) => kinds);
}

const HOUR = DAY / 24;

/** Which clusters may have results that are not usual. */
function wantedOf(clusters: readonly Cluster[], interest: Interest): boolean[] {
  const { isUsual: usual, certificates, traits } = interest;
  let before: Cluster | undefined;
  return clusters.map((cluster) => {
    const previous = before;
    before = cluster;
    if (kindsOf(cluster).some((kind) => !usual[kind])) return true;
    if (certificates && hasTurn(cluster, previous, interest)) return true;
    if (!traits.slowHours) return false;
    for (let hour = Math.floor(cluster.firstAt / HOUR) * HOUR; hour <= cluster.lastAt; hour += HOUR)
      if (traits.slowHours.has(hour)) return true;
    return false;
  });
}

/** Whether a certificate changes in a cluster of a TLS monitor or before it, or ends in as many days as are asked for. */
function hasTurn(
  cluster: Cluster,
  previous: Cluster | undefined,
  { certificates, traits }: Interest,
): boolean {
  const texts = new Set(
    [...kindsOf(cluster), ...(previous ? kindsOf(previous) : [])].map((kind) => certificates?.[kind]?.text),
  );
  if (!previous || texts.size > 1) return true;
  const from = previous.lastAt;
  return kindsOf(cluster).some((kind) => {
    const turn = turnOf(certificates?.[kind]?.endsAt, traits);
    return turn > from && turn <= cluster.lastAt;
  });
}

/** @returns NaN without `warnDays`: then no comparison with it is true */
function turnOf(endsAt = Number.NaN, { warnDays }: KeptTraits): number {
  return warnDays === undefined ? Number.NaN : endsAt - warnDays * DAY;
}

/** The results of the wanted clusters, and of their neighbors as far as usual results of these are kept; null for the others. */
function* decodeWanted(
  clusters: readonly Cluster[],
  wanted: readonly boolean[],
  interest: Interest,
): Generator<readonly Piece[], (readonly PieceResult[] | null)[]> {
  yield clusters.flatMap(({ pieces }, at) => (wanted[at] ? pieces : []));
  const decoded = clusters.map((cluster, at) => (wanted[at] ? resultsOf(cluster) : null));
  let sides = decoded.flatMap((results, at) => (results ? sidesOf(at, results, interest) : []));
  for (let far = 1; far <= FARTHEST; far++) {
    sides = sides.filter(
      ({ from, step, counts }) => !counts.areEnough() && wanted[from + far * step] === false,
    );
    const places = sides.map(({ from, step }) => from + far * step);
    yield places.flatMap((at) => (decoded[at] ? [] : (clusters[at]?.pieces ?? [])));
    for (const [side, at] of places.entries()) {
      const cluster = clusters[at];
      if (!cluster) continue;
      const results = decoded[at] ?? resultsOf(cluster);
      decoded[at] = results;
      sides[side]?.counts.add(results);
    }
  }
  return decoded;
}

/** The neighbors of a cluster in one direction. @property counts the results that are known on this side */
interface Side {
  from: number;
  step: 1 | -1;
  counts: Counts;
}

function sidesOf(from: number, results: readonly PieceResult[], interest: Interest): Side[] {
  const isUsualAt = ({ kind }: PieceResult) => interest.isUsual[kind] === true;
  const first = results.findIndex((result) => !isUsualAt(result));
  const last = results.findLastIndex((result) => !isUsualAt(result));
  const [before, after] = [new Counts(interest, BEFORE), new Counts(interest, AFTER)];
  // A slow result, or another certificate, may be at any place.
  before.add(results.slice(0, Math.max(first, 0)));
  after.add(last < 0 ? [] : results.slice(last + 1));
  return [
    { from, step: -1, counts: before },
    { from, step: 1, counts: after },
  ];
}

/** How many results each place has, up to a number. */
class Counts {
  readonly #counts: number[];
  readonly #placeOf: readonly number[];

  constructor(
    { places, placeOf }: Interest,
    private readonly enough: number,
  ) {
    this.#counts = Array(places).fill(0);
    this.#placeOf = placeOf;
  }

  add(results: readonly PieceResult[]): void {
    for (const { kind } of results) {
      const place = this.#placeOf[kind] ?? 0;
      this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    }
  }

  areEnough(): boolean {
    return this.#counts.every((count) => count >= this.enough);
  }
}

function resultsOf({ pieces }: Cluster): readonly PieceResult[] {
  const [first] = pieces;
  if (first && pieces.length === 1) return first.results ?? [];
  const all = pieces.flatMap(({ results }) => results ?? []);
  // On PostgreSQL, packed results may still be rows.
  return [...new Map(all.map((result) => [result.pk, result])).values()].sort((a, b) => a.time - b.time);
}

/** A usual result that is kept if something else follows soon. @property isAfterUsual whether some before it are left out */
interface Waiting extends PieceResult {
  isAfterUsual: boolean;
}

/** Collects the results to keep, in the order of their times. */
class Kept {
  readonly #interest: Interest;
  #count = 0;
  #times = new Float64Array(64);
  #kindOf = new Uint16Array(64);
  #latencies = new Float32Array(64);
  #isAfterUsual = new Uint8Array(64);
  /** At most `BEFORE` of each place. */
  #waiting: Waiting[] = [];
  /** How many usual results are kept now, by place. */
  readonly #further: number[];
  #isAfterLeftOut: boolean;
  #previous: PieceResult | undefined;

  constructor(interest: Interest) {
    this.#interest = interest;
    this.#isAfterLeftOut = interest.traits.isAfterOthers === true;
    this.#further = Array(interest.places).fill(0);
  }

  /** Usual results follow that are left out. */
  skip(): void {
    this.#waiting = [];
    this.#further.fill(0);
    this.#isAfterLeftOut = true;
  }

  add(result: PieceResult): void {
    const place = this.#interest.placeOf[result.kind] ?? 0;
    const isKept = this.#isInteresting(result);
    this.#previous = result;
    if (isKept) {
      for (const waiting of this.#waiting) this.#push(waiting);
      this.#waiting = [];
      this.#further.fill(AFTER);
    } else if ((this.#further[place] ?? 0) === 0) {
      this.#wait(result, place);
      return;
    } else {
      this.#further[place] = (this.#further[place] ?? 0) - 1;
      // The waiting results of other places are older.
      for (const waiting of this.#waiting) this.#push(waiting);
      this.#waiting = [];
    }
    this.#push({ ...result, isAfterUsual: this.#isAfterLeftOut });
    this.#isAfterLeftOut = false;
  }

  #isInteresting(result: PieceResult): boolean {
    const { isUsual: usual, certificates, traits } = this.#interest;
    if (!usual[result.kind]) return true;
    if (traits.slowerThan !== undefined && result.latency > traits.slowerThan) return true;
    if (!certificates) return false;
    const certificate = certificates[result.kind];
    const previous = this.#previous;
    if (!previous || certificate?.text !== certificates[previous.kind]?.text) return true;
    const turn = turnOf(certificate?.endsAt, traits);
    return turn > previous.time && turn <= result.time;
  }

  #wait(result: PieceResult, place: number): void {
    const { placeOf, places } = this.#interest;
    const { pk, time, kind, latency } = result;
    this.#waiting.push({ pk, time, kind, latency, isAfterUsual: this.#isAfterLeftOut });
    this.#isAfterLeftOut = false;
    if (this.#waiting.length <= BEFORE) return;
    const isOfPlace = (one: Waiting) => placeOf[one.kind] === place;
    if (places > 1 && this.#waiting.reduce((sum, one) => sum + Number(isOfPlace(one)), 0) <= BEFORE) return;
    const oldest = places > 1 ? this.#waiting.findIndex(isOfPlace) : 0;
    this.#waiting.splice(oldest, 1);
    const next = this.#waiting[oldest];
    if (next) next.isAfterUsual = true;
    else this.#isAfterLeftOut = true;
  }

  #push({ time, kind, latency, isAfterUsual }: Waiting): void {
    if (this.#count === this.#times.length) this.#resize(this.#count * 2);
    this.#times[this.#count] = time;
    this.#kindOf[this.#count] = kind;
    this.#latencies[this.#count] = latency;
    this.#isAfterUsual[this.#count] = Number(isAfterUsual);
    this.#count++;
  }

  #resize(length: number): void {
    const times = new Float64Array(length);
    const kindOf = new Uint16Array(length);
    const latencies = new Float32Array(length);
    const isAfterUsual = new Uint8Array(length);
    const kept = Math.min(length, this.#count);
    times.set(this.#times.subarray(0, kept));
    kindOf.set(this.#kindOf.subarray(0, kept));
    latencies.set(this.#latencies.subarray(0, kept));
    isAfterUsual.set(this.#isAfterUsual.subarray(0, kept));
    this.#times = times;
    this.#kindOf = kindOf;
    this.#latencies = latencies;
    this.#isAfterUsual = isAfterUsual;
  }

  finish(kinds: readonly CheckKind[]): PastChecks {
    if (this.#count === 0) return NOTHING;
    this.#resize(this.#count);
    return {
      ...{ count: this.#count, times: this.#times, kindOf: this.#kindOf, kinds },
      ...{ latencies: this.#latencies, isAfterUsual: this.#isAfterUsual },
    };
  }
}
