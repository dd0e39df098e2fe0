import { describe, expect, test } from "bun:test";
import { REPORT_RANGES } from "../../../src/domain/results/range.ts";
import { planReport } from "../../../src/domain/results/report-plan.ts";
import { at, DAY, HOUR, MINUTE, SECOND } from "../heartbeats/walk.ts";

const now = at("2026-11-21T14:05:30Z");

function planOf(hours: number) {
  const since = at("2026-10-01T10:00:20Z");
  return planReport({ since, until: since + hours * HOUR }, now);
}

function bucketOf({ buckets }: ReturnType<typeof planReport>): number {
  return (buckets[1]?.start ?? 0) - (buckets[0]?.start ?? 0);
}

describe("behavior 16.231: the report", () => {
  test.each([
    ["1h", 60, MINUTE, "results", 5 * SECOND, "results"],
    ["6h", 72, 5 * MINUTE, "results", 30 * SECOND, "results"],
    ["1d", 24, HOUR, "hourly", 10 * MINUTE, "results"],
    ["7d", 28, 6 * HOUR, "hourly", HOUR, "hourly"],
    ["30d", 30, DAY, "daily", HOUR, "hourly"],
    ["90d", 90, DAY, "daily", DAY, "daily"],
  ] as const)(
    "of %s has %p bars of %p ms from %s, and a point for each %p ms from %s",
    (range, count, length, history, step, latencies) => {
      const plan = planReport({ range }, now);
      expect(plan.buckets).toHaveLength(count);
      expect(bucketOf(plan)).toBe(length);
      expect(plan).toMatchObject({ history, step, latencies, hasPhases: range.endsWith("h") });
      expect(plan.buckets.at(-1)?.start).toBe(Math.floor(now / length) * length);
    },
  );

  test.each([
    [0.2, MINUTE, 5 * SECOND, "results"],
    [1.5, MINUTE, 30 * SECOND, "results"],
    [7, 5 * MINUTE, 10 * MINUTE, "results"],
    [25, HOUR, 10 * MINUTE, "results"],
    [26, HOUR, HOUR, "hourly"],
    [31 * 24, DAY, HOUR, "hourly"],
    [32 * 24, DAY, DAY, "daily"],
  ] as const)(
    "of %p hours has bars of %p ms, and a point for each %p ms from %s",
    (hours, length, step, latencies) => {
      const plan = planOf(hours);
      expect(bucketOf(plan)).toBe(length);
      expect(plan).toMatchObject({ step, latencies, hasPhases: hours <= 6 });
      const { since, until } = plan.stretch;
      expect(plan.buckets[0]?.start).toBe(Math.floor(since / length) * length);
      expect((plan.buckets.at(-1)?.start ?? 0) + length).toBeGreaterThanOrEqual(until);
    },
  );

  test("of a range ends now", () => {
    for (const range of REPORT_RANGES) expect(planReport({ range }, now).stretch.until).toBe(now + 1);
    expect(planReport({ range: "1h" }, now).buckets.at(-1)?.label).toBe("Nov 21, 14:05");
  });
});
