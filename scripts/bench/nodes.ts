/**
 * Several nodes on PostgreSQL: one node in turns with the embedded database, two nodes with many monitors, three nodes
 * of which one dies, check-ins, what a check costs the database, and lists over millions of results. The database, the
 * nodes, the targets and the load share the cores of this machine. The cluster is a throw-away one with the defaults of
 * PostgreSQL, except for the given settings: each commit is on the disk.
 *
 * nodes.ts [--only checks,checkins,lateness,takeover,costs,lists] [--rounds N] [--seconds N] [--monitors N] [--kills N] [--results N]
 *   [--setting NAME=VALUE]
 */
import { parseArgs } from "node:util";
import { measureCheckins } from "./nodes/checkins.ts";
import { measureChecks } from "./nodes/checks.ts";
import { measureCosts } from "./nodes/costs.ts";
import { measureLateness } from "./nodes/lateness.ts";
import { measureLists } from "./nodes/lists.ts";
import { measureTakeover } from "./nodes/takeover.ts";
import { startBenchCluster } from "./support/cluster.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "checks,checkins,lateness,takeover,costs,lists" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    monitors: { type: "string", default: "20000" },
    kills: { type: "string", default: "5" },
    results: { type: "string", default: "10000000" },
    setting: { type: "string", multiple: true, default: [] },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

await using cluster = await startBenchCluster(
  Object.fromEntries(values.setting.map((one) => one.split("="))),
);
const measurements: Record<string, () => Promise<void>> = {
  checks: () => measureChecks(cluster, { rounds, seconds }),
  checkins: () => measureCheckins(cluster, { rounds, seconds }),
  lateness: () => measureLateness(cluster, { monitors: Number(values.monitors), seconds: 12 * seconds }),
  takeover: () => measureTakeover(cluster, { kills: Number(values.kills) }),
  costs: () => measureCosts(cluster, { groups: [2000, 500] }),
  lists: () => measureLists(cluster, { results: Number(values.results) }),
};
for (const name of values.only.split(",")) await measurements[name]?.();
