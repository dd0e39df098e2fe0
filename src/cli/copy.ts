import { Command } from "commander";
import { processSurroundings, UsageError } from "../config.ts";
import { DATABASE_URL_FORM, parseDatabaseUrl } from "../domain/network/database-url.ts";
import type { StoreSettings } from "../store/engine.ts";
import { copyStore } from "../store/open-store.ts";
import { createCopyReport, rows } from "./copy-report.ts";
import { configOf, say } from "./options.ts";

export function copyCommand(): Command {
  return new Command("copy")
    .description("copy a database into an empty one, embedded or PostgreSQL, while no server runs on either")
    .requiredOption("--from <DATABASE>", "a data directory, or the URL of a PostgreSQL database")
    .requiredOption("--to <DATABASE>", "the same, without data; a missing directory is created")
    .action(async (given: { from: string; to: string }) => {
      if (given.from === given.to) throw new UsageError("--from and --to must be different databases");
      const [from, to] = [settingsOf("--from", given.from), settingsOf("--to", given.to)];
      const write = (text: string) => process.stderr.write(text);
      const report = createCopyReport(write, processSurroundings().isTerminal);
      const copied = await copyStore({ from, to }, report.show).finally(report.end);
      say(`Copied ${rows(copied.rows)} from ${copied.from} to ${copied.to}`);
    });
}

/** @throws UsageError that does not repeat a URL, because it may contain a password */
function settingsOf(flag: string, text: string): StoreSettings {
  const isUrl = /^\w+:\/\//.test(text);
  if (text === "" || (isUrl && !parseDatabaseUrl(text)))
    throw new UsageError(`${flag} must be the path of a directory, or ${DATABASE_URL_FORM}`);
  // An empty URL takes precedence over the variable.
  return configOf(isUrl ? { databaseUrl: text } : { dataDir: text, databaseUrl: "" });
}
