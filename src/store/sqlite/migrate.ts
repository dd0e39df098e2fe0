import type { Database as Sqlite } from "bun:sqlite";
import initial from "../../../drizzle/sqlite/0000_initial.sql" with { type: "text" };
import nodes from "../../../drizzle/sqlite/0001_nodes.sql" with { type: "text" };
import locations from "../../../drizzle/sqlite/0002_locations.sql" with { type: "text" };
import notices from "../../../drizzle/sqlite/0003_notices.sql" with { type: "text" };
import calmAlerts from "../../../drizzle/sqlite/0004_calm_alerts.sql" with { type: "text" };
import publicPages from "../../../drizzle/sqlite/0005_public_pages.sql" with { type: "text" };
import configurationRefs from "../../../drizzle/sqlite/0006_configuration_refs.sql" with { type: "text" };
import incidentKeys from "../../../drizzle/sqlite/0007_incident_keys.sql" with { type: "text" };
import reminderChecks from "../../../drizzle/sqlite/0008_reminder_checks.sql" with { type: "text" };
import outageDowns from "../../../drizzle/sqlite/0009_outage_downs.sql" with { type: "text" };
import nodeRetention from "../../../drizzle/sqlite/0010_node_retention.sql" with { type: "text" };
import releasedSlugs from "../../../drizzle/sqlite/0011_released_slugs.sql" with { type: "text" };
import dnsAnswer from "../../../drizzle/sqlite/0012_dns_answer.sql" with { type: "text" };
import blindMonitors from "../../../drizzle/sqlite/0013_blind_monitors.sql" with { type: "text" };
import sharedKeys from "../../../drizzle/sqlite/0014_shared_keys.sql" with { type: "text" };
import openHours from "../../../drizzle/sqlite/0015_open_hours.sql" with { type: "text" };
import copiedResults from "../../../drizzle/sqlite/0016_copied_results.sql" with { type: "text" };
import resultSegments from "../../../drizzle/sqlite/0017_result_segments.sql" with { type: "text" };
import editedUpdates from "../../../drizzle/sqlite/0018_edited_updates.sql" with { type: "text" };
import wallLinks from "../../../drizzle/sqlite/0019_wall_links.sql" with { type: "text" };
import pageLook from "../../../drizzle/sqlite/0020_page_look.sql" with { type: "text" };
import jobRuns from "../../../drizzle/sqlite/0021_job_runs.sql" with { type: "text" };
import people from "../../../drizzle/sqlite/0022_people.sql" with { type: "text" };
import pings from "../../../drizzle/sqlite/0023_pings.sql" with { type: "text" };
import registrations from "../../../drizzle/sqlite/0024_registrations.sql" with { type: "text" };
import languagesOfPages from "../../../drizzle/sqlite/0025_languages_of_pages.sql" with { type: "text" };
import pagePasswords from "../../../drizzle/sqlite/0026_page_passwords.sql" with { type: "text" };
import webpushKeys from "../../../drizzle/sqlite/0027_webpush_keys.sql" with { type: "text" };
import acceptedInvitations from "../../../drizzle/sqlite/0028_accepted_invitations.sql" with { type: "text" };
import sealedBeginnings from "../../../drizzle/sqlite/0029_sealed_beginnings.sql" with { type: "text" };
import retiredAddresses from "../../../drizzle/sqlite/0030_retired_addresses.sql" with { type: "text" };
import journal from "../../../drizzle/sqlite/meta/_journal.json";
import { AppError } from "../../errors.ts";
import { sortInFiles, sortInMemory } from "../sqlite-file.ts";

/** The migrations in the binary, by tag. Add each new one here; a test compares them with the folder `drizzle`. */
const texts: Record<string, string> = {
  "0000_initial": initial,
  "0001_nodes": nodes,
  "0002_locations": locations,
  "0003_notices": notices,
  "0004_calm_alerts": calmAlerts,
  "0005_public_pages": publicPages,
  "0006_configuration_refs": configurationRefs,
  "0007_incident_keys": incidentKeys,
  "0008_reminder_checks": reminderChecks,
  "0009_outage_downs": outageDowns,
  "0010_node_retention": nodeRetention,
  "0011_released_slugs": releasedSlugs,
  "0012_dns_answer": dnsAnswer,
  "0013_blind_monitors": blindMonitors,
  "0014_shared_keys": sharedKeys,
  "0015_open_hours": openHours,
  "0016_copied_results": copiedResults,
  "0017_result_segments": resultSegments,
  "0018_edited_updates": editedUpdates,
  "0019_wall_links": wallLinks,
  "0020_page_look": pageLook,
  "0021_job_runs": jobRuns,
  "0022_people": people,
  "0023_pings": pings,
  "0024_registrations": registrations,
  "0025_languages_of_pages": languagesOfPages,
  "0026_page_passwords": pagePasswords,
  "0027_webpush_keys": webpushKeys,
  "0028_accepted_invitations": acceptedInvitations,
  "0029_sealed_beginnings": sealedBeginnings,
  "0030_retired_addresses": retiredAddresses,
};

/** The SQL of all migrations, oldest first. */
export const migrations: string[] = journal.entries.map(({ tag }) => {
  const text = texts[tag];
  if (text === undefined) throw new Error(`migration ${tag} is in the journal but not in the binary`);
  return text;
});

/** Identifies a database of stillup in the header of the file. */
const APPLICATION_ID = 0x5354_5550;

/**
 * Applies the missing migrations in one transaction. `user_version` is the number of applied migrations.
 *
 * @param backUp called before a database with data is changed, with its version
 * @throws AppError `refused` if a newer version of stillup or another program created the database
 */
export function migrate(sqlite: Sqlite, backUp: (version: number) => void, texts = migrations): void {
  const version = pragma(sqlite, "user_version");
  if (version === texts.length && isOwnDatabase(sqlite)) return;
  if (isEmpty(sqlite)) sqlite.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  assertOwnDatabase(sqlite, texts.length);
  if (version > 0) backUp(version);
  sortInFiles(sqlite);
  sqlite.run("PRAGMA foreign_keys = OFF");
  sqlite.transaction(applyMissing).immediate(sqlite, texts);
  sqlite.run("PRAGMA foreign_keys = ON");
  sortInMemory(sqlite);
}

/** @throws AppError `refused` for a database of another program or of a newer version */
export function assertOwnDatabase(sqlite: Sqlite, newest = migrations.length): void {
  if (!isOwnDatabase(sqlite))
    throw new AppError("refused", `${sqlite.filename} is not a database of stillup`);
  if (pragma(sqlite, "user_version") <= newest) return;
  throw new AppError(
    "refused",
    `${sqlite.filename} was created by a newer version of stillup: use that version`,
  );
}

/** @throws AppError `refused` if a command of a newer version has migrated the database of a running server */
export function assertNotNewer(sqlite: Sqlite): void {
  if (pragma(sqlite, "user_version") <= migrations.length) return;
  throw new AppError("refused", "a newer version of stillup migrated this database: use that version");
}

/** Reads the version again within the transaction, because another process may have migrated the database meanwhile. */
function applyMissing(sqlite: Sqlite, texts: string[]): void {
  for (const text of texts.slice(pragma(sqlite, "user_version"))) sqlite.run(text);
  const broken = sqlite.query("PRAGMA foreign_key_check").all();
  if (broken.length > 0)
    throw new Error(`a migration left ${broken.length} rows without the row they refer to`);
  sqlite.run(`PRAGMA user_version = ${texts.length}`);
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
