import { afterAll, expect, test } from "bun:test";
import { judge, type Verdict } from "../../scripts/obstacles/judge/judge.ts";
import type { Recorded } from "../../scripts/obstacles/judge/run.ts";
import { StatusOfPeer } from "../../scripts/obstacles/peers/status-of-peer.ts";
import type { Product } from "../../scripts/obstacles/run/product.ts";
import { runScenario } from "../../scripts/obstacles/run/run-scenario.ts";
import { startWitness } from "../../scripts/obstacles/run/witness.ts";
import { type Monitor, type Scenario, UP } from "../../scripts/obstacles/scenario.ts";
import type { Spot } from "../../scripts/obstacles/world/spot.ts";

const witness = startWitness();
afterAll(() => witness[Symbol.asyncDispose]());

/** Seconds. */
const MONITOR: Monitor = { type: "TCP", config: { interval: 0.2, timeout: 0.1 } };
/** Milliseconds for a monitor that says the truth, on a busy machine. */
const PATIENCE = 20_000;

let isBroken = false;
const becomes = (broken: boolean) => () => {
  isBroken = broken;
};

const SCENARIO: Scenario = {
  name: "breaks",
  about: "the target is good, bad and good",
  monitors: { it: () => MONITOR },
  stages: [
    { change: becomes(false), truths: { it: UP } },
    { change: becomes(true), truths: { it: { status: "down" } } },
    { change: becomes(false), truths: { it: UP } },
  ],
};

/** A monitor that looks at the target. @param sees the status of a check, and after how many milliseconds it is said */
function monitorThat(sees: () => { status: string; late?: number; isMute?: boolean }): Product {
  let status: StatusOfPeer | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    createChannel: async () => "",
    async createMonitor(name, monitor) {
      let how = sees();
      status = new StatusOfPeer(monitor, (said) => {
        const say = () => witness.hear(name, { ...said, at: Date.now() });
        if (!how.isMute) setTimeout(say, how.late ?? 0);
      });
      const check = () => {
        how = sees();
        status?.record({ status: how.status, createdAt: Date.now() } satisfies Recorded);
      };
      check();
      timer = setInterval(check, 50);
      return { id: name };
    },
    resultsOf: async (_, until) => status?.results.filter(({ createdAt }) => createdAt <= until) ?? [],
    statusOf: async () => status?.current ?? "unknown",
    adviceOf: async () => [],
    deleteMonitor: async () => clearInterval(timer),
    async [Symbol.asyncDispose]() {},
  };
}

/** @param patience milliseconds */
async function verdictOn(name: string, product: Product, patience = 100): Promise<Verdict> {
  // None of the stages asks for the place.
  const around = { spot: {} as Spot, witness, product, patience };
  return judge(await runScenario(SCENARIO, name, around));
}

const truth = () => (isBroken ? "down" : "up");

test("a monitor that says the truth is right", async () => {
  const { falses, missed, detections } = await verdictOn(
    "truthful",
    monitorThat(() => ({ status: truth() })),
    PATIENCE,
  );
  expect({ falses, missed }).toEqual({ falses: [], missed: [] });
  expect(detections).toHaveLength(2);
}, 300_000);

test("a monitor that says something else is false", async () => {
  const liar = monitorThat(() => ({ status: isBroken ? "down" : "degraded" }));
  const { falses, missed } = await verdictOn("liar", liar);
  expect(falses).toContainEqual(expect.stringContaining("said degraded"));
  expect(falses).toContainEqual(expect.stringContaining("recorded degraded"));
  expect(missed).toContainEqual(expect.stringContaining("up of stage 3 was known not within"));
}, 300_000);

test("a monitor that says the truth too late is late", async () => {
  const { falses, missed, late } = await verdictOn(
    "late",
    monitorThat(() => ({ status: truth(), late: 1500 })),
    PATIENCE,
  );
  expect({ falses, missed }).toEqual({ falses: [], missed: [] });
  expect(late).toContainEqual(expect.stringContaining("down of stage 2 was known after"));
}, 300_000);

test("a monitor that says nothing misses the outage", async () => {
  const mute = monitorThat(() => ({ status: truth(), isMute: true }));
  const { falses, missed } = await verdictOn("mute", mute);
  expect(falses).toEqual([]);
  expect(missed).toEqual([expect.stringContaining("down of stage 2 was known not within")]);
}, 300_000);

test("a monitor that never looks at the target misses the outage and the end of it", async () => {
  const { missed } = await verdictOn(
    "blind",
    monitorThat(() => ({ status: "up" })),
  );
  expect(missed).toEqual([expect.stringContaining("down of stage 2 was known not within")]);
}, 300_000);

test("times of a clock that is wrong for a while are those of the right one", async () => {
  const hour = 3_600_000;
  const honest = monitorThat(() => ({ status: truth() }));
  const behind: Product = {
    ...honest,
    resultsOf: async (id, until) =>
      (await honest.resultsOf(id, until)).map((one) => ({
        ...one,
        createdAt: one.createdAt - (one.status === "down" ? hour : 0),
      })),
  };
  const around = { spot: {} as Spot, witness, product: behind, patience: PATIENCE };
  const verdictAt = async (hours: number) =>
    judge(await runScenario({ ...SCENARIO, hours }, `behind ${hours}`, around));
  expect((await verdictAt(-1)).falses).toEqual([]);
  expect((await verdictAt(0)).falses).toContainEqual(expect.stringContaining("recorded down"));
}, 300_000);
