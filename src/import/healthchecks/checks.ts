import { literal } from "../../domain/configuration/placeholder.ts";
import { hasRun, isCronExpression, isTimezone, matchesBothDays } from "../../domain/heartbeats/cron.ts";
import { integerOf, named, type Report, type ReportOmission, tagsOf, textOf } from "../imported.ts";

const YEAR = 31_536_000;
const MIN = 10;

/** A check of Healthchecks as a SCHEDULED monitor (behavior 16.119), without its ref and channels. */
export function monitorOf(check: Record<string, unknown>, report: Report) {
  const name = nameOf(check);
  const omit: ReportOmission = (part, why) => report.omit(named("check", name, part), why);
  omitSettings(check, omit);
  const texts = (textOf(check.tags) ?? "").split(/\s+/).filter(Boolean);
  const tags = tagsOf(texts, { what: named("check", name), report });
  return {
    name: literal(name),
    type: "SCHEDULED",
    config: { ...rhythmOf(check, omit), ...graceOf(check, omit), ...limitOf(check, omit) },
    ...(check.status === "paused" && { enabled: false }),
    ...(tags.length > 0 && { tags }),
  };
}

export function nameOf(check: Record<string, unknown>): string {
  return textOf(check.name)?.trim() || textOf(check.slug) || "unnamed";
}

function rhythmOf(check: Record<string, unknown>, omit: ReportOmission): Record<string, unknown> {
  const schedule = textOf(check.schedule)?.trim();
  if (schedule === undefined) {
    const period = integerOf(check.timeout, MIN, YEAR);
    const right = `a whole number of seconds from ${MIN} to ${YEAR}`;
    if (period === undefined) omit("timeout", `it is not ${right}, got ${shown(check.timeout)}: ${LEARNED}`);
    return period === undefined ? {} : { period };
  }
  const cron = cronOf(schedule, textOf(check.tz) ?? "UTC");
  if (!cron) omit("schedule", `it has no form as a cron expression of five fields here: ${LEARNED}`);
  return cron ?? {};
}

const LEARNED = "stillup learns the rhythm from the check-ins";

function cronOf(schedule: string, zone: string): { cron: string; timezone?: string } | undefined {
  const { cron, timezone } = isCronExpression(schedule)
    ? { cron: schedule, timezone: zone }
    : { timezone: zone, cron: "", ...cronOfCalendar(schedule) };
  if (cron === "" || !isTimezone(timezone) || !hasRun({ cron, timezone })) return undefined;
  return timezone === "UTC" ? { cron } : { cron, timezone };
}

/** A value of the API in a message. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 40);
}

function graceOf(check: Record<string, unknown>, omit: ReportOmission): { grace?: number } {
  const grace = integerOf(check.grace, 0, YEAR);
  if (grace === undefined && check.grace !== undefined) {
    const right = `a whole number of seconds from 0 to ${YEAR}`;
    omit("grace", `it is not ${right}, got ${shown(check.grace)}: the default of stillup holds`);
  }
  return grace === undefined ? {} : { grace };
}

const MAX_LIMIT = 604_800;

/** For Healthchecks, the grace is also how long a run may take whose start a job reports (behavior 16.122). */
function limitOf(check: Record<string, unknown>, omit: ReportOmission): { maxRunTime?: number } {
  const hasRuns = check.started === true || integerOf(check.last_duration, 0, YEAR) !== undefined;
  if (!hasRuns) return {};
  const grace = integerOf(check.grace, 1, YEAR);
  if (grace === undefined) return {};
  if (grace <= MAX_LIMIT) return { maxRunTime: grace };
  omit(
    "grace",
    `as the longest run, ${grace} s are more than ${MAX_LIMIT} s: stillup learns that limit from the runs`,
  );
  return {};
}

const FILTERS = ["filter_subject", "filter_body", "filter_http_body", "filter_default_fail"];

function omitSettings(check: Record<string, unknown>, omit: ReportOmission): void {
  if (textOf(check.methods) !== undefined)
    omit("methods", "each request of a job counts, whatever its method");
  if (FILTERS.some((name) => check[name] === true))
    omit("filters", "stillup reads neither e-mail nor the body of a check-in");
  if (check.manual_resume === true)
    omit("manual_resume", "a paused monitor stays paused until it is resumed");
}

/* Schedules in the form of systemd (OnCalendar), which Healthchecks knows beside cron. */

const WORDS: Record<string, string> = {
  minutely: "* * * * *",
  hourly: "0 * * * *",
  daily: "0 0 * * *",
  weekly: "0 0 * * 1",
  monthly: "0 0 1 * *",
  quarterly: "0 0 1 1,4,7,10 *",
  semiannually: "0 0 1 1,7 *",
  yearly: "0 0 1 1 *",
  annually: "0 0 1 1 *",
};

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FORM =
  /^(?:([A-Za-z,.]+) +)?(?:(?:\*-)?([\d*,./]+)-([\d*,./]+) +)?([\d*,./]+):([\d*,./]+)(?::0?0)?(?: +([A-Za-z][\w/+-]*))?$/;

/** The same runs by a cron expression. Undefined if it has no such expression. */
export function cronOfCalendar(calendar: string): { cron: string; timezone?: string } | undefined {
  const text = calendar.trim();
  const word = Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined;
  if (word !== undefined) return { cron: word };
  const [whole, days, month = "*", day = "*", hour = "*", minute = "*", timezone] = FORM.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const weekdays = days === undefined ? "*" : weekdaysOf(days);
  if (weekdays === undefined) return undefined;
  const fields = [fieldOf(minute, 59), fieldOf(hour, 23), fieldOf(day, 31), fieldOf(month, 12)];
  const cron = [...fields, weekdays].join(" ");
  // OnCalendar runs on days that both fields name. Cron may run on days that either names (behavior 3.28).
  return matchesBothDays(cron) && isCronExpression(cron)
    ? { cron, ...(timezone !== undefined && { timezone }) }
    : undefined;
}

/** `0/15` are all quarters of an hour, `9..17` a range. */
function fieldOf(text: string, last: number): string {
  return text
    .split(",")
    .map((part) => {
      const [, first, step] = /^(\d+|\*)\/(\d+)$/.exec(part) ?? [];
      if (first === undefined) return part.replace("..", "-").replaceAll(/\b0+(?=\d)/g, "");
      return Number(first) === 0 || first === "*"
        ? `*/${Number(step)}`
        : `${Number(first)}-${last}/${Number(step)}`;
    })
    .join(",");
}

/** `Mon..Fri` and `Sat,Sun` as numbers. */
function weekdaysOf(text: string): string | undefined {
  const parts = text.split(",").map((part) => part.split("..").map(weekdayOf));
  if (parts.flat().includes(-1) || parts.some(({ length }) => length > 2)) return undefined;
  return parts.map(([first = 0, last = first]) => rangeOf(first, last)).join(",");
}

function rangeOf(first: number, last: number): string {
  if (first === last) return String(first);
  return last === 0 ? `${first}-7` : `${first}-${last}`;
}

function weekdayOf(name: string): number {
  const at = DAYS.indexOf(name.slice(0, 3).toLowerCase());
  return /^[A-Za-z]{3,9}$/.test(name) ? at : -1;
}
