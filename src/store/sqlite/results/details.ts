import { asc, gt } from "drizzle-orm";
import type { Detail } from "../../../domain/checks/observation.ts";
import { commitWithoutSync } from "../durability.ts";
import { inList } from "../in-list.ts";
import type { Database } from "../open.ts";
import { details } from "../schema.ts";

const DAY = 24 * 60 * 60 * 1000;

const FIND = "SELECT pk, used_at AS usedAt FROM details WHERE monitor_pk = ? AND text = ?";
const INSERT = "INSERT INTO details (monitor_pk, text, used_at) VALUES (?, ?, ?)";
const USE = "UPDATE details SET used_at = ? WHERE pk = ?";

/**
 * The number of a detail, which is stored once: but for its timings, one check of a monitor mostly says what the one
 * before said. To be called within the transaction of the result.
 */
export function internDetail(db: Database, monitorPk: number, detail: Detail, now: number): number {
  const text = JSON.stringify(detail);
  const known = db.$client.query<{ pk: number; usedAt: number }, [number, string]>(FIND).get(monitorPk, text);
  if (!known) return Number(db.$client.query(INSERT).run(monitorPk, text, now).lastInsertRowid);
  // Once a day is often enough to know what is still used.
  if (now - known.usedAt > DAY) db.$client.query(USE).run(now, known.pk);
  return known.pk;
}

/** The details with these numbers. */
export function readDetails(db: Database, pks: (number | null)[]): Map<number, Detail> {
  const wanted = [...new Set(pks)].filter((pk) => pk !== null);
  const rows = db.select().from(details).where(inList(details.pk, wanted)).all();
  return new Map(rows.map(({ pk, text }) => [pk, JSON.parse(text)]));
}

/**
 * Deletes some of those that no result refers to any more, looking at a stretch of them.
 *
 * @param before the time of the oldest result that is kept
 * @param after the number of the detail where the last call ended, 0 to begin
 * @returns where this one ended, or null at the end
 */
export async function pruneDetails(db: Database, before: number, after: number): Promise<number | null> {
  const { pk, usedAt } = details;
  return commitWithoutSync(db, (tx) => {
    const some = tx
      .select({ pk, usedAt })
      .from(details)
      .where(gt(pk, after))
      .orderBy(asc(pk))
      .limit(LOOKED_AT)
      .all();
    const old = some.filter((detail) => detail.usedAt < before - 2 * DAY).slice(0, BATCH);
    const pks = old.map((detail) => detail.pk);
    if (pks.length > 0) tx.delete(details).where(inList(pk, pks)).run();
    return (pks.length === BATCH ? pks : some.map((detail) => detail.pk)).at(-1) ?? null;
  });
}

/** How many are looked at, and how many go at most, in one transaction: it takes a few milliseconds. */
const LOOKED_AT = 1000;
const BATCH = 100;
