import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, SimMonitor, Violation } from "../../ledger.ts";
import type { SimDelivery } from "../attempts.ts";
import { needed, type Voters } from "./voters.ts";

type SimCheck = Ledger["checks"][number];

/** Checks in a row of one location that saw the same. @property since when the first of them ended */
interface Run {
  checks: number;
  since: number;
}

/**
 * Each change has as many checks of its locations as it needs (behavior 13.9). One of a location that saw it long before the
 * others confirms nothing more than that it still does.
 */
export function judgeConfirmations(
  { name: monitor, places, confirmations = 0, recoveries = 0 }: SimMonitor,
  deliveries: readonly SimDelivery[],
  { ledger, voters }: { ledger: Ledger; voters: Voters },
): Violation[] {
  const ofPlaces = (places?.names ?? ["here"]).map((name) =>
    ledger.checks
      .filter((check) => check.monitor === monitor && (check.place ?? "here") === name && isConclusive(check))
      .toSorted((a, b) => a.endedAt - b.endedAt),
  );
  return deliveries.flatMap(({ previousStatus, newStatus, createdAtWall: at }): Violation[] => {
    if (previousStatus === "unknown") return [];
    const isDown = groupOf[newStatus] === "down";
    const further = isDown ? confirmations : recoveries;
    const runs = ofPlaces.flatMap(
      (checks) => longestRun(checks, { isDown, at, memory: voters.memory }) ?? [],
    );
    const { surelyBad, surelyGood } = voters.at(at);
    const enough = isDown ? Math.max(1, needed(places?.downWhen ?? "majority", surelyBad + surelyGood)) : 1;
    const agreedAt = runs.map(({ since }) => since).sort((a, b) => a - b)[enough - 1] ?? at;
    const isOld = ({ since }: Run) => since < agreedAt - enough * voters.memory;
    const checks = runs.reduce((sum, run) => sum + (isOld(run) ? 1 : run.checks), 0);
    if (checks > further) return [];
    const text = `${previousStatus} to ${newStatus} after ${checks} checks instead of ${further + 1}`;
    return [{ rule: "enough checks confirm each change", at, monitor, text }];
  });
}

function isConclusive({ observation, cancelled }: SimCheck): boolean {
  return !cancelled && observation.outcome !== "inconclusive";
}

/** The longest run that a location had at some moment of what counts: later checks may not have arrived. */
function longestRun(
  checks: readonly SimCheck[],
  { isDown, at, memory }: { isDown: boolean; at: number; memory: number },
): Run | undefined {
  let longest: Run | undefined;
  let run: Run | undefined;
  for (const { observation, endedAt } of checks) {
    if (endedAt > at + 1) break;
    const isSame = (observation.outcome === "failed") === isDown;
    run = isSame ? { checks: (run?.checks ?? 0) + 1, since: run?.since ?? endedAt } : undefined;
    if (run && endedAt >= at - memory && run.checks >= (longest?.checks ?? 0)) longest = run;
  }
  return longest;
}
