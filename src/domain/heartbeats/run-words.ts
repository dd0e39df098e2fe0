import type { Detail } from "../checks/observation.ts";
import { formatDuration, formatLatency, SECOND } from "../duration.ts";

/** Why a run fails, besides its own report (behavior 18.15, 18.20). */
export type RunReason = "overrun" | "overlap";

export const runReasons: Record<RunReason, string> = {
  overrun: "Runs for longer than its limit",
  overlap: "Started while another run was open",
};

/** The run that the result of a job is about, in a few words for a list, such as "Exit code 3, after 8 min 12 s". */
export function describeRunBriefly({ reason, exitCode, run }: Detail): string | undefined {
  if (reason === "overrun" || reason === "overlap") return runReasons[reason];
  const { durationMs } = (run ?? {}) as { durationMs?: number };
  const length = durationMs === undefined ? undefined : formatRunTime(durationMs);
  if (exitCode === undefined) return length && `Ran for ${length}`;
  return [`Exit code ${exitCode}`, length && `after ${length}`].filter(Boolean).join(", ");
}

/** How long a run took, as `412 ms` or, from a second on, `8 min 12 s`. @param length milliseconds */
export function formatRunTime(length: number): string {
  return length < SECOND ? formatLatency(length) : formatDuration(length);
}
