import { and, eq, inArray, sql } from "drizzle-orm";
import { countDisplayStates, worstFirst } from "../../../domain/monitors/display-state.ts";
import { type Status, TROUBLE } from "../../../domain/monitors/status.ts";
import { withPlacement } from "../../locations/known-places.ts";
import { seenDownOf } from "../../locations/latest.ts";
import type { Listing, MonitorSnapshot, WorstMonitors } from "../../monitors/monitor-lists.ts";
import { statusOfCode } from "../../status-codes.ts";
import { placesFor } from "../locations/known-places.ts";
import { findLatest } from "../locations/latest.ts";
import { monitorColumns } from "../monitors/monitor-columns.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { checkResults, details, monitorStates, monitors } from "../schema.ts";
import { inSlices, monitorSlices } from "../slices.ts";
import { latestOf, uptimeAndHistoryReader } from "./monitor-list.ts";

export async function* listSnapshots(
  db: Database,
  organizationId: string,
  listing: Listing,
): AsyncGenerator<MonitorSnapshot[]> {
  const read = snapshotReader(db, organizationId, listing);
  for await (const pks of monitorSlices(db, organizationId)) yield read(pks);
}

export async function findWorst(
  db: Database,
  organizationId: string,
  { most, ...listing }: Listing & { most: number },
): Promise<WorstMonitors> {
  let counts = countDisplayStates([]);
  let worst: SortKey[] = [];
  for await (const pks of monitorSlices(db, organizationId, MANY)) {
    const keys = readSortKeys(db, pks);
    counts = countDisplayStates(keys, counts);
    const last = worst.length < most ? undefined : worst.at(-1);
    const worse = last ? keys.filter((key) => worstFirst(key, last) < 0) : keys;
    worst = [...worst, ...worse].sort(worstFirst).slice(0, most);
  }
  const read = snapshotReader(db, organizationId, listing);
  const standings: MonitorSnapshot[] = [];
  for await (const slice of inSlices(db, worst)) {
    const pks = slice.map(({ pk }) => pk);
    const snapshots = new Map(read(pks).map((snapshot) => [snapshot.pk, snapshot]));
    standings.push(...pks.flatMap((pk) => snapshots.get(pk) ?? []));
  }
  return { counts, standings };
}

/** The size of a slice of which only the sort keys are read. */
const MANY = 400;

interface SortKey {
  pk: number;
  name: string;
  status: Status;
  enabled: boolean;
}

/** Literal SQL, because it reads all monitors. */
function readSortKeys(db: Database, pks: number[]): SortKey[] {
  return db.$client
    .query<Pick<SortKey, "pk" | "name"> & { status: number; enabled: number }, [string]>(
      `SELECT pk, name, status, enabled FROM monitors JOIN monitor_states ON monitor_pk = pk
       WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk`,
    )
    .all(JSON.stringify(pks))
    .map((row) => ({ ...row, status: statusOfCode(row.status), enabled: row.enabled !== 0 }));
}

function snapshotReader(
  db: Database,
  organizationId: string,
  { range, now }: Listing,
): (pks: number[]) => MonitorSnapshot[] {
  const readPasts = range && uptimeAndHistoryReader(db, range, now);
  return (pks) => {
    const rows = selectSnapshots(db).all({ pks: JSON.stringify(pks) });
    const pastOf = readPasts?.(rows);
    const places = placesFor(db, organizationId, rows);
    const seen = findLatest(db, rows);
    return rows.map(({ latest, text, ...row }) => ({
      ...withPlacement(row, places),
      seenDown: seenDownOf(row, places, seen),
      latest: latest && latestOf(latest),
      detail: text === null ? null : JSON.parse(text),
      ...(pastOf && { past: pastOf(row) }),
    }));
  };
}

const selectSnapshots = oncePerDatabase((db) => {
  const { status, timings, createdAt } = checkResults;
  return db
    .select({
      pk: monitors.pk,
      ...monitorColumns,
      since: monitorStates.statusSince,
      latest: { status, timings, createdAt },
      text: details.text,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .leftJoin(checkResults, eq(checkResults.pk, monitorStates.lastResultPk))
    .leftJoin(details, and(eq(details.pk, checkResults.detailPk), inArray(monitorStates.status, TROUBLE)))
    .where(sql`${monitors.pk} IN (SELECT value FROM json_each(${sql.placeholder("pks")}))`)
    .orderBy(monitors.pk)
    .prepare();
});
