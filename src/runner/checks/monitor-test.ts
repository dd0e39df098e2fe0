import type { Clock } from "../../clock.ts";
import { checkTimeout } from "../../domain/checks/check-slot.ts";
import { type Judgement, judgeCheck, slownessOf } from "../../domain/checks/judge.ts";
import type { AddressEvidence, Evidence, Sample } from "../../domain/checks/observation.ts";
import { fault, tooManyFault } from "../../domain/faults/fault.ts";
import { isPinged } from "../../domain/locations/ping-access.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";
import { maxChecks } from "./concurrency-limit.ts";
import { pingRefusalHere } from "./ping-watch.ts";

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
 * @throws AppError `invalid` if this machine can't ping a target that is to be pinged; `refused` if a fault of this machine made the check inconclusive, or the network of this machine is offline
 */
export async function testMonitor(
  { type, config }: { type: ProbedType; config: MonitorConfig<ProbedType> },
  { probes, clock }: { probes: Pick<ProbeThread, "run">; clock: Pick<Clock, "now"> },
): Promise<TestResult> {
  const refusal = isPinged(config) ? await pingRefusalHere() : null;
  if (refusal !== null) throw fault("pingRefused", { field: "config.protocol", why: refusal });
  const now = clock.now();
  const evidence = await probes.run({
    type,
    config: { ...config, ...(type === "HTTP" && { isSampled: true }) },
    timeout: checkTimeout(config),
    startAt: now,
  });
  if (evidence.outcome === "inconclusive") {
    const { message, reason, isOffline } = evidence;
    const options = { kind: "refused", ...(reason && { errorCode: reason }) } as const;
    throw isOffline || reason
      ? fault("checkNotMadeBecause", { why: message }, options)
      : fault("checkNotMade", {}, options);
  }
  const { status, latencyMs, detail } = judgeCheck({ type, config, memory: null }, evidence, now);
  const seen = evidence.outcome === "by_address" ? firstFailure(evidence.addresses) : evidence;
  const isUnexpected = seen?.outcome === "failed" && seen.reason === "unexpected";
  return {
    status: status === "up" && slownessOf(evidence).mayBeSlow ? "degraded" : status,
    latencyMs,
    detail,
    answer: seen && "sample" in seen && seen.sample ? shown(seen.sample) : null,
    failedExpectation: isUnexpected ? String(seen.detail.message) : null,
  };
}

/** The evidence of an address that fails, rather of one with an answer to show; of any if none fails. */
function firstFailure(addresses: readonly AddressEvidence[]): Evidence | undefined {
  const all = addresses.map(({ evidence }) => evidence);
  const failed = all.filter(({ outcome }) => outcome === "failed");
  return failed.find((one) => "sample" in one) ?? failed[0] ?? all[0];
}

/** Whoever may test a target must not read through this server what only its network can reach (behavior 10.30). */
function shown(sample: Sample): Sample {
  return sample.isPrivate ? { ...sample, headers: [], body: null } : sample;
}

/** Concurrent tests of one organization. */
const MAX_PER_ORGANIZATION = 10;

/** Concurrent tests for each concurrent check, so that the sockets of both fit. */
const SHARE_OF_CHECKS = 1 / 16;

/** Limits the concurrent tests of monitors and channels: each holds sockets for up to 10 seconds. */
export interface TestLimit {
  /** @throws AppError `too_many` if too many tests of the organization, or of all organizations, are running */
  run<T>(organizationId: string, test: () => Promise<T>): Promise<T>;
}

/** @param max concurrent tests of all organizations */
export function createTestLimit(max = maxTests()): TestLimit {
  const running = new Map<string, number>();
  let total = 0;
  return {
    async run(organizationId, test) {
      const own = running.get(organizationId) ?? 0;
      if (own >= MAX_PER_ORGANIZATION || total >= max) throw tooManyFault("tooManyTests", 1);
      running.set(organizationId, own + 1);
      total++;
      try {
        return await test();
      } finally {
        total--;
        const left = (running.get(organizationId) ?? 1) - 1;
        if (left > 0) running.set(organizationId, left);
        else running.delete(organizationId);
      }
    },
  };
}

/** How many tests, at least one, may run at the same time with this number of file descriptors. */
export function maxTests(descriptors?: number): number {
  return Math.ceil(maxChecks(descriptors) * SHARE_OF_CHECKS);
}
