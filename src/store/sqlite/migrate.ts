import type { Database as Sqlite } from "bun:sqlite";
import initial from "../../../drizzle/0000_initial.sql" with { type: "text" };
import journal from "../../../drizzle/meta/_journal.json";
import { AppError } from "../../errors.ts";

/** The migrations in the binary. A new one is added here; a test holds this against the folder. */
const texts: Record<string, string> = {
  "0000_initial": initial,
};

export const migrations: string[] = journal.entries.map(({ tag }) => {
  const text = texts[tag];
  if (text === undefined) throw new Error(`migration ${tag} is in the journal but not in the binary`);
  return text;
});

/** Marks a database as one of ours, in the header of the file. */
const APPLICATION_ID = 0x5354_5550;

/**
 * Brings a database up to date in one transaction, after a backup of one that holds something. Its `user_version`
 * counts the migrations it has had.
 *
 * @param backUp called before a database that exists is changed @property from the version that it has
 * @throws AppError `refused` where the database comes from a newer stillup, or from something else
 */
export function migrate(sqlite: Sqlite, backUp: (from: number) => void, texts = migrations): void {
  const from = pragma(sqlite, "user_version");
  if (from === texts.length && isOurs(sqlite)) return;
  if (isEmpty(sqlite)) sqlite.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  assertOurs(sqlite, texts.length);
  if (from > 0) backUp(from);
  sqlite.run("PRAGMA foreign_keys = OFF");
  sqlite.transaction(applyMissing).immediate(sqlite, texts);
  sqlite.run("PRAGMA foreign_keys = ON");
}

/** @throws AppError `refused` for a database of another program or of a newer version */
export function assertOurs(sqlite: Sqlite, newest = migrations.length): void {
  if (!isOurs(sqlite)) throw new AppError("refused", `${sqlite.filename} is not a database of stillup`);
  if (pragma(sqlite, "user_version") <= newest) return;
  throw new AppError(
    "refused",
    `${sqlite.filename} was created by a newer version of stillup: use that version`,
  );
}

/** Looks at the version again: another process may have been quicker. */
function applyMissing(sqlite: Sqlite, texts: string[]): void {
  for (const text of texts.slice(pragma(sqlite, "user_version"))) sqlite.run(text);
  const broken = sqlite.query("PRAGMA foreign_key_check").all();
  if (broken.length > 0)
    throw new Error(`a migration left ${broken.length} rows without the row they refer to`);
  sqlite.run(`PRAGMA user_version = ${texts.length}`);
}

function isOurs(sqlite: Sqlite): boolean {
  return pragma(sqlite, "application_id") === APPLICATION_ID;
}

function isEmpty(sqlite: Sqlite): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_schema").get() === null;
}

function pragma(sqlite: Sqlite, name: "user_version" | "application_id"): number {
  return Number(Object.values(sqlite.query(`PRAGMA ${name}`).get() ?? {})[0]);
}
