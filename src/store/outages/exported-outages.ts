import { and, asc, eq, gt, inArray, isNull, lt, or } from "drizzle-orm";
import { type MonitorConfig, type MonitorType, maskSecrets } from "../../domain/monitors/monitor.ts";
import { type DownStretch, downsOf, type Outage } from "../../domain/outages/outage.ts";
import { searchText } from "../../domain/overview/selection.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { fromJson, type Tx } from "../tx.ts";

/** @property pk its number, for the next slice */
export interface ExportedOutage extends Omit<Outage, "why" | "cause"> {
  pk: number;
  /** With its present tags, and the text in which a search looks, in lower case. */
  monitor: Outage["monitor"] & { tags: string[]; text: string };
}

/** The parts of a monitor that a search reads. */
export interface SearchedMonitor {
  type: MonitorType;
  name: string;
  config: unknown;
  tags: unknown;
}

/** The text in which a search looks, in lower case and without secrets. */
export function textOfMonitor({ type, name, config, tags }: SearchedMonitor): string {
  return searchText(type, {
    name,
    config: maskSecrets(fromJson(config) as MonitorConfig),
    tags: fromJson(tags) as string[],
  });
}

/** Outages in a slice. */
const SIZE = 250;

/**
 * Some of the outages of an organization that lasted in a stretch of time, in the order in which they began to be recorded.
 *
 * @property from milliseconds since 1970, like `to` @property after the number of the last one of the previous slice, or 0
 * @returns none after the last slice
 */
export async function exportOutages(
  tx: Tx,
  organizationId: string,
  { from, to, after }: { from: number; to: number; after: number },
): Promise<ExportedOutage[]> {
  const { monitors, outages } = tx.tables;
  const lasted = and(lt(outages.startedAt, to), or(isNull(outages.endedAt), gt(outages.endedAt, from)));
  const rows = await tx.db
    .select({
      ...exportedColumns(tx),
      monitor: { id: monitors.id, name: monitors.name, type: monitors.type, tags: monitors.tags },
      config: monitors.config,
    })
    .from(outages)
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(
      and(
        eq(outages.organizationPk, await organizationPk(tx, organizationId)),
        gt(outages.pk, after),
        lasted,
      ),
    )
    .orderBy(asc(outages.pk))
    .limit(SIZE);
  const searched = rows.map(({ config, monitor, ...outage }) => ({
    ...outage,
    monitor: { ...monitor, text: textOfMonitor({ ...monitor, config }) },
  }));
  return withDowns(tx, searched);
}

function exportedColumns({ tables: { outages } }: Tx) {
  const { pk, id, status, reason, startedAt, endedAt } = outages;
  const { acknowledgedAt, acknowledgedBy, note, maintenanceId } = outages;
  return {
    ...{ pk, id, status, reason, startedAt, endedAt },
    ...{ acknowledgedAt, acknowledgedBy, note, maintenanceId },
  };
}

/** Outages whose stretches one statement reads. */
const BATCH = 1000;

/** Adds the stretches in which their monitors were down to some outages: `to` is null if the outage is open and lasts so. */
export async function withDowns<Row extends { pk: number }>(
  tx: Tx,
  outages: readonly Row[],
): Promise<(Row & { downs: DownStretch[] })[]> {
  const downs = new Map<number, DownStretch[]>();
  for (let at = 0; at < outages.length; at += BATCH) {
    const rows = await listDowns(tx, outages.slice(at, at + BATCH));
    for (const [pk, some] of Map.groupBy(rows, (row) => row.pk)) downs.set(pk, downsIn(some));
  }
  return outages.map((outage) => ({ ...outage, downs: downs.get(outage.pk) ?? [] }));
}

/** @param rows of one outage: a row for each stretch, or one row without a stretch */
function downsIn(rows: Awaited<ReturnType<typeof listDowns>>): DownStretch[] {
  const [outage] = rows;
  const stored = rows.flatMap(({ from, to }) => (from === null ? [] : [{ from, to }]));
  return outage ? downsOf(outage, stored) : [];
}

async function listDowns({ db, tables }: Tx, some: readonly { pk: number }[]) {
  const { outageDowns, outages } = tables;
  const { pk, status, startedAt, endedAt } = outages;
  const pks = some.map((outage) => outage.pk);
  return db
    .select({ pk, status, startedAt, endedAt, from: outageDowns.startedAt, to: outageDowns.endedAt })
    .from(outages)
    .leftJoin(outageDowns, eq(outageDowns.outagePk, pk))
    .where(inArray(pk, pks))
    .orderBy(asc(pk), asc(outageDowns.startedAt));
}
