/**
 * A database at a distance, behind a proxy. By default: recorded checks a second of one node at its maximum, and how many round trips a
 * check-in takes, at each distance in turns. `--only applies` is an apply of thousands of changes: see `distance/applies.ts`.
 *
 * distance.ts [--distance MS,MS,…] [--only checks,checkins,applies] [--rounds N] [--seconds N] [--binary PATH] [--beside PATH]
 *   [--changes 10000] [--nodes N] [--engine sqlite|postgres] [--kinds a,b]
 */
import { parseArgs } from "node:util";
import { measureApplies } from "./distance/applies.ts";
import { measureRates } from "./distance/rates.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "checks,checkins" },
    distance: { type: "string", default: "0,2.5,20" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "8" },
    binary: { type: "string", default: "dist/stillup" },
    beside: { type: "string" },
    changes: { type: "string", default: "10000" },
    nodes: { type: "string", default: "2" },
    engine: { type: "string", default: "postgres" },
    kinds: { type: "string", default: "create,rename,interval,export,delete" },
  },
});
const only = values.only.split(",");
const distances = values.distance.split(",").map(Number);
const binaries = [values.binary, ...(values.beside ? [values.beside] : [])];
const [rounds, seconds, changes, nodes] = [values.rounds, values.seconds, values.changes, values.nodes].map(
  Number,
) as [number, number, number, number];

await measureRates({ binaries, distances, rounds, seconds, only });
const { binary, engine, kinds } = values;
if (only.includes("applies"))
  for (const distance of distances) await measureApplies({ changes, distance, nodes, engine, binary, kinds });
