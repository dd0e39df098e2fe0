import type { Clock } from "../../clock.ts";
import { checkTimeout } from "../../domain/checks/check-slot.ts";
import { type Judgement, judgeCheck } from "../../domain/checks/judge.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { AppError } from "../../errors.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";

/**
 * Checks a target once and records nothing.
 *
 * @throws AppError `refused` if an own fault made the check inconclusive
 */
export async function testMonitor(
  { type, config }: { type: ProbedType; config: MonitorConfig<ProbedType> },
  { probes, clock }: { probes: Pick<ProbeThread, "run">; clock: Pick<Clock, "now"> },
): Promise<Omit<Judgement, "memory">> {
  const now = clock.now();
  const evidence = await probes.run({ type, config, timeout: checkTimeout(config), startAt: now });
  if (evidence.outcome === "inconclusive")
    throw new AppError("refused", "the check could not be made: try again");
  const { status, latencyMs, detail } = judgeCheck({ type, config, memory: null }, evidence, now);
  return { status, latencyMs, detail };
}
