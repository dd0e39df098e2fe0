import { baselineStart, noLatency } from "../checks/latency-baseline.ts";
import { silentHeartbeat } from "../heartbeats/heartbeat.ts";
import type { MonitorState } from "../monitors/recording-plan.ts";
import { bySeverity, groupOf, type Status } from "../monitors/status.ts";
import type { MonitorPast, MonitorSettings, PastChecks, PastOutage } from "./history.ts";

/** A change of a monitor that no check made. `cut`: its outage ended without one. */
export type PastEvent = { at: number } & (
  | { kind: "settings"; settings: MonitorSettings; before: MonitorSettings }
  | { kind: "acknowledged" | "taken back" }
  | { kind: "cut"; outage: PastOutage }
);

/** The state before the first check of the range. */
export function startOf(monitor: MonitorPast): MonitorState {
  const { type, checks, outages } = monitor;
  const at = checks.times[0] ?? 0;
  const open = outages.find(({ startedAt, endedAt }) => startedAt < at && (endedAt === null || endedAt > at));
  const recorded = checks.kinds[checks.kindOf[0] ?? 0]?.status;
  const isTrouble = recorded !== undefined && groupOf[recorded] !== "healthy";
  const healthy: Status = bySeverity[type].at(-1) ?? "unknown";
  const status = open
    ? isTrouble
      ? recorded
      : open.status
    : checks.isAfterUsual[0] === 1
      ? healthy
      : "unknown";
  return {
    ...{
      status,
      statusBefore: null,
      statusSince: open?.startedAt ?? null,
      troubleSince: open?.startedAt ?? null,
    },
    ...{ suspicion: null, outage: open ? { startedAt: open.startedAt, status: open.status } : null },
    ...{ lastGoodLatencyMs: null, nextCheckAt: null, openHour: null, memory: null, baseline: noLatency },
    ...{ baselineStart: baselineStart(at), heartbeat: silentHeartbeat, places: null },
  };
}

/** The changes that people made to a monitor and its outages, and the ends of outages that no check saw, by time. */
export function eventsOf({ settings, outages, checks }: MonitorPast): PastEvent[] {
  const events: PastEvent[] = [];
  for (const [at, one] of settings.entries()) {
    const before = settings[at - 1];
    if (before) events.push({ at: one.since, kind: "settings", settings: one, before });
  }
  for (const outage of outages) {
    for (const { at, until } of outage.acknowledged) {
      events.push({ at, kind: "acknowledged" });
      if (until !== null) events.push({ at: until, kind: "taken back" });
    }
    if (outage.endedAt !== null && !hasCheckAt(checks, outage.endedAt))
      events.push({ at: outage.endedAt, kind: "cut", outage });
  }
  return events.toSorted((one, other) => one.at - other.at);
}

/** Whether a check ended at a moment: the times ascend, except of late checks of locations. */
function hasCheckAt({ times, count }: PastChecks, at: number): boolean {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return times[low] === at;
}
