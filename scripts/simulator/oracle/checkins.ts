import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import type { SimResult } from "./check-results.ts";
import { seenBy } from "./confirmation.ts";
import { doneBy, extended, type OwnFaults, touches } from "./own-faults.ts";

type SimCheckin = Ledger["checkins"][number];

/** How long it takes at most until the server has read its clock after a call, in milliseconds. */
const READ_WITHIN = 1000;

/** A refused call needs a fault of the server at most this long before it, or until it is answered; milliseconds. */
const REFUSAL_WITHIN = 5000;

const ROUNDING = 5;

/** A check-in that is in the database. @property at when the server read its clock, in true time */
export interface RecordedCheckin {
  at: number;
  result: SimResult;
}

/** The check-ins and missed runs of a job, in the order in which they were recorded. */
export interface JobRecord {
  recorded: RecordedCheckin[];
  /** The missed runs between a check-in and the next one, by the place of the first; those before all at -1. */
  missed: Map<number, SimResult[]>;
}

/** Each accepted check-in is recorded once, with its status (behavior 1.41, 7.68); only a fault of the server refuses one. */
export function judgeCheckins(
  { name: monitor }: SimMonitor,
  { checkins, results }: { checkins: readonly SimCheckin[]; results: readonly SimResult[] },
  faults: OwnFaults,
): { violations: Violation[]; record: JobRecord } {
  const violations: Violation[] = [];
  const record: JobRecord = { recorded: [], missed: new Map() };
  let next = 0;
  for (const result of results) {
    if (seenBy(result) === "havent_heard") {
      const place = record.recorded.length - 1;
      record.missed.set(place, [...(record.missed.get(place) ?? []), result]);
      continue;
    }
    const at = findCheckin(result);
    const checkin = checkins[at];
    if (!checkin) {
      violations.push({
        rule: "each result has a check-in",
        at: result.createdAtWall,
        monitor,
        text: `a result that saw ${seenBy(result)} has no check-in of its own`,
      });
      continue;
    }
    for (const skipped of checkins.slice(next, at)) judgeUnrecorded(skipped);
    record.recorded.push({ at: trueTimeOf(result, checkin, faults), result });
    next = at + 1;
  }
  for (const skipped of checkins.slice(next)) judgeUnrecorded(skipped);
  return { violations, record };

  /** The closest in time of those that may be it. An accepted one is recorded, so that none after it may be. */
  function findCheckin(result: SimResult): number {
    let [found, least] = [checkins.length, Number.POSITIVE_INFINITY];
    for (let at = next; at < checkins.length; at++) {
      const checkin = checkins[at];
      if (!checkin || !mayBeOf(checkin, result, faults)) continue;
      const distance = Math.abs(trueTimeOf(result, checkin, faults) - checkin.at);
      if (distance < least) [found, least] = [at, distance];
      if (checkin.accepted) break;
    }
    return found;
  }

  function judgeUnrecorded({ at, status, accepted }: SimCheckin): void {
    if (accepted)
      violations.push({
        rule: "each accepted check-in is recorded",
        at,
        monitor,
        text: `a check-in with status ${status} was answered with 200, but is not recorded`,
      });
    else if (!mayBeRefused(at, faults))
      violations.push({
        rule: "only own faults refuse a check-in",
        at,
        monitor,
        text: "a check-in was refused without an own fault",
      });
  }
}

function mayBeOf(checkin: SimCheckin | undefined, result: SimResult, faults: OwnFaults): boolean {
  if (!checkin || (checkin.status === "fail" ? "failed" : "ok") !== seenBy(result)) return false;
  // An unanswered call may be recorded all the same, if the process ended or the disk failed before the answer.
  if (!checkin.accepted && !mayBeRefused(checkin.at, faults)) return false;
  return errorOf(result, checkin, faults) !== undefined;
}

function trueTimeOf(result: SimResult, checkin: SimCheckin, faults: OwnFaults): number {
  return result.createdAtWall - (errorOf(result, checkin, faults) ?? 0);
}

/** By how much the clock was wrong if a result belongs to a check-in; undefined if it does not. */
function errorOf({ createdAtWall }: SimResult, { at }: SimCheckin, faults: OwnFaults): number | undefined {
  const latest = doneBy(at, READ_WITHIN, [...faults.frozen, ...faults.storage]);
  return faults
    .errorsWithin(at, latest)
    .find((error) => at + error - ROUNDING <= createdAtWall && createdAtWall <= latest + error + ROUNDING);
}

function mayBeRefused(at: number, { absent, frozen, storage, offline, deaf }: OwnFaults): boolean {
  return touches(extended([...absent, ...frozen, ...storage, ...offline, ...deaf], REFUSAL_WITHIN), {
    from: at,
    to: at + REFUSAL_WITHIN,
  });
}
