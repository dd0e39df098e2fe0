import type { RefNames } from "../../domain/configuration/placeholder.ts";
import { localTimeIn } from "../../domain/local-time.ts";
import {
  MAX_DURATION,
  NewMaintenance,
  SHORTEST_DURATION,
  timesOf,
} from "../../domain/maintenance/request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { faultIn } from "../checked.ts";
import { clamp, cut, named, type Report } from "../imported.ts";
import { literals } from "../output-config.ts";
import {
  flagOf,
  groupedBy,
  idOf,
  jsonOf,
  type KumaData,
  numberOf,
  type OmittedPart,
  type Refused,
  type Row,
  textIn,
} from "./fields.ts";
import type { Groups } from "./tags.ts";

interface MaintenanceContext {
  refOf: RefNames;
  /** The ref of a monitor that was taken over, by its ID in Uptime Kuma. */
  monitorRefs: ReadonlyMap<number | undefined, string>;
  groups: Groups;
  report: Report;
  /** Milliseconds since 1970. */
  now: number;
}

type Tables = Pick<KumaData, "maintenances" | "monitorMaintenances" | "settings">;

/** The maintenances by ref (behavior 16.100). */
export function maintenancesFrom(
  { maintenances, monitorMaintenances, settings }: Tables,
  { refOf, monitorRefs, groups, report, now }: MaintenanceContext,
): Record<string, Record<string, unknown>> {
  const bound = groupedBy(monitorMaintenances, "maintenance_id");
  const entries: Record<string, Record<string, unknown>> = {};
  for (const row of maintenances) {
    const title = textIn(row, "title");
    const selector = selectorOf(bound.get(idOf(row)) ?? [], { monitorRefs, groups });
    const entry = entryFrom(row, { selector, zone: zoneOf(row, settings), now });
    if (isRefused(entry)) report.omit(named("maintenance", title), entry.why);
    else {
      const ref = refOf(title);
      for (const { part, why } of omittedParts(row, now)) report.omit(named("maintenance", title, part), why);
      entries[ref] = { ...(title !== "" && title !== ref && { title: literals(title) }), ...entry };
    }
  }
  return entries;
}

/** A group is selected by its tag. Empty if no monitor is left. */
function selectorOf(
  rows: readonly Row[],
  { monitorRefs, groups }: Pick<MaintenanceContext, "monitorRefs" | "groups">,
) {
  const ids = rows.map((row) => idOf(row, "monitor_id"));
  const monitorIds = [...new Set(ids.flatMap((id) => monitorRefs.get(id) ?? []))];
  const tags = [...new Set(ids.flatMap((id) => groups.tagOf(id) ?? []))];
  return { ...(monitorIds.length > 0 && { monitorIds }), ...(tags.length > 0 && { tags }) };
}

function entryFrom(
  row: Row,
  { selector, zone, now }: { selector: object; zone: string; now: number },
): Record<string, unknown> | Refused {
  if (!flagOf(row, "active", true)) return { why: "it is paused" };
  if (Object.keys(selector).length === 0) return { why: "no monitor of it was taken over" };
  const times = timesFrom(row, zone);
  if (isRefused(times)) return times;
  const message = cut(textIn(row, "description"), MAX_MESSAGE);
  const entry = { ...(message !== "" && { message }), selector, ...times };
  const fault = faultIn(() => timesOf(parse(NewMaintenance, { title: "-", ...entry }, ""), now));
  if (fault !== undefined) return { why: fault === PAST ? "it is over" : fault };
  return literals(entry) as Record<string, unknown>;
}

function isRefused(entry: Record<string, unknown> | Refused): entry is Refused {
  return "why" in entry;
}

const MAX_MESSAGE = 2000;
const PAST = "endsAt must be in the future";

function omittedParts(row: Row, now: number): OmittedPart[] {
  const start = Date.parse(`${textIn(row, "start_date").replace(" ", "T").replace(/Z?$/, "Z")}`);
  const isSingle = textIn(row, "strategy") === "single";
  const omitted: OmittedPart[] = [];
  if (!isSingle && start > now)
    omitted.push({ part: "start", why: "a maintenance by cron has none: it holds at once" });
  const [wanted = 0, duration] = isSingle ? [] : [wantedDuration(row), durationOf(row)];
  if (duration !== undefined && duration !== wanted) {
    const range = `${SHORTEST_DURATION} to ${MAX_DURATION} s`;
    omitted.push({
      part: "duration",
      why: `it is ${wanted} s; ${range} are possible: it is ${duration} s here`,
    });
  }
  if ([...textIn(row, "description")].length > MAX_MESSAGE)
    omitted.push({ part: "description", why: `it has more than ${MAX_MESSAGE} characters: it is cut` });
  return omitted;
}

/** The fields of a maintenance that say when its windows are. @param zone IANA name */
function timesFrom(row: Row, zone: string): Record<string, unknown> | Refused {
  const strategy = textIn(row, "strategy");
  if (strategy === "manual") return { why: "it has no times: see stillup maintenance start" };
  if (localTime("2026-01-01 00:00", zone) === undefined)
    return { why: `its time zone is unknown: ${zone.slice(0, 40)}` };
  const [startsAt, endsAt] = ["start_date", "end_date"].map((column) => localTime(textIn(row, column), zone));
  if (strategy === "single")
    return startsAt && endsAt ? { startsAt, endsAt } : { why: "it has no start or no end" };
  if (strategy === "recurring-interval" && numberOf(row, "interval_day") !== 1)
    return {
      why: `it runs every ${numberOf(row, "interval_day") ?? "few"} days, which a cron expression cannot say`,
    };
  const duration = durationOf(row);
  if (duration === undefined) return { why: "it has no duration" };
  return {
    cron: cronOf(row).replaceAll(/\s+/g, " "),
    ...(zone !== "UTC" && { timezone: zone }),
    duration,
    ...(endsAt && { until: endsAt }),
  };
}

/** Databases of older versions have no expression for the windows that the page describes by days. */
function cronOf(row: Row): string {
  const stored = textIn(row, "cron");
  if (stored !== "") return withEitherDay(stored);
  const [, hour = "", minute = ""] = /^(\d{1,2}):(\d{2})/.exec(textIn(row, "start_time")) ?? [];
  const start = `${Number(minute)} ${Number(hour)}`;
  const days = (column: string) => (jsonOf(row, column) as unknown[] | undefined)?.join?.(",") ?? "";
  if (textIn(row, "strategy") === "recurring-weekday") return `${start} * * ${days("weekdays")}`;
  if (textIn(row, "strategy") !== "recurring-day-of-month") return `${start} * * *`;
  return `${start} ${days("days_of_month").replaceAll("lastDay1", "L")} * *`;
}

/** Uptime Kuma runs on days that either field names, also if one of them is a step of `*`. Here, the same needs a range (behavior 3.28). */
function withEitherDay(cron: string): string {
  const fields = cron.trim().split(/\s+/);
  const [, , day, , weekday] = fields;
  if (day === "*" || weekday === "*") return cron;
  const ranges = new Map([
    [2, "1-31/"],
    [4, "0-6/"],
  ]);
  return fields.map((field, at) => field.replace(/^\*\//, ranges.get(at) ?? "*/")).join(" ");
}

/** Seconds that a maintenance can have. */
function durationOf(row: Row): number | undefined {
  const duration = Math.round(wantedDuration(row));
  return duration > 0 ? clamp(SHORTEST_DURATION, duration, MAX_DURATION) : undefined;
}

/** Seconds. */
function wantedDuration(row: Row): number {
  const stored = numberOf(row, "duration") ?? 0;
  const [start, end] = ["start_time", "end_time"].map((column) => minutesOf(textIn(row, column)));
  const computed = start === undefined || end === undefined ? 0 : ((end - start + DAY) % DAY) * 60;
  return stored || computed;
}

/** Minutes. */
const DAY = 24 * 60;

function minutesOf(time: string): number | undefined {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})/.exec(time) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

/** The time zone of a row: its own, the zone of the server, or UTC. */
function zoneOf(row: Row, settings: readonly Row[]): string {
  const zone = textIn(row, "timezone");
  if (zone !== "SAME_AS_SERVER") return zone || "UTC";
  const setting = settings.find((one) => textIn(one, "key") === "serverTimezone");
  const server = setting && jsonOf(setting, "value");
  return typeof server === "string" && server !== "" ? server : "UTC";
}

/** A time such as `2026-11-22 20:00` in a time zone, as an ISO 8601 time; undefined if one of them is none. */
function localTime(text: string, zone: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)/.exec(text) ?? [];
  const local = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(local)) return undefined;
  try {
    return new Date(localTimeIn(zone).momentOf(local)).toISOString().replace(".000Z", "Z");
  } catch {
    // `Intl` throws for an unknown zone.
    return undefined;
  }
}
