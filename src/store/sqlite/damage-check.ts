import { Database as Sqlite } from "bun:sqlite";

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
    return orphans.length === 0
      ? damages
      : [...damages, `${orphans.length} rows without the row they refer to`];
  } finally {
    sqlite.close();
  }
}
