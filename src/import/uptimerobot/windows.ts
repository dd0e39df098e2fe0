import { createRefNames } from "../../domain/configuration/placeholder.ts";
import { isTimezone } from "../../domain/heartbeats/cron.ts";
import { localTimeIn } from "../../domain/local-time.ts";
import {
  MAX_DURATION,
  NewMaintenance,
  SHORTEST_DURATION,
  timesOf,
} from "../../domain/maintenance/request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { numberOf, omitUnknown } from "../api-answers.ts";
import { faultIn } from "../checked.ts";
import { clamp, listOf, named, type Report, type ReportOmission, textOf } from "../imported.ts";
import { literals } from "../output-config.ts";

type Entry = Record<string, unknown>;

const FIELDS = new Set([
  ...["id", "userId", "name", "interval", "date", "time", "startsAt", "duration", "autoAddMonitors"],
  ...["monitorIds", "days", "status", "created"],
]);

interface Surroundings {
  /** The refs of the monitors that have a window, by its ID. */
  monitorsOf(windowId: string): string[];
  refOfMonitor(id: string): string | undefined;
  /** The time zone of the account, if the file says it. */
  timezone: string | undefined;
  report: Report;
  /** Milliseconds since 1970. */
  now: number;
}

/** The maintenances for the maintenance windows of UptimeRobot (behavior 16.128). */
export function maintenancesOf(windows: readonly Entry[], surroundings: Surroundings): Record<string, Entry> {
  const { report, now } = surroundings;
  const refOf = createRefNames("maintenance");
  const entries: Record<string, Entry> = {};
  const zone = zoneOf(surroundings.timezone);
  if (windows.length > 0 && zone?.startsWith("Etc/"))
    report.note(
      `maintenances are in the zone ${zone}, which has no summer time: the file says only the distance from UTC`,
    );
  for (const window of windows) {
    const title = textOf(window.name)?.trim() || "Maintenance";
    const label = named("maintenance window", title);
    const omit: ReportOmission = (part, why) => report.omit(`${label}, ${part}`, why);
    const selector = selectorOf(window, surroundings);
    const times = timesIn(window, { zone, omit });
    const fault =
      textOf(window.status) === "paused"
        ? "it is paused"
        : !selector
          ? "no monitor of it was taken over"
          : typeof times === "string"
            ? times
            : faultIn(() => timesOf(parse(NewMaintenance, { title, selector, ...times }, ""), now));
    if (fault !== undefined) {
      report.omit(label, fault === "endsAt must be in the future" ? "it is over" : fault);
      continue;
    }
    omitUnknown(window, FIELDS, omit);
    const ref = refOf(title);
    entries[ref] = literals({ ...(title !== ref && { title }), selector, ...(times as object) }) as Entry;
  }
  return entries;
}

function selectorOf(window: Entry, { monitorsOf, refOfMonitor }: Surroundings): Entry | undefined {
  const ids = listOf(window.monitorIds).flatMap((id) => textOf(id) ?? []);
  if (window.autoAddMonitors === true || ids.includes("0")) return { all: true };
  const refs = [...ids.flatMap((id) => refOfMonitor(id) ?? []), ...monitorsOf(textOf(window.id) ?? "")];
  return refs.length > 0 ? { monitorIds: [...new Set(refs)] } : undefined;
}

/** The zone of an account is a name, or its distance from UTC. @returns undefined if the file does not say it */
function zoneOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (isTimezone(given)) return given;
  const distance = numberOf(given);
  if (distance === undefined) return undefined;
  const hours = Math.abs(distance) <= 14 ? distance : distance / 60;
  if (!Number.isInteger(hours) || Math.abs(hours) > 14) return undefined;
  // The signs of these names are the other way round.
  return hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

/** @returns the fields of a maintenance; or why there are none */
function timesIn(
  window: Entry,
  { zone, omit }: { zone: string | undefined; omit: ReportOmission },
): Entry | string {
  const wanted = (numberOf(window.duration) ?? 0) * 60;
  const duration = clamp(SHORTEST_DURATION, Math.round(wanted), MAX_DURATION);
  if (duration !== wanted) omit("duration", `it is ${wanted} s; it is ${duration} s here`);
  const start = textOf(window.startsAt);
  if (start !== undefined) return onceFrom(Date.parse(start), duration);
  const [, hour, minute] = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(textOf(window.time) ?? "") ?? [];
  if (hour === undefined || minute === undefined) return "it has no time such as 14:30";
  if (zone === undefined)
    omit(
      "time",
      `it is ${hour}:${minute} in the time zone of the account, which the file does not say: it is UTC here`,
    );
  const interval = textOf(window.interval);
  if (interval === "once") {
    const local = Date.parse(`${textOf(window.date)?.slice(0, 10)}T${hour.padStart(2, "0")}:${minute}:00Z`);
    if (Number.isNaN(local)) return "it has no date such as 2026-12-24";
    return onceFrom(localTimeIn(zone ?? "UTC").momentOf(local), duration);
  }
  const days = daysOf(window);
  if (days === undefined) return `it repeats ${interval ?? "never"}, on days that stillup does not know`;
  const cron = `${Number(minute)} ${Number(hour)} ${days}`;
  return { cron, ...(zone !== undefined && zone !== "UTC" && { timezone: zone }), duration };
}

function onceFrom(start: number, duration: number): Entry | string {
  if (Number.isNaN(start)) return "it has no start";
  const iso = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");
  return { startsAt: iso(start), endsAt: iso(start + duration * 1000) };
}

/** The last three fields of a cron expression. Days of a week begin with 1 on Monday; -1 is the last day of a month. */
function daysOf({ interval, days }: Entry): string | undefined {
  const numbers = listOf(days).flatMap((day) => numberOf(day) ?? []);
  const isWithin = (least: number, most: number) =>
    numbers.length > 0 && numbers.every((day) => Number.isInteger(day) && day >= least && day <= most);
  if (interval === "daily") return "* * *";
  if (interval === "weekly" && isWithin(1, 7)) return `* * ${numbers.join(",")}`;
  if (interval !== "monthly" || !isWithin(-1, 31) || numbers.includes(0)) return undefined;
  return `${numbers.map((day) => (day === -1 ? "L" : day)).join(",")} * *`;
}
