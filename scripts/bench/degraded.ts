/**
 * Changes of status of an HTTP monitor whose latency changes for good, and of one whose latency is log-normal, over 12
 * simulated days at 60 s, after 30 days (or `--learned`) of the first latency. Each change is one notification for each
 * channel. Prints the fewest and the most of all seeds, for 12 days and for a week.
 *
 * degraded.ts [--seeds N] [--learned DAYS] [--confirmations N]
 */
import { parseArgs } from "node:util";
import { changesOf, type LatencyLaw } from "../../test/support/latency/latency-walk.ts";

const DAYS = 12;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    learned: { type: "string", default: "30" },
    confirmations: { type: "string", default: "0" },
  },
});
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1);
const numbers = { confirmations: Number(values.confirmations), recoveries: 0 };

const step =
  (before: number, after: number): LatencyLaw["median"] =>
  (day) =>
    day > 0 ? after : before;
const medians: [name: string, median: LatencyLaw["median"]][] = [
  ["20 → 200 ms", step(20, 200)],
  ["200 → 400 ms", step(200, 400)],
  ["20 ms", () => 20],
  ["100 ms", () => 100],
  ["200 ms", () => 200],
];

for (const [name, median] of medians) {
  for (const sigma of [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5]) {
    const counts = seeds.map((seed) => {
      const changes = changesOf(
        { sigma, median },
        { seed, days: DAYS, learnedDays: Number(values.learned), numbers },
      );
      return changes.length;
    });
    const range = (scale: number) =>
      [Math.min(...counts), Math.max(...counts)]
        .map((count) => Math.round(count * scale * 10) / 10)
        .join(" to ");
    console.log(`${name}, sigma ${sigma}: ${range(1)} in ${DAYS} days, ${range(7 / DAYS)} a week`);
  }
}
