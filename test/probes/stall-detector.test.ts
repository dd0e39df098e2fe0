import { expect, test } from "bun:test";
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

test("behavior 1.48, 1.49, 10.100: the latencies of all addresses are as reliable as that of one", () => {
  const unknown = { outcome: "reached", latencyMs: null, detail: { message: expect.any(String) } };
  expect(discounted(answered, 300)).toEqual(unknown as never);
  expect(discounted(several(answered, answered), 300)).toEqual(several(unknown as never, unknown as never));
  const blurred: OfAddress = { ...answered, isBlurred: true };
  expect(discounted(several(answered, answered), 50)).toEqual(several(blurred, blurred));
  expect(discounted(several(answered, answered), 0)).toEqual(several(answered, answered));
});
