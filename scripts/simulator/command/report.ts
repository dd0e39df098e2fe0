import type { TurnFigures } from "../compare-turns.ts";
import { sumOf } from "../coverage/counts.ts";
import { missing } from "../coverage/demanded.ts";
import { coverageLines } from "../coverage/report.ts";
import type { FaultSearch } from "../deliberate-faults/find-faults.ts";
import type { Violation } from "../ledger.ts";
import type { OnCallFigures } from "../oracle/on-call/figures.ts";
import type { ReplayFigures } from "../replay-seed.ts";
import type { RunFigures } from "../run-jobs.ts";
import { daysOf, type SeedOptions, type Verdict } from "../run-seed.ts";
import type { SeedReport } from "../seed-worker.ts";
import type { Request } from "./request.ts";

/** Violations of one seed in the output. */
const MAX_VIOLATIONS = 10;

/** A bar on a terminal, nothing elsewhere. */
export function showProgress(all: number): (report: SeedReport) => void {
  let [done, failures] = [0, 0];
  return (report) => {
    done++;
    if ("error" in report || report.verdict.violations.length > 0) failures++;
    if (!process.stderr.isTTY) return;
    const filled = Math.round((30 * done) / all);
    const bar = "█".repeat(filled) + "░".repeat(30 - filled);
    process.stderr.write(`\r${bar} ${done}/${all}${failures > 0 ? `, ${failures} failed` : ""}`);
    if (done === all) process.stderr.write("\n");
  };
}

/** Counts the runs of a seed on a terminal. */
export function showRuns(runs: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${runs} runs `);
}

export function printFailure(report: SeedReport, { options, fault }: Request): void {
  console.log(`seed ${report.seed} failed: ${commandOf(report.seed, options, fault)}`);
  if ("error" in report) {
    console.log(`  ${report.error}`);
    return;
  }
  const { violations, from } = report.verdict;
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) console.log(`  ${lineOf(violation, from)}`);
  const hidden = violations.length - MAX_VIOLATIONS;
  if (hidden > 0) console.log(`  and ${hidden} more`);
}

/** One row of the table in docs/laboratory.md. */
export function printSearch({ fault: { name, seam, effect, world }, seed, rule }: FaultSearch): void {
  const options = commandOf(seed ?? 1, world).replace(/^.* --seed \d+ /, "");
  const found = seed === null ? "not found | " : `${seed} | ${rule}`;
  console.log(`| \`${name}\` | ${seam} | ${effect} | \`${options}\` | ${found} |`);
}

/** The command that repeats a seed. */
export function commandOf(
  seed: number,
  {
    whole,
    days = daysOf(whole),
    locationHours,
    calmHours,
    nights,
    onCallDays,
    people,
    turns,
    jobWeeks,
    blindHours,
    runs,
    replay,
    computed,
    monitors,
    engine,
    nodes,
  }: SeedOptions,
  fault?: string,
): string {
  const more =
    (monitors === undefined ? "" : ` --monitors ${monitors}`) +
    (replay ? ` --replay${computed ? " --computed" : ""}` : "") +
    (engine === "postgres" ? " --engine postgres" : "") +
    (nodes === undefined ? "" : ` --nodes ${nodes}`) +
    (fault === undefined ? "" : ` --fault ${fault}`);
  const length =
    (locationHours !== undefined && `--locations --hours ${locationHours}`) ||
    (calmHours !== undefined && `--calm --hours ${calmHours}${nights ? " --nights" : ""}`) ||
    (onCallDays !== undefined &&
      `--on-call --days ${onCallDays}${people === undefined ? "" : ` --people ${people}`}${turns ? " --turns" : ""}`) ||
    (blindHours !== undefined && `--blind --hours ${blindHours}`) ||
    (runs && "--runs") ||
    (jobWeeks !== undefined && `--jobs --weeks ${jobWeeks}`) ||
    `${whole ? "--whole " : ""}--days ${days}`;
  return `bun scripts/simulator/simulate.ts --seed ${seed} ${length}${more}`;
}

export function lineOf({ rule, at, monitor, channel, text }: Violation, from: number): string {
  const after = ((at - from) / 1000).toFixed(1);
  const where = [monitor, channel].filter((name) => name !== undefined).join(", ");
  return `${new Date(at).toISOString()} (${after} s) ${rule}: ${where ? `${where}: ` : ""}${text}`;
}

/** Prints the coverage of all seeds together. @returns whether all that worlds can do happened */
export function printCoverage(reports: readonly SeedReport[]): boolean {
  const parts = reports.flatMap((report) =>
    "verdict" in report && report.verdict.coverage ? [report.verdict.coverage] : [],
  );
  const coverage = sumOf(parts);
  for (const line of coverageLines(coverage)) console.log(line);
  return missing(coverage).length === 0;
}

export function printSummary(reports: SeedReport[], failures: number, seconds: number): void {
  const verdicts = reports.flatMap((report) => ("verdict" in report ? [report.verdict] : []));
  const sum = (count: (verdict: Verdict) => number) => verdicts.reduce((total, one) => total + count(one), 0);
  const hours = sum(({ monitorHours }) => monitorHours);
  const checks = sum((verdict) => verdict.checks);
  const figures = verdicts.flatMap(({ runs }) => (runs ? [runs] : []));
  if (figures.length > 0) console.log(runsLine(figures, hours));
  const onCall = verdicts.flatMap((verdict) => verdict.onCall ?? []);
  if (onCall.length > 0) console.log(onCallLine(onCall));
  const replays = verdicts.flatMap((verdict) => verdict.replay ?? []);
  for (const line of replayLines(replays)) console.log(line);
  const turns = verdicts.flatMap((verdict) => verdict.turns ?? []);
  if (turns.length > 0) console.log(turnsLine(turns));
  const [only] = verdicts;
  if (only && verdicts.length === 1) console.log(`trace ${only.trace}`);
  const { user, system } = process.cpuUsage();
  const perCpuSecond = (count: number) => Math.round((count * 1e6) / (user + system)).toLocaleString("en");
  console.log(
    `${reports.length} seeds, ${failures} failed; ${hours.toLocaleString("en")} monitor-hours in ${seconds.toFixed(1)} s ` +
      `(${Math.round(hours / seconds).toLocaleString("en")} a second, ` +
      `${perCpuSecond(hours)} a second of one core): ${checks} checks (${perCpuSecond(checks)} a second of one core, at least ` +
      `${sum(({ demandedChecks }) => demandedChecks)} were demanded), ${sum(({ checkins }) => checkins)} check-ins, ` +
      `${sum(({ notifications }) => notifications)} notifications, ${sum(({ lives }) => lives)} starts of the server`,
  );
}

function onCallLine(figures: readonly OnCallFigures[]): string {
  const sum = (count: (one: OnCallFigures) => number) =>
    figures.reduce((total, one) => total + count(one), 0);
  const shown = (count: (one: OnCallFigures) => number) => sum(count).toLocaleString("en");
  const years = sum(({ personDays }) => personDays) / 365;
  const notifications = sum((one) => one.notifications);
  return (
    `${years.toLocaleString("en", { maximumFractionDigits: 1 })} person-years, ${shown(({ turns }) => turns)} turns of which ` +
    `${shown(({ toldTurns }) => toldTurns)} had a notification, ${notifications.toLocaleString("en")} notifications of people ` +
    `(${(notifications / years).toFixed(1)} in a person-year), ` +
    `${shown(({ bothSides }) => bothSides)} handovers with one within a minute on each side, among them ` +
    `${shown(({ toldOverrideEdges }) => toldOverrideEdges)} of ${shown(({ overrideEdges }) => overrideEdges)} edges of overrides; ` +
    `${shown(({ toldClockChanges }) => toldClockChanges)} of ${shown(({ clockChanges }) => clockChanges)} changes of clocks with one ` +
    `within three hours; ${shown(({ acknowledgements }) => acknowledgements)} acknowledgements, ` +
    `${shown(({ changes }) => changes)} changes of people and schedules: ` +
    `${sum(({ lost }) => lost)} lost, ${sum(({ wrong }) => wrong)} to the wrong person`
  );
}

function replayLines(replays: readonly ReplayFigures[]): string[] {
  if (replays.length === 0) return [];
  const trials = replays.flatMap((one) => one.trials);
  const recorded = replays.reduce((sum, one) => sum + one.recorded, 0).toLocaleString("en");
  const byField = Map.groupBy(
    trials.flatMap(({ fields, ...trial }) => fields.map((field) => ({ field, ...trial }))),
    ({ field }) => field,
  );
  return [
    `${recorded} recorded outages and notifications compared with replays without changes; ${sharesOf(trials)} with changes:`,
    ...[...byField].sort().map(([field, own]) => `  ${field}: ${sharesOf(own)}`),
  ];
}

function sharesOf(trials: readonly Omit<ReplayFigures["trials"][number], "fields">[]): string {
  const figures = trials.flatMap((trial) => trial.figures);
  const share = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
  const exact = trials.filter(({ isExact }) => isExact).length;
  return (
    `${trials.length} replays, ${share(exact, trials.length)} exact, ${figures.length} figures, ` +
    `${share(figures.filter(({ isSingle }) => isSingle).length, figures.length)} single values, ` +
    `${figures.filter(({ isWithin }) => !isWithin).length} outside the bounds`
  );
}

function turnsLine(figures: readonly TurnFigures[]): string {
  const sum = (count: (one: TurnFigures) => number) =>
    figures.reduce((total, one) => total + count(one), 0).toLocaleString("en", { maximumFractionDigits: 0 });
  return (
    `${sum(({ personDays }) => personDays / 365)} person-years of turns, without a server: ${sum(({ turns }) => turns)} turns, ` +
    `compared at ${sum(({ moments }) => moments)} moments: ${sum(({ differences }) => differences)} with somebody else`
  );
}

function runsLine(figures: readonly RunFigures[], hours: number): string {
  const sum = (count: (one: RunFigures) => number) =>
    figures.reduce((total, one) => total + count(one), 0).toLocaleString("en");
  const years = Math.round(hours / 24 / 365).toLocaleString("en");
  const latest = Math.max(...figures.map(({ latestMs }) => latestMs));
  return (
    `${years} job-years, ${sum(({ runs }) => runs)} runs: ${sum(({ falseAlarms }) => falseAlarms)} false alarms, ` +
    `${sum(({ hung }) => hung)} runs found that took too long, at most ${latest} ms after their limit, ` +
    `and ${sum(({ silences }) => silences)} silences of jobs in trouble`
  );
}
