import { Command } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { backUpStore } from "../store/open-store.ts";
import { configOf, say, withSettings } from "./options.ts";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("copy the database, also while a server runs")
    .argument("<FILE>");
  return withSettings(command, storeSettings).action(async (file: string, flags: Flags) => {
    await backUpStore(configOf(flags), file);
    say(`Backed up to ${file}`);
  });
}
