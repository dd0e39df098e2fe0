import { localTimeIn } from "../../domain/maintenance/local-time.ts";
import { LONGEST_DURATION, SHORTEST_DURATION } from "../../domain/maintenance/request.ts";
import { jsonOf, numberOf, type Row, textOf } from "./data.ts";
import type { Refused } from "./fields.ts";

/** The fields of a maintenance that say when its windows are. @param zone IANA name */
export function timesFrom(row: Row, zone: string): Record<string, unknown> | Refused {
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
  if (stored !== "") return withEitherDay(stored);
  const [, hour = "", minute = ""] = /^(\d{1,2}):(\d{2})/.exec(textOf(row, "start_time")) ?? [];
  const start = `${Number(minute)} ${Number(hour)}`;
  const days = (column: string) => (jsonOf(row, column) as unknown[] | undefined)?.join?.(",") ?? "";
  if (textOf(row, "strategy") === "recurring-weekday") return `${start} * * ${days("weekdays")}`;
  if (textOf(row, "strategy") !== "recurring-day-of-month") return `${start} * * *`;
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
export function zoneOf(row: Row, settings: readonly Row[]): string {
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
