import type { Database as Sqlite } from "bun:sqlite";
import initial from "../../../drizzle/sqlite/0000_initial.sql" with { type: "text" };
import auditValues from "../../../drizzle/sqlite/0001_audit_values.sql" with { type: "text" };
import subscriberChoices from "../../../drizzle/sqlite/0002_subscriber_choices.sql" with { type: "text" };
import evidence from "../../../drizzle/sqlite/0003_evidence.sql" with { type: "text" };
import causes from "../../../drizzle/sqlite/0004_causes.sql" with { type: "text" };
import onCall from "../../../drizzle/sqlite/0005_on_call.sql" with { type: "text" };
import hours from "../../../drizzle/sqlite/0006_hours.sql" with { type: "text" };
import reportMails from "../../../drizzle/sqlite/0007_report_mails.sql" with { type: "text" };
import languages from "../../../drizzle/sqlite/0008_languages.sql" with { type: "text" };
import goneMonitors from "../../../drizzle/sqlite/0009_gone_monitors.sql" with { type: "text" };
import hourRuns from "../../../drizzle/sqlite/0010_hour_runs.sql" with { type: "text" };
import { AppError } from "../../errors.ts";
import { tooOld } from "../data-dir.ts";
import { sortInFiles, sortInMemory } from "../sqlite-file.ts";

/** The SQL of all migrations, oldest first. Add each new one here; a test compares them with the folder `drizzle/sqlite`. */
export const migrations: readonly string[] = [
  initial,
  auditValues,
  subscriberChoices,
  evidence,
  causes,
  onCall,
  hours,
  reportMails,
  languages,
  goneMonitors,
  hourRuns,
];

/** The number of the initial schema. Earlier ones are of builds before the first release. */
const INITIAL = 31;

/** The number of the schema that migrations make, which is kept as `user_version`. 0 is an empty database. */
export function schemaVersion(texts: readonly string[] = migrations): number {
  return INITIAL - 1 + texts.length;
}

/** Identifies a database of stillup in the header of the file. */
const APPLICATION_ID = 0x5354_5550;

/**
 * Applies the missing migrations in one transaction.
 *
 * @param backUp called before a database with data is changed, with its version
 * @throws AppError `refused` if a newer or too old version of stillup or another program created the database
 */
export function migrate(sqlite: Sqlite, backUp: (version: number) => void, texts = migrations): void {
  const version = pragma(sqlite, "user_version");
  if (version === schemaVersion(texts) && isOwnDatabase(sqlite)) return;
  if (isEmpty(sqlite)) sqlite.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  assertOwnDatabase(sqlite, schemaVersion(texts));
  if (version > 0) backUp(version);
  sortInFiles(sqlite);
  sqlite.run("PRAGMA foreign_keys = OFF");
  sqlite.transaction(applyMissing).immediate(sqlite, texts);
  sqlite.run("PRAGMA foreign_keys = ON");
  sortInMemory(sqlite);
}

/** @throws AppError `refused` for a database of another program, or of a newer or too old version */
export function assertOwnDatabase(sqlite: Sqlite, newest = schemaVersion()): void {
  if (!isOwnDatabase(sqlite))
    throw new AppError("refused", `${sqlite.filename} is not a database of stillup`);
  const version = pragma(sqlite, "user_version");
  if (version > 0 && version < INITIAL) throw tooOld(sqlite.filename);
  if (version <= newest) return;
  throw new AppError(
    "refused",
    `${sqlite.filename} was created by a newer version of stillup: use that version`,
  );
}

/** @throws AppError `refused` if a command of a newer version has migrated the database of a running server */
export function assertNotNewer(sqlite: Sqlite): void {
  if (pragma(sqlite, "user_version") <= schemaVersion()) return;
  throw new AppError("refused", "a newer version of stillup migrated this database: use that version");
}

/** Reads the version again within the transaction, because another process may have migrated the database meanwhile. */
function applyMissing(sqlite: Sqlite, texts: readonly string[]): void {
  const applied = Math.max(0, pragma(sqlite, "user_version") - INITIAL + 1);
  for (const text of texts.slice(applied)) sqlite.run(text);
  const broken = sqlite.query("PRAGMA foreign_key_check").all();
  if (broken.length > 0)
    throw new Error(`a migration left ${broken.length} rows without the row they refer to`);
  sqlite.run(`PRAGMA user_version = ${schemaVersion(texts)}`);
}

function isOwnDatabase(sqlite: Sqlite): boolean {
  return pragma(sqlite, "application_id") === APPLICATION_ID;
}

/** Whether a database has no tables. */
export function isEmpty(sqlite: Sqlite): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_schema").get() === null;
}

function pragma(sqlite: Sqlite, name: "user_version" | "application_id"): number {
  return Number(Object.values(sqlite.query(`PRAGMA ${name}`).get() ?? {})[0]);
}
