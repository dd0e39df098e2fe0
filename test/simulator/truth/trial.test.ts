import { expect, test } from "bun:test";
import { countsOf, recordedOf } from "../../../scripts/simulator/oracle/replay/recorded.ts";
import { drawCalm } from "../../../scripts/simulator/truth/calm/scenario.ts";
import { comparable, drawTrial, tried } from "../../../scripts/simulator/truth/trial.ts";
import { drawWhole } from "../../../scripts/simulator/truth/whole/scenario.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";

const seeds = Array.from({ length: 16 }, (_, number) => number + 1);

test("a trial changes one to three settings of monitors that have them, and seeds try all of them", () => {
  const fields = new Set<string>();
  for (const seed of seeds) {
    const scenario = drawWhole({ seed, days: 8 });
    const { monitors, changes } = drawTrial(scenario);
    const names = Object.keys(changes);
    expect(names.length).toBeGreaterThan(0);
    expect(names.length).toBeLessThan(4);
    expect(scenario.monitors.map(({ name }) => name)).toEqual(expect.arrayContaining(monitors));
    for (const name of names) fields.add(name);
  }
  expect([...fields].sort()).toEqual([
    ...["after", "confirmations", "downWhen", "every", "hours", "maintenance", "notifyOn", "recoveries"],
  ]);
});

test("two runs of a scenario differ only by the settings that are tried", async () => {
  const scenario = comparable(drawCalm({ seed: 4, hours: 0.6, monitors: 4 }));
  const monitors = scenario.monitors.map(({ name }) => name);
  const run = async (changes: Parameters<typeof tried>[1]["changes"]) => {
    const { ledger } = await simulate(tried(scenario, { monitors, changes }));
    return { ledger, counts: countsOf(recordedOf(ledger, { monitors, range: scenario }), scenario) };
  };
  const [present, same, patient] = [await run({}), await run({}), await run({ after: 3600 })];
  expect(same.ledger.results).toEqual(present.ledger.results);
  expect(present.counts.notifications).toBeGreaterThan(0);
  expect(patient.counts).toEqual({ ...present.counts, notifications: 0 });
}, 300_000);

test("runs that are compared have no deaths at a call of the store, and no edits of what is tried", () => {
  const requests = seeds.flatMap((seed) => comparable(drawWhole({ seed })).requests ?? []);
  const kinds = new Set(requests.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    "apply",
    "bind",
    "create maintenance",
    "delete maintenance",
    "depend",
    "edit",
    "end window",
    "pause",
    "resume",
  ]);
  const edits = requests.flatMap((one) => (one.kind === "edit" ? [one.changes] : []));
  expect(new Set(edits.flatMap(Object.keys))).toEqual(new Set(["interval", "maxRunTime"]));
  const faults = seeds.flatMap((seed) => comparable(drawWhole({ seed })).faults);
  expect(faults.filter(({ kind }) => kind === "kill" || kind === "clock-step")).toEqual([]);
});
