import { asc, gt } from "drizzle-orm";
import type { Detail } from "../../../domain/checks/observation.ts";
import { detailText, USE_PRECISION } from "../../results/measured.ts";
import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared } from "../open.ts";
import { details } from "../schema.ts";
import { inList } from "../sets.ts";

const FIND = "SELECT pk, used_at AS usedAt FROM details WHERE monitor_pk = ? AND hash = ?";
const INSERT = "INSERT INTO details (monitor_pk, hash, text, used_at) VALUES (?, ?, ?, ?)";
const USE = "UPDATE details SET used_at = ? WHERE pk = ?";

/**
 * Stores a detail, or finds the equal one: most results of a monitor differ only in their timings. To be called within
 * the transaction of the result.
 *
 * @param now milliseconds since 1970
 * @returns the number of the detail
 */
export function internDetail(db: Database, monitorPk: number, detail: Detail, now: number): number {
  const { text, hash } = detailText(detail);
  const existing = prepared<{ pk: number; usedAt: number }, [number, Uint8Array]>(db, FIND).get(
    monitorPk,
    hash,
  );
  if (!existing) return Number(prepared(db, INSERT).run(monitorPk, hash, text, now).lastInsertRowid);
  if (now - existing.usedAt > USE_PRECISION) prepared(db, USE).run(now, existing.pk);
  return existing.pk;
}

/** At most 100 of the next 1,000 details. */
export async function pruneDetails(db: Database, before: number, after: number): Promise<number | null> {
  const { pk, usedAt } = details;
  return commitWithoutSync(db, (tx) => {
    const some = tx
      .select({ pk, usedAt })
      .from(details)
      .where(gt(pk, after))
      .orderBy(asc(pk))
      .limit(STRETCH)
      .all();
    const old = some.filter((detail) => detail.usedAt < before - 2 * USE_PRECISION).slice(0, BATCH);
    const pks = old.map((detail) => detail.pk);
    if (pks.length > 0) tx.delete(details).where(inList(pk, pks)).run();
    return (pks.length === BATCH ? pks : some.map((detail) => detail.pk)).at(-1) ?? null;
  });
}

/** How many details one transaction reads, and the most that it deletes, so that it takes a few milliseconds. */
const STRETCH = 1000;
const BATCH = 100;
