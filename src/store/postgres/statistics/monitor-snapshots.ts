import { isTrouble, TROUBLE } from "../../../domain/monitors/status.ts";
import type { Stretch } from "../../../domain/results/rollup.ts";
import { findLatest, seenDownOf } from "../../locations/latest.ts";
import { type KnownPlaces, placesFor } from "../../locations/watch.ts";
import type {
  Listing,
  MonitorSelection,
  MonitorSnapshot,
  WorstMonitors,
} from "../../monitors/monitor-report.ts";
import { detailWithoutPhases } from "../../results/timings.ts";
import type { KnownMonitors } from "../../statistics/monitor-report.ts";
import { findWorstPks, inOrderOf, withoutUptime } from "../../statistics/worst-monitors.ts";
import { statusCodes, statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import {
  findKept,
  type IsKept,
  inSlices,
  latestOf,
  MONITOR_COLUMNS,
  type MonitorRow,
  type MonitorVersion,
  monitorOf,
  monitorSlices,
  pastReader,
  VERSION_COLUMNS,
} from "./monitor-list.ts";

export async function* listSnapshots(
  sql: Sql,
  cache: RollupCache,
  organizationId: string,
  listing: Listing,
): AsyncGenerator<MonitorSnapshot[]> {
  const read = await snapshotReader(sql, { organizationId, cache }, listing);
  for await (const pks of monitorSlices(sql, organizationId)) yield await read(pks);
}

export async function findWorst(
  sql: Sql,
  { cache, known }: { cache: RollupCache; known: KnownMonitors },
  organizationId: string,
  selection: MonitorSelection,
): Promise<WorstMonitors> {
  const { range, now } = selection;
  const { pks, ...counts } = await findWorstPks(sql, organizationId, selection, {
    known,
    turn: async () => {},
    async readUptimes(some) {
      const read = await snapshotReader(sql, { organizationId, cache }, { range: "90d", now });
      const byPk = new Map(some.map((one) => [one.pk, one]));
      for (const slice of inSlices(withoutUptime(some, now).map(({ pk }) => pk))) {
        for (const { pk, past } of await read(slice)) {
          Object.assign(byPk.get(pk) ?? {}, { uptime: past?.uptime, uptimeAt: now });
        }
      }
    },
  });
  const read = await snapshotReader(sql, { organizationId, cache }, { range, now });
  const standings: MonitorSnapshot[] = [];
  for (const slice of inSlices(pks)) standings.push(...inOrderOf(slice, await read(slice)));
  return { ...counts, standings };
}

type SnapshotRow = MonitorRow & MonitorVersion & { since: number | null; text: string | null };

const SNAPSHOT_COLUMNS = `${MONITOR_COLUMNS}, status_since AS since, details.text`;

const TROUBLE_CODES = TROUBLE.map((status) => statusCodes[status]).join(", ");

const SNAPSHOT_TABLES = `monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  LEFT JOIN details ON details.pk = last_detail_pk AND status IN (${TROUBLE_CODES})
  WHERE monitors.pk = ANY($1) ORDER BY monitors.pk`;

const LIST = `SELECT ${SNAPSHOT_COLUMNS}, ${VERSION_COLUMNS} FROM ${SNAPSHOT_TABLES}`;

async function snapshotReader(
  sql: Sql,
  { organizationId, cache }: { organizationId: string; cache: RollupCache },
  { range, now }: Listing,
): Promise<(pks: number[]) => Promise<MonitorSnapshot[]>> {
  const isKept = await findKept(sql);
  const readPasts = range && pastReader(cache, range, now);
  return async (pks) => {
    const rows = await sql.query<SnapshotRow>(LIST, [pks]);
    const pastOf = await readPasts?.(sql, rows);
    const places = await placesFor(sql, organizationId, rows);
    const seen = await findLatest(sql, rows);
    return rows.map((row) => ({
      ...snapshotOf(row, isKept, places),
      seenDown: seenDownOf({ ...row, status: statusOfCode(row.status) }, places, seen),
      ...(pastOf && { past: pastOf(row) }),
    }));
  };
}

function snapshotOf(
  row: SnapshotRow,
  isKept: IsKept,
  places: KnownPlaces | undefined,
): Omit<MonitorSnapshot, "seenDown"> {
  const latest = latestOf(row, isKept);
  const monitor = monitorOf(row, places);
  const isInTrouble = latest !== null && isTrouble(monitor.status);
  return {
    ...monitor,
    pk: row.pk,
    since: row.since,
    latest,
    detail: isInTrouble ? detailWithoutPhases(row.lastTimings, row.text) : null,
  };
}

/** Shows whether a result was recorded for a stretch that was over: columns of `monitor_states`. */
export interface Version {
  pk: number;
  lateResults: number;
  lastResultPk: number | null;
  lastResultAt: number | null;
}

interface Entry<Value> extends Version {
  value: Value;
}

interface CachedStretch<Value> extends Required<Stretch> {
  byMonitor: Map<number, Entry<Value>>;
}

/**
 * Caches values that are computed from the rollups of past hours and days, which rarely change. Other nodes write rollups
 * too, so a value is used only for the version of its monitor.
 *
 * A result is late if the previous result of its monitor is of a later hour. Any other result is after the cached
 * stretch if the previous one is, so it shows whether a value is still right.
 */
export class RollupCache {
  readonly #bySubject = new Map<string, CachedStretch<unknown>>();

  /**
   * @param query the name of what is computed, of which the cache keeps one stretch
   * @param versions of the monitors; read before the rollups, or in the same snapshot
   * @property stretch without an end, a value is used until the next result of its monitor
   * @param read computes the missing values: one for each monitor, also for a monitor without rollups
   * @returns the values of these monitors
   */
  async get<Value>(
    { subject, stretch }: { subject: string; stretch: Required<Stretch> },
    versions: readonly Version[],
    read: (missing: Version[]) => Promise<Map<number, Value>>,
  ): Promise<Map<number, Value>> {
    const { byMonitor } = this.#stretchOf<Value>(subject, stretch);
    const isValid = (version: Version) => {
      const entry = byMonitor.get(version.pk);
      return entry !== undefined && isSame(entry, version, stretch.until);
    };
    const missing = versions.filter((version) => !isValid(version));
    if (missing.length > 0) {
      const values = await read(missing);
      for (const version of missing) {
        const value = values.get(version.pk);
        if (value !== undefined) byMonitor.set(version.pk, { ...versionOf(version), value });
      }
    }
    return new Map(
      versions.flatMap(({ pk }) => {
        const entry = byMonitor.get(pk);
        return entry ? [[pk, entry.value]] : [];
      }),
    );
  }

  #stretchOf<Value>(subject: string, { since, until }: Required<Stretch>): CachedStretch<Value> {
    const cached = this.#bySubject.get(subject) as CachedStretch<Value> | undefined;
    if (cached?.since === since && cached.until === until) return cached;
    const created: CachedStretch<Value> = { since, until, byMonitor: new Map() };
    this.#bySubject.set(subject, created);
    return created;
  }
}

function isSame(entry: Version, { lateResults, lastResultPk }: Version, until: number): boolean {
  if (entry.lateResults !== lateResults) return false;
  const wasOver = entry.lastResultAt !== null && entry.lastResultAt >= until;
  return wasOver || entry.lastResultPk === lastResultPk;
}

function versionOf({ pk, lateResults, lastResultPk, lastResultAt }: Version): Version {
  return { pk, lateResults, lastResultPk, lastResultAt };
}
