import { Database as Sqlite } from "bun:sqlite";
import { decodeSegment, type SegmentHead } from "../../domain/results/segments/segment.ts";

/** @returns a text for each damage of a database; none if it is intact */
export function findDamage(file: string): string[] {
  try {
    return damagesOf(new Sqlite(file, { readonly: true }));
  } catch (error) {
    if ((error as { code?: string }).code !== "SQLITE_READONLY_ROLLBACK") return [(error as Error).message];
  }
  // A crash left a rollback journal. The next start applies it too.
  try {
    return damagesOf(new Sqlite(file, { readwrite: true, create: false }));
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

interface Segment extends SegmentHead {
  monitorPk: number;
  lastPk: number;
  data: Uint8Array;
}

const LIST_SEGMENTS = `SELECT monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, first_at AS firstAt, count, data
  FROM result_segments`;

/** A backup of an older version has no segments. */
function damagedSegments(sqlite: Sqlite): string[] {
  if (!sqlite.query("SELECT 1 FROM sqlite_schema WHERE name = 'result_segments'").get()) return [];
  const damages: string[] = [];
  using list = sqlite.prepare<Segment, []>(LIST_SEGMENTS);
  for (const segment of list.iterate()) {
    const damage = damageOf(segment);
    if (damage) damages.push(`results ${segment.firstPk} of monitor ${segment.monitorPk}: ${damage}`);
  }
  return damages;
}

function damageOf(segment: Segment): string | null {
  try {
    return decodeSegment(segment).pks.at(-1) === segment.lastPk ? null : "they end with another result";
  } catch (error) {
    return (error as Error).message;
  }
}
