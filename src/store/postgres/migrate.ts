import initial from "../../../drizzle/postgres/0000_initial.sql" with { type: "text" };
import auditValues from "../../../drizzle/postgres/0001_audit_values.sql" with { type: "text" };
import subscriberChoices from "../../../drizzle/postgres/0002_subscriber_choices.sql" with { type: "text" };
import evidence from "../../../drizzle/postgres/0003_evidence.sql" with { type: "text" };
import causes from "../../../drizzle/postgres/0004_causes.sql" with { type: "text" };
import onCall from "../../../drizzle/postgres/0005_on_call.sql" with { type: "text" };
import hours from "../../../drizzle/postgres/0006_hours.sql" with { type: "text" };
import reportMails from "../../../drizzle/postgres/0007_report_mails.sql" with { type: "text" };
import languages from "../../../drizzle/postgres/0008_languages.sql" with { type: "text" };
import goneMonitors from "../../../drizzle/postgres/0009_gone_monitors.sql" with { type: "text" };
import hourRuns from "../../../drizzle/postgres/0010_hour_runs.sql" with { type: "text" };
import { declarations } from "../../domain/alerts/services/registry.ts";
import { AppError } from "../../errors.ts";
import { tooOld } from "../data-dir.ts";
import type { Sql } from "../tx.ts";
import type { Transaction } from "./connections.ts";

/**
 * A step from one version to the next.
 *
 * @property sql absent if only what programs must know changes, such as a new secret, which older programs would show
 * @property compatibleWith the oldest version whose programs can still work with this version, during an upgrade node by node
 */
interface Migration {
  sql?: string;
  compatibleWith: number;
}

/** The version of the initial schema. Earlier ones are of builds before the first release. */
export const INITIAL = 30;

/**
 * By version. Add each new migration here; a test compares them with the folder `drizzle/postgres`. The versions of new
 * services follow from their declarations: earlier programs do not know the format.
 */
const written: Record<number, Migration> = {
  [INITIAL]: { sql: initial, compatibleWith: 29 },
  33: { sql: auditValues, compatibleWith: 32 },
  34: { sql: subscriberChoices, compatibleWith: 33 },
  35: { sql: evidence, compatibleWith: 34 },
  36: { sql: causes, compatibleWith: 35 },
  // An earlier program would send to the row of a schedule.
  37: { sql: onCall, compatibleWith: 37 },
  38: { sql: hours, compatibleWith: 37 },
  39: { sql: reportMails, compatibleWith: 38 },
  // An earlier program would show the secrets of proxies, sign-ins and steps.
  40: { compatibleWith: 40 },
  41: { sql: languages, compatibleWith: 40 },
  42: { sql: goneMonitors, compatibleWith: 41 },
  43: { sql: hourRuns, compatibleWith: 42 },
};

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = Object.values({ ...migrationsOfServices(), ...written });

function migrationsOfServices(): Record<number, Migration> {
  const versions = Object.values(declarations).map(({ since }) => since);
  const later = versions.filter((since) => since > INITIAL);
  return Object.fromEntries(later.map((since) => [since, { compatibleWith: since }]));
}

/** The version that migrations lead to. 0 is an empty database. */
export function schemaVersion(all: readonly Migration[] = migrations): number {
  return INITIAL - 1 + all.length;
}

/** Serializes the migrations of nodes that start at the same time. An arbitrary number. */
export const MIGRATION_LOCK = 5_355_504_831;

/** For how long a large table may take, and a node waits for another one that migrates; milliseconds. */
export const MIGRATE_WITHIN = 60 * 60 * 1000;

/** Whether migrations are missing. @throws AppError `refused` as `migrate` */
export async function isOutdated(sql: Sql, wanted = migrations): Promise<boolean> {
  const current = await findVersion(sql);
  assertCompatible(current, schemaVersion(wanted));
  return current.version < schemaVersion(wanted);
}

/** For how long a migration waits for a table: all that use the table wait behind it. Milliseconds. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = 1000";

/**
 * Applies the missing migrations in one transaction.
 *
 * @throws StorageFault if other work uses a table for longer than a second, such as `pg_dump`: see `isLockTimeout`
 * @throws AppError `refused` if a newer version of stillup, which this one can't work with, or a too old one migrated the database
 */
export async function migrate(
  { transaction }: { transaction: Transaction },
  wanted = migrations,
): Promise<void> {
  await transaction(async (sql) => {
    await sql.query("SET LOCAL statement_timeout = 0");
    await sql.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await sql.query(LOCK_TIMEOUT);
    const current = await findVersion(sql);
    assertCompatible(current, schemaVersion(wanted));
    for (const [at, { sql: text, compatibleWith }] of wanted.entries()) {
      const version = INITIAL + at;
      if (version <= current.version) continue;
      if (text !== undefined) await sql.query(text);
      await sql.query(ADD_VERSION, [version, compatibleWith]);
    }
    // A copy continues this transaction. The default may be one of the role.
    await sql.query("SET LOCAL lock_timeout = 0");
  }, MIGRATE_WITHIN);
}

const ADD_VERSION = "INSERT INTO schema_versions (version, compatible_with) VALUES ($1, $2)";

/** @property version 0 for an empty database */
interface SchemaVersion {
  version: number;
  compatibleWith: number;
}

/** @returns the version of the schema; 0 if there is none */
export async function findVersion({ query }: Sql): Promise<SchemaVersion> {
  const [{ exists } = { exists: false }] = await query<{ exists: boolean }>(
    "SELECT to_regclass('schema_versions') IS NOT NULL AS exists",
  );
  if (!exists) return { version: 0, compatibleWith: 0 };
  const [row] = await query<SchemaVersion>(FIND_VERSION);
  return row ?? { version: 0, compatibleWith: 0 };
}

const FIND_VERSION = `SELECT version, compatible_with AS "compatibleWith" FROM schema_versions ORDER BY version DESC LIMIT 1`;

/** For a server that runs: see `assertCompatible`. */
export async function assertStillCompatible({ query }: Sql): Promise<void> {
  const [current] = await query<SchemaVersion>(FIND_VERSION);
  if (current) assertCompatible(current);
}

export function assertCompatible({ version, compatibleWith }: SchemaVersion, own = schemaVersion()): void {
  if (version > 0 && version < INITIAL) throw tooOld("this database");
  if (version <= own || compatibleWith <= own) return;
  throw new AppError("refused", "a newer version of stillup migrated this database: use that version");
}
