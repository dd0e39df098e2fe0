import {
  LONGEST_DURATION,
  NewMaintenance,
  SHORTEST_DURATION,
  timesOf,
} from "../../../domain/maintenance/request.ts";
import { faults } from "../../../domain/schemas/validation.ts";
import { ruleFaults } from "../form/validation.ts";

/** @param values of the form of a maintenance. Without times, those that are stored stay */
export function maintenanceFaults(values: { selector: object } & UnknownTimes): string[] {
  const { selector, startsAt, endsAt, cron, duration } = values;
  const isEmpty = Object.keys(selector).length === 0;
  const isTooShortOrLong =
    typeof duration === "number" && (duration < SHORTEST_DURATION || duration > LONGEST_DURATION);
  const found = [
    ...(isEmpty ? ["selector select all monitors, a tag or a single monitor"] : []),
    ...(isTooShortOrLong ? ["duration must be 1 minute to 7 days"] : []),
    ...faults(NewMaintenance, values, ""),
  ];
  const hasTimes = "startsAt" in values || "cron" in values;
  if ("startsAt" in values && startsAt === undefined) found.push("startsAt is required");
  if ("endsAt" in values && endsAt === undefined) found.push("endsAt is required");
  if ("cron" in values && cron === undefined) found.push("cron is required");
  if ("duration" in values && duration === undefined) found.push("duration is required");
  // Its rules need values that fit the schema.
  if (found.length > 0 || !hasTimes) return found;
  return ruleFaults(() => timesOf(values as NewMaintenance, Date.now()));
}

interface UnknownTimes {
  startsAt?: unknown;
  endsAt?: unknown;
  cron?: unknown;
  duration?: unknown;
}
