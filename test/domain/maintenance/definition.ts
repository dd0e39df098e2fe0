import type { MaintenanceDefinition } from "../../../src/domain/maintenance/maintenance.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const empty = {
  ...{ startsAt: null, endsAt: null, cron: null, timezone: null, duration: null, until: null },
  ...{ endedRun: null, endedRunAt: null },
};

/** One window. */
export function once(startsAt: number, endsAt: number, values: Partial<MaintenanceDefinition> = {}) {
  return { ...shared, ...empty, startsAt, endsAt, ...values };
}

/** A window at each run of a cron expression. @param duration seconds */
export function repeated(cron: string, duration: number, values: Partial<MaintenanceDefinition> = {}) {
  return { ...shared, ...empty, cron, duration, timezone: "UTC", ...values };
}

const shared: Pick<MaintenanceDefinition, "id" | "title" | "selector"> = {
  id: "m",
  title: "Maintenance",
  selector: { all: true },
};
