import { expect, test } from "bun:test";
import { type Coverage, sumOf } from "../../../scripts/simulator/coverage/counts.ts";
import { demanded, missing } from "../../../scripts/simulator/coverage/demanded.ts";
import { featurePairs } from "../../../scripts/simulator/coverage/feature-pairs.ts";
import { interruptionsOf } from "../../../scripts/simulator/coverage/interruptions.ts";
import { transitionsOf } from "../../../scripts/simulator/coverage/transitions.ts";
import { Interruptions } from "../../../scripts/simulator/coverage/work.ts";
import type { Ledger } from "../../../scripts/simulator/ledger.ts";
import { isLong } from "../../support/long.ts";
import { after, truthfulLedger } from "../oracle/truthful-ledger.ts";

test("what several worlds did is summed up", () => {
  const sum = sumOf([
    new Map([["a", 1]]),
    new Map(),
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  ]); // prettier-ignore
  expect([...sum]).toEqual([
    ["a", 3],
    ["b", 1],
  ]); // prettier-ignore
});

/** All that worlds must do, with deaths at one method. */
function complete(): Coverage {
  const called: Coverage = new Map([["call of recording.record", 1]]);
  return new Map([
    ...called,
    ...Object.values(demanded(called))
      .flat()
      .map((name) => [name, 1] as const),
  ]);
}

test("nothing is missing of worlds that did everything", () => {
  expect(missing(complete())).toEqual([]);
});

test.each([
  "together: delay + paused",
  "status of TCP: up → down",
  "disk-full during notification",
  "killed after recording.record",
])("what never happened is named: %s", (name) => {
  const coverage = complete();
  expect(coverage.delete(name)).toBe(true);
  expect(missing(coverage)).toEqual([name]);
});

test("a pair that cannot be is not demanded", () => {
  const names = Object.values(demanded(new Map())).flat();
  expect(names).toContain("together: TCP + confirmations");
  expect(names).not.toContain("together: job with cron + confirmations");
});

/** A target that is down from hour 2 to 4, paused from 3 to 5, and a full disk from 6 to 7. */
function ledgerOfPauses(): Ledger {
  const ledger = truthfulLedger({
    hours: 24,
    down: [2, 4],
    faults: [{ kind: "disk-full", from: after(6), to: after(7) }],
  });
  const done = (kind: "pause" | "resume", at: number) => ({
    request: { kind, at, monitor: "web" },
    from: at,
    to: at,
    accepted: true,
  });
  return { ...ledger, requests: [done("pause", after(3)), done("resume", after(5))] };
}

test("features are together if one monitor has both at the same time", () => {
  const pairs = featurePairs(ledgerOfPauses());
  expect(pairs.has("together: down + paused")).toBe(true);
  expect(pairs.has("together: webhook + paused")).toBe(true);
  expect(pairs.has("together: paused + disk-full")).toBe(false);
  expect(pairs.has("together: job with period + paused")).toBe(false);
});

test("a refused request is no feature", () => {
  const ledger = ledgerOfPauses();
  const refused = ledger.requests.map((one) => ({ ...one, accepted: false }));
  expect(featurePairs({ ...ledger, requests: refused }).has("together: down + paused")).toBe(false);
});

test("transitions are those of statuses, requests and processes", () => {
  const ledger = ledgerOfPauses();
  const [life] = ledger.lives;
  const lives: Ledger["lives"] = [
    { node: 0, from: after(0), to: after(6), end: "kill" },
    { ...life, node: 0, from: after(7), to: after(24), end: "end" },
  ];
  const seen = transitionsOf({ ...ledger, lives });
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      ...["status of HTTP: up → down", "status of HTTP: down → up"],
      ...["monitor: enabled → paused", "monitor: paused → enabled"],
      ...["server: running → kill", "server: kill → running"],
    ]),
  );
  expect(seen.has("monitor: paused → deleted")).toBe(false);
});

test("a fault interrupts what lasts then, and a death what never ended", () => {
  const ledger = ledgerOfPauses();
  const lives: Ledger["lives"] = [
    { node: 0, from: after(0), to: after(10), end: "kill" },
    { node: 0, from: after(11), to: after(24), end: "end" },
  ];
  let now = after(5.9);
  const interruptions = new Interruptions(() => now);
  const end = interruptions.begin("check");
  now = after(6.1);
  end();
  now = after(9.9);
  interruptions.begin("poll", "place-0");
  interruptions.begin("check");
  interruptions.count("killed before recording.record");
  const seen = interruptionsOf({ ...ledger, lives }, interruptions);
  expect([...seen.keys()].sort()).toEqual(
    expect.arrayContaining(["disk-full during check", "kill during check", "killed before recording.record"]),
  );
  expect(seen.has("disk-full during poll")).toBe(false);
});

const run = (...args: string[]) =>
  Bun.spawnSync([process.execPath, "scripts/simulator/simulate.ts", "--seed", "1", ...args]);
const SMALL = ["--whole", "--days", "1", "--monitors", "4"];

test.skipIf(!isLong)(
  "a run that demands coverage fails and names what never happened",
  () => {
    const { exitCode, stdout } = run(...SMALL, "--demand-coverage");
    expect(stdout.toString()).toMatch(/^pairs of features: \d+ of \d{4}; the rarest: together: /);
    expect(stdout.toString()).toContain("\nnever happened: together: ");
    expect(stdout.toString()).toContain("1 seeds, 0 failed");
    expect(exitCode).toBe(1);
    expect(run(...SMALL, "--coverage").exitCode).toBe(0);
  },
  300_000,
);

test("coverage is that of whole worlds", () => {
  const { exitCode, stderr } = run("--coverage");
  expect(stderr.toString()).toContain("--coverage and --demand-coverage need --whole");
  expect(exitCode).toBe(2);
});
