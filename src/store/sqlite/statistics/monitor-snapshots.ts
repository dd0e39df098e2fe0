import { and, eq, inArray, sql } from "drizzle-orm";
import type { Detail } from "../../../domain/checks/observation.ts";
import { countDisplayStates, type DisplayState, worstFirst } from "../../../domain/monitors/display-state.ts";
import type { Monitor } from "../../../domain/monitors/monitor.ts";
import { type Status, TROUBLE } from "../../../domain/monitors/status.ts";
import type { Range } from "../../../domain/results/range.ts";
import { shown } from "../../monitors/monitors.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { checkResults, details, monitors } from "../schema.ts";
import { inSlices, monitorSlices } from "../slices.ts";
import {
  type LatestResult,
  latestOf,
  type UptimeAndHistory,
  uptimeAndHistoryReader,
} from "./monitor-list.ts";

/** How a monitor stands now. */
export interface MonitorSnapshot extends Monitor {
  pk: number;
  /** When it got its status; null before the first. */
  since: number | null;
  latest: LatestResult | null;
  /** What the latest check saw, if the monitor is in trouble. */
  detail: Detail | null;
  /** If a range was given. */
  past?: UptimeAndHistory;
}

/** @property range of the past that is listed as well, if any */
export interface Listing {
  range?: Range | undefined;
  now: number;
}

/** How all monitors of an organization stand, oldest first, in slices; the event loop turns before each. */
export async function* listSnapshots(
  db: Database,
  organizationId: string,
  listing: Listing,
): AsyncGenerator<MonitorSnapshot[]> {
  const read = snapshotReader(db, listing);
  for await (const pks of monitorSlices(db, organizationId)) yield read(pks);
}

/** How the worst monitors of an organization stand, the worst first, and how many of all are how. */
export async function findWorst(
  db: Database,
  organizationId: string,
  { most, ...listing }: Listing & { most: number },
): Promise<{ counts: Record<DisplayState, number>; standings: MonitorSnapshot[] }> {
  let counts = countDisplayStates([]);
  let worst: SortKey[] = [];
  for await (const pks of monitorSlices(db, organizationId, MANY)) {
    const briefs = readSortKeys(db, pks);
    counts = countDisplayStates(briefs, counts);
    const last = worst.length < most ? undefined : worst.at(-1);
    const worse = last ? briefs.filter((brief) => worstFirst(brief, last) < 0) : briefs;
    worst = [...worst, ...worse].sort(worstFirst).slice(0, most);
  }
  const read = snapshotReader(db, listing);
  const standings: MonitorSnapshot[] = [];
  for await (const slice of inSlices(db, worst)) {
    const pks = slice.map(({ pk }) => pk);
    const found = new Map(read(pks).map((standing) => [standing.pk, standing]));
    standings.push(...pks.flatMap((pk) => found.get(pk) ?? []));
  }
  return { counts, standings };
}

/** Monitors in a slice of which little is read. */
const MANY = 400;

interface SortKey {
  pk: number;
  name: string;
  status: Status;
  enabled: boolean;
}

/** By hand: it reads all monitors for a few. */
function readSortKeys(db: Database, pks: number[]): SortKey[] {
  return db.$client
    .query<Omit<SortKey, "enabled"> & { enabled: number }, [string]>(
      "SELECT pk, name, status, enabled FROM monitors WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk",
    )
    .all(JSON.stringify(pks))
    .map((row) => ({ ...row, enabled: row.enabled !== 0 }));
}

function snapshotReader(db: Database, { range, now }: Listing): (pks: number[]) => MonitorSnapshot[] {
  const listPasts = range && uptimeAndHistoryReader(db, range, now);
  return (pks) => {
    const rows = selectSnapshots(db).all({ pks: JSON.stringify(pks) });
    const pastOf = listPasts?.(rows);
    return rows.map(({ latest, text, ...row }) => ({
      ...row,
      latest: latest && latestOf(latest, row.type),
      detail: text === null ? null : JSON.parse(text),
      ...(pastOf && { past: pastOf(row) }),
    }));
  };
}

const selectSnapshots = oncePerDatabase((db) => {
  const { series, timings, createdAt } = checkResults;
  return db
    .select({
      pk: monitors.pk,
      ...shown,
      since: monitors.statusSince,
      latest: { series, timings, createdAt },
      text: details.text,
    })
    .from(monitors)
    .leftJoin(checkResults, eq(checkResults.pk, monitors.lastResultPk))
    .leftJoin(details, and(eq(details.pk, checkResults.detailPk), inArray(monitors.status, TROUBLE)))
    .where(sql`${monitors.pk} IN (SELECT value FROM json_each(${sql.placeholder("pks")}))`)
    .orderBy(monitors.pk)
    .prepare();
});
