import { asc, eq, inArray } from "drizzle-orm";
import type { DownStretch } from "../../domain/outages/down-part.ts";
import type { Tx } from "../tx.ts";

/** Outages whose stretches one statement reads. */
const BATCH = 1000;

/** Adds the stretches in which their monitors were down to some outages: `to` is null if the outage is open and lasts so. */
export async function withDowns<Row extends { pk: number }>(
  tx: Tx,
  outages: readonly Row[],
): Promise<(Row & { downs: DownStretch[] })[]> {
  const downs = new Map<number, DownStretch[]>();
  for (let at = 0; at < outages.length; at += BATCH)
    for (const { pk, ...stretch } of await listDowns(tx, outages.slice(at, at + BATCH))) {
      const known = downs.get(pk);
      if (known) known.push(stretch);
      else downs.set(pk, [stretch]);
    }
  return outages.map((outage) => ({ ...outage, downs: downs.get(outage.pk) ?? [] }));
}

async function listDowns({ db, tables }: Tx, some: readonly { pk: number }[]) {
  const { outageDowns, outages } = tables;
  const pks = some.map(({ pk }) => pk);
  const rows = await db
    .select({
      pk: outageDowns.outagePk,
      from: outageDowns.startedAt,
      to: outageDowns.endedAt,
      end: outages.endedAt,
    })
    .from(outageDowns)
    .innerJoin(outages, eq(outages.pk, outageDowns.outagePk))
    .where(inArray(outageDowns.outagePk, pks))
    .orderBy(asc(outageDowns.outagePk), asc(outageDowns.startedAt));
  return rows.map(({ end, to, ...row }) => ({ ...row, to: to ?? end }));
}
