import { Command } from "commander";
import type { Flags } from "../config.ts";
import { restore } from "../store/sqlite/backup.ts";
import { configOf, say, withSettings } from "./options.ts";

export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("replace the database with a backup, while no server runs; the previous one is kept")
    .argument("<FILE>");
  return withSettings(command, ["dataDir"]).action((file: string, flags: Flags) => {
    const previous = restore(file, configOf(flags).dataDir, Date.now());
    if (!previous) return say(`Restored ${file}`);
    const isLog = /-(wal|journal)$/.test(previous);
    say(`Restored ${file}; the ${isLog ? "log of a previous" : "previous"} database is ${previous}`);
  });
}
