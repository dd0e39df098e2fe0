import { Command } from "commander";
import type { Flags } from "../config.ts";
import { backUp } from "../store/sqlite/backup.ts";
import { say, withDatabase, withSettings } from "./options.ts";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("copy the database, also while a server runs on it")
    .argument("<FILE>");
  return withSettings(command, ["dataDir"]).action(async (file: string, flags: Flags) => {
    await withDatabase(flags, async (db) => backUp(db.$client, file));
    say(`Backed up to ${file}`);
  });
}
