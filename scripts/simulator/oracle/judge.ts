import type { Ledger, Violation } from "../ledger.ts";
import { judgeAttempts, type SimDelivery } from "./attempts.ts";
import { judgeBeginnings } from "./beginnings.ts";
import { judgeBlindness } from "./blind.ts";
import { judgeBlips } from "./blips.ts";
import { calmStretches, clearStretches, judgeCadence, judgeOutages } from "./cadence.ts";
import { findCalmViolations } from "./calm/judge-calm.ts";
import { pausesOf } from "./calm/spells.ts";
import {
  judgeRecords,
  type MonitorRecord,
  matchResults,
  mayBeLost,
  type SimResult,
} from "./check-results.ts";
import { judgeCheckins } from "./checkins.ts";
import { type Decision, judgeConfirmations } from "./confirmation.ts";
import { judgeDemand } from "./demand.ts";
import { awaitingFurther } from "./due-checks.ts";
import { judgeEvidence } from "./evidence.ts";
import { judgeStatuses } from "./expected-status.ts";
import { judgedFromOf } from "./judged-from.ts";
import { judgeLatencies } from "./latency.ts";
import { judgeNotifications } from "./notifications.ts";
import { findOnCallViolations } from "./on-call/judge-on-call.ts";
import { judgeOverlaps } from "./overlaps.ts";
import { extended, type OwnFaults, ownFaults, without } from "./own-faults.ts";
import { findPlaceViolations } from "./places/judge-places.ts";
import { judgeSilences } from "./silences.ts";
import { judgeFinalStatus, judgeTrueUptime, judgeUptime } from "./uptime.ts";
import { findWholeViolations } from "./whole/judge-whole.ts";

/**
 * Violations that neither the truth nor the faults of the server explain, by time. Every rule is stated here from docs/behavior, without
 * the functions of the product that judge.
 */
export function findViolations(ledger: Ledger): Violation[] {
  if (ledger.scenario.whole) return findWholeViolations(ledger);
  if (ledger.scenario.onCall) return findOnCallViolations(ledger);
  const faults = ownFaults(ledger);
  /** When each result was recorded, in true time, as far as that is known. */
  const recordedAt = new Map<string, number>();
  const records = recordsOf(ledger);
  const ofMonitors = records
    .filter(({ monitor }) => monitor.places === undefined)
    .flatMap((record) =>
      record.monitor.type === "SCHEDULED"
        ? judgeJob(record, { ledger, faults, recordedAt })
        : judgeProbed(record, { ledger, faults, recordedAt }),
    );
  const readyAt = ({ monitor, createdAtWall }: SimDelivery) =>
    (!ledger.scenario.calm && recordedAt.get(`${monitor} ${createdAtWall}`)) || null;
  const ofPlaces = findPlaceViolations(ledger);
  const ofCalm = ledger.scenario.calm
    ? findCalmViolations(ledger, { faults, decisions: allDecisions(ledger) })
    : [];
  return [
    ...ofMonitors,
    ...ofPlaces,
    ...ofCalm,
    ...judgeAttempts({ ledger, faults }, readyAt),
    ...judgeDemand(ledger, faults),
    ...judgeOverlaps(ledger),
    ...judgeEvidence(ledger, faults),
    ...(ledger.scenario.blind ? judgeBlindness(ledger) : []),
  ].sort((a, b) => a.at - b.at);
}

/** When each status began, of all monitors. */
function allDecisions(ledger: Ledger): Map<SimResult, Decision> {
  return new Map(
    recordsOf(ledger).flatMap(({ monitor, results }) => [
      ...judgeConfirmations(monitor, results, { isPruned: false }).decisions,
    ]),
  );
}

interface Context {
  ledger: Ledger;
  faults: OwnFaults;
  recordedAt: Map<string, number>;
}

/** Older rows may be deleted for their age (behavior 6.8): none of them is judged. */
function recordsOf({ scenario, checks, results }: Ledger): MonitorRecord[] {
  const judgedFrom = judgedFromOf(scenario);
  const checksOf = Map.groupBy(checks, ({ monitor }) => monitor);
  const resultsOf = Map.groupBy(results, ({ monitor }) => monitor);
  return scenario.monitors.map((monitor) => ({
    monitor,
    allChecks: checksOf.get(monitor.name) ?? [],
    checks: (checksOf.get(monitor.name) ?? []).filter(({ endedAt }) => endedAt >= judgedFrom),
    results: (resultsOf.get(monitor.name) ?? []).filter(({ createdAtWall }) => createdAtWall >= judgedFrom),
  }));
}

function judgeProbed(record: MonitorRecord, { ledger, faults, recordedAt }: Context): Violation[] {
  const { monitor, allChecks } = record;
  const isPruned = ledger.scenario.retentionDays !== undefined;
  const matched = matchResults(record, faults);
  const { pairs } = matched;
  for (const { check, result } of pairs) if (result) recordedAt.set(keyOf(result), check.endedAt);
  const clear = clearStretches(monitor, ledger, faults);
  const judgedFrom = judgedFromOf(ledger.scenario);
  return [
    ...judgeRecords(record, matched, { ledger, faults }),
    ...judgeStatuses(monitor, pairs, { faults, isPruned }),
    ...judgeLatencies(monitor, pairs, faults),
    ...judgeBlips(monitor, pairs),
    // Dependencies ask for checks between.
    ...(ledger.scenario.calm
      ? []
      : judgeCadence(monitor, allChecks, {
          clear: calmStretches(monitor, clear, { faults, judgedFrom }),
          awaiting: awaitingFurther(pairs),
        })),
    ...judgeOutages(monitor, pairs, {
      clear: clear.flatMap((stretch) => without(stretch, extended(pausesOf(monitor.name, ledger), 15_000))),
      judgedFrom,
      lost: (endedAt) => mayBeLost(endedAt, ledger, faults),
    }),
    ...judgeCommon(record, ledger, faults),
    ...(isPruned || ledger.scenario.calm ? [] : judgeTrueUptime(monitor, pairs, ledger)),
  ];
}

function judgeJob(record: MonitorRecord, { ledger, faults, recordedAt }: Context): Violation[] {
  const { monitor, results } = record;
  if (ledger.scenario.retentionDays !== undefined) return judgeCommon(record, ledger, faults);
  const checkins = ledger.checkins.filter((checkin) => checkin.monitor === monitor.name);
  const { violations, record: job } = judgeCheckins(monitor, { checkins, results }, faults);
  for (const { at, result } of job.recorded) recordedAt.set(keyOf(result), at);
  for (const [place, misses] of job.missed)
    for (const result of misses) {
      const [error, ...others] = faults.errorsWithin(
        job.recorded[place]?.at ?? 0,
        job.recorded[place + 1]?.at ?? ledger.scenario.to,
      );
      if (others.length === 0) recordedAt.set(keyOf(result), result.createdAtWall - (error ?? 0));
    }
  // Windows move deadlines.
  const silences = ledger.scenario.calm ? [] : judgeSilences(monitor, job, { ledger, faults });
  return [...violations, ...silences, ...judgeCommon(record, ledger, faults)];
}

function judgeCommon({ monitor, results }: MonitorRecord, ledger: Ledger, faults: OwnFaults): Violation[] {
  const { scenario } = ledger;
  if (scenario.calm) return judgeUptime(monitor, results, ledger);
  const isPruned = scenario.retentionDays !== undefined;
  const { violations, decisions } = judgeConfirmations(monitor, results, { isPruned });
  const ofStatus = [...violations, ...judgeBeginnings(monitor, decisions, ledger)];
  if (isPruned) return [...ofStatus, ...judgeFinalStatus(monitor, results, ledger)];
  return [
    ...ofStatus,
    ...judgeNotifications(monitor, results, { ledger, faults }),
    ...judgeUptime(monitor, results, ledger),
    ...judgeFinalStatus(monitor, results, ledger),
  ];
}

function keyOf({ monitor, createdAtWall }: SimResult): string {
  return `${monitor} ${createdAtWall}`;
}
