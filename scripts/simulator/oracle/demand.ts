import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import { clearStretches } from "./cadence.ts";
import { pausesOf } from "./calm/spells.ts";
import { intervalOf } from "./due-checks.ts";
import { extended, type OwnFaults, type Stretch, without } from "./own-faults.ts";

/** How long a location, or a monitor that is resumed, may take until its first check; milliseconds. */
const STARTING = 60_000;

/** The fewest events that a run must have had to prove anything. */
export interface Demand {
  /** Conclusive checks. */
  checks: number;
  checkins: number;
}

/**
 * The checks and check-ins that the monitors of a run demand: one check for each interval in which no fault, pause or death of a location
 * keeps them from it, and each check-in that the truth has while the server runs.
 */
export function demandOf(ledger: Ledger, faults: OwnFaults): Demand {
  const { monitors } = ledger.scenario;
  const absences = [...faults.absent, ...faults.frozen, ...faults.storage, ...faults.offline, ...faults.deaf];
  const unanswered = extended(absences, STARTING).map(({ from, to }) => ({ from: from - STARTING, to }));
  const isAnswered = ({ at }: { at: number }) => !unanswered.some(({ from, to }) => from <= at && at <= to);
  return {
    checks: sum(
      monitors.filter(({ type }) => type !== "SCHEDULED"),
      (monitor) => checksOf(monitor, ledger, faults),
    ),
    checkins: sum(monitors, ({ checkins = [] }) => checkins.filter(isAnswered).length),
  };
}

/** A run that made fewer checks, or none at all, proves nothing. */
export function judgeDemand(ledger: Ledger, faults: OwnFaults): Violation[] {
  const demand = demandOf(ledger, faults);
  const made: Demand = {
    checks: ledger.checks.filter(({ observation }) => observation.outcome !== "inconclusive").length,
    checkins: ledger.checkins.filter(({ accepted }) => accepted).length,
  };
  const at = ledger.scenario.to;
  const missing = (["checks", "checkins"] as const)
    .filter((kind) => made[kind] < demand[kind])
    .map((kind) => ({
      rule: "a run makes the checks that its monitors and its time demand",
      at,
      text: `${made[kind]} ${kind} instead of at least ${demand[kind]}`,
    }));
  if (demand.checks + demand.checkins > 0) return missing;
  const text = "its monitors and its time demand neither a check nor a check-in";
  return [...missing, { rule: "a run proves something", at, text }];
}

function checksOf(monitor: SimMonitor, ledger: Ledger, faults: OwnFaults): number {
  const interval = intervalOf(monitor);
  const within = (stretches: readonly Stretch[]) =>
    sum(stretches, ({ from, to }) => Math.max(0, Math.floor((to - from - STARTING) / interval)));
  const { places } = monitor;
  const remote = ledger.placeLives.filter(({ place }) => places?.names.includes(place));
  if (places && !places.names.includes("here")) return within(remote);
  const pauses = extended(pausesOf(monitor.name, ledger), STARTING);
  const clear = clearStretches(monitor, ledger, faults);
  return within(remote) + within(clear.flatMap((stretch) => without(stretch, pauses)));
}

function sum<One>(all: readonly One[], value: (one: One) => number): number {
  return all.reduce((total, one) => total + value(one), 0);
}
