import { knownTls, type Memory } from "../../domain/checks/judge.ts";
import { degradedAbove, type LatencySums } from "../../domain/checks/latency-baseline.ts";
import type { TlsFacts } from "../../domain/checks/observation.ts";
import { type JobConfig, lateAt, rulingHistory } from "../../domain/heartbeats/heartbeat.ts";
import { runLimit } from "../../domain/heartbeats/job-runs.ts";
import { learnedPeriod } from "../../domain/heartbeats/learned-period.ts";
import { HERE } from "../../domain/locations/location.ts";
import { type Confirmation, progressOf, type Suspicion } from "../../domain/monitors/confirmation.ts";
import { byName } from "../../domain/monitors/display-state.ts";
import { kindOf, type MonitorKind } from "../../domain/monitors/kinds/kinds.ts";
import { type MonitorConfig, type MonitorType, maskSecrets } from "../../domain/monitors/monitor.ts";
import { MAX_SKIPPED } from "../../domain/overview/overview-query.ts";
import { searchText } from "../../domain/overview/selection.ts";
import { history } from "../../domain/results/history.ts";
import { rangeStart } from "../../domain/results/range.ts";
import { planReport, type ReportWish } from "../../domain/results/report-plan.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { findLatest, placeReports } from "../locations/latest.ts";
import { isCheckedHere } from "../locations/monitor-locations.ts";
import { placesFor } from "../locations/watch.ts";
import { recentRuns } from "../monitors/job-runs.ts";
import type { MonitorReport, Outage } from "../monitors/monitor-report.ts";
import { detailOf } from "../outages/outages.ts";
import { heartbeatOf, type StoredRhythm } from "../recording/stored-heartbeat.ts";
import { SUBJECT_COLUMNS } from "../recording/stored-subject.ts";
import {
  BASELINE_COLUMNS,
  type BaselineColumns,
  currentBaseline,
  HOUR,
  LIST_LATENCIES,
  type NoBaseline,
  neededHours,
  OPEN_COLUMNS,
  type OpenColumns,
  openHourOf,
  wholeBaseline,
} from "../results/hour-columns.ts";
import { statusOfCode } from "../status-codes.ts";
import { createTurns } from "../turns.ts";
import { fromJson, type Sql, type TimedTx, type Tx } from "../tx.ts";
import {
  listLatencies,
  listLatenciesByLocation,
  listTroubles,
  listWindows,
  readResults,
  seenBy,
} from "./report-parts.ts";
import { findCounts, LAST_START, uptimes } from "./worst-monitors.ts";

const MAX_OUTAGES = 20;

const FIND = `SELECT ${SUBJECT_COLUMNS}, monitors.organization_pk AS "organizationPk", monitors.tags, status, status_since AS "statusSince", suspicion, rhythm, deadline
  FROM monitors JOIN monitor_states ON monitor_pk = pk WHERE id = $1 AND monitors.organization_pk = $2`;

interface StoredMonitor extends Confirmation {
  pk: number;
  id: string;
  organizationPk: number;
  type: MonitorType;
  config: MonitorConfig;
  tags: string[];
  status: number;
  statusSince: number | null;
  suspicion: Suspicion | null;
  rhythm: StoredRhythm | null;
  deadline: number | null;
  locations: number[] | null;
}

/** @throws AppError `not_found` */
export async function findReport(
  tx: TimedTx,
  organizationId: string,
  { id, ...wish }: { id: string } & ReportWish,
): Promise<MonitorReport> {
  const row = await findStored(tx, organizationId, id);
  const known = await placesFor(tx, organizationId, [row]);
  const counts = await findCounts(tx, row.pk, tx.now);
  const plan = planReport(wish, tx.now);
  const windows = await listWindows(tx, row, plan.stretch);
  const results = await readResults(tx, row, plan);
  const seen = await seenBy(tx, row, { plan, results, counts: "range" in wish ? counts : null, windows });
  const source = { pk: row.pk, checks: results.good };
  const outages = await listOutages(tx, row.pk, tx.now);
  return {
    type: row.type,
    since: row.statusSince,
    suspicion: progressOf({ ...row, status: statusOfCode(row.status), reason: openReason(outages) }, row),
    uptime: uptimes(counts, tx.now),
    stretch: { ...plan.stretch, step: results.step },
    buckets: plan.buckets,
    history: history(plan.buckets, row.type, seen),
    ...(await listLatencies(tx, source, plan)),
    latencyByLocation: known ? await listLatenciesByLocation(tx, source, plan, known) : [],
    places: placeReports(row, known, await findLatest(tx, [row])),
    degradedAbove: isCheckedHere(row) ? await threshold(tx, row.pk, tx.now) : null,
    tls: row.type === "HTTP" || row.type === "TLS" ? await findTls(tx, row) : null,
    outages,
    troubles: await listTroubles(tx, row.pk, plan.stretch),
    windows,
    lastCheckinAt: row.rhythm?.lastCheckinAt ?? null,
    ...rhythmReport(row),
    runs: row.rhythm?.runs ? await runsReport(tx, row.pk) : null,
  };
}

/** @property learnedPeriod milliseconds @property runLimit milliseconds */
function rhythmReport({ rhythm, deadline, config }: StoredMonitor) {
  const heartbeat = heartbeatOf({ rhythm, deadline });
  return {
    learnedPeriod: learnedPeriod(rulingHistory(heartbeat, config as JobConfig).gaps),
    deadline: lateAt(heartbeat, config as JobConfig),
    runLimit: heartbeat.runs ? runLimit(heartbeat.runs, config as JobConfig) : null,
  };
}

async function runsReport(tx: Tx, pk: number): Promise<MonitorReport["runs"]> {
  const points = await recentRuns(tx, pk);
  const lengths = points.map(({ durationMs }) => durationMs);
  if (lengths.length === 0) return null;
  const good = points.filter(({ outcome }) => outcome === "ok").map(({ durationMs }) => durationMs);
  return {
    lastMs: lengths.at(-1) ?? 0,
    // A run that failed early says nothing about how long the job usually takes.
    medianMs: median(good.length > 0 ? good : lengths),
    longestMs: Math.max(...lengths),
    points,
  };
}

/** For an even count, the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = low] = [(values.length - 1) >> 1, values.length >> 1].map((at) => sorted[at]);
  return Math.round((low + high) / 2);
}

async function findStored(sql: Sql, organizationId: string, id: string): Promise<StoredMonitor> {
  const [row] = await sql.query<StoredMonitor>(FIND, [id, await organizationPk(sql, organizationId)]);
  if (!row) throw notFound();
  const { suspicion, rhythm, locations, config, tags } = row;
  return {
    ...row,
    suspicion: fromJson(suspicion),
    rhythm: fromJson(rhythm),
    locations: fromJson(locations),
    config: fromJson(config),
    tags: fromJson(tags),
  };
}

const LIST_MEMORIES = "SELECT location, memory FROM location_states WHERE monitor_pk = $1";

async function findTls(
  { query }: Sql,
  { pk, locations }: Pick<StoredMonitor, "pk" | "locations">,
): Promise<TlsFacts | null> {
  const rows = await query<{ location: number; memory: Memory | null }>(LIST_MEMORIES, [pk]);
  const present = locations ?? [HERE];
  const seen = rows
    .filter(({ location }) => present.includes(location))
    .flatMap(({ memory }) => knownTls(fromJson(memory) as Memory | null) ?? []);
  const [first] = seen.toSorted((one, other) => Date.parse(one.validTo) - Date.parse(other.validTo));
  return first ?? null;
}

/** Why the outage began that is open. */
function openReason([latest]: readonly Outage[]): string | undefined {
  const reason = latest?.end === null ? latest.detail?.reason : undefined;
  return typeof reason === "string" ? reason : undefined;
}

const FIND_BASELINE = `SELECT ${BASELINE_COLUMNS}, ${OPEN_COLUMNS} FROM monitor_states
  LEFT JOIN location_states ON location_states.monitor_pk = monitor_states.monitor_pk AND location = ${HERE}
  WHERE monitor_states.monitor_pk = $1`;

type BaselineRow = OpenColumns & (BaselineColumns | NoBaseline);

async function threshold({ query }: Sql, pk: number, now: number): Promise<number | null> {
  const [row] = await query<BaselineRow>(FIND_BASELINE, [pk]);
  const stored = row && wholeBaseline(row, openHourOf(row));
  if (!stored) return null;
  const needed = neededHours(stored, now);
  if (!needed) return degradedAbove(currentBaseline(stored, now, []));
  const stretch = [needed.since / HOUR, Math.min(needed.until / HOUR, LAST_START)];
  const hours = await query<LatencySums>(LIST_LATENCIES, [pk, HERE, ...stretch]);
  return degradedAbove(currentBaseline(stored, now, hours));
}

const LIST_OUTAGES = `SELECT outages.id, started_at AS start, ended_at AS "end", status, reason, timings, text
  FROM outages LEFT JOIN details ON details.pk = detail_pk
  WHERE outages.monitor_pk = $1 AND (ended_at IS NULL OR ended_at >= $2)
  ORDER BY outages.pk DESC LIMIT $3`;

/** An outage with what its first result measured. @property status its code @property text the detail in JSON */
type OutageRow = Pick<Outage, "id" | "start" | "end"> & {
  status: number;
  reason: string | null;
  timings: Uint8Array | null;
  text: string | null;
};

async function listOutages({ query }: Sql, pk: number, now: number): Promise<Outage[]> {
  const rows = await query<OutageRow>(LIST_OUTAGES, [pk, rangeStart("90d", now), MAX_OUTAGES]);
  return rows.map(({ reason, timings, text, ...outage }) => {
    const detail = detailOf({ reason, timings }, text === null ? undefined : JSON.parse(text));
    return { ...outage, status: statusOfCode(outage.status), detail };
  });
}

/** The fields of a monitor that filters and orders need, besides its status. */
export interface KnownMonitor {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  enabled: boolean;
  tags: string[];
  /** The text in which a search looks, in lower case. */
  text: string;
  kind: MonitorKind;
  updatedAt: number;
  /** Whether it was read so long after its change that no other change can have the same time. */
  isSettled: boolean;
  /** Its uptime, and when that was read; for the order by uptime only. */
  uptime?: string | null;
  uptimeAt?: number;
}

/** Milliseconds within which another change of a monitor may have the time of this one, also if clocks differ. */
const UNSETTLED = 2000;

interface Finding {
  turn: () => Promise<void>;
  now: number;
  editMark?: (() => string | undefined) | undefined;
}

/** How many organizations are kept: those whose page was used last. */
const KEPT = 8;

export interface Known {
  /** The count of the monitors and the sum of the times of their changes; empty if a further change may not change it. */
  version: string;
  /** The version that the database had at a mark. */
  marked: { mark: string; version: string } | null;
  byPk: Map<number, KnownMonitor>;
  /** The first monitors and the tags of this version; null without a version. */
  summary: Summary | null;
}

/** @property first the first monitors by name, then by age @property tags how many monitors have each */
interface Summary {
  first: readonly KnownMonitor[];
  tags: ReadonlyMap<string, number>;
}

/** Monitors whose order by name is known: as many as a page leaves out, and those that it shows. */
const FIRST = MAX_SKIPPED + 200;

/** The settings of monitors by organization, of which only those that have changed are read again. */
export class KnownMonitors {
  readonly #byOrganization = new Map<number, Known>();

  /**
   * The monitors of an organization by number, and what is known of all of them: other requests change it when they read changes.
   *
   * @param finding `turn` resolves when a slice may be read; `now` is in milliseconds since 1970; `editMark` as in `Engine`
   */
  async find(sql: Sql, organization: number, { turn, now, editMark }: Finding): Promise<Known> {
    const known = this.#of(organization);
    await turn();
    const version = await findVersion(sql, organization, { known, mark: editMark?.() });
    if (known.version === version) {
      const summary = known.summary ?? (await summaryOf([...known.byPk.values()]));
      // Another request may have read changes meanwhile.
      if (known.version === version) known.summary = summary;
      return known;
    }
    Object.assign(known, { version: "", summary: null });
    const seen = new Set<number>();
    for (let after = 0; ; ) {
      await turn();
      const present = await sql.query<{ pk: number; updatedAt: number }>(LIST, [organization, after]);
      await refresh(sql, known.byPk, present, now);
      for (const { pk } of present) seen.add(pk);
      if (present.length < SIZE) break;
      after = present.at(-1)?.pk ?? after;
    }
    for (const pk of known.byPk.keys()) if (!seen.has(pk)) known.byPk.delete(pk);
    // A change during this gives another version the next time.
    known.version = [...known.byPk.values()].every(({ isSettled }) => isSettled) ? version : "";
    return known;
  }

  #of(organization: number): Known {
    const known = this.#byOrganization.get(organization) ?? {
      ...{ version: "", marked: null, byPk: new Map(), summary: null },
    };
    this.#byOrganization.delete(organization);
    this.#byOrganization.set(organization, known);
    for (const oldest of this.#byOrganization.keys()) {
      if (this.#byOrganization.size <= KEPT) break;
      this.#byOrganization.delete(oldest);
    }
    return known;
  }
}

/** How many monitors are read in one turn of the event loop. */
const SIZE = 500;

async function summaryOf(monitors: readonly KnownMonitor[]): Promise<Summary> {
  const turn = createTurns();
  const order = (a: KnownMonitor, b: KnownMonitor) => byName(a, b) || a.pk - b.pk;
  const tags = new Map<string, number>();
  let first: KnownMonitor[] = [];
  for (let at = 0; at < monitors.length; at += SIZE) {
    const some = monitors.slice(at, at + SIZE);
    for (const tag of some.flatMap((one) => one.tags)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    const last = first.length < FIRST ? undefined : first.at(-1);
    const better = last ? some.filter((one) => order(one, last) < 0) : some;
    if (better.length > 0) first = [...first, ...better].sort(order).slice(0, FIRST);
    await turn();
  }
  return { first, tags };
}

/** The modulus keeps the sum exact. */
const VERSION = `SELECT CAST(count(*) AS text) || ' ' || CAST(sum(updated_at % 1000000007) AS text) AS version
  FROM monitors WHERE organization_pk = $1`;

/** @param mark read before the version: as long as it is the same, so is the version */
async function findVersion(
  { query }: Sql,
  organization: number,
  { known, mark }: { known: Known; mark: string | undefined },
): Promise<string> {
  if (mark !== undefined && known.marked?.mark === mark) return known.marked.version;
  const [row] = await query<{ version: string }>(VERSION, [organization]);
  const version = String(row?.version);
  if (mark !== undefined) known.marked = { mark, version };
  return version;
}

const LIST = `SELECT pk, updated_at AS "updatedAt" FROM monitors
  WHERE organization_pk = $1 AND pk > $2 ORDER BY pk LIMIT ${SIZE}`;

const READ = `SELECT pk, id, name, type, config, enabled, tags, updated_at AS "updatedAt" FROM monitors
  WHERE pk = ANY($1)`;

interface Row {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  config: MonitorConfig | string;
  enabled: boolean | number;
  tags: string[] | string;
  updatedAt: number;
}

/** Reads the monitors that are not known, or not as they are now. @param now milliseconds since 1970 */
async function refresh(
  { query }: Sql,
  known: Map<number, KnownMonitor>,
  present: readonly { pk: number; updatedAt: number }[],
  now: number,
): Promise<void> {
  const isKnown = ({ pk, updatedAt }: { pk: number; updatedAt: number }) => {
    const before = known.get(pk);
    return before?.isSettled === true && before.updatedAt === updatedAt;
  };
  const pks = present.filter((one) => !isKnown(one)).map(({ pk }) => pk);
  if (pks.length === 0) return;
  for (const { config: stored, enabled, tags: list, ...row } of await query<Row>(READ, [pks])) {
    const { type, name, updatedAt } = row;
    const [tags, config] = [fromJson(list), fromJson(stored)];
    known.set(row.pk, {
      ...row,
      enabled: Boolean(enabled),
      tags,
      text: searchText(type, { name, config: maskSecrets(config), tags }),
      kind: kindOf(type, config),
      isSettled: Math.abs(now - updatedAt) > UNSETTLED,
    });
  }
}
