import { expect, setDefaultTimeout, test } from "bun:test";
import { runSeed, scenarioOf } from "../../../scripts/simulator/run-seed.ts";
import { partsOf, reduced } from "../../../scripts/simulator/shrink/reduced.ts";
import { createDraw } from "../../../scripts/simulator/truth/draw.ts";
import { isLong } from "../../support/long.ts";

setDefaultTimeout(300_000);

const MINUTE = 60_000;

test("nothing of a smaller scenario names what is left out", () => {
  const scenario = scenarioOf(1, { days: 1, calmHours: 6 });
  const [monitors = []] = partsOf(scenario);
  const left = reduced(scenario, { parts: [...monitors.slice(1), "channels/0"] });
  expect(left.monitors.map(({ name }) => name)).toEqual(["monitor-0"]);
  const text = JSON.stringify(left);
  for (const gone of ["monitor-1", "monitor-2", "channel-0"]) expect(text).not.toContain(`"${gone}"`);
});

test("a location that is left out checks nothing, and a monitor without another one is checked by the server", () => {
  const scenario = scenarioOf(3, { days: 1, locationHours: 1 });
  const { monitors } = reduced(scenario, {
    parts: scenario.locations?.map((_, at) => `locations/${at}`) ?? [],
  });
  expect(scenario.monitors.filter(({ places }) => places).length).toBeGreaterThan(0);
  expect(monitors.filter(({ places }) => places)).toEqual([]);
});

test("a scenario that is cut has no fault near its ends", () => {
  const scenario = scenarioOf(2, { days: 2 });
  const [from, to] = [scenario.from + 300 * MINUTE, scenario.to - 300 * MINUTE];
  const removed = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { faults, monitors } = reduced(scenario, removed);
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) {
    const [start, end] = fault.kind === "kill" ? [fault.at, fault.at + fault.downMs] : [fault.from, fault.to];
    expect(start).toBeGreaterThanOrEqual(from + MINUTE);
    expect(end).toBeLessThanOrEqual(to - 20 * MINUTE);
  }
  for (const { segments = [] } of monitors)
    for (const segment of segments) {
      expect(segment.from).toBeGreaterThanOrEqual(from);
      expect(segment.to).toBeLessThanOrEqual(to);
    }
});

const WORLDS = [
  ["days", { days: 1, monitors: 4 }],
  ["calm", { days: 1, calmHours: 1 }],
  ["locations", { days: 1, locationHours: 1 }],
] as const;

test.each(isLong ? WORLDS : WORLDS.slice(0, 1))(
  "the truth explains a run of a part of %s",
  async (name, options) => {
    const draw = createDraw(`part of ${name}`);
    const parts = partsOf(scenarioOf(4, options)).flat();
    const removed = { parts: parts.filter(() => draw.chance(0.3)) };
    const { violations } = await runSeed(4, { ...options, removed });
    expect(violations).toEqual([]);
  },
);
