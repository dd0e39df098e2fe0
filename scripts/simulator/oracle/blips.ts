import type { Status } from "../../../src/domain/monitors/status.ts";
import type { SimMonitor, Violation } from "../ledger.ts";
import type { CheckedResult, SimResult } from "./check-results.ts";
import { DATES, seenBy } from "./confirmation.ts";

const BAD: readonly Status[] = ["down", "missing", "no_cert"];

/** Checks in a row that met a target which was bad, or good, all the time. */
interface Stretch {
  isBad: boolean;
  results: SimResult[];
  startedAt: number;
}

/** An outage, or its end, that fewer checks met than change the status, changes nothing (behavior 11.1). */
export function judgeBlips(monitor: SimMonitor, pairs: readonly CheckedResult[]): Violation[] {
  const { confirmations = 0, recoveries = 0 } = monitor;
  const stretches = stretchesOf(monitor, pairs);
  return stretches.slice(1).flatMap(({ isBad, results, startedAt }, place): Violation[] => {
    const before = stretches[place]?.results.at(-1)?.status;
    if (before === undefined || results.length > (isBad ? confirmations : recoveries)) return [];
    // A status that the last stretch did not have long enough to get may last through this one.
    if (BAD.includes(before) === isBad || [before, ...results.map(seenBy)].some((one) => DATES.includes(one)))
      return [];
    const changed = results.find(({ status }) => BAD.includes(status) === isBad);
    if (!changed) return [];
    const text = `${results.length} checks that met a ${isBad ? "bad" : "good"} target changed ${before} to ${changed.status}`;
    return [{ rule: "a blip changes nothing", at: startedAt, monitor: monitor.name, text }];
  });
}

function stretchesOf({ sample }: SimMonitor, pairs: readonly CheckedResult[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { check, result } of pairs) {
    if (!result || !sample) continue;
    const { startedAt } = check;
    const { observation } = sample(startedAt);
    const isBad =
      observation.outcome === "looked_up"
        ? observation.answer.lookups.every(({ values }) => values.length === 0)
        : observation.outcome === "failed";
    const last = stretches.at(-1);
    if (last?.isBad === isBad) last.results.push(result);
    else stretches.push({ isBad, results: [result], startedAt });
  }
  return stretches;
}
