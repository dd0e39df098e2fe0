import type { Ledger, SimMaintenance, SimMonitor } from "../../ledger.ts";
import { runsOf } from "../../truth/cron-runs.ts";
import type { Stretch } from "../own-faults.ts";
import { accepted } from "./spells.ts";
import { type Known, united } from "./stretches.ts";

const SECOND = 1000;
const HOUR = 3_600_000;

/** How long a request of an operator takes, and how inexact the end of a window is; milliseconds. */
const MARGIN = 2 * SECOND;

/** One open window of a maintenance. @property isEarly an operator ended it */
export interface Run extends Stretch {
  maintenance: SimMaintenance;
  isEarly: boolean;
}

/** Every window of a scenario, by its start (E3: computed from the definition, of which a time that occurs twice runs once). */
export function maintenanceRuns(ledger: Ledger): Run[] {
  const { scenario } = ledger;
  const created = accepted(ledger, "create maintenance").map(({ request, from }) => ({
    maintenance: request.maintenance,
    from,
  }));
  const given = (scenario.maintenances ?? []).map((maintenance) => ({ maintenance, from: scenario.from }));
  return [...given, ...created]
    .flatMap(({ maintenance, from }) => runsOfOne(maintenance, { from, to: scenario.to }, ledger))
    .sort((a, b) => a.from - b.from);
}

function runsOfOne(maintenance: SimMaintenance, exists: Stretch, ledger: Ledger): Run[] {
  const { name, window } = maintenance;
  const isOwn = ({ request }: { request: { maintenance: string } }) => request.maintenance === name;
  const [deletion] = accepted(ledger, "delete maintenance").filter(isOwn);
  const ends = [...accepted(ledger, "end window").filter(isOwn), ...(deletion ? [deletion] : [])];
  return windowsOf(window, ledger.scenario)
    .filter(({ from, to }) => to > exists.from && from < (deletion?.from ?? exists.to))
    .map(({ from, to }) => {
      const start = Math.max(from, exists.from);
      const end = ends.find((request) => request.from > start && request.from < to);
      return { maintenance, from: start, to: end?.from ?? to, isEarly: end !== undefined };
    });
}

/** The windows of a maintenance that touch a stretch. */
export function windowsOf(window: SimMaintenance["window"], { from, to }: Stretch): Stretch[] {
  if ("startsAt" in window) return [{ from: window.startsAt, to: window.endsAt }];
  const { duration, until = Number.POSITIVE_INFINITY, ...schedule } = window;
  return runsOf(schedule, from - duration * SECOND - HOUR, to)
    .filter(({ at, local }) => local !== "again" && at <= until)
    .map(({ at }) => ({ from: at, to: at + duration * SECOND }));
}

export function isSelected(
  { selector: { monitors, tags, all } }: SimMaintenance,
  monitor: SimMonitor,
): boolean {
  if (all || monitors?.includes(monitor.name)) return true;
  return tags?.some((tag) => monitor.tags?.includes(tag)) ?? false;
}

/** When a monitor is in maintenance. */
export function windowsOfMonitor(monitor: SimMonitor, runs: readonly Run[]): Known {
  const own = runs.filter(({ maintenance }) => isSelected(maintenance, monitor));
  const early = (run: Run) => (run.isEarly ? MARGIN : 0);
  return {
    surely: united(own.map((run) => ({ from: run.from + MARGIN, to: run.to - 1 }))).filter(
      ({ from, to }) => from < to,
    ),
    possibly: united(own.map((run) => ({ from: run.from - MARGIN, to: run.to + MARGIN + early(run) }))),
  };
}
