import initial from "../../../drizzle/postgres/0000_initial.sql" with { type: "text" };
import locations from "../../../drizzle/postgres/0001_locations.sql" with { type: "text" };
import notices from "../../../drizzle/postgres/0002_notices.sql" with { type: "text" };
import calmAlerts from "../../../drizzle/postgres/0003_calm_alerts.sql" with { type: "text" };
import publicPages from "../../../drizzle/postgres/0004_public_pages.sql" with { type: "text" };
import configurationRefs from "../../../drizzle/postgres/0005_configuration_refs.sql" with { type: "text" };
import incidentKeys from "../../../drizzle/postgres/0006_incident_keys.sql" with { type: "text" };
import reminderChecks from "../../../drizzle/postgres/0007_reminder_checks.sql" with { type: "text" };
import outageDowns from "../../../drizzle/postgres/0008_outage_downs.sql" with { type: "text" };
import nodeRetention from "../../../drizzle/postgres/0009_node_retention.sql" with { type: "text" };
import releasedSlugs from "../../../drizzle/postgres/0010_released_slugs.sql" with { type: "text" };
import dnsAnswer from "../../../drizzle/postgres/0011_dns_answer.sql" with { type: "text" };
import blindMonitors from "../../../drizzle/postgres/0012_blind_monitors.sql" with { type: "text" };
import sharedKeys from "../../../drizzle/postgres/0013_shared_keys.sql" with { type: "text" };
import openHours from "../../../drizzle/postgres/0014_open_hours.sql" with { type: "text" };
import checkClaims from "../../../drizzle/postgres/0015_check_claims.sql" with { type: "text" };
import packedDays from "../../../drizzle/postgres/0016_packed_days.sql" with { type: "text" };
import editedUpdates from "../../../drizzle/postgres/0017_edited_updates.sql" with { type: "text" };
import wallLinks from "../../../drizzle/postgres/0018_wall_links.sql" with { type: "text" };
import pageLook from "../../../drizzle/postgres/0019_page_look.sql" with { type: "text" };
import jobRuns from "../../../drizzle/postgres/0020_job_runs.sql" with { type: "text" };
import people from "../../../drizzle/postgres/0021_people.sql" with { type: "text" };
import pings from "../../../drizzle/postgres/0022_pings.sql" with { type: "text" };
import registrations from "../../../drizzle/postgres/0023_registrations.sql" with { type: "text" };
import languagesOfPages from "../../../drizzle/postgres/0024_languages_of_pages.sql" with { type: "text" };
import pagePasswords from "../../../drizzle/postgres/0025_page_passwords.sql" with { type: "text" };
import webpushKeys from "../../../drizzle/postgres/0026_webpush_keys.sql" with { type: "text" };
import acceptedInvitations from "../../../drizzle/postgres/0027_accepted_invitations.sql" with {
  type: "text",
};
import sealedBeginnings from "../../../drizzle/postgres/0028_sealed_beginnings.sql" with { type: "text" };
import retiredAddresses from "../../../drizzle/postgres/0029_retired_addresses.sql" with { type: "text" };
import journal from "../../../drizzle/postgres/meta/_journal.json";
import { AppError } from "../../errors.ts";
import type { Sql } from "../tx.ts";
import type { Transaction } from "./connections.ts";

interface Migration {
  sql: string;
  /** The oldest version whose programs can still work with this one, during an upgrade node by node. */
  compatibleWith: number;
}

/** The migrations in the binary, by tag. Add each new one here; a test compares them with the folder `drizzle/postgres`. */
const byTag: Record<string, Migration> = {
  "0000_initial": { sql: initial, compatibleWith: 1 },
  "0001_locations": { sql: locations, compatibleWith: 1 },
  "0002_notices": { sql: notices, compatibleWith: 1 },
  // Earlier programs do not know the new statuses of deliveries.
  "0003_calm_alerts": { sql: calmAlerts, compatibleWith: 4 },
  "0004_public_pages": { sql: publicPages, compatibleWith: 4 },
  // Earlier programs show the push tokens, and the tokens and headers of the formats, which they do not know.
  "0005_configuration_refs": { sql: configurationRefs, compatibleWith: 6 },
  "0006_incident_keys": { sql: incidentKeys, compatibleWith: 6 },
  "0007_reminder_checks": { sql: reminderChecks, compatibleWith: 6 },
  "0008_outage_downs": { sql: outageDowns, compatibleWith: 6 },
  "0009_node_retention": { sql: nodeRetention, compatibleWith: 6 },
  "0010_released_slugs": { sql: releasedSlugs, compatibleWith: 6 },
  "0011_dns_answer": { sql: dnsAnswer, compatibleWith: 6 },
  "0012_blind_monitors": { sql: blindMonitors, compatibleWith: 6 },
  "0013_shared_keys": { sql: sharedKeys, compatibleWith: 6 },
  // Earlier programs read the rollups without the open hours.
  "0014_open_hours": { sql: openHours, compatibleWith: 15 },
  // Earlier programs look for the claims of checks in `monitor_states`.
  "0015_check_claims": { sql: checkClaims, compatibleWith: 16 },
  // Earlier programs do not find packed results.
  "0016_packed_days": { sql: packedDays, compatibleWith: 17 },
  "0017_edited_updates": { sql: editedUpdates, compatibleWith: 17 },
  "0018_wall_links": { sql: wallLinks, compatibleWith: 17 },
  "0019_page_look": { sql: pageLook, compatibleWith: 17 },
  // Earlier programs do not know that a deadline may belong to a run.
  "0020_job_runs": { sql: jobRuns, compatibleWith: 21 },
  // Earlier programs would let the last way into an organization be deleted.
  "0021_people": { sql: people, compatibleWith: 22 },
  // Earlier programs would check a monitor with a protocol as one without it.
  "0022_pings": { sql: pings, compatibleWith: 23 },
  "0023_registrations": { sql: registrations, compatibleWith: 23 },
  "0024_languages_of_pages": { sql: languagesOfPages, compatibleWith: 23 },
  // For an older node, a page with a password is off.
  "0025_page_passwords": { sql: pagePasswords, compatibleWith: 23 },
  // Earlier programs show the secrets of push subscriptions, and do not know their format.
  "0026_webpush_keys": { sql: webpushKeys, compatibleWith: 27 },
  "0027_accepted_invitations": { sql: acceptedInvitations, compatibleWith: 27 },
  // Earlier programs store sign-ins that begin in tables that are gone.
  "0028_sealed_beginnings": { sql: sealedBeginnings, compatibleWith: 29 },
  "0029_retired_addresses": { sql: retiredAddresses, compatibleWith: 29 },
};

/** All migrations, oldest first. */
export const migrations: Migration[] = journal.entries.map(({ tag }) => {
  const migration = byTag[tag];
  if (!migration) throw new Error(`migration ${tag} is in the journal but not in the binary`);
  return migration;
});

/** Serializes the migrations of nodes that start at the same time. An arbitrary number. */
export const MIGRATION_LOCK = 5_355_504_831;

/** For how long a large table may take, and a node waits for another one that migrates; milliseconds. */
export const MIGRATE_WITHIN = 60 * 60 * 1000;

/** Whether migrations are missing. @throws AppError `refused` as `migrate` */
export async function isOutdated(sql: Sql, wanted = migrations): Promise<boolean> {
  const current = await findVersion(sql);
  assertCompatible(current, wanted.length);
  return current.version < wanted.length;
}

/** For how long a migration waits for a table: all that use the table wait behind it. Milliseconds. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = 1000";

/**
 * Applies the missing migrations in one transaction.
 *
 * @throws StorageFault if other work uses a table for longer than a second, such as `pg_dump`: see `isLockTimeout`
 * @throws AppError `refused` if a newer version of stillup, which this one can't work with, migrated the database
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
    assertCompatible(current, wanted.length);
    if (current.version >= wanted.length) return;
    for (const [at, migration] of [...wanted.entries()].slice(current.version)) {
      await sql.query(migration.sql);
      await sql.query("INSERT INTO schema_versions (version, compatible_with) VALUES ($1, $2)", [
        at + 1,
        migration.compatibleWith,
      ]);
    }
    // A copy continues this transaction. The default may be one of the role.
    await sql.query("SET LOCAL lock_timeout = 0");
  }, MIGRATE_WITHIN);
}

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

export function assertCompatible({ version, compatibleWith }: SchemaVersion, own = migrations.length): void {
  if (version <= own || compatibleWith <= own) return;
  throw new AppError("refused", "a newer version of stillup migrated this database: use that version");
}
