import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import { doneBy, extended, type OwnFaults, type Stretch, touches } from "./own-faults.ts";

export type SimCheck = Ledger["checks"][number];
export type SimResult = Ledger["results"][number];

/** How long it takes at most until the server has read its clock after the end of a check, in milliseconds. */
const READ_WITHIN = 1000;

/** How long it takes at most until a result is committed, in milliseconds. */
const COMMIT_WITHIN = 2000;

/** How long a result waits for others to be committed with, in milliseconds. */
const WAITS_FOR_COMMIT = 500;

/** The pause between two attempts to write what is held in memory, and the write; milliseconds. */
const WRITE_AGAIN_WITHIN = 3000;

/** How often a check is repeated at most while a fault of the server lasts, with some results that come late. */
const MAX_REPEATED = 500;

/** Rounding of the clocks of the world and of the server, in milliseconds. */
const ROUNDING = 5;

/** A check with its result; null if none was recorded. */
export interface CheckedResult {
  check: SimCheck;
  result: SimResult | null;
}

/** The records of one monitor from `judgedFrom` on: what is older may be deleted for its age. */
export interface MonitorRecord {
  monitor: SimMonitor;
  /** Also older ones. */
  allChecks: SimCheck[];
  checks: SimCheck[];
  results: SimResult[];
}

/** Finds the check of each result: by order and time, because a check does not know its result. */
export function matchResults(
  { checks, results }: MonitorRecord,
  faults: OwnFaults,
): { pairs: CheckedResult[]; strays: SimResult[] } {
  const pairs: CheckedResult[] = [];
  const strays: SimResult[] = [];
  let next = 0;
  for (const result of results) {
    const at = placeOf(result, { checks, next, faults });
    if (at === checks.length) {
      strays.push(result);
      continue;
    }
    for (const check of checks.slice(next, at)) pairs.push({ check, result: null });
    const check = checks[at];
    if (check) pairs.push({ check, result });
    next = at + 1;
  }
  for (const check of checks.slice(next)) pairs.push({ check, result: null });
  return { pairs, strays };
}

/** Each check has one result (behavior 1.45, 1.47, 1.50), except those that a fault of the server made useless. */
export function judgeRecords(
  { monitor: { name: monitor } }: MonitorRecord,
  { pairs, strays }: ReturnType<typeof matchResults>,
  { ledger, faults }: { ledger: Ledger; faults: OwnFaults },
): Violation[] {
  const violations: Violation[] = strays.map(({ createdAtWall, status }) => ({
    rule: "each result has a check",
    at: createdAtWall,
    monitor,
    text: `a result with status ${status} has no check of its own`,
  }));
  for (const { check, result } of pairs) {
    const { endedAt, observation } = check;
    const isConclusive = observation.outcome !== "inconclusive";
    // The probe thread itself finds out that a fault of the server made an observation useless.
    const useless = [...faults.stalled, ...faults.blind];
    if (ledger.scenario.calm)
      useless.push(
        // A result that waits for its commit is discarded too.
        ...revisions(ledger, check).map(({ from, to }) => ({ from: from - WAITS_FOR_COMMIT, to })),
        ...extended(faults.storage, WRITE_AGAIN_WITHIN),
      );
    const isReached = touches(useless, { from: check.startedAt, to: endedAt });
    if (result && !isConclusive)
      violations.push({
        rule: "own faults record nothing",
        at: endedAt,
        monitor,
        text: `a check without a conclusion recorded ${result.status}`,
      });
    if (!result && isConclusive && !isReached && !mayBeLost(endedAt, ledger, faults))
      violations.push({
        rule: "each check is recorded",
        at: endedAt,
        monitor,
        text: `a check that ended as ${observation.outcome} has no result`,
      });
    if (check.cancelled && !touches(reasonsToCancel(check, { ledger, faults }), timeOf(check)))
      violations.push({
        rule: "a check is cancelled only for another one",
        at: endedAt,
        monitor,
        text: "a check was cancelled although nothing had changed",
      });
  }
  return violations;
}

function timeOf({ startedAt, endedAt }: SimCheck): Stretch {
  return { from: startedAt, to: endedAt };
}

/** After the clock was set back, a monitor is due again (behavior 1.17). The review of alerts asks for checks too. */
function reasonsToCancel(
  check: SimCheck,
  { ledger, faults: { steps } }: { ledger: Ledger; faults: OwnFaults },
): Stretch[] {
  const setBack = steps.filter(({ byMs }) => byMs < 0).map(({ at }) => ({ from: at, to: at }));
  if (!ledger.scenario.calm) return setBack;
  // The check for which it was cancelled starts a little later.
  const replaced = revisions(ledger, check).map(({ from, to }) => ({ from: from - COMMIT_WITHIN, to }));
  return [...setBack, ...replaced];
}

/** Causes that cancel a running check: a pause, an edit, and another check that a dependency asks for. */
function revisions({ requests, checks }: Ledger, { monitor, startedAt, endedAt }: SimCheck): Stretch[] {
  const edits = requests.filter(({ request }) => "monitor" in request && request.monitor === monitor);
  // The scheduler may have planned it before the edit.
  const planned = extended(edits, COMMIT_WITHIN);
  const others = checks.filter(
    (one) => one.monitor === monitor && one.startedAt > startedAt && one.startedAt < endedAt + COMMIT_WITHIN,
  );
  return [...planned, ...others.map((one) => ({ from: one.startedAt, to: one.startedAt }))];
}

/** The place of the check of a result. A check that ends shortly before it is more likely than an earlier one. */
function placeOf(
  result: SimResult,
  { checks, next, faults }: { checks: readonly SimCheck[]; next: number; faults: OwnFaults },
): number {
  let at = next;
  while (at < checks.length && !mayBeOf(checks[at], result, faults)) at++;
  const latest = Math.min(checks.length, at + MAX_REPEATED);
  for (let later = at; later < latest && mayBeOf(checks[later], result, faults); later++)
    if (isJustBefore(checks[later], result, faults)) return later;
  return at;
}

function isJustBefore(check: SimCheck | undefined, { createdAtWall }: SimResult, faults: OwnFaults): boolean {
  if (!check || check.observation.outcome === "inconclusive") return false;
  const { endedAt } = check;
  return faults
    .errorsWithin(endedAt, endedAt)
    .some((error) => Math.abs(endedAt + error - createdAtWall) <= 2 * ROUNDING);
}

function mayBeOf(check: SimCheck | undefined, { createdAtWall }: SimResult, faults: OwnFaults): boolean {
  if (!check) return false;
  const { endedAt } = check;
  const latest = doneBy(endedAt, READ_WITHIN, [...faults.frozen, ...slow(faults)]);
  return faults
    .errorsWithin(endedAt, latest)
    .some(
      (error) => endedAt + error - ROUNDING <= createdAtWall && createdAtWall <= latest + error + ROUNDING,
    );
}

/** A locked or slow database delays the thread that reads the clock. */
function slow({ storage }: OwnFaults): Stretch[] {
  return storage;
}

/** Only a process that ends loses results: those that are not committed yet, or are held in memory. */
export function mayBeLost(
  endedAt: number,
  { lives, scenario }: Ledger,
  { frozen, storage, absent }: OwnFaults,
): boolean {
  const life = lives.find(({ from, to }) => from <= endedAt && endedAt <= to);
  if (!life) return true;
  const writtenBy = doneBy(endedAt, COMMIT_WITHIN, [
    ...extended(storage, WRITE_AGAIN_WITHIN),
    ...extended(frozen, 1000),
  ]);
  if (life.to > writtenBy || life.to < endedAt) return false;
  if (life.end !== "stop") return life.end === "kill" || life.to >= scenario.to - COMMIT_WITHIN;
  const isStopping = touches(absent, { from: endedAt, to: endedAt });
  return isStopping || touches(storage, { from: endedAt, to: life.to });
}
