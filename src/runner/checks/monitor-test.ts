import { checkTimeout } from "../../domain/checks/check-slot.ts";
import { type Judgement, judgeCheck } from "../../domain/checks/judge.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { AppError } from "../../errors.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";

/**
 * One check of a target that nothing is recorded of.
 *
 * @throws AppError `refused` where a fault of ours kept it from telling anything
 */
export async function testMonitor(
  probes: ProbeThread,
  { type, config }: { type: ProbedType; config: MonitorConfig<ProbedType> },
): Promise<Omit<Judgement, "memory">> {
  const now = Date.now();
  const evidence = await probes.run({ type, config, timeout: checkTimeout(config.interval), startAt: now });
  if (evidence.outcome === "inconclusive")
    throw new AppError("refused", "the check could not be made: try again");
  const { status, latencyMs, detail } = judgeCheck({ type, config, memory: null }, evidence, now);
  return { status, latencyMs, detail };
}
