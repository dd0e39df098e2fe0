import { Command } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { iso } from "../domain/iso-time.ts";
import { AppError } from "../errors.ts";
import { backUpStore, checkStore, restoreStore } from "../store/open-store.ts";
import { configOf, printJson, say, timeOf, withSettings, withStore } from "./options.ts";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("copy the database, also while a server runs")
    .argument("<FILE>");
  return withSettings(command, storeSettings).action(async (file: string, flags: Flags) => {
    await backUpStore(configOf(flags), file, Date.now());
    say(`Backed up to ${file}`);
  });
}

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

export function checkCommand(): Command {
  const command = new Command("check").description("check the database for damage, also while a server runs");
  return withSettings(command, storeSettings).action(async (flags: Flags) => {
    const { database, damage } = await checkStore(configOf(flags));
    if (damage.length > 0) throw new AppError("refused", `${database} is damaged: ${damage.join("; ")}`);
    say(`${database} has no damage`);
  });
}

export function nodesCommand(): Command {
  const command = new Command("nodes").description("list the servers that share the database as JSON");
  return withSettings(command, storeSettings).action(async (flags: Flags) => {
    const nodes = await withStore(flags, async (store) => store.nodes.list(await timeOf(store)));
    printJson(nodes.map((node) => ({ ...node, lastSeenAt: iso(node.lastSeenAt) })));
  });
}
