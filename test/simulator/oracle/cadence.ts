import { checkTimeout } from "../../../src/domain/checks/check-slot.ts";
import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import type { CheckedResult, SimCheck } from "./check-results.ts";
import { extended, type OwnFaults, type Stretch, stretchesOf, without } from "./own-faults.ts";

/** How long all overdue checks take to start after a fault (behavior 1.12), with two more scans; milliseconds. */
const CATCH_UP = 10_000;

/** A check may start this much late or early. */
const TOLERANCE = 2000;

/** The interval of a probed monitor, in milliseconds. */
export function intervalOf({ config }: SimMonitor): number {
  return (config.interval ?? 300) * 1000;
}

/**
 * The stretches in which no own fault keeps a monitor from being checked.
 *
 * A check that gave no result is repeated after pauses that double, so that a long fault delays the next one by as much
 * again, and at most by an interval (behavior 1.47).
 */
export function clearStretches(monitor: SimMonitor, { scenario }: Ledger, faults: OwnFaults): Stretch[] {
  const timeout = checkTimeout({ interval: monitor.config.interval ?? 300 });
  const interval = intervalOf(monitor);
  const after = CATCH_UP + timeout;
  // A check that was interrupted by a fault may have begun a timeout before it.
  return without(
    { from: scenario.from, to: scenario.to },
    [
      ...extended(
        [...faults.frozen, ...faults.absent, ...stretchesOf(scenario.faults, ["slow-disk", "locked"])],
        after,
      ),
      ...faults.steps.map(({ at }) => ({ from: at, to: at + after })),
      ...faults.blind.map(({ from, to }) => ({ from, to: to + Math.min(interval, 2 * (to - from)) + after })),
    ].map(({ from, to }) => ({ from: from - timeout, to })),
  );
}

/** A monitor is checked once per interval, at the same phase (behavior 1.7, 1.8), except during own faults. */
export function judgeCadence(
  monitor: SimMonitor,
  checks: readonly SimCheck[],
  clear: readonly Stretch[],
): Violation[] {
  const interval = intervalOf(monitor);
  const conclusive = checks.filter(({ observation }) => observation.outcome !== "inconclusive");
  const starts = conclusive.map(({ startedAt }) => startedAt);
  /** Such a check delays the next one, which does not lose its slot (behavior 1.9). */
  const overlong = new Set(
    conclusive
      .filter((one) => one.endedAt - one.startedAt > interval - TOLERANCE)
      .map((one) => one.startedAt),
  );
  let next = 0;
  return clear.flatMap(({ from, to }) => {
    while (next < starts.length && (starts[next] ?? 0) < from) next++;
    const inside: number[] = [];
    while (next < starts.length && (starts[next] ?? 0) < to) inside.push(starts[next++] ?? 0);
    const points = [from, ...inside, to];
    return points.slice(1).flatMap((at, place): Violation[] => {
      const before = points[place] ?? from;
      if (at - before > interval + TOLERANCE)
        return [
          violation(
            "a monitor is checked once per interval",
            before,
            `no check for ${at - before} ms with an interval of ${interval} ms`,
          ),
        ];
      // The first gap is between the recovery of the service and the next slot, the last one ends with the next fault.
      const isWhole = place > 1 && place < points.length - 2 && !wasLate(points[place - 1]);
      if (isWhole && at - before < interval - TOLERANCE)
        return [
          violation(
            "checks keep their phase",
            at,
            `a check ${at - before} ms after the one before, with an interval of ${interval} ms`,
          ),
        ];
      return [];
    });
  });

  function wasLate(startBefore: number | undefined): boolean {
    return startBefore !== undefined && overlong.has(startBefore);
  }

  function violation(rule: string, at: number, text: string): Violation {
    return { rule, at, monitor: monitor.name, text };
  }
}

const BAD = ["down", "missing", "no_cert", "expired"];

/** No outage longer than interval and timeout is missed, apart from its part in own faults (behavior 1.8, 1.10). */
export function judgeOutages(
  monitor: SimMonitor,
  pairs: readonly CheckedResult[],
  {
    clear,
    lost,
    judgedFrom,
  }: { clear: readonly Stretch[]; lost: (endedAt: number) => boolean; judgedFrom: number },
): Violation[] {
  const needed = intervalOf(monitor) + checkTimeout({ interval: monitor.config.interval ?? 300 }) + TOLERANCE;
  return (monitor.segments ?? [])
    .filter(({ kind, from }) => BAD.includes(kind) && from >= judgedFrom)
    .flatMap((segment) =>
      clear
        .map(({ from, to }) => ({ from: Math.max(from, segment.from), to: Math.min(to, segment.to) }))
        .filter(({ from, to }) => to - from > needed)
        .filter(
          (part) =>
            !pairs.some((pair) => isNoticed(pair, part) || (isIn(pair, part) && lost(pair.check.endedAt))),
        )
        .map(({ from, to }) => ({
          rule: "no outage is missed",
          at: from,
          monitor: monitor.name,
          text: `${segment.kind} for ${to - from} ms, but no result says so`,
        })),
    );
}

function isNoticed(pair: CheckedResult, part: Stretch): boolean {
  return pair.result !== null && BAD.includes(pair.result.status) && isIn(pair, part);
}

function isIn({ check }: CheckedResult, { from, to }: Stretch): boolean {
  return from <= check.startedAt && check.startedAt <= to;
}
