import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { bucketsOf, history, seenIn, seenInResults, worstOf } from "../../../src/domain/results/history.ts";
import { RANGES, type Range, rangeStart } from "../../../src/domain/results/range.ts";
import { dayOf, hourOf } from "../../../src/domain/results/rollup.ts";
import type { StatusCount } from "../../../src/domain/results/uptime.ts";
import { at, DAY, HOUR } from "../heartbeats/walk.ts";

function seen(start: number, ...statuses: Status[]): StatusCount[] {
  return statuses.map((status) => ({ start, status, count: 1 }));
}

const now = at("2026-11-21T14:05:00Z");

function historyOf(range: Range, type: MonitorType, rollups: StatusCount[][]) {
  const buckets = bucketsOf(range, now);
  return history(buckets, type, seenIn(buckets, rollups.flat()));
}

describe("behavior 6.4: the buckets of a range", () => {
  test.each<[Range, number, string, string]>([
    ["1d", 24, "Nov 20, 15:00", "Nov 21, 14:00"],
    ["7d", 28, "Nov 14, 18:00", "Nov 21, 12:00"],
    ["30d", 30, "Oct 23", "Nov 21"],
    ["90d", 90, "Aug 24", "Nov 21"],
  ])("of %s are %p, from %s to %s", (range, count, first, last) => {
    const buckets = bucketsOf(range, now);
    expect(buckets).toHaveLength(count);
    expect(buckets[0]?.label).toBe(first);
    expect(buckets.at(-1)?.label).toBe(last);
  });

  test("of six hours begin at 00, 06, 12 and 18 UTC", () => {
    const hours = bucketsOf("7d", now).map(({ label }) => label.slice(-5));
    expect([...new Set(hours)].sort()).toEqual(["00:00", "06:00", "12:00", "18:00"]);
  });

  test("end with the one that contains now, and begin within the range", () => {
    const range = fc.constantFrom(...RANGES);
    fc.assert(
      fc.property(range, fc.integer({ min: 0, max: at("2100-01-01T00:00:00Z") }), (chosen, time) => {
        const buckets = bucketsOf(chosen, time);
        const length = (buckets[1]?.start ?? 0) - (buckets[0]?.start ?? 0);
        const last = buckets.at(-1)?.start ?? 0;
        expect(time).toBeGreaterThanOrEqual(last);
        expect(time).toBeLessThan(last + length);
        expect(buckets[0]?.start).toBeGreaterThan(rangeStart(chosen, time));
        expect(
          buckets.every(({ start }, index) => start === last - (buckets.length - 1 - index) * length),
        ).toBe(true);
      }),
    );
  });
});

describe("a history", () => {
  test("has the worst status of each bucket, and unknown for one without results", () => {
    const rollups = [
      seen(at("2026-11-21T14:00:00Z"), "up", "degraded"),
      seen(at("2026-11-21T12:00:00Z"), "up", "down"),
      seen(at("2026-11-20T14:00:00Z"), "down"),
      seen(at("2026-11-21T11:00:00Z"), "up"),
    ];
    expect(historyOf("1d", "HTTP", rollups).slice(-4)).toEqual([
      { status: "up", label: "Nov 21, 11:00" },
      { status: "down", label: "Nov 21, 12:00" },
      { status: "unknown", label: "Nov 21, 13:00" },
      { status: "degraded", label: "Nov 21, 14:00" },
    ]);
    expect(historyOf("1d", "HTTP", rollups)[0]?.status).toBe("unknown");
  });

  test("merges the hours of a longer bucket", () => {
    const rollups = [12, 13, 14].map((hour) =>
      seen(at(`2026-11-21T${hour}:00:00Z`), hour === 13 ? "failed" : "ok"),
    );
    expect(historyOf("7d", "SCHEDULED", rollups).at(-1)?.status).toBe("failed");
  });

  test("includes the known statuses of its buckets", () => {
    const buckets = bucketsOf("1d", now);
    const before = seenIn(buckets, seen(at("2026-11-21T13:00:00Z"), "up", "down"));
    const latest = [13, 14].flatMap((hour) => seen(at(`2026-11-21T${hour}:00:00Z`), "up"));
    const known = seenIn(buckets, latest, before);
    expect(
      history(buckets, "HTTP", known)
        .slice(-2)
        .map(({ status }) => status),
    ).toEqual(["down", "up"]);
    expect(seenIn(buckets, [], before)).toEqual(before);
  });

  test("of a new monitor is unknown throughout", () => {
    expect(new Set(historyOf("90d", "TCP", []).map(({ status }) => status))).toEqual(new Set(["unknown"]));
  });

  const result = fc.record({
    time: fc.integer({ min: now - 100 * DAY, max: now }),
    status: fc.constantFrom<Status>("up", "down", "degraded"),
  });

  test("behavior 6.7: from rollups equals one from a full scan of the results", () => {
    fc.assert(
      fc.property(fc.constantFrom(...RANGES), fc.array(result, { maxLength: 300 }), (range, results) => {
        const buckets = bucketsOf(range, now);
        const unit = range === "1d" || range === "7d" ? hourOf : dayOf;
        const rollups = results.map(({ time, status }) => seen(unit(time), status));
        const scanned = buckets.map(({ start }, index) => {
          const end = buckets[index + 1]?.start ?? now + HOUR;
          const within = results
            .filter(({ time }) => time >= start && time < end)
            .map(({ status }) => status);
          return (["down", "degraded", "up"] as const).find((status) => within.includes(status)) ?? "unknown";
        });
        expect(historyOf(range, "HTTP", rollups).map(({ status }) => status)).toEqual(scanned);
      }),
    );
  });
});

describe("behavior 2.9, 6.5: the worst status", () => {
  test.each([
    ["HTTP", ["up", "degraded"], "degraded"],
    ["HTTP", ["up", "degraded", "down"], "down"],
    ["TCP", ["up"], "up"],
    ["TLS", ["active", "expired", "expiring_soon"], "expired"],
    ["TLS", ["expired", "no_cert"], "no_cert"],
    ["DNS", ["present", "changed"], "changed"],
    ["DNS", ["changed", "missing"], "missing"],
    ["SCHEDULED", ["ok", "havent_heard"], "havent_heard"],
    ["SCHEDULED", ["ok", "havent_heard", "failed"], "failed"],
    ["SCHEDULED", [], "unknown"],
  ] as const)("of %s with %p is %s", (type, statuses, worst) => {
    expect(worstOf(type, statuses)).toBe(worst);
  });
});

describe("behavior 16.232: a bar of results", () => {
  const minute = 60_000;
  const hour = bucketsOf("1h", now);
  const first = hour[0]?.start ?? 0;

  function barsOf(results: [minutes: number, status: Status][], keptFor = 2 * minute): string {
    const sorted = results.map(([minutes, status]) => ({ createdAt: first + minutes * minute, status }));
    const bars = history(hour, "HTTP", seenInResults(hour, sorted, keptFor));
    return bars.map(({ status }) => (status === "unknown" ? "-" : status[0])).join("");
  }

  test("has the worst status of its results", () => {
    expect(
      barsOf([
        [0.1, "up"],
        [0.5, "down"],
        [0.9, "up"],
        [1.1, "up"],
      ]).slice(0, 3),
    ).toBe("duu");
  });

  test("without a result has the status of the latest result before it, for a while", () => {
    expect(
      barsOf([
        [0.5, "down"],
        [5, "up"],
      ]).slice(0, 9),
    ).toBe("ddd--uuu-");
    expect(barsOf([[-1, "up"]]).slice(0, 3)).toBe("uu-");
    expect(barsOf([[-3, "up"]])).toBe("-".repeat(60));
  });
});
