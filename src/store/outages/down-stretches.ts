import { asc, eq, inArray } from "drizzle-orm";
import { type DownStretch, downsOf } from "../../domain/outages/outage.ts";
import type { Tx } from "../tx.ts";

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
