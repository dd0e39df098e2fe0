import { Command } from "commander";
import type { Flags } from "../config.ts";
import { restore } from "../store/sqlite/backup.ts";
import { configOf, say, withSettings } from "./options.ts";

export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("put a backup in the place of the database, while no server runs on it")
    .argument("<FILE>");
  return withSettings(command, ["dataDir"]).action((file: string, flags: Flags) => {
    const former = restore(file, configOf(flags).dataDir, Date.now());
    const what =
      former && /-(wal|journal)$/.test(former) ? "the log of a former database" : "the former database";
    say(former ? `Restored ${file}; ${what} is ${former}` : `Restored ${file}`);
  });
}
