import type { Transition } from "../domain/alerts/delivery.ts";
import { formatDuration, formatLatency } from "../domain/duration.ts";
import { groupOf, type Status, statusLabel } from "../domain/monitors/status.ts";
import { typeLabels } from "../domain/monitors/type-label.ts";
import { formatTime } from "./format-time.ts";
import type { AlertMessage, Fact } from "./message.ts";
import { reasonOf } from "./reason.ts";
import { oneLine } from "./truncate.ts";

/** By the new status; the title is the name of the monitor and these words. */
const verdicts: Record<Status, string> = {
  up: "is up",
  down: "is down",
  degraded: "is slow",
  active: "has a current certificate",
  expiring_soon: "has a certificate that expires soon",
  expired: "has an expired certificate",
  no_cert: "presents no certificate",
  present: "is in the DNS",
  missing: "is missing from the DNS",
  changed: "has changed in the DNS",
  ok: "has succeeded",
  failed: "has failed",
  havent_heard: "has not checked in",
  unknown: "is waiting for its first result",
};

/** Recoveries for which the verdict and "again" would be wrong, by the previous and the new status. */
const recoveries: Partial<Record<`${Status} ${Status}`, string>> = {
  "degraded up": "is fast again",
  "expiring_soon active": "has a certificate that no longer expires soon",
  "changed present": "is unchanged in the DNS again",
  "havent_heard ok": "has checked in again",
};

/** @param baseUrl of the page, without a trailing slash */
export function describeTransition(transition: Transition, baseUrl: string): AlertMessage {
  const { monitor, status, result } = transition;
  return {
    title: `${oneLine(monitor.name)} ${verdict(transition)}`,
    reason: reasonOf(transition),
    facts: factsOf(transition),
    link: `${baseUrl}/monitors/${monitor.id}`,
    group: groupOf(status),
    at: result.createdAt,
  };
}

function verdict({ previousStatus, status }: Transition): string {
  if (groupOf(status) !== "healthy") return verdicts[status];
  return recoveries[`${previousStatus} ${status}`] ?? `${verdicts[status]} again`;
}

function factsOf(transition: Transition): Fact[] {
  const { monitor, previousStatus, status } = transition;
  const facts = groupOf(status) === "healthy" ? recoveryFacts(transition) : troubleFacts(transition);
  return [
    { label: "Status", value: `${statusLabel(previousStatus)} → ${statusLabel(status)}` },
    { label: "Since", value: formatTime(beginOf(transition)) },
    ...seenFrom(transition),
    ...facts,
    { label: "Type", value: typeLabels[monitor.type] },
  ];
}

/** When the new status began (behavior 11.9). */
function beginOf({ changedAt, result }: Transition): number {
  return changedAt ?? result.createdAt;
}

function recoveryFacts(transition: Transition): Fact[] {
  const { since, troubleSince, result } = transition;
  const start = troubleSince ?? since;
  return [
    ...(start === undefined ? [] : [{ label: "Lasted", value: formatDuration(beginOf(transition) - start) }]),
    ...latencyFact("Latency", result.latencyMs),
  ];
}

function troubleFacts(transition: Transition): Fact[] {
  const { previousStatus, since, troubleSince, lastGoodLatencyMs, result } = transition;
  const begin = beginOf(transition);
  const before = since !== undefined && `${statusLabel(previousStatus)} for ${formatDuration(begin - since)}`;
  const isOlder = troubleSince !== undefined && troubleSince < begin;
  return [
    ...(isOlder ? [{ label: "In trouble since", value: formatTime(troubleSince) }] : []),
    ...(before ? [{ label: "Before", value: before }] : []),
    ...latencyFact("Latency", result.latencyMs),
    ...latencyFact("Last good latency", lastGoodLatencyMs),
  ];
}

function seenFrom({ locations }: Transition): Fact[] {
  if (!locations || locations.seeing.length === 0) return [];
  const { seeing, of } = locations;
  const value = `${seeing.map(oneLine).join(", ")} (${seeing.length} of ${of})`;
  return [{ label: "Seen from", value, isFromUser: true }];
}

function latencyFact(label: string, latencyMs: number | null | undefined): Fact[] {
  return latencyMs == null ? [] : [{ label, value: formatLatency(latencyMs) }];
}
