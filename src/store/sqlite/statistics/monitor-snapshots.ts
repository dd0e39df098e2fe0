import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { isTrouble, TROUBLE } from "../../../domain/monitors/status.ts";
import type { Engine } from "../../engine.ts";
import { seenDownOf } from "../../locations/latest.ts";
import { withPlacement } from "../../locations/watch.ts";
import type {
  Listing,
  MonitorSelection,
  MonitorSnapshot,
  WorstMonitors,
} from "../../monitors/monitor-report.ts";
import { detailWithoutPhases } from "../../results/timings.ts";
import { KnownMonitors } from "../../statistics/monitor-report.ts";
import { findWorstPks, inOrderOf, withoutUptime } from "../../statistics/worst-monitors.ts";
import { type Database, oncePerDatabase, oncePerEngine, sqlOf } from "../database.ts";
import { findLatest, placesFor } from "../locations/known-places.ts";
import { monitorColumns } from "../monitors/due-monitors.ts";
import { details, monitorStates, monitors } from "../schema.ts";
import { inSlices, monitorSlices, turn } from "../slices.ts";
import { latestColumns, latestOf, uptimeAndHistoryReader } from "./statistics.ts";

export async function* listSnapshots(
  db: Database,
  organizationId: string,
  listing: Listing,
): AsyncGenerator<MonitorSnapshot[]> {
  const read = snapshotReader(db, organizationId, listing);
  for await (const pks of monitorSlices(db, organizationId)) yield read(pks);
}

const knownMonitors = oncePerEngine(() => new KnownMonitors());

export async function findWorst(
  db: Database,
  editMark: Engine["editMark"],
  organizationId: string,
  selection: MonitorSelection,
): Promise<WorstMonitors> {
  const { range, now } = selection;
  const { pks, ...counts } = await findWorstPks(sqlOf(db), organizationId, selection, {
    known: knownMonitors(db),
    editMark,
    turn: () => turn(db),
    async readUptimes(some) {
      const readPasts = uptimeAndHistoryReader(db, "90d", now);
      for await (const slice of inSlices(db, withoutUptime(some, now))) {
        const pastOf = readPasts(slice);
        for (const one of slice) Object.assign(one, { uptime: pastOf(one).uptime, uptimeAt: now });
      }
    },
  });
  const read = snapshotReader(db, organizationId, { range, now });
  const standings: MonitorSnapshot[] = [];
  for await (const slice of inSlices(db, pks)) standings.push(...inOrderOf(slice, read(slice)));
  return { ...counts, standings };
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
      latest: latestOf(latest),
      detail: isTrouble(row.status) ? detailWithoutPhases(latest.timings, text) : null,
      ...(pastOf && { past: pastOf(row) }),
    }));
  };
}

const selectSnapshots = oncePerDatabase((db) =>
  db
    .select({
      pk: monitors.pk,
      ...monitorColumns,
      since: monitorStates.statusSince,
      latest: latestColumns,
      text: details.text,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .leftJoin(
      details,
      and(
        eq(details.pk, monitorStates.lastDetailPk),
        isNotNull(monitorStates.lastStatus),
        inArray(monitorStates.status, TROUBLE),
      ),
    )
    .where(sql`${monitors.pk} IN (SELECT value FROM json_each(${sql.placeholder("pks")}))`)
    .orderBy(monitors.pk)
    .prepare(),
);
