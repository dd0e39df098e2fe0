import { lt } from "drizzle-orm";
import type { Detail } from "../domain/observation.ts";
import { among } from "./among.ts";
import type { Database } from "./open.ts";
import { details } from "./schema.ts";

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
  const rows = db.select().from(details).where(among(details.pk, wanted)).all();
  return new Map(rows.map(({ pk, text }) => [pk, JSON.parse(text)]));
}

/** Deletes those that no result refers to any more. @param before the oldest result that is kept */
export async function pruneDetails(db: Database, before: number): Promise<void> {
  db.delete(details)
    .where(lt(details.usedAt, before - 2 * DAY))
    .run();
}
