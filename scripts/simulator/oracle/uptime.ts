import type { Status } from "../../../src/domain/monitors/status.ts";
import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import type { CheckedResult, SimResult } from "./check-results.ts";
import { seenBy } from "./confirmation.ts";

/** The statuses that lower the uptime (behavior 1.2). */
const BAD: readonly Status[] = ["down", "expired", "no_cert", "missing", "havent_heard", "failed"];

/** The uptime is the share of good results, rounded down (behavior 6.1, 6.2). */
export function judgeUptime(
  { name: monitor }: SimMonitor,
  results: readonly SimResult[],
  { uptimes, scenario }: Ledger,
): Violation[] {
  const shown = uptimes.get(monitor) ?? null;
  // Results in a window are left out.
  const counted = results.filter(({ detail }) => detail?.maintenance === undefined);
  const bad = counted.filter(({ status }) => BAD.includes(status)).length;
  const expected = uptimeOf(counted.length - bad, counted.length);
  if (shown === expected) return [];
  return [
    {
      rule: "the uptime is the share of good results",
      at: scenario.to,
      monitor,
      text: `uptime ${shown} instead of ${expected} of ${counted.length} results`,
    },
  ];
}

/** The uptime is within one check of the truth: the checks that ended are right, whatever the service went through. */
export function judgeTrueUptime(
  monitor: SimMonitor,
  pairs: readonly CheckedResult[],
  { uptimes, scenario }: Ledger,
): Violation[] {
  const conclusive = pairs.filter(
    ({ check, result }) => result !== null && check.observation.outcome !== "inconclusive",
  );
  // An unconfirmed status counts as the recorded one (behavior 11.7).
  const bad = conclusive.filter(({ check, result }) =>
    result && seenBy(result) !== result.status
      ? BAD.includes(result.status)
      : isBadInTruth(monitor, check.startedAt),
  ).length;
  const all = conclusive.length;
  if (all === 0) return [];
  const shown = Number.parseFloat(uptimes.get(monitor.name) ?? "NaN");
  const [low, high] = [bad + 1, bad - 1].map((count) => Math.floor(((all - count) / all) * 10_000) / 100);
  if ((low ?? 0) - 0.01 <= shown && shown <= (high ?? 100) + 0.01) return [];
  return [
    {
      rule: "the uptime is within one check of the truth",
      at: scenario.to,
      monitor: monitor.name,
      text: `uptime ${shown}%, but ${bad} of ${all} checks were bad`,
    },
  ];
}

/** The status equals the status of the last result (behavior 1.3). */
export function judgeFinalStatus(
  { name: monitor }: SimMonitor,
  results: readonly SimResult[],
  { statuses, scenario }: Ledger,
): Violation[] {
  const expected = results.at(-1)?.status ?? "unknown";
  const shown = statuses.get(monitor);
  return shown === expected
    ? []
    : [
        {
          rule: "the status is that of the last result",
          at: scenario.to,
          monitor,
          text: `status ${shown} instead of ${expected}`,
        },
      ];
}

function isBadInTruth({ sample }: SimMonitor, startedAt: number): boolean {
  const seen = sample?.(startedAt).observation;
  if (seen?.outcome === "certified") return Date.parse(seen.certificate.validTo) <= startedAt;
  if (seen?.outcome === "looked_up") return seen.answer.lookups.every(({ values }) => values.length === 0);
  return seen?.outcome === "failed";
}

/** With two decimals, rounded down; in whole numbers, because floating point is not exact. */
function uptimeOf(good: number, all: number): string | null {
  if (all === 0) return null;
  const hundredths = String((BigInt(good) * 10_000n) / BigInt(all)).padStart(3, "0");
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}%`;
}
