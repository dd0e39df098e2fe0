import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import type { StatusGroup } from "../../../../src/domain/monitors/status.ts";
import type { Pace, SimMonitor } from "../../ledger.ts";
import { furtherCheckDelay } from "../due-checks.ts";
import { doneBy, type Stretch } from "../own-faults.ts";
import type { MonitorLife } from "./monitor-life.ts";

const SECOND = 1000;

/** From the end of a check until its status is committed; milliseconds. */
const COMMIT = 3 * SECOND;

/** A group of statuses as the truth knows it; `unknown` before the first check, and after a pause. */
export type Seen = StatusGroup | "unknown";

export const SEEN: readonly Seen[] = ["healthy", "warning", "down", "unknown"];

/** Stretches in which a monitor may be in each group. */
export type MayBe = Record<Seen, Stretch[]>;

export function nothing(): MayBe {
  return { healthy: [], warning: [], down: [], unknown: [] };
}

const GROUPS: Record<string, StatusGroup> = {
  good: "healthy",
  moved: "warning",
  down: "down",
  missing: "down",
};

/** A target that only the server itself checks. */
export function mayBeOf(life: MonitorLife): MayBe {
  const { monitor, span, disturbed } = life;
  const may = nothing();
  const lag = noticedWithin(monitor, life.paces);
  for (const { from, to, kind } of monitor.segments ?? [])
    may[GROUPS[kind] ?? "down"].push({ from, to: doneBy(to, lag, disturbed) });
  may.unknown.push({ from: span.from, to: doneBy(span.from, firstCheckWithin(monitor), disturbed) });
  return may;
}

export function firstCheckWithin({ config }: SimMonitor): number {
  return checkTimeout({ interval: config.interval ?? 300 }) + 2 * COMMIT;
}

/** How long it takes at most until the status of a monitor follows its target; milliseconds. @param paces all that it ever has */
export function noticedWithin({ config, ...own }: SimMonitor, paces: readonly Pace[]): number {
  const all = [{ ...own, interval: config.interval ?? 300 }, ...paces];
  const interval = SECOND * Math.max(...all.map((pace) => pace.interval ?? 0));
  const rows = Math.max(
    ...all.flatMap(({ confirmations = 0, recoveries = 0 }) => [confirmations, recoveries]),
  );
  const timeout = checkTimeout({ interval: interval / SECOND });
  // A row may confirm a warning first, and then the rest of it what is worse.
  return interval + timeout + 2 * rows * (furtherCheckDelay(interval) + timeout + COMMIT) + COMMIT;
}
