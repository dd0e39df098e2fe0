import type { Clock } from "../../clock.ts";
import { checkTimeout } from "../../domain/checks/check-slot.ts";
import { type Judgement, judgeCheck } from "../../domain/checks/judge.ts";
import type { Evidence, Sample } from "../../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { AppError } from "../../errors.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";

/** The result of a check that is not recorded. */
export interface TestResult extends Omit<Judgement, "memory"> {
  /** Null if the server gave none, and for other types than HTTP. */
  answer: Sample | null;
  /** The first expectation that the answer fails, and what was seen. */
  failedExpectation: string | null;
}

/**
 * Checks a target once and records nothing.
 *
 * @throws AppError `refused` if a fault of this machine made the check inconclusive, or the network of this machine is offline
 */
export async function testMonitor(
  { type, config }: { type: ProbedType; config: MonitorConfig<ProbedType> },
  { probes, clock }: { probes: Pick<ProbeThread, "run">; clock: Pick<Clock, "now"> },
): Promise<TestResult> {
  const now = clock.now();
  const evidence = await probes.run({
    type,
    config: { ...config, ...(type === "HTTP" && { isSampled: true }) },
    timeout: checkTimeout(config),
    startAt: now,
  });
  if (evidence.outcome === "inconclusive") {
    const why = evidence.isOffline ? `: ${evidence.message}` : ": try again";
    throw new AppError("refused", `the check could not be made${why}`);
  }
  const { status, latencyMs, detail } = judgeCheck({ type, config, memory: null }, evidence, now);
  const isUnexpected = evidence.outcome === "failed" && evidence.reason === "unexpected";
  return {
    status: isSlow(evidence) ? "degraded" : status,
    latencyMs,
    detail,
    answer: "sample" in evidence && evidence.sample ? shown(evidence.sample) : null,
    failedExpectation: isUnexpected ? String(evidence.detail.message) : null,
  };
}

/** Whoever may test a target must not read through this server what only its network can reach (behavior 10.30). */
function shown(sample: Sample): Sample {
  return sample.isPrivate ? { ...sample, headers: [], body: null } : sample;
}

function isSlow(evidence: Evidence): boolean {
  return evidence.outcome === "reached" && evidence.isSlow === true;
}
