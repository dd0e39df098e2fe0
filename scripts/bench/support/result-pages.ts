import type { EngineReads } from "../../../src/store/engine-queries.ts";
import type { Position, Selection } from "../../../src/store/results/result-items.ts";
import { median } from "./figures.ts";
import type { HttpsMonitors } from "./https-monitors.ts";

const EVERY: Selection["statuses"] = ["up", "down", "degraded"];

/** Prints how long pages of results take, in the middle of the history. @param kind how the results are stored */
export async function measurePages(
  { newestResults }: Pick<EngineReads, "newestResults">,
  monitors: HttpsMonitors,
  kind: string,
): Promise<void> {
  const before = Math.floor(monitors.written / 2);
  const all = monitors.pks;
  const requests: [name: string, Selection, Position][] = [
    ["50 of a monitor", { monitorPks: [5], statuses: EVERY }, { before, limit: 50 }],
    ["50 of all", { monitorPks: all, statuses: EVERY }, { before, limit: 50 }],
    ["200 down of all", { monitorPks: all, statuses: ["down"] }, { before: undefined, limit: 200 }],
    ["down of a monitor", { monitorPks: [5], statuses: ["down"] }, { before: undefined, limit: 200 }],
    ["no match of all", { monitorPks: all, statuses: ["degraded"] }, { before: undefined, limit: 200 }],
  ];
  for (const [name, selection, page] of requests) {
    const times: number[] = [];
    let rows = 0;
    for (let at = 0; at < 30; at++) {
      const began = performance.now();
      rows = (await newestResults([selection], page)).length;
      times.push(performance.now() - began);
    }
    console.log(`${kind}: ${name.padEnd(18)} ${median(times).toFixed(2)} ms, ${rows} results`);
  }
}
