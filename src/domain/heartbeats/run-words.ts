import type { Detail } from "../checks/observation.ts";
import { formatDuration, formatLatency, SECOND } from "../duration.ts";

/**
 * The run that the result of a job is about, as the beginning of a sentence, such as "The job ended with exit code 3 after 8 min".
 *
 * @returns undefined if it says nothing of one
 */
export function describeRun(isOk: boolean, detail: Detail | null): string | undefined {
  if (detail?.reason === "overrun") return "A run of the job takes longer than its limit";
  if (detail?.reason === "overlap") return "A run of the job started while another one was open";
  const { exitCode, run } = (detail ?? {}) as { exitCode?: number; run?: { durationMs: number } };
  if (exitCode === undefined && !run) return undefined;
  const after = run ? ` after ${formatDuration(run.durationMs)}` : "";
  if (exitCode !== undefined) return `The job ended with exit code ${exitCode}${after}`;
  return `The job reported ${isOk ? "success" : "a failure"}${after}`;
}

/** Why a run fails, besides its own report (behavior 18.15, 18.20). */
export type RunReason = "overrun" | "overlap";

export const runReasons: Record<RunReason, string> = {
  overrun: "Runs for longer than its limit",
  overlap: "Started while another run was open",
};

/** As `describeRun`, in a few words for a list, such as "Exit code 3, after 8 min 12 s". */
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
