import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import { planRecording, type RecordingSubject } from "../../../src/domain/monitors/recording-plan.ts";
import { placed, START } from "../locations/walk.ts";

const MINUTE = 60_000;

/** @property isPlaced whether a location checks it, and not this server */
export interface WalkOptions {
  isPlaced?: boolean;
  config?: object;
  confirmations?: number;
  recoveries?: number;
}

/** An HTTP monitor after each check, which come once a minute, and all that is planned. */
export function walkedChecks(checks: Evidence[], { isPlaced = false, config, ...numbers }: WalkOptions) {
  const first = placed({ ...numbers, locations: ["fra"], config: config as MonitorConfig<"HTTP"> });
  let subject: RecordingSubject = isPlaced
    ? first
    : { ...first, places: null, state: { ...first.state, places: null } };
  const location = isPlaced ? 1 : 0;
  return checks.map((evidence, count) => {
    const at = START + count * MINUTE;
    const event = { kind: "check", monitorId: "m", revision: 0, evidence, at, location } as const;
    const plan = planRecording(new Map([["m", subject]]), [event]);
    const state = plan.states.get("m") ?? subject.state;
    subject = { ...subject, state };
    return { ...plan, state, result: plan.results[0] };
  });
}
