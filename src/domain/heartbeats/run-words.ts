import type { Detail } from "../checks/observation.ts";
import { formatDuration } from "../duration.ts";

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
