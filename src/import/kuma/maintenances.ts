import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { NewMaintenance, timesOf } from "../../domain/maintenance/request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { AppError } from "../../errors.ts";
import { named } from "../left.ts";
import type { Report } from "../report.ts";
import { literals } from "../written-config.ts";
import { flagOf, groupedBy, idOf, type KumaData, type Row, textOf } from "./data.ts";
import type { Refused } from "./fields.ts";
import type { Groups } from "./groups.ts";
import { timesFrom, zoneOf } from "./maintenance-times.ts";

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

function leftOf(row: Row, now: number): { part: string; why: string }[] {
  const start = Date.parse(`${textOf(row, "start_date").replace(" ", "T").replace(/Z?$/, "Z")}`);
  const isLater = textOf(row, "strategy") !== "single" && start > now;
  return isLater ? [{ part: "start", why: "a maintenance by cron has none: it holds at once" }] : [];
}
