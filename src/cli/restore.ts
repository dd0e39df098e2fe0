import { Command } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { restoreStore } from "../store/open-store.ts";
import { configOf, say, withSettings } from "./options.ts";

export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("replace the database with a backup, while no server runs; the previous one is kept")
    .argument("<FILE>");
  return withSettings(command, storeSettings).action(async (file: string, flags: Flags) => {
    const previous = await restoreStore(configOf(flags), file, Date.now());
    if (!previous) return say(`Restored ${file}`);
    const what = previous.isLogOnly ? "log of a previous" : "previous";
    say(`Restored ${file}; the ${what} database is ${previous.path}`);
  });
}
