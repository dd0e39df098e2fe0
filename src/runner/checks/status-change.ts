import { judgeCheck } from "../../domain/checks/judge.ts";
import type { Evidence } from "../../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { groupOf, type Status, type StatusGroup } from "../../domain/monitors/status.ts";
import type { KnownRegistration } from "../../domain/registration/registration.ts";

interface Seen {
  evidence: Evidence;
  at: number;
  registration?: KnownRegistration | undefined;
}

/**
 * Whether a check may be a transition that channels are notified of, because its evidence is of another group than the
 * status of its monitor. A guess: the latency baseline, the memory and the suspicion of the monitor are not known here.
 */
export function mayChangeStatus(
  monitor: { type: ProbedType; config: MonitorConfig<ProbedType>; status: Status },
  { evidence, at, registration }: Seen,
): boolean {
  // The first result notifies no channel if it is healthy (behavior 5.2).
  const group = monitor.status === "unknown" ? "healthy" : groupOf(monitor.status);
  if (evidence.outcome === "reached") return group === "down";
  return group !== groupOfEvidence(monitor, { evidence, at, registration });
}

function groupOfEvidence(
  { type, config }: { type: ProbedType; config: MonitorConfig<ProbedType> },
  { evidence, at, registration }: Seen,
): StatusGroup {
  if (evidence.outcome === "failed") return "down";
  return groupOf(judgeCheck({ type, config, memory: null, registration }, evidence, at).status);
}
