import { compareTurns, type TurnFigures } from "./compare-turns.ts";
import type { Coverage } from "./coverage/counts.ts";
import { coverageOf } from "./coverage/coverage.ts";
import type { Scenario, Violation } from "./ledger.ts";
import { demandOf } from "./oracle/demand.ts";
import { findViolations } from "./oracle/judge.ts";
import { type OnCallFigures, onCallFigures } from "./oracle/on-call/figures.ts";
import { ownFaults } from "./oracle/own-faults.ts";
import { wholeDemand } from "./oracle/whole/judge-whole.ts";
import { type ReplayFigures, replaySeed } from "./replay-seed.ts";
import { type RunFigures, runJobs } from "./run-jobs.ts";
import { reduced } from "./shrink/reduced.ts";
import type { Removed } from "./shrink/removed.ts";
import { drawBlind } from "./truth/blind.ts";
import { drawCalm } from "./truth/calm/scenario.ts";
import { drawCrowd } from "./truth/crowd.ts";
import { drawOnCall } from "./truth/on-call.ts";
import { drawPlaces } from "./truth/places.ts";
import { drawRhythms } from "./truth/rhythms/scenario.ts";
import { drawScenario } from "./truth/scenario.ts";
import { drawWhole } from "./truth/whole/scenario.ts";
import type { SimulatedEngine } from "./world/database.ts";
import { simulate } from "./world/simulate.ts";

const HOUR = 3_600_000;

export interface SeedOptions {
  /** Default: see `daysOf`. */
  days?: number | undefined;
  /** Only monitors that remote locations check, for so many hours instead of days. */
  locationHours?: number | undefined;
  /** Only monitors with dependencies, windows, delays and reminders, for so many hours instead of days. */
  calmHours?: number | undefined;
  /** With `calmHours`: channels have hours in which they are notified. */
  nights?: boolean | undefined;
  /** Only monitors that notify whoever is on call, for so many days. */
  onCallDays?: number | undefined;
  /** With `onCallDays`: so many people in teams, whose jobs report when they fail. */
  people?: number | undefined;
  /** With `people`: only their turns are compared, without a server. */
  turns?: boolean | undefined;
  /** Only jobs that keep their local time over changes of clocks, for so many weeks instead of days. */
  jobWeeks?: number | undefined;
  /** All of it together, for so many days. */
  whole?: boolean | undefined;
  /** The DNS server dies alone, in so many hours instead of days. */
  blindHours?: number | undefined;
  /** Only jobs that report their runs, without a server. */
  runs?: boolean | undefined;
  /** Replays are compared, with the records and with a second run with other settings. */
  replay?: boolean | undefined;
  /** With `replay`: also a replay that computes everything must agree with the records. */
  computed?: boolean | undefined;
  /** How many monitors; the default of `drawScenario` if left out. */
  monitors?: number | undefined;
  /** How many server processes share the database; only PostgreSQL. */
  nodes?: number | undefined;
  /** Default: SQLite. */
  engine?: SimulatedEngine;
  /** Whether the verdict says what the world did. */
  coverage?: boolean | undefined;
  /** The parts of the scenario that `--shrink` left out. */
  removed?: Removed;
}

/** The outcome of one seed. */
export interface Verdict {
  seed: number;
  /** Equal for each run of the seed with the same options. */
  trace: string;
  violations: Violation[];
  /** When the scenario began; milliseconds since 1970. */
  from: number;
  monitorHours: number;
  /** Checks that ran to their end, and how many the monitors and the time demand at least. */
  checks: number;
  demandedChecks: number;
  checkins: number;
  notifications: number;
  /** How often the server process started. */
  lives: number;
  coverage?: Coverage;
  runs?: RunFigures;
  onCall?: OnCallFigures;
  turns?: TurnFigures;
  replay?: ReplayFigures;
}

/** Runs the scenario of a seed and judges it. */
export async function runSeed(
  seed: number,
  { engine = "sqlite", removed = {}, ...options }: SeedOptions,
): Promise<Verdict> {
  if (options.runs) return runJobs(seed, options.monitors);
  if (options.turns)
    return compareTurns(seed, { people: options.people ?? 0, days: options.onCallDays ?? 0 });
  const { nodes } = options;
  const scenario = { ...reduced(scenarioOf(seed, options), removed), ...(nodes && { nodes }) };
  const { ledger, trace, interruptions, ...judged } = options.replay
    ? await replaySeed(scenario, { engine, isComputed: options.computed ?? false })
    : { ...(await simulate(scenario, { engine })), violations: null, replay: null };
  const violations = judged.violations ?? findViolations(ledger);
  return {
    seed,
    trace,
    violations,
    from: scenario.from,
    monitorHours: (scenario.monitors.length * (scenario.to - scenario.from)) / HOUR,
    checks: ledger.checks.length,
    demandedChecks: scenario.whole ? wholeDemand(ledger) : demandOf(ledger, ownFaults(ledger)).checks,
    checkins: ledger.checkins.length,
    notifications: ledger.deliveries.length,
    lives: ledger.lives.length,
    ...(scenario.onCall && { onCall: onCallFigures(ledger, violations) }),
    ...(judged.replay && { replay: judged.replay }),
    ...(options.coverage && { coverage: coverageOf(ledger, interruptions) }),
  };
}

export function daysOf(whole: boolean | undefined): number {
  return whole ? 8 : 30;
}

/** The scenario that a seed draws, all of it. */
export function scenarioOf(
  seed: number,
  {
    whole,
    days = daysOf(whole),
    locationHours,
    calmHours,
    nights,
    onCallDays,
    people,
    jobWeeks,
    blindHours,
    monitors,
  }: SeedOptions,
): Scenario {
  const size = { seed, ...(monitors !== undefined && { monitors }) };
  if (locationHours !== undefined) return drawPlaces({ ...size, hours: locationHours });
  if (calmHours !== undefined) return drawCalm({ ...size, hours: calmHours, nights: nights ?? false });
  if (onCallDays !== undefined && people !== undefined) return drawCrowd({ seed, people, days: onCallDays });
  if (onCallDays !== undefined) return drawOnCall({ ...size, days: onCallDays });
  if (whole) return drawWhole({ ...size, days });
  if (blindHours !== undefined) return drawBlind({ ...size, hours: blindHours });
  if (jobWeeks !== undefined)
    return drawRhythms({ seed, weeks: jobWeeks, ...(monitors && { jobs: monitors }) });
  return drawScenario({ ...size, days });
}
