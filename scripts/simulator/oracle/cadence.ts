import { checkTimeout } from "../../../src/domain/checks/check-slot.ts";
import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import type { CheckedResult, SimCheck } from "./check-results.ts";
import { furtherCheckDelay, intervalOf, mayWait, nextDue, TOLERANCE } from "./due-checks.ts";
import { extended, type OwnFaults, type Stretch, stretchesOf, without } from "./own-faults.ts";

/** How long all overdue checks take to start after a fault (behavior 1.12), with two more scans; milliseconds. */
const CATCH_UP = 10_000;

/**
 * The stretches in which no fault of the server keeps a monitor from being checked.
 *
 * A check that gave no result is repeated after pauses that double, so that a long fault delays the next one by as much
 * again, and at most by an interval (behavior 1.47).
 */
export function clearStretches(monitor: SimMonitor, { scenario }: Ledger, faults: OwnFaults): Stretch[] {
  const unwritable = stretchesOf(scenario.faults, ["slow-disk", "locked"]);
  if (scenario.writesClaims) unwritable.push(...stretchesOf(scenario.faults, ["disk-full"]));
  const timeout = checkTimeout({ interval: monitor.config.interval ?? 300 });
  const interval = intervalOf(monitor);
  const after = CATCH_UP + timeout;
  // A check that was interrupted by a fault may have begun a timeout before it.
  // A check that has not ended at the end is not known.
  return without(
    { from: scenario.from, to: scenario.to - timeout },
    [
      ...extended([...faults.frozen, ...faults.absent, ...unwritable], after),
      ...faults.steps.map(({ at }) => ({ from: at, to: at + after })),
      ...faults.blind.map(({ from, to }) => ({ from, to: to + Math.min(interval, 2 * (to - from)) + after })),
    ].map(({ from, to }) => ({ from: from - timeout, to })),
  );
}

/**
 * A monitor is checked once per interval, at the same phase (behavior 1.7, 1.8), and again soon to confirm what a check saw
 * (behavior 11.8), except during faults of the server.
 *
 * @param awaiting the checks whose further check is due
 */
export function judgeCadence(
  monitor: SimMonitor,
  checks: readonly SimCheck[],
  { clear, awaiting }: { clear: readonly Stretch[]; awaiting: ReadonlySet<SimCheck> },
): Violation[] {
  const interval = intervalOf(monitor);
  const conclusive = checks.filter(({ observation }) => observation.outcome !== "inconclusive");
  const isAwaiting = (check: SimCheck) => awaiting.has(check);
  let next = 0;
  return clear.flatMap(({ from, to }) => {
    while (next < conclusive.length && (conclusive[next]?.startedAt ?? 0) < from) next++;
    const violations: Violation[] = [];
    const inside: SimCheck[] = [];
    for (let check = conclusive[next]; check && check.startedAt < to; check = conclusive[++next]) {
      judge(check.startedAt, false);
      inside.push(check);
    }
    judge(to, true);
    return violations;

    function judge(at: number, isEnd: boolean): void {
      const { low, high } = nextDue(inside, { from, interval, isAwaiting });
      const last = inside.at(-1);
      const since = last?.startedAt ?? from;
      const isFurther = last !== undefined && isAwaiting(last);
      const text = `${at - since} ms after the one before, with an interval of ${interval} ms`;
      if (at > high + TOLERANCE)
        violations.push(
          isFurther
            ? violation("a suspicion is checked again in time", since, `no check until ${text}`)
            : violation("a monitor is checked once per interval", since, `no check until ${text}`),
        );
      else if (!isEnd && at < low - TOLERANCE)
        violations.push(violation("checks keep their phase", at, `a check ${text}`));
    }
  });

  function violation(rule: string, at: number, text: string): Violation {
    return { rule, at, monitor: monitor.name, text };
  }
}

/**
 * The stretches in which the further checks of a monitor come in time: what is not written yet while the disk is full
 * does not decide when the next check is due.
 */
export function calmStretches(
  monitor: SimMonitor,
  clear: readonly Stretch[],
  { faults, judgedFrom }: { faults: OwnFaults; judgedFrom: number },
): Stretch[] {
  if (!mayWait(monitor)) return [...clear];
  const timeout = checkTimeout({ interval: monitor.config.interval ?? 300 });
  const delay = furtherCheckDelay(intervalOf(monitor));
  const unwritten = faults.storage.map(({ from, to }) => ({
    from: from - timeout,
    to: to + CATCH_UP + delay + timeout,
  }));
  // The results of older checks may be deleted.
  const unknown = { from: Number.NEGATIVE_INFINITY, to: judgedFrom };
  return clear.flatMap((stretch) => without(stretch, [unknown, ...unwritten]));
}

const BAD = ["down", "missing", "no_cert", "expired"];

/**
 * No outage is missed that is longer than a timeout and as many intervals as checks see it, apart from its part in own
 * faults (behavior 1.8, 1.10, 11.1).
 */
export function judgeOutages(
  monitor: SimMonitor,
  pairs: readonly CheckedResult[],
  {
    clear,
    lost,
    judgedFrom,
  }: { clear: readonly Stretch[]; lost: (endedAt: number) => boolean; judgedFrom: number },
): Violation[] {
  const interval = intervalOf(monitor);
  const timeout = checkTimeout({ interval: monitor.config.interval ?? 300 });
  // With an interval under 20 s, a further check of a target that hangs ends later than a regular slot begins.
  const further = Math.max(interval, furtherCheckDelay(interval) + timeout);
  const needed = interval + (monitor.confirmations ?? 0) * further + timeout + TOLERANCE;
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
