import type { Transition } from "../domain/alerts/delivery.ts";
import { groupOf, type StatusGroup } from "../domain/monitors/status.ts";
import { reasonOf } from "./reason.ts";
import { durationWords, latencyWords, timeWords } from "./time-words.ts";
import { oneLine } from "./truncate.ts";

/**
 * What a person is told of a transition, whatever the channel. Each text is one line of plain text: the channels escape
 * and shorten it.
 */
export interface AlertMessage {
  /** As `Shop front is down`. */
  title: string;
  /** Why, in a sentence. */
  reason: string;
  /** Of our own words only, and never empty. */
  facts: Fact[];
  /** To the monitor in the dashboard. */
  link: string;
  group: StatusGroup;
  /** When it happened, milliseconds since 1970. */
  at: number;
}

export interface Fact {
  label: string;
  value: string;
}

/** By the new status (interface 3.1). */
const verdicts: Record<string, string> = {
  up: "is up",
  down: "is down",
  degraded: "is slow",
  active: "has a good certificate",
  expiring_soon: "has a certificate that expires soon",
  expired: "has an expired certificate",
  no_cert: "shows no certificate",
  present: "is in the DNS",
  missing: "is missing from the DNS",
  changed: "has changed in the DNS",
  ok: "has succeeded",
  failed: "has failed",
  havent_heard: "has not been heard of",
};

/** Where "again" would say something else. */
const returns: Record<string, string> = {
  "degraded up": "is fast again",
  "changed present": "has settled in the DNS",
};

/** @param baseUrl without a slash at its end */
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
  const plain = verdicts[status] ?? `is ${status}`;
  if (groupOf(status) !== "healthy") return plain;
  return returns[`${previousStatus} ${status}`] ?? `${plain} again`;
}

function factsOf(transition: Transition): Fact[] {
  const { monitor, previousStatus, status, result } = transition;
  const change = { label: "Status", value: `${statusWords(previousStatus)} → ${statusWords(status)}` };
  const facts = groupOf(status) === "healthy" ? recoveryFacts(transition) : troubleFacts(transition);
  const since = { label: "Since", value: timeWords(result.createdAt) };
  return [change, since, ...facts, { label: "Check", value: monitor.type }];
}

function recoveryFacts({ since, troubleSince, result }: Transition): Fact[] {
  const start = troubleSince ?? since;
  return [
    ...(start === undefined ? [] : [{ label: "Lasted", value: durationWords(result.createdAt - start) }]),
    ...latency("Latency", result.latencyMs),
  ];
}

function troubleFacts({
  previousStatus,
  since,
  troubleSince,
  lastGoodLatencyMs,
  result,
}: Transition): Fact[] {
  const before =
    since !== undefined && `${statusWords(previousStatus)} for ${durationWords(result.createdAt - since)}`;
  const earlier = troubleSince !== undefined && troubleSince < result.createdAt;
  return [
    ...(earlier ? [{ label: "In trouble since", value: timeWords(troubleSince) }] : []),
    ...(before ? [{ label: "Before", value: before }] : []),
    ...latency("Latency", result.latencyMs),
    ...latency("Last good latency", lastGoodLatencyMs),
  ];
}

function latency(label: string, latencyMs: number | null | undefined): Fact[] {
  return latencyMs == null ? [] : [{ label, value: latencyWords(latencyMs) }];
}

function statusWords(status: string): string {
  return status.replaceAll("_", " ");
}
