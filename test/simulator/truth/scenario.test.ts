import { expect, test } from "bun:test";
import { endOf, startOf } from "../../../scripts/simulator/truth/faults.ts";
import { drawScenario } from "../../../scripts/simulator/truth/scenario.ts";

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

test("A truth follows from its seed", () => {
  const text = (seed: number) => JSON.stringify(drawScenario({ seed, days: 20 }));
  expect(text(7)).toBe(text(7));
  expect(text(7)).not.toBe(text(8));
  const [one, other] = [drawScenario({ seed: 7, days: 20 }), drawScenario({ seed: 7, days: 20 })];
  const at = one.from + 123_456_789;
  expect(one.monitors.map((monitor) => monitor.sample?.(at))).toEqual(
    other.monitors.map((monitor) => monitor.sample?.(at)),
  );
});

test("Segments and phases of receivers have no gaps", () => {
  for (const seed of SEEDS) {
    const { monitors, channels, from, to } = drawScenario({ seed, days: 20 });
    const lists = [
      ...monitors.flatMap(({ segments }) => (segments ? [segments] : [])),
      ...channels.map(({ receiver }) => receiver),
    ];
    for (const list of lists) {
      expect([list[0]?.from, list.at(-1)?.to]).toEqual([from, to]);
      expect(list.slice(1).map((part) => part.from)).toEqual(list.slice(0, -1).map((part) => part.to));
    }
  }
});

test("A good segment has good samples, and a bad one has bad samples", () => {
  for (const seed of SEEDS)
    for (const { type, segments, sample } of drawScenario({ seed, days: 20 }).monitors) {
      if (type !== "HTTP" && type !== "TCP") continue;
      for (const { from, to, kind } of segments ?? [])
        expect(sample?.(Math.floor((from + to) / 2)).observation.outcome === "failed").toBe(kind === "down");
    }
});

test("Faults are sorted, and two of the same kind never overlap", () => {
  for (const seed of SEEDS) {
    const { faults, to } = drawScenario({ seed, days: 20 });
    expect(faults.map(startOf)).toEqual(faults.map(startOf).toSorted((a, b) => a - b));
    for (const kind of new Set(faults.map((fault) => fault.kind))) {
      const own = faults.filter((fault) => fault.kind === kind);
      for (const [at, fault] of own.entries())
        expect(endOf(fault)).toBeLessThanOrEqual(own[at + 1] ? startOf(own[at + 1] ?? fault) : to);
    }
  }
});

test("every scenario has a monitor that is checked at least 20 times", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { monitors, from, to } = drawScenario({ seed, days: 1, monitors: 3 });
    const counts = monitors
      .filter(({ type }) => type !== "SCHEDULED")
      .map(({ config: { interval = 300 } }) => (to - from) / 1000 / interval);
    expect({ seed, isChecked: Math.max(0, ...counts) >= 20 }).toEqual({ seed, isChecked: true });
  }
});
