import type { MaintenanceTimes } from "../../../domain/maintenance/maintenance.ts";
import {
  MAX_DURATION,
  NewMaintenance,
  SHORTEST_DURATION,
  timesOf,
} from "../../../domain/maintenance/request.ts";
import { faults, type SaidFault } from "../../../domain/schemas/validation.ts";
import { checkedValues, numberOf, textOf, timeIn } from "../form/field-errors.ts";
import { pageFault } from "../form/page-fault.ts";
import { ruleFaults } from "../form/validation.ts";
import { selectorFaults, selectorIn } from "./selector-fields.tsx";

/** A maintenance has one window, or one at each run of a cron expression. */
export type Kind = "once" | "repeated";

/** The units of a duration, and their lengths in seconds. */
export const UNITS = { minutes: 60, hours: 3600, days: 86_400, seconds: 1 } as const;
export type Unit = keyof typeof UNITS;

/** A duration in the largest unit in which it is a whole number. @param seconds undefined for a new one */
export function splitDuration(seconds = 3600): { count: number; unit: Unit } {
  const unit = (["days", "hours", "minutes"] as const).find((one) => seconds % UNITS[one] === 0) ?? "seconds";
  return { count: seconds / UNITS[unit], unit };
}

/** A duration in seconds. A text that is not a number stays a text, so that the validation refuses it. */
function durationOf(data: FormData): number | string | undefined {
  const count = numberOf(data, "duration");
  const unit = UNITS[(textOf(data, "durationUnit") ?? "minutes") as Unit];
  return typeof count === "number" ? count * unit : count;
}

/** The times in the form; a field is undefined if it is empty, and of another type if it is wrong. */
export function timesIn(data: FormData, kind: Kind, stored?: TimesBody) {
  if (kind === "once") {
    return {
      startsAt: timeIn(textOf(data, "startsAt"), stored?.startsAt),
      endsAt: timeIn(textOf(data, "endsAt"), stored?.endsAt),
    };
  }
  const until = timeIn(textOf(data, "until"), stored?.until) ?? (stored?.until ? FOREVER : undefined);
  return {
    cron: textOf(data, "cron"),
    timezone: textOf(data, "timezone"),
    duration: durationOf(data),
    ...(until !== undefined && { until }),
  };
}

/** An update cannot remove an end; this one is never reached. */
const FOREVER = "9999-12-31T00:00:00.000Z";

export function isForever(until: string): boolean {
  return until === FOREVER;
}

/** The times in the form, unless they are those that are stored: of a maintenance that has ended, they would be refused. */
function changedTimes(data: FormData, kind: Kind, stored?: TimesBody) {
  const times = timesIn(data, kind, stored);
  const before = { ...stored } as Record<string, unknown>;
  const isSame = stored && Object.entries(times).every(([name, value]) => before[name] === value);
  return isSame ? {} : times;
}

/** The values in the form, as the API accepts them. @param stored the maintenance that is edited */
export function maintenanceIn(data: FormData, kind: Kind, stored?: TimesBody) {
  const message = textOf(data, "message");
  return {
    title: textOf(data, "title") ?? "",
    // An empty one replaces one that is stored.
    ...((message !== undefined || stored) && { message: message ?? "" }),
    selector: selectorIn(data),
    ...changedTimes(data, kind, stored),
    notifyChannelIds: checkedValues(data, "notifyChannelIds"),
    ...(kind === "once" && { notifySubscribers: data.has("notifySubscribers") }),
  };
}

/** @param values of the form of a maintenance. Without times, those that are stored stay */
export function maintenanceFaults(values: { selector: object } & UnknownTimes): SaidFault[] {
  const { selector, duration } = values;
  const isTooShortOrLong =
    typeof duration === "number" && (duration < SHORTEST_DURATION || duration > MAX_DURATION);
  const found = [
    ...selectorFaults(selector),
    ...(isTooShortOrLong ? [pageFault("maintenanceDuration", "duration", {})] : []),
    ...faults(NewMaintenance, values, ""),
  ];
  const hasTimes = "startsAt" in values || "cron" in values;
  for (const field of ["startsAt", "endsAt", "cron", "duration"] as const)
    if (field in values && values[field] === undefined) found.push(pageFault("required", field, {}));
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

/** The fields of a maintenance that decide when it has windows; ISO 8601. */
export interface TimesBody {
  startsAt: string | null;
  endsAt: string | null;
  cron: string | null;
  timezone: string | null;
  /** Seconds. */
  duration: number | null;
  until: string | null;
}

/** The times of the API, from which the domain computes windows. */
export function parsedTimes({ startsAt, endsAt, until, ...others }: TimesBody): MaintenanceTimes {
  const { cron, timezone, duration } = others;
  return {
    startsAt: parse(startsAt),
    endsAt: parse(endsAt),
    cron,
    timezone,
    duration,
    until: parse(until),
    endedRun: null,
    endedRunAt: null,
  };
}

function parse(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
