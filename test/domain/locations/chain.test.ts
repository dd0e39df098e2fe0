import { expect, test } from "bun:test";
import fc from "fast-check";
import type { DownWhen } from "../../../src/domain/locations/location.ts";
import type { Place } from "../../../src/domain/locations/place.ts";
import { planSilence } from "../../../src/domain/locations/silence.ts";
import { planRecording, type RecordingPlan } from "../../../src/domain/monitors/recording-plan.ts";
import { levelOf, type Status } from "../../../src/domain/monitors/status.ts";
import { walks } from "../../support/long.ts";
import { check, type Placed, placed, SECOND, START } from "./walk.ts";

const name = fc.constantFrom("here", "fra", "nyc");
/** Seconds since the previous step. */
const pause = fc.integer({ min: 1, max: 70 });
const observation = fc.record({
  kind: fc.constant("check" as const),
  name,
  pause,
  seen: fc.constantFrom("up", "degraded", "down"),
  /** Seconds from its end until it is received. */
  delay: fc.option(fc.nat(400), { freq: 8, nil: 0 }),
});
const flag = fc.record({ kind: fc.constantFrom("isLive", "isAtFault"), name, pause });
const event = fc.record({ kind: fc.constantFrom("silence", "edit"), pause });
const step = fc.oneof(
  { weight: 8, arbitrary: observation },
  { weight: 1, arbitrary: flag },
  { weight: 1, arbitrary: event },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const settings = fc.record({
  downWhen: fc.constantFrom<DownWhen[]>("majority", "any", "all", 2),
  confirmations: fc.nat(3),
  recoveries: fc.nat(3),
});

test("behavior 13.9, 13.15: whatever happens to locations, outages and notifications follow from the statuses", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), settings, (steps, setting) => {
      let [subject, now] = [placed(setting), START];
      let open: number | null = null;
      let told: Status = "unknown";
      for (const step of steps) {
        now += step.pause * SECOND;
        subject = changed(subject, step, now);
        const plan = planOf(subject, step, now);
        const { state: before } = subject;
        const state = plan.states.get("m") ?? before;
        for (const change of plan.outages) {
          expect(change.kind === "opened").toBe(open === null);
          if (change.kind === "opened") open = change.startedAt;
          if (change.kind !== "closed") continue;
          expect(change.endedAt).toBeGreaterThanOrEqual(open ?? Number.POSITIVE_INFINITY);
          open = null;
        }
        expect(state.outage?.startedAt ?? null).toBe(open);
        expect(state.outage !== null).toBe(state.status !== "unknown" && levelOf[state.status] > 0);
        if (state.status !== before.status) {
          expect(state.statusSince).toBeWithin(before.statusSince ?? START, now + 1);
        }
        // Each notification continues with the status of the previous notification, or with a healthy status that was not notified.
        for (const { previousStatus, status, resultAt } of plan.transitions) {
          expect([previousStatus, plan.results[resultAt]?.status]).toEqual([told, status]);
        }
        if (state.status !== "unknown") told = state.status;
        subject = { ...subject, state };
      }
    }),
    { numRuns: walks(500) },
  );
});

/** Changes around the monitor. */
function changed(subject: Placed, step: Step, now: number): Placed {
  const { places } = subject;
  if (step.kind === "edit") return { ...subject, places: { ...places, since: now } };
  if (step.kind !== "isLive" && step.kind !== "isAtFault") return subject;
  const { kind } = step;
  const flip = (place: Place) => (place.name === step.name ? { ...place, [kind]: !place[kind] } : place);
  return { ...subject, places: { ...places, list: places.list.map(flip) } };
}

function planOf(subject: Placed, step: Step, now: number): RecordingPlan {
  if (step.kind === "silence") return planSilence([subject], now);
  if (step.kind !== "check") return planRecording(new Map(), []);
  const seconds = (now - START) / SECOND;
  const event = check(`${seconds} ${step.name} ${step.seen}`, { receivedAt: now + step.delay * SECOND });
  return planRecording(new Map([["m", subject]]), [event]);
}
