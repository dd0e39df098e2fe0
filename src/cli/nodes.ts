import { Command } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { printJson, timeOf, withSettings, withStore } from "./options.ts";

export function nodesCommand(): Command {
  const command = new Command("nodes").description("list the servers that share the database as JSON");
  return withSettings(command, storeSettings).action(async (flags: Flags) => {
    const nodes = await withStore(flags, async (store) => store.nodes.list(await timeOf(store)));
    printJson(nodes.map((node) => ({ ...node, lastSeenAt: new Date(node.lastSeenAt).toISOString() })));
  });
}
