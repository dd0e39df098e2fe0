import { createRefNames } from "../../domain/configuration/placeholder.ts";
import { isTimezone } from "../../domain/heartbeats/cron.ts";
import { listOf, type ReportOmission, textOf } from "../imported.ts";

type Entry = Record<string, unknown>;

/** The daily windows of monitors as maintenances: each definition once, for all monitors that have it. */
export interface Windows {
  add(attributes: Entry, ref: string, omit: ReportOmission): void;
  /** By ref. */
  entries(): Record<string, Entry>;
}

interface Times {
  cron: string;
  timezone?: string;
  duration: number;
}

export function createWindows(): Windows {
  const known = new Map<string, { times: Times; monitorIds: string[] }>();
  return {
    add(attributes, ref, omit) {
      for (const times of timesOf(attributes, omit)) {
        const key = JSON.stringify(times);
        const same = known.get(key) ?? { times, monitorIds: [] };
        same.monitorIds.push(ref);
        known.set(key, same);
      }
    },
    entries() {
      const refOf = createRefNames("maintenance");
      return Object.fromEntries(
        [...known.values()].map(({ times, monitorIds }) => [
          refOf("maintenance"),
          { title: "Maintenance", selector: { monitorIds }, ...times },
        ]),
      );
    },
  };
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY = 24 * 60;

/** The windows of a monitor: a window over midnight on some days is two, because Better Stack looks at the day of each moment. */
function timesOf(attributes: Entry, omit: ReportOmission): Times[] {
  const { maintenance_from, maintenance_to, maintenance_timezone, maintenance_days } = attributes;
  if (textOf(maintenance_from) === undefined && textOf(maintenance_to) === undefined) return [];
  const [from, to] = [minutesOf(maintenance_from), minutesOf(maintenance_to)];
  const days = listOf(maintenance_days).map((day) => DAYS.indexOf(textOf(day) ?? ""));
  const given = textOf(maintenance_timezone) ?? "UTC";
  const zone = zoneOf(given);
  if (from === undefined || to === undefined || from === to || days.includes(-1)) {
    omit("maintenance", "it has no start and end such as 01:00:00, or an unknown day");
    return [];
  }
  if (zone === undefined) {
    omit("maintenance", `its time zone is unknown: ${given.slice(0, 40)}`);
    return [];
  }
  const isDaily = days.length === 0 || new Set(days).size === DAYS.length;
  const onDays = isDaily
    ? "*"
    : [...new Set(days)]
        .sort()
        .map((day) => day + 1)
        .join(",");
  const window = (start: number, end: number): Times => ({
    cron: `${start % 60} ${Math.floor(start / 60)} * * ${onDays}`,
    ...(zone !== "UTC" && { timezone: zone }),
    duration: (end - start) * 60,
  });
  if (from < to) return [window(from, to)];
  if (isDaily) return [window(from, to + DAY)];
  return [window(from, DAY), ...(to > 0 ? [window(0, to)] : [])];
}

function minutesOf(time: unknown): number | undefined {
  const [, hour, minute] = /^(?:\d{4}-\d\d-\d\dT)?([01]?\d|2[0-3]):([0-5]\d)/.exec(textOf(time) ?? "") ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

const REGIONS = ["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic"];

/** By the name of a zone in Better Stack, if IANA has no city with this name. */
const ZONES: Record<string, string> = {
  "International Date Line West": "Etc/GMT+12",
  "Midway Island": "Pacific/Midway",
  "American Samoa": "Pacific/Pago_Pago",
  Hawaii: "Pacific/Honolulu",
  Alaska: "America/Juneau",
  "Pacific Time (US & Canada)": "America/Los_Angeles",
  "Mountain Time (US & Canada)": "America/Denver",
  Arizona: "America/Phoenix",
  "Central Time (US & Canada)": "America/Chicago",
  Saskatchewan: "America/Regina",
  Guadalajara: "America/Mexico_City",
  "Central America": "America/Guatemala",
  "Eastern Time (US & Canada)": "America/New_York",
  "Indiana (East)": "America/Indiana/Indianapolis",
  Quito: "America/Lima",
  "Atlantic Time (Canada)": "America/Halifax",
  Newfoundland: "America/St_Johns",
  Brasilia: "America/Sao_Paulo",
  "Buenos Aires": "America/Argentina/Buenos_Aires",
  Georgetown: "America/Guyana",
  Greenland: "America/Godthab",
  "Mid-Atlantic": "Atlantic/South_Georgia",
  "Cape Verde Is.": "Atlantic/Cape_Verde",
  Edinburgh: "Europe/London",
  Bern: "Europe/Zurich",
  "West Central Africa": "Africa/Algiers",
  Kyiv: "Europe/Kiev",
  Pretoria: "Africa/Johannesburg",
  "St. Petersburg": "Europe/Moscow",
  "Abu Dhabi": "Asia/Muscat",
  Ekaterinburg: "Asia/Yekaterinburg",
  Islamabad: "Asia/Karachi",
  Chennai: "Asia/Kolkata",
  Mumbai: "Asia/Kolkata",
  "New Delhi": "Asia/Kolkata",
  "Sri Jayawardenepura": "Asia/Colombo",
  Astana: "Asia/Almaty",
  Hanoi: "Asia/Bangkok",
  Beijing: "Asia/Shanghai",
  Osaka: "Asia/Tokyo",
  Sapporo: "Asia/Tokyo",
  "Solomon Is.": "Pacific/Guadalcanal",
  "New Caledonia": "Pacific/Noumea",
  "Marshall Is.": "Pacific/Majuro",
  Wellington: "Pacific/Auckland",
  "Nuku'alofa": "Pacific/Tongatapu",
  "Tokelau Is.": "Pacific/Fakaofo",
  "Chatham Is.": "Pacific/Chatham",
  Samoa: "Pacific/Apia",
};

/** The zone of IANA for a name of Better Stack, which is mostly the name of a city. */
export function zoneOf(name: string): string | undefined {
  if (name === "UTC" || name === "Etc/UTC") return "UTC";
  const special = Object.hasOwn(ZONES, name) ? ZONES[name] : undefined;
  const candidates = [special ?? name, ...REGIONS.map((region) => `${region}/${name.replaceAll(" ", "_")}`)];
  return candidates.find((zone) => zone.includes("/") && isTimezone(zone));
}
