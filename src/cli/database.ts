import { Command } from "commander";
import { type Flags, processSurroundings, storeSettings } from "../config.ts";
import { iso } from "../domain/iso-time.ts";
import { AppError } from "../errors.ts";
import type { BackupOptions } from "../store/engine.ts";
import { backUpStore, checkStore, restoreStore } from "../store/open-store.ts";
import { progressBar } from "./copy.ts";
import { configOf, say, timeOf, withSettings, withStore } from "./options.ts";
import { printRows, timeCell, withJson } from "./table.ts";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("copy the database, also while a server runs")
    .argument("<FILE>");
  return withSettings(command, storeSettings).action(async (file: string, flags: Flags) => {
    await withBar((onProgress) => backUpStore(configOf(flags), file, { now: Date.now(), onProgress }));
    say(`Backed up to ${file}`);
  });
}

export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("replace the database with a backup, while no server runs; the previous one is kept")
    .argument("<FILE>");
  return withSettings(command, storeSettings).action(async (file: string, flags: Flags) => {
    const previous = await withBar((onProgress) =>
      restoreStore(configOf(flags), file, { now: Date.now(), onProgress }),
    );
    if (!previous) return say(`Restored ${file}`);
    const what = previous.isLogOnly ? "log of a previous" : "previous";
    say(`Restored ${file}; the ${what} database is ${previous.path}`);
  });
}

/** Shows on a terminal how far the work is (behavior 9.128). */
async function withBar<Result>(
  work: (onProgress: BackupOptions["onProgress"]) => Promise<Result>,
): Promise<Result> {
  if (!processSurroundings().isTerminal) return work(undefined);
  const bar = progressBar((text) => process.stderr.write(text));
  return work(bar.show).finally(bar.end);
}

export function checkCommand(): Command {
  const command = new Command("check").description("check the database for damage, also while a server runs");
  return withSettings(command, storeSettings).action(async (flags: Flags) => {
    const { database, damage } = await checkStore(configOf(flags));
    if (damage.length > 0) throw new AppError("refused", `${database} is damaged: ${damage.join("; ")}`);
    say(`${database} has no damage`);
  });
}

type ShownNode = { name: string; version: string; lastSeenAt: string; checksPerSecond: number | null };

const NODE_COLUMNS = {
  NODE: ({ name }: ShownNode) => name,
  VERSION: ({ version }: ShownNode) => version,
  "LAST SEEN (UTC)": ({ lastSeenAt }: ShownNode) => timeCell(lastSeenAt),
  "CHECKS/S": ({ checksPerSecond }: ShownNode) => String(checksPerSecond ?? "-"),
};

export function nodesCommand(): Command {
  const command = new Command("nodes").description("list the servers that share the database");
  return withJson(withSettings(command, storeSettings)).action(
    async ({ json, ...flags }: { json?: true } & Flags) => {
      const nodes = await withStore(flags, async (store) => store.nodes.list(await timeOf(store)));
      const shown = nodes.map((node) => ({ ...node, lastSeenAt: iso(node.lastSeenAt) }));
      await printRows(shown, NODE_COLUMNS, json);
    },
  );
}
