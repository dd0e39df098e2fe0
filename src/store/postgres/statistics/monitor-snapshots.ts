import { isTrouble, TROUBLE } from "../../../domain/monitors/status.ts";
import { type KnownPlaces, placesFor } from "../../locations/known-places.ts";
import { findLatest, seenDownOf } from "../../locations/latest.ts";
import type {
  Listing,
  MonitorSelection,
  MonitorSnapshot,
  WorstMonitors,
} from "../../monitors/monitor-lists.ts";
import { detailWithoutPhases } from "../../results/measured.ts";
import type { KnownMonitors } from "../../statistics/known-monitors.ts";
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
  monitorOf,
  monitorSlices,
} from "./monitor-list.ts";
import { type MonitorVersion, pastReader, VERSION_COLUMNS } from "./past-reader.ts";
import type { RollupCache } from "./rollup-cache.ts";

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
