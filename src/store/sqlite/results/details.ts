import { SHA256 } from "bun";
import { asc, gt } from "drizzle-orm";
import type { Detail } from "../../../domain/checks/observation.ts";
import { commitWithoutSync } from "../durability.ts";
import { inList } from "../in-list.ts";
import { type Database, prepared } from "../open.ts";
import { details } from "../schema.ts";

const DAY = 24 * 60 * 60 * 1000;

const HASH_LENGTH = 16;

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
  const text = JSON.stringify(detail);
  const digest = digestOf(text);
  const existing = prepared<{ pk: number; usedAt: number }, [number, Uint8Array]>(db, FIND).get(
    monitorPk,
    digest,
  );
  if (!existing) return Number(prepared(db, INSERT).run(monitorPk, digest, text, now).lastInsertRowid);
  // Details are kept for months, so the last use is updated once a day.
  if (now - existing.usedAt > DAY) prepared(db, USE).run(now, existing.pk);
  return existing.pk;
}

/** `node:crypto` takes longer. */
function digestOf(text: string): Uint8Array {
  const digest = new Uint8Array(SHA256.byteLength);
  SHA256.hash(text, digest);
  return digest.subarray(0, HASH_LENGTH);
}

/** The details with these numbers, by number. Null is the number of a result without detail. */
export function readDetails(db: Database, pks: (number | null)[]): Map<number, Detail> {
  const wanted = [...new Set(pks)].filter((pk) => pk !== null);
  const rows = db
    .select({ pk: details.pk, text: details.text })
    .from(details)
    .where(inList(details.pk, wanted))
    .all();
  return new Map(rows.map(({ pk, text }) => [pk, JSON.parse(text)]));
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
    const old = some.filter((detail) => detail.usedAt < before - 2 * DAY).slice(0, BATCH);
    const pks = old.map((detail) => detail.pk);
    if (pks.length > 0) tx.delete(details).where(inList(pk, pks)).run();
    return (pks.length === BATCH ? pks : some.map((detail) => detail.pk)).at(-1) ?? null;
  });
}

/** How many details one transaction reads, and the most that it deletes, so that it takes a few milliseconds. */
const STRETCH = 1000;
const BATCH = 100;
