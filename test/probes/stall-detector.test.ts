import { describe, expect, test } from "bun:test";
import type { Observation } from "../../src/domain/checks/observation.ts";
import { createStallDetector } from "../../src/probes/stall-detector.ts";
import { byAddress, type OfAddress } from "../support/checks/by-address.ts";

const answered: OfAddress = { outcome: "reached", latencyMs: 100, detail: { phases: { connect: 1 } } };
const refused: OfAddress = { outcome: "failed", reason: "refused", detail: {} };
const several = (...all: OfAddress[]) => byAddress(all);

/** The observation that remains of a check during which the event loop was blocked for so long. */
function discounted(observation: Observation, blocked: number): Observation {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now, repeat: () => () => {} };
  const detector = createStallDetector(clock, () => false, { note() {}, since: () => 0 });
  const start = detector.begin();
  now = 25 + blocked;
  detector.end();
  return detector.discount(observation, start);
}

test("behavior 1.45, 10.100: what some addresses say is no evidence if the process stalled during the check", () => {
  expect(discounted(several(answered, refused), 300)).toMatchObject({ outcome: "inconclusive" });
  expect(discounted(several(answered, refused), 200)).toEqual(several(answered, refused));
});

test("behavior 1.49: a check is late by the delays since its start, and by the time without a core if that is long", () => {
  let [now, waited] = [0, 0];
  let tick = () => {};
  const repeat = (_: number, each: () => void) => {
    tick = each;
    return () => {};
  };
  const clock = { now: () => now, monotonic: () => now, repeat };
  const detector = createStallDetector(clock, () => false, { note() {}, since: () => waited });
  const pass = (ms: number) => {
    now += ms;
    tick();
  };
  const early = detector.begin();
  pass(25 + 40);
  pass(25 + 10);
  now++;
  const start = detector.begin();
  pass(24 + 30);
  pass(25);
  pass(25 + 60);
  expect(detector.discount(answered, start)).toEqual({ ...answered, lateBy: 90 });
  expect(detector.discount(answered, early)).toEqual({ ...answered, lateBy: 130 });
  waited = 20;
  expect(detector.discount(answered, start)).toMatchObject({ lateBy: 90 });
  waited = 26;
  expect(detector.discount(answered, start)).toMatchObject({ lateBy: 116 });
  // So short a latency was hardly delayed by short waits, but the rest of the answer may have been.
  const fast: OfAddress = { outcome: "reached", latencyMs: 50, detail: {} };
  expect(detector.discount(fast, start)).toMatchObject({ lateBy: 90 });
  expect(detector.discount({ ...fast, slowBy: 1 }, start)).toMatchObject({ lateBy: 116 });
  // The time of a fault that the probe saw is added.
  expect(detector.discount({ ...fast, lateBy: 1000 }, start)).toMatchObject({ lateBy: 1090 });
});

test("behavior 1.48, 1.49, 10.100: the latencies of all addresses are as reliable as that of one", () => {
  const unknown = { outcome: "reached", latencyMs: null, detail: { message: expect.any(String) } };
  expect(discounted(answered, 300)).toEqual(unknown as never);
  expect(discounted(several(answered, answered), 300)).toEqual(several(unknown as never, unknown as never));
  const late: OfAddress = { ...answered, lateBy: 50 };
  expect(discounted(several(answered, answered), 50)).toEqual(several(late, late));
  expect(discounted(several(answered, answered), 0)).toEqual(several(answered, answered));
});

describe("behavior 1.46: a check of 1 s whose thread waited for a core", () => {
  const silent: OfAddress = { outcome: "failed", reason: "timeout", detail: {} };
  const lookup: Observation = {
    outcome: "looked_up",
    answer: { lookups: [{ recordType: "A", values: [], failure: "timeout" }] },
  } as never;

  /** @param waited milliseconds in all, in waits of which none is a stall @param took milliseconds of the check */
  const after = (observation: Observation, waited: number, took = 1000) => {
    let now = 0;
    let tick = () => {};
    const repeat = (_: number, each: () => void) => {
      tick = each;
      return () => {};
    };
    const clock = { now: () => now, monotonic: () => now, repeat };
    const detector = createStallDetector(clock, () => false, { note() {}, since: () => waited });
    const start = detector.begin();
    for (; now < took; tick()) now += 25;
    return detector.discount(observation, start);
  };

  test.each([silent, several(answered, silent), lookup])(
    "for most of it got no answer: %j",
    (observation) => {
      expect(after(observation, 600)).toMatchObject({ outcome: "inconclusive" });
      expect(after(observation, 400)).toEqual(observation);
    },
  );

  test("for most of it got an answer that is bad", () => {
    expect(after(refused, 600)).toEqual(refused);
  });

  test("for 250 ms at most is not repeated, however short it was", () => {
    expect(after(silent, 250, 300)).toEqual(silent);
    expect(after(silent, 251, 300)).toMatchObject({ outcome: "inconclusive" });
  });
});
