import type { Database as Sqlite } from "bun:sqlite";
import { damageOf, type SegmentRow } from "../results/segment-rows.ts";
import { openSqlite } from "../sqlite-file.ts";
import { FOUND_SEGMENT } from "./results/segments.ts";

/** @returns a text for each damage of a database; none if it is intact */
export function findDamage(file: string): string[] {
  try {
    return damagesOf(openSqlite(file, { readonly: true }));
  } catch (error) {
    if ((error as { code?: string }).code !== "SQLITE_READONLY_ROLLBACK") return [(error as Error).message];
  }
  // A crash left a rollback journal. The next start applies it too.
  try {
    return damagesOf(openSqlite(file, { readwrite: true, create: false }));
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Closes the connection. */
function damagesOf(sqlite: Sqlite): string[] {
  try {
    const integrity = sqlite.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    const orphans = sqlite.query("PRAGMA foreign_key_check").all();
    const damages = integrity.map((row) => row.integrity_check).filter((text) => text !== "ok");
    if (orphans.length > 0) damages.push(`${orphans.length} rows without the row they refer to`);
    return [...damages, ...damagedSegments(sqlite)];
  } finally {
    sqlite.close();
  }
}

/** A backup of an older version has no segments. */
function damagedSegments(sqlite: Sqlite): string[] {
  if (!sqlite.query("SELECT 1 FROM sqlite_schema WHERE name = 'result_segments'").get()) return [];
  const damages: string[] = [];
  using list = sqlite.prepare<SegmentRow, []>(`SELECT ${FOUND_SEGMENT} FROM result_segments`);
  for (const segment of list.iterate()) {
    const damage = damageOf(segment);
    if (damage) damages.push(`results ${segment.firstPk} of monitor ${segment.monitorPk}: ${damage}`);
  }
  return damages;
}
