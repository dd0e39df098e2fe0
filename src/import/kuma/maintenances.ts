import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { localTimeIn } from "../../domain/maintenance/local-time.ts";
import {
  LONGEST_DURATION,
  NewMaintenance,
  SHORTEST_DURATION,
  timesOf,
} from "../../domain/maintenance/request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { AppError } from "../../errors.ts";
import { named } from "../left.ts";
import type { Report } from "../report.ts";
import { literals } from "../written-config.ts";
import { flagOf, groupedBy, idOf, jsonOf, type KumaData, numberOf, type Row, textOf } from "./data.ts";
import type { Refused } from "./fields.ts";
import type { Groups } from "./groups.ts";

interface MaintenanceContext {
  refOf: RefNames;
  /** The ref of a monitor that was taken over, by its ID in Uptime Kuma. */
  monitorRefs: ReadonlyMap<number, string>;
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
    const title = textOf(row, "title");
    const selector = selectorOf(bound.get(idOf(row) ?? Number.NaN) ?? [], { monitorRefs, groups });
    const entry = entryFrom(row, { selector, zone: zoneOf(row, settings), now });
    if (isRefused(entry)) report.leave(named("maintenance", title), entry.why);
    else {
      const ref = refOf(title);
      for (const { part, why } of leftOf(row, now)) report.leave(named("maintenance", title, part), why);
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
  const ids = rows.map((row) => idOf(row, "monitor_id") ?? Number.NaN);
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
  const message = [...textOf(row, "description")].slice(0, LONGEST_MESSAGE).join("");
  const entry = { ...(message !== "" && { message }), selector, ...times };
  try {
    timesOf(parse(NewMaintenance, { title: "-", ...entry }, ""), now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { why: error.message === PAST ? "it is over" : error.message };
  }
  return literals(entry) as Record<string, unknown>;
}

function isRefused(entry: Record<string, unknown> | Refused): entry is Refused {
  return "why" in entry;
}

const LONGEST_MESSAGE = 2000;
const PAST = "endsAt must be in the future";

function timesFrom(row: Row, zone: string): Record<string, unknown> | Refused {
  const strategy = textOf(row, "strategy");
  if (strategy === "manual") return { why: "it has no times: see stillup maintenance start" };
  if (localTime("2026-01-01 00:00", zone) === undefined)
    return { why: `its time zone is unknown: ${zone.slice(0, 40)}` };
  const [startsAt, endsAt] = ["start_date", "end_date"].map((column) => localTime(textOf(row, column), zone));
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
  const stored = textOf(row, "cron");
  if (stored !== "") return stored;
  const [, hour = "", minute = ""] = /^(\d{1,2}):(\d{2})/.exec(textOf(row, "start_time")) ?? [];
  const start = `${Number(minute)} ${Number(hour)}`;
  const days = (column: string) => (jsonOf(row, column) as unknown[] | undefined)?.join?.(",") ?? "";
  if (textOf(row, "strategy") === "recurring-weekday") return `${start} * * ${days("weekdays")}`;
  if (textOf(row, "strategy") !== "recurring-day-of-month") return `${start} * * *`;
  return `${start} ${days("days_of_month").replaceAll("lastDay1", "L")} * *`;
}

/** Seconds. */
function durationOf(row: Row): number | undefined {
  const stored = numberOf(row, "duration") ?? 0;
  const [start, end] = ["start_time", "end_time"].map((column) => minutesOf(textOf(row, column)));
  const computed = start === undefined || end === undefined ? 0 : ((end - start + DAY) % DAY) * 60;
  const duration = Math.round(stored || computed);
  return duration > 0 ? Math.min(Math.max(duration, SHORTEST_DURATION), LONGEST_DURATION) : undefined;
}

/** Minutes. */
const DAY = 24 * 60;

function minutesOf(time: string): number | undefined {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})/.exec(time) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

/** The time zone of a row: its own, that of the server, or UTC. */
function zoneOf(row: Row, settings: readonly Row[]): string {
  const zone = textOf(row, "timezone");
  if (zone !== "SAME_AS_SERVER") return zone || "UTC";
  const setting = settings.find((one) => textOf(one, "key") === "serverTimezone");
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

function leftOf(row: Row, now: number): { part: string; why: string }[] {
  const start = Date.parse(`${textOf(row, "start_date").replace(" ", "T").replace(/Z?$/, "Z")}`);
  const isLater = textOf(row, "strategy") !== "single" && start > now;
  return isLater ? [{ part: "start", why: "a maintenance by cron has none: it holds at once" }] : [];
}
