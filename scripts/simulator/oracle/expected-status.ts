import type { Certificate } from "../../../src/domain/checks/certificate.ts";
import type { DnsAnswer } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import type { SimMonitor, Violation } from "../ledger.ts";
import { createBaseline } from "./baseline.ts";
import type { CheckedResult, SimResult } from "./check-results.ts";
import { seenBy } from "./confirmation.ts";
import { type OwnFaults, touches } from "./own-faults.ts";

const DAY = 86_400_000;

/** A latency so near to the limit may be on either side, because the product rounds; milliseconds. */
const NEAR = 0.5;

/**
 * The statuses of a check that the truth explains: usually one.
 *
 * @param previous the status of the result before; `unknown` for the first one
 */
type Explain = (pair: Explained, previous: Status) => Status[];

interface Explained {
  result: SimResult;
  startedAt: number;
  endedAt: number;
}

/** The observation of each check follows from the state of the target at its start (behavior 1.25 to 1.40, 2, 4). */
export function judgeStatuses(
  monitor: SimMonitor,
  pairs: readonly CheckedResult[],
  { faults, isPruned }: { faults: OwnFaults; isPruned: boolean },
): Violation[] {
  const violations: Violation[] = [];
  const explain = explainerOf(monitor, { faults, isPruned });
  let previous: Status = "unknown";
  for (const { check, result } of pairs) {
    if (!result) continue;
    const { startedAt, endedAt } = check;
    const allowed = explain({ result, startedAt, endedAt }, previous);
    if (!allowed.includes(seenBy(result)))
      violations.push({
        rule: "the truth explains each status",
        at: startedAt,
        monitor: monitor.name,
        text: `the check saw ${seenBy(result)} after ${previous} instead of ${allowed.join(" or ")}: it ended as ${check.observation.outcome}${check.disturbed ? " through an own fault" : ""}`,
      });
    previous = result.status;
  }
  return violations;
}

function explainerOf(monitor: SimMonitor, context: { faults: OwnFaults; isPruned: boolean }): Explain {
  if (monitor.type === "TLS") return certificateExplainer(monitor, context.faults);
  if (monitor.type === "DNS") return recordsExplainer(monitor, context);
  return latencyExplainer(monitor, context);
}

function latencyExplainer(
  monitor: SimMonitor,
  { faults, isPruned }: { faults: OwnFaults; isPruned: boolean },
): Explain {
  const baseline = createBaseline();
  return ({ result: { status, latencyMs, createdAtWall }, startedAt, endedAt }, previous) => {
    if (monitor.sample?.(startedAt).observation.outcome !== "reached") return ["down"];
    const unchanged = previous === "degraded" ? "degraded" : "up";
    // Without a latency, a check neither starts nor ends `degraded` (behavior 1.48).
    if (latencyMs === null) return [unchanged];
    const limit = baseline.limit(createdAtWall, previous === "degraded");
    // The latency of an unconfirmed recovery does not count (behavior 11.7).
    if (status !== "down") baseline.add(createdAtWall, latencyMs);
    if (isPruned) return ["up", "degraded"];
    if (limit === null || latencyMs < limit - NEAR) return ["up"];
    if (latencyMs <= limit + NEAR) return ["up", "degraded"];
    // A late event loop may explain the latency (behavior 1.49).
    return touches(faults.stalled, { from: startedAt, to: endedAt }) ? ["degraded", unchanged] : ["degraded"];
  };
}

function certificateExplainer(monitor: SimMonitor, { errorsWithin }: OwnFaults): Explain {
  return ({ result: { createdAtWall }, startedAt, endedAt }) => {
    const seen = monitor.sample?.(startedAt).observation;
    if (seen?.outcome !== "certified") return ["no_cert"];
    const { certificate } = seen;
    const byClock = statusOf(certificate, createdAtWall);
    const isWrong = errorsWithin(endedAt, endedAt + 1000).some((error) => error !== 0);
    // The product may know from an earlier check that the certificate has begun.
    return isWrong
      ? [
          byClock,
          statusOf(certificate, endedAt),
          statusOf({ ...certificate, validFrom: "1970-01-01" }, createdAtWall),
        ]
      : [byClock];
  };
}

function statusOf({ validFrom, validTo }: Pick<Certificate, "validFrom" | "validTo">, now: number): Status {
  if (now >= Date.parse(validTo) || now < Date.parse(validFrom)) return "expired";
  return Date.parse(validTo) - now <= 14 * DAY ? "expiring_soon" : "active";
}

function recordsExplainer(monitor: SimMonitor, { isPruned }: { isPruned: boolean }): Explain {
  const { expected } = monitor.config as MonitorConfig<"DNS">;
  /** When each value was seen last; a record type too, if it was answered. */
  const seen = new Map<string, number>();
  let latest = new Set<string>();
  return ({ result, startedAt }) => {
    const now = result.createdAtWall;
    const observation = monitor.sample?.(startedAt).observation;
    if (observation?.outcome !== "looked_up") return [];
    const values = valuesOf(observation.answer);
    if (values.size === 0) return ["missing"];
    if (expected) return [isEqual(values, expected) ? "present" : "changed"];
    const isFirst = seen.size === 0;
    const isKnown = (value: string) =>
      latest.has(value) || now - (seen.get(value) ?? Number.NEGATIVE_INFINITY) <= 7 * DAY;
    const isNew = [...values].some((value) => !isKnown(value));
    // Behavior 11.12.
    if (seenBy(result) === result.status) {
      for (const value of values) seen.set(value, now);
      latest = values;
    }
    if (isPruned) return ["present", "changed"];
    return [isNew && !isFirst ? "changed" : "present"];
  };
}

function valuesOf({ lookups }: DnsAnswer): Set<string> {
  return new Set(lookups.flatMap(({ values }) => values.map((value) => value.toLowerCase())));
}

function isEqual(values: Set<string>, expected: readonly string[]): boolean {
  return values.size === new Set(expected).size && expected.every((value) => values.has(value.toLowerCase()));
}
