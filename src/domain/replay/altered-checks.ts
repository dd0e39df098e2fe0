import { nextCheckAt } from "../checks/check-slot.ts";
import { CHANGED } from "../checks/observation.ts";
import { DAY } from "../duration.ts";
import type { MonitorMaintenance } from "../maintenance/maintenance.ts";
import type { Seen } from "../monitors/confirmation.ts";
import type { ReplayChanges } from "./changes.ts";
import type { MonitorPast, PastChecks } from "./history.ts";

/*
 * Changes that give a monitor other results at other times: a certificate that is warned of earlier, between usual results that are left
 * out; missed runs of a job, in a maintenance that there was not; and contents that it would have made usual, which is not known exactly. Times are milliseconds since 1970.
 */

/** @property to the end of the range @property triedWindow of the maintenance to try, in which the monitor is at a moment */
interface Alterations {
  changes: ReplayChanges;
  to: number;
  triedWindow: (at: number) => MonitorMaintenance | null;
}

/** @property isExact false if a run was missed at another time, or a content would be usual, which can only be estimated */
export function alteredChecks(
  monitor: MonitorPast,
  { changes: { warnDays, maintenance }, to, triedWindow }: Alterations,
): { checks: PastChecks; isExact: boolean } {
  if (monitor.type === "TLS" && warnDays !== undefined)
    return { checks: withWarnings(monitor, { warnDays, to }), isExact: true };
  if (monitor.type === "SCHEDULED" && maintenance) return withoutExcused(monitor, triedWindow);
  const isExact = !maintenance || !hasChangeIn(monitor.checks, triedWindow);
  return { checks: monitor.checks, isExact };
}

/** Whether a check saw a content that the maintenance would have made usual (behavior 26.116). */
function hasChangeIn(checks: PastChecks, triedWindow: Alterations["triedWindow"]): boolean {
  const isChange = checks.kinds.map(({ detail }) => {
    const { reason } = (detail?.seen as Seen | undefined) ?? detail ?? {};
    return reason === CHANGED;
  });
  if (!isChange.includes(true)) return false;
  return checks.times
    .subarray(0, checks.count)
    .some((time, at) => isChange[checks.kindOf[at] ?? 0] === true && triedWindow(time) !== null);
}

/** A result, by its place among the recorded ones. @property like the position of the result whose kind it has */
interface Placed {
  at: number;
  like: number;
  isAfterUsual: boolean;
}

/** With a check in the first slot after each certificate was to be warned of, if that was between usual results. */
function withWarnings(monitor: MonitorPast, { warnDays, to }: { warnDays: number; to: number }): PastChecks {
  const { checks, id } = monitor;
  const interval = monitor.settings.at(-1)?.config.interval ?? 1;
  const placed: Placed[] = [];
  for (let at = 0; at < checks.count; at++) {
    const time = checks.times[at] ?? 0;
    placed.push({ at: time, like: at, isAfterUsual: checks.isAfterUsual[at] === 1 });
    const isLast = at + 1 === checks.count;
    if (!isLast && checks.isAfterUsual[at + 1] !== 1) continue;
    const validTo = checks.kinds[checks.kindOf[at] ?? 0]?.detail?.validTo;
    const warnedAt = typeof validTo === "string" ? Date.parse(validTo) - warnDays * DAY : Number.NaN;
    const slot = nextCheckAt(id, interval, Math.max(warnedAt, time));
    const next = isLast ? to : (checks.times[at + 1] ?? to);
    if (warnedAt > time && slot < next) placed.push({ at: slot, like: at, isAfterUsual: true });
  }
  return asChecks(checks, placed);
}

/**
 * Without the missed runs that the maintenance excuses (behavior 14.38). A job that stays silent after it is late again one window after its
 * end, which is estimated by its last silence.
 */
function withoutExcused(
  { checks }: MonitorPast,
  triedWindow: Alterations["triedWindow"],
): { checks: PastChecks; isExact: boolean } {
  const placed: Placed[] = [];
  let isExact = true;
  let lastHeard: number | null = null;
  /** A maintenance excuses a silence once. */
  let isExcused = false;
  for (let at = 0; at < checks.count; at++) {
    const time = checks.times[at] ?? 0;
    const isMissed = checks.kinds[checks.kindOf[at] ?? 0]?.status === "havent_heard";
    const end = isMissed && !isExcused ? (triedWindow(time)?.endsAt ?? null) : null;
    if (!isMissed) [lastHeard, isExcused] = [time, false];
    if (end === null) {
      placed.push({ at: time, like: at, isAfterUsual: checks.isAfterUsual[at] === 1 });
      continue;
    }
    isExcused = true;
    const lateAt = end + (time - (lastHeard ?? time));
    const next = at + 1 < checks.count ? (checks.times[at + 1] ?? 0) : Number.POSITIVE_INFINITY;
    if (next <= lateAt) continue;
    isExact = false;
    placed.push({ at: lateAt, like: at, isAfterUsual: false });
  }
  return { checks: asChecks(checks, placed), isExact };
}

function asChecks(checks: PastChecks, placed: readonly Placed[]): PastChecks {
  return {
    count: placed.length,
    times: Float64Array.from(placed, ({ at }) => at),
    kindOf: Uint16Array.from(placed, ({ like }) => checks.kindOf[like] ?? 0),
    latencies: Float32Array.from(placed, ({ like }) => checks.latencies[like] ?? Number.NaN),
    isAfterUsual: Uint8Array.from(placed, ({ isAfterUsual }) => (isAfterUsual ? 1 : 0)),
    kinds: checks.kinds,
  };
}
