import type { Database as Sqlite } from "bun:sqlite";
import initial from "../../drizzle/0000_initial.sql" with { type: "text" };
import journal from "../../drizzle/meta/_journal.json";
import { AppError } from "../errors.ts";

/** The migrations in the binary. A new one is added here; a test holds this against the folder. */
const texts: Record<string, string> = {
  "0000_initial": initial,
};

export const migrations: string[] = journal.entries.map(({ tag }) => {
  const text = texts[tag];
  if (text === undefined) throw new Error(`migration ${tag} is in the journal but not in the binary`);
  return text;
});

/**
 * Brings a database up to date in one transaction. Its `user_version` counts the migrations it has had.
 *
 * @throws AppError `refused` where the database comes from a newer stillup
 */
export function migrate(sqlite: Sqlite): void {
  if (version(sqlite) === migrations.length) return;
  sqlite.run("PRAGMA foreign_keys = OFF");
  sqlite.transaction(applyMissing).immediate(sqlite);
  sqlite.run("PRAGMA foreign_keys = ON");
}

/** Looks at the version again: another process may have been quicker. */
function applyMissing(sqlite: Sqlite): void {
  const done = version(sqlite);
  if (done > migrations.length) {
    throw new AppError(
      "refused",
      `${sqlite.filename} was made by a newer version of stillup: use that version`,
    );
  }
  for (const text of migrations.slice(done)) sqlite.run(text);
  const broken = sqlite.query("PRAGMA foreign_key_check").all();
  if (broken.length > 0)
    throw new Error(`a migration left ${broken.length} rows without the row they refer to`);
  sqlite.run(`PRAGMA user_version = ${migrations.length}`);
}

function version(sqlite: Sqlite): number {
  return sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}
