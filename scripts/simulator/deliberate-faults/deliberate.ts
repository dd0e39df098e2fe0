import type { DeliberateFault } from "./fault.ts";
import { ALERT_FAULTS } from "./faults/alerts.ts";
import { CHANGE_FAULTS } from "./faults/changes.ts";
import { CHECK_FAULTS } from "./faults/checks.ts";
import { DELIVERY_FAULTS } from "./faults/deliveries.ts";
import { JOB_FAULTS } from "./faults/jobs.ts";
import { LOCATION_FAULTS } from "./faults/locations.ts";
import { ON_CALL_FAULTS } from "./faults/on-call.ts";
import { REPLAY_FAULTS } from "./faults/replays.ts";
import { RUN_FAULTS } from "./faults/runs.ts";
import { STORAGE_FAULTS } from "./faults/storage.ts";

export const DELIBERATE_FAULTS: readonly DeliberateFault[] = [
  ...ALERT_FAULTS,
  ...CHANGE_FAULTS,
  ...CHECK_FAULTS,
  ...DELIVERY_FAULTS,
  ...JOB_FAULTS,
  ...LOCATION_FAULTS,
  ...ON_CALL_FAULTS,
  ...REPLAY_FAULTS,
  ...RUN_FAULTS,
  ...STORAGE_FAULTS,
];

export function deliberateFault(name: string): DeliberateFault {
  const fault = DELIBERATE_FAULTS.find((one) => one.name === name);
  const names = DELIBERATE_FAULTS.map((one) => one.name).join(", ");
  if (!fault) throw new Error(`--fault must be one of ${names}, got ${name}`);
  return fault;
}
