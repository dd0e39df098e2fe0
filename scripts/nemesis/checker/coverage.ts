import type { Log, LoggedMonitor } from "../log.ts";
import { delays, TAKEOVER } from "./fault-spans.ts";
import { overlap } from "./spans.ts";
import { at, seconds, type Violation } from "./violation.ts";

/**
 * Every target is checked, and its result recorded, within interval + timeout + 15 s. If another fault follows before the
 * first one is over, or nobody can check anything, it takes longer by that time.
 */
export function findUnchecked(log: Log): Violation[] {
  return log.monitors
    .filter(({ type }) => type !== "SCHEDULED")
    .flatMap((monitor) => uncheckedOf(log, monitor));
}

/** The longest time without a result of each monitor, in milliseconds. */
export function longestGaps(log: Log): number[] {
  return log.monitors
    .filter(({ type }) => type !== "SCHEDULED")
    .map((monitor) => Math.max(...gapsOf(log, monitor).map(({ from, to }) => to - from)));
}

function uncheckedOf(log: Log, monitor: LoggedMonitor): Violation[] {
  const late = delays(log, monitor);
  const { name, interval, timeout } = monitor;
  return gapsOf(log, monitor)
    .filter((gap) => gap.to - gap.from > interval + Math.max(timeout + TAKEOVER, overlap(late, gap)))
    .map(({ from, to }) => ({
      rule: "unchecked",
      message: `${name}: no result for ${seconds(to - from)} from ${at(log, from)}`,
    }));
}

function gapsOf(log: Log, { name, createdAt }: LoggedMonitor) {
  const times = (log.results[name] ?? []).map((result) => result.createdAt).sort((a, b) => a - b);
  const edges = [createdAt, ...times.filter((time) => time > createdAt && time < log.whole.to), log.whole.to];
  return edges.slice(1).map((to, index) => ({ from: edges[index] ?? to, to }));
}
