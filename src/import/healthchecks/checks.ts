import { literal } from "../../domain/configuration/placeholder.ts";
import { hasRun, isCronExpression, isTimezone } from "../../domain/heartbeats/cron.ts";
import { tagsOf } from "../tags.ts";
import { integerOf, textOf } from "../untyped.ts";
import { cronOfCalendar } from "./on-calendar.ts";

const YEAR = 31_536_000;
const SHORTEST = 10;

/** Leaves out a part of a check, such as `schedule`. */
type Leave = (part: string, why: string) => void;

/** A check of Healthchecks as a SCHEDULED monitor (behavior 16.119), without its ref and channels. */
export function monitorOf(check: Record<string, unknown>, leave: Leave) {
  leaveSettings(check, leave);
  const tags = tagsOf((textOf(check.tags) ?? "").split(/\s+/).filter(Boolean));
  return {
    name: literal(nameOf(check)),
    type: "SCHEDULED",
    config: { ...rhythmOf(check, leave), ...graceOf(check) },
    ...(check.status === "paused" && { enabled: false }),
    ...(tags.length > 0 && { tags }),
  };
}

export function nameOf(check: Record<string, unknown>): string {
  return textOf(check.name)?.trim() || textOf(check.slug) || "unnamed";
}

function rhythmOf(check: Record<string, unknown>, leave: Leave): Record<string, unknown> {
  const schedule = textOf(check.schedule)?.trim();
  if (schedule === undefined) {
    const period = integerOf(check.timeout, SHORTEST, YEAR);
    if (period === undefined) leave("timeout", `it is no number of seconds: ${LEARNED}`);
    return period === undefined ? {} : { period };
  }
  const cron = cronOf(schedule, textOf(check.tz) ?? "UTC");
  if (!cron) leave("schedule", `it has no form as a cron expression of five fields here: ${LEARNED}`);
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

function graceOf(check: Record<string, unknown>): { grace?: number } {
  const grace = integerOf(check.grace, 0, YEAR);
  return grace === undefined ? {} : { grace };
}

const FILTERS = ["filter_subject", "filter_body", "filter_http_body", "filter_default_fail"];

function leaveSettings(check: Record<string, unknown>, leave: Leave): void {
  if (textOf(check.methods) !== undefined)
    leave("methods", "each request of a job counts, whatever its method");
  if (FILTERS.some((name) => check[name] === true))
    leave("filters", "stillup reads neither e-mail nor the body of a check-in");
  if (check.manual_resume === true)
    leave("manual_resume", "a paused monitor stays paused until it is resumed");
}
