import { formatRunTime } from "../../../../domain/heartbeats/run-words.ts";
import type { DisplayState } from "../../../../domain/monitors/display-state.ts";
import type { JobRun } from "../../data/api.ts";
import { formatNumber } from "../../ui/numbers.ts";

export const outcomes: Record<JobRun["outcome"], { label: string; state: DisplayState; effect?: string }> = {
  running: { label: "Running", state: "waiting" },
  ok: { label: "OK", state: "healthy" },
  failed: { label: "Failed", state: "down" },
  overrun: { label: "Too long", state: "down", effect: "It is open for longer than the limit." },
  replaced: { label: "Replaced", state: "waiting", effect: "It started again before its end." },
  logged: { label: "Output only", state: "waiting", effect: "It came without a start or an end." },
};

/** The open runs, latest first. */
export function openRunsOf(runs: readonly JobRun[]): JobRun[] {
  return runs.filter(({ endedAt }) => endedAt === null);
}

/** How long a run took, or has taken so far, in milliseconds; null if that is not known. */
export function lengthOf({ startedAt, endedAt, durationMs }: JobRun, now: number): number | null {
  return endedAt === null ? Math.max(0, now - Date.parse(startedAt)) : durationMs;
}

/**
 * Such as `Running for 12 min, usually 8 min`. Runs beyond their limit, whose end may never have come, are only described if no other is
 * open. @param usualMs null if no run has ended yet
 */
export function describeOpen(open: readonly JobRun[], usualMs: number | null, now: number): string {
  const running = open.filter(({ outcome }) => outcome === "running");
  const shown = running.length > 0 ? running : open;
  const oldest = shown.at(-1);
  if (!oldest) return "";
  const length = formatRunTime(Math.max(0, now - Date.parse(oldest.startedAt)));
  const usual = usualMs === null ? "" : `, usually ${formatRunTime(usualMs)}`;
  const words =
    shown.length === 1 ? "Running for" : `${formatNumber(shown.length)} runs are open, the first for`;
  return `${words} ${length}${usual}`;
}
