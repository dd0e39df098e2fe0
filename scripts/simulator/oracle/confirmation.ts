import { groupOf, type Status, type StatusGroup } from "../../../src/domain/monitors/status.ts";
import type { SimMonitor, Violation } from "../ledger.ts";
import type { SimResult } from "./check-results.ts";

/** The observation of one check, check-in or missed run. */
interface Sight {
  status: Status;
  atWall: number;
}

/** The status after a result, and when it began, if this result changed it. */
export interface Decision {
  previous: Status;
  status: Status;
  sinceWall: number;
}

/** From the best one. */
const GROUPS: readonly StatusGroup[] = ["healthy", "warning", "down"];

/** They follow from the date of a certificate (behavior 11.6). */
export const DATES: readonly Status[] = ["expired", "expiring_soon"];

/** The observation of a result, which may differ from the status that it is recorded with (behavior 11.7). */
export function seenBy({ status, detail }: SimResult): Status {
  return (detail?.seen as { status: Status } | undefined)?.status ?? status;
}

/**
 * The recorded status of each result follows from what the checks saw (behavior 11.1 to 11.7).
 *
 * @param results in the order in which they were recorded
 * @param isPruned whether earlier results may be deleted
 * @returns also the decision of each result, except for the first ones that earlier results decide
 */
export function judgeConfirmations(
  monitor: SimMonitor,
  results: readonly SimResult[],
  { isPruned }: { isPruned: boolean },
): { violations: Violation[]; decisions: Map<SimResult, Decision> } {
  const violations: Violation[] = [];
  const decisions = new Map<SimResult, Decision>();
  const decider = createDecider(monitor);
  for (const result of results) {
    const sight = { status: seenBy(result), atWall: result.createdAtWall };
    // After a check that agrees with the status, nothing that came before matters.
    if (isPruned && decisions.size === 0 && sight.status !== result.status) continue;
    const decision = decider.decide(sight);
    decisions.set(result, decision);
    const at = { at: result.createdAtWall, monitor: monitor.name };
    if (decision.status !== result.status) {
      const text = `${result.status} after ${decision.previous} instead of ${decision.status}: the check saw ${sight.status}`;
      violations.push({ ...at, rule: "only confirmed changes change the status", text });
      decider.restart(result.status);
    }
    if (!isDetailRight(result))
      violations.push({
        ...at,
        rule: "only what differs from the status is in `seen`",
        text: `a result with status ${result.status} has the detail ${JSON.stringify(result.detail)}`,
      });
  }
  return { violations, decisions };
}

/** The reason and the message belong to the observation of the check (behavior 11.7). */
function isDetailRight({ status, detail }: SimResult): boolean {
  if (detail?.seen === undefined) return true;
  const isDifferent = (detail.seen as { status: Status }).status !== status;
  return isDifferent && detail.reason === undefined && detail.message === undefined;
}

function createDecider({ confirmations = 0, recoveries = 0 }: SimMonitor) {
  let status: Status = "unknown";
  /** In a row, all worse or all better than the status. */
  let row: Sight[] = [];

  function sideOf(seen: Status): "same" | "worse" | "better" {
    const by = GROUPS.indexOf(groupOf[seen]) - GROUPS.indexOf(groupOf[status]);
    return by === 0 ? "same" : by > 0 ? "worse" : "better";
  }

  /** How many further sights confirm one. */
  function neededFor(seen: Status): number {
    const side = sideOf(seen);
    if (status === "unknown" || side === "same") return 0;
    const isDate = [seen, status].some((one) => DATES.includes(one));
    if (side === "worse") return isDate ? 0 : confirmations;
    return isDate ? Math.max(2, recoveries) : recoveries;
  }

  function decide(sight: Sight): Decision {
    const previous = status;
    const side = sideOf(sight.status);
    if (status === "unknown" || side === "same") row = [];
    if (row.some((one) => sideOf(one.status) !== side)) row = [];
    row.push(sight);
    const needed = neededFor(sight.status);
    let decision = { previous, status, sinceWall: sight.atWall };
    // The rest of the row may be enough for the next group.
    while (row.length > needed) {
      const group = previous === "unknown" ? groupOf[sight.status] : nearestGroup(side);
      const latest = row.findLastIndex((one) => groupOf[one.status] === group);
      const [began, confirming] = [row[0], row[latest]];
      if (!began || !confirming) break;
      row = row.slice(latest + 1);
      status = confirming.status;
      // The clock may have been set back meanwhile.
      decision = { previous, status, sinceWall: Math.min(began.atWall, sight.atWall) };
    }
    return decision;
  }

  /** The group that all sights in the row agree on at least (behavior 11.2). */
  function nearestGroup(side: "same" | "worse" | "better"): StatusGroup | undefined {
    const seen = GROUPS.filter((group) => row.some((one) => groupOf[one.status] === group));
    return side === "better" ? seen.at(-1) : seen[0];
  }

  return {
    decide,
    /** Goes on with what was recorded. */
    restart(recorded: Status) {
      [status, row] = [recorded, []];
    },
  };
}
