import { describe, expect, test } from "bun:test";
import { isLong } from "../../support/long.ts";
import { falseAlarms, KINDS, localJob, noticedAfter, ZONES } from "./local-jobs.ts";
import { DAY, HOUR } from "./walk.ts";

const all = KINDS.flatMap((kind) => ZONES.map((timezone) => [kind.name, timezone, kind] as const));
const SEEDS = isLong ? [1, 2] : [1];

/** The sample has each kind and each zone. */
const rows = all.filter((_, at) => isLong || at % (ZONES.length + 1) === 0);

describe("behavior 3.5, 3.29: a year with changes of clocks", () => {
  test.each(rows)(
    "causes no false alarm of a job that runs %s in %s, and a dead one is noticed by the next run",
    (_, timezone, kind) => {
      const jobs = kind.hours.flatMap((hours, place) =>
        SEEDS.map((seed) => localJob(kind, { hours, timezone, seed: place * 10 + seed })),
      );
      expect(jobs.flatMap(falseAlarms).map((miss) => new Date(miss).toISOString())).toEqual([]);
      const delays = jobs.flatMap(noticedAfter);
      expect(delays.length).toBeGreaterThan(30 * SEEDS.length);
      // In the week of a change, the last run of a day may look like the one before it.
      expect(delays.filter((delay) => delay > 4 * HOUR).length).toBeLessThanOrEqual(delays.length / 40);
      // If clocks anywhere skip the local time of a run, it may be one that the scheduler leaves out.
      expect(Math.max(...delays)).toBeLessThan(DAY + 4 * HOUR);
    },
    300_000,
  );
});
