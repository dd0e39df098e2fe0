import { checkTimeout } from "../checks/check-slot.ts";
import {
  type AddressEvidence,
  CHANGED,
  EXPIRES_SOON,
  PACKET_LOSS,
  type Reason,
} from "../checks/observation.ts";
import { statusWords } from "../checks/status-phrases.ts";
import { isIP } from "../network/client-address.ts";
import { truncate } from "../truncate.ts";
import type { AllPhases, Good, Layer, Why } from "./evidence.ts";
import { endingCertificate, handshake } from "./explain-handshake.ts";
import {
  addressIn,
  endpointOf,
  type Failure,
  factsOf,
  isRedirected,
  messageIn,
  nameIn,
  phasesIn,
  reasonOf,
  UNKNOWN,
} from "./failure.ts";

const MAX_SUMMARY = 200;

/** Names the layer of a failure, and says in one sentence what was seen (behavior 22.2). The first rule that fits decides. */
export function explain(failure: Failure): Why {
  const { layer, summary } = explained(failure);
  return { layer, summary: truncate(summary, MAX_SUMMARY) };
}

function explained(failure: Failure): Why {
  const { observation } = failure;
  if (observation.outcome === "by_address") return ofAddresses(failure, observation.addresses);
  // The answer is the usual one except for its content, from whatever address.
  if (reasonOf(failure) === CHANGED) return { layer: "content", summary: messageIn(failure) };
  return absentName(failure) ?? movedName(failure) ?? byOutcome(failure) ?? UNKNOWN;
}

/** The failed addresses decide, if they failed at the same layer; if none failed, all of them. */
function ofAddresses(failure: Failure, addresses: AddressEvidence[]): Why {
  const failed = addresses.filter(({ evidence }) => evidence.outcome === "failed");
  const concerned = failed.length > 0 ? failed : addresses;
  const told = addresses.map(({ address }) => address);
  const [first, ...others] = concerned.map(({ evidence }) =>
    explained({ ...failure, observation: { ...evidence, told }, seen: seenAt(failure, evidence) }),
  );
  if (!first || others.some(({ layer }) => layer !== first.layer)) return UNKNOWN;
  if (failed.length === 0 || failed.length === addresses.length) return first;
  return {
    layer: first.layer,
    summary: `${failed.length} of ${addresses.length} addresses: ${first.summary}`,
  };
}

function seenAt({ seen }: Failure, evidence: AddressEvidence["evidence"]): Failure["seen"] {
  if (evidence.outcome !== "failed") return { ...seen, detail: { ...seen.detail, ...evidence.detail } };
  return { status: "down", detail: { ...evidence.detail, reason: evidence.reason } };
}

const CODES: Record<string, string> = {
  nxdomain: "NXDOMAIN",
  servfail: "SERVFAIL",
  refused: "REFUSED",
  dns_not_found: "NXDOMAIN",
};

/** The name has no address, or its servers refuse to answer. */
function absentName(failure: Failure): Why | null {
  const reason = reasonOf(failure);
  const code = factsOf(failure)?.dns?.code ?? CODES[reason ?? ""];
  const host = nameIn(failure);
  const did = failure.good && !isRedirected(failure) ? "no longer exists" : "does not exist";
  if (isAbsent(failure, reason)) {
    if (code === "NXDOMAIN") return { layer: "dns", summary: `${host} ${did} (NXDOMAIN)` };
    return { layer: "dns", summary: `${host} has no ${failure.type === "DNS" ? "record" : "address"}` };
  }
  if (failure.type === "DNS" && (reason === "malformed" || reason === "error"))
    return { layer: "dns", summary: `The DNS servers give no valid answer about ${host}` };
  if (reason === "dns_failed" || (failure.type === "DNS" && isRefusal(reason)))
    return code === undefined || code === "timeout"
      ? silentName(failure)
      : { layer: "dns", summary: `The DNS servers do not answer about ${host} (${code})` };
  return reason === "dns_unreachable" || reason === "timeout" ? silentName(failure) : null;
}

function isAbsent({ type }: Failure, reason: string | null): boolean {
  return reason === "dns_not_found" || (type === "DNS" && (reason === "nxdomain" || reason === "no_data"));
}

function isRefusal(reason: string | null): boolean {
  return reason === "servfail" || reason === "refused";
}

/** Whether a server answers over UDP, and not over TCP (behavior 4.22). */
function hasTruncatedAnswer({ observation }: Failure): boolean {
  const lookups = observation.outcome === "looked_up" ? observation.answer.lookups : [];
  return lookups.some((lookup) => lookup.failure !== null && lookup.cause !== undefined);
}

/** Only the silence of servers that the monitor names is a fault of its target. */
function silentName(failure: Failure): Why | null {
  if (hasTruncatedAnswer(failure))
    return {
      layer: "dns",
      summary: `The DNS answer about ${nameIn(failure)} is long, and could not be had over TCP`,
    };
  const { type, config } = failure;
  const hasOwnServers = type === "DNS" && "servers" in config && config.servers !== undefined;
  if (type !== "DNS" && reasonOf(failure) === "timeout" && factsOf(failure)?.step !== "dns") return null;
  return hasOwnServers
    ? { layer: "dns", summary: `The DNS servers do not answer about ${nameIn(failure)}` }
    : UNKNOWN;
}

/** Every address is new, and none of the old ones is left. */
function movedName(failure: Failure): Why | null {
  const { known, observation, type } = failure;
  const given = "told" in observation ? observation.told : undefined;
  if (type === "DNS" || isRedirected(failure) || !known || known.length === 0 || !given || given.length === 0)
    return null;
  if (given.some((address) => known.includes(address))) return null;
  const before = failure.good?.address ?? known[0];
  const now = addressIn(failure) ?? given[0];
  const layer = reasonLayers[reasonOf(failure) as Reason]?.(failure)?.layer;
  const isMute = layer === "network" || layer === "port";
  return {
    layer: "dns",
    summary: `The addresses changed from ${before} to ${now}${isMute ? ", where nothing answers" : ""}`,
  };
}

function byOutcome(failure: Failure): Why | null {
  const { observation, seen } = failure;
  const reason = reasonOf(failure);
  if (observation.outcome === "failed") return reasonLayers[observation.reason]?.(failure) ?? null;
  if (observation.outcome === "looked_up") return changedRecords(failure);
  if (observation.outcome === "certified" || reason === EXPIRES_SOON) return endingCertificate(failure);
  if (reason === PACKET_LOSS) return { layer: "network", summary: messageIn(failure) };
  return seen.status === "degraded" ? slower(failure) : null;
}

type Rule = (failure: Failure) => Why | null;

/** Only the proxy knows more of the way to the target. */
const fromProxy: Rule = (failure) => ({ layer: "network", summary: messageIn(failure) });

const content: Rule = (failure) => ({ layer: "content", summary: messageIn(failure) });

/** By the reason of a failed check. Reasons about names are decided before. */
const reasonLayers: Partial<Record<Reason, Rule>> = {
  unreachable: (failure) =>
    "proxy" in failure.config ? fromProxy(failure) : unreachable(failure, "Network unreachable"),
  timeout: timedOut,
  refused(failure) {
    if (factsOf(failure)?.mayBeUnreachable) return UNKNOWN;
    const others = failure.doOtherPortsAnswer ? "; other ports of this host answer" : "";
    const { port } = endpointOf(failure.config);
    const refuses = `${addressIn(failure) ?? nameIn(failure)} refuses connections`;
    // The port of a redirect is not known here.
    return {
      layer: "port",
      summary: isRedirected(failure) ? refuses : `${refuses} on port ${port}${others}`,
    };
  },
  reset(failure) {
    const facts = factsOf(failure);
    if (facts?.http) return { layer: "content", summary: "The server reset the connection within the body" };
    if (facts?.hasAnswered) return otherText(failure) ?? endedWithin("reset");
    // Until the server sent its certificate, nothing of it was seen.
    if (facts?.step === "tls" && facts.tls && facts.tls.chain.length > 0) return handshake(failure);
    return {
      layer: "port",
      summary: `${addressIn(failure) ?? nameIn(failure)} reset the connection before it answered`,
    };
  },
  closed(failure) {
    const facts = factsOf(failure);
    if (facts?.step === "tls") return handshake(failure);
    if (facts?.isReset) return reasonLayers.reset?.(failure) ?? UNKNOWN;
    if (facts?.http) return { layer: "content", summary: "The server closed the connection within the body" };
    if (facts?.hasAnswered) return otherText(failure) ?? endedWithin("closed");
    return { layer: "protocol", summary: "The server closed the connection before it answered" };
  },
  tls_invalid: handshake,
  tls_failed: handshake,
  not_http: () => ({ layer: "protocol", summary: "The answer is not HTTP" }),
  unexpected: unexpected,
  too_many_redirects: content,
  bad_redirect: content,
  bad_body: content,
};

function endedWithin(how: "reset" | "closed"): Why {
  return { layer: "protocol", summary: `The server ${how} the connection within its answer` };
}

/** The answer to a TCP monitor lacks the text that it expects. */
function otherText(failure: Failure): Why | null {
  const isExpected = failure.type === "TCP" && factsOf(failure)?.step === "body";
  return isExpected
    ? { layer: "content", summary: "The server sent another text than the expected one" }
    : null;
}

/** At every address: else it is not known where the failure is. */
function unreachable(failure: Failure, did: string): Why {
  const { look } = failure;
  const attempts = factsOf(failure)?.attempts ?? [];
  const isMute = (outcome: string) => outcome === "timeout" || outcome === "unreachable";
  if (attempts.some(({ outcome }) => !isMute(outcome))) return UNKNOWN;
  const address = addressIn(failure) ?? nameIn(failure);
  const last = look.path?.findLast((hop) => hop.address !== null);
  if (last)
    return {
      layer: "network",
      summary: `No answer from ${address}; the path ends after ${last.address} (hop ${last.hop})`,
    };
  return { layer: "network", summary: did === "" ? `No answer from ${address}` : `${did}: ${address}` };
}

function timedOut(failure: Failure): Why | null {
  const { type, config } = failure;
  const step = factsOf(failure)?.step;
  if (type === "TCP" && "protocol" in config && config.protocol === "icmp") return unreachable(failure, "");
  if (step === undefined || step === "dns") return null;
  if (step === "connect") return unreachable(failure, "");
  const { connect } = phasesIn(failure);
  const connected = connect === undefined ? "Connected" : `Connected in ${milliseconds(connect)}`;
  const seconds = checkTimeout(config) / 1000;
  if (step === "tls")
    return { layer: "tls", summary: `${connected}, then no TLS handshake within ${seconds} s` };
  const isText = type === "TCP" && step === "body";
  const rest = isText ? "not the expected text" : "no end of the body";
  const missing = step === "body" && (!isText || factsOf(failure)?.hasAnswered) ? rest : "no answer";
  return { layer: "protocol", summary: `${connected}, then ${missing} within ${seconds} s` };
}

/** A body that is so much smaller than the last good one says more than what it lacks. */
const MUCH_SMALLER = 0.5;

/** The answer of a server that is not as expected. */
function unexpected(failure: Failure): Why {
  const { good, seen } = failure;
  const facts = factsOf(failure);
  const message = messageIn(failure);
  if (facts?.isForeign) return { layer: "protocol", summary: message };
  const { statusCode } = seen.detail ?? {};
  if (typeof statusCode === "number" && message.startsWith(`${statusWords(statusCode)}, expected`))
    return { layer: "content", summary: otherStatus(statusCode, message, good) };
  const size = facts?.http?.size ?? null;
  if (size !== null && good !== null && good.size !== null && size < good.size * MUCH_SMALLER)
    return {
      layer: "content",
      summary: `the body is ${formatted(size)} bytes instead of ${formatted(good.size)}`,
    };
  return { layer: "content", summary: message };
}

function otherStatus(statusCode: number, message: string, good: Good | null): string {
  const [, expected = ""] = message.split(", expected ");
  const before = good?.statusCode ?? null;
  return `${statusCode} instead of ${before === null || before === statusCode ? expected : before}`;
}

/** Only the addresses among the records are shown: all others are texts of a server. */
function changedRecords(failure: Failure): Why | null {
  const { seen } = failure;
  if (seen.status !== "changed") return null;
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String).filter(isIP) : []);
  const [added, gone] = [list(seen.detail?.added), list(seen.detail?.gone)];
  const lead = `The records of ${nameIn(failure)} changed`;
  if (added.length === 0) return { layer: "content", summary: lead };
  const from = gone.length > 0 ? ` from ${gone.slice(0, SHOWN).join(", ")}` : "";
  return { layer: "content", summary: `${lead}${from} to ${added.slice(0, SHOWN).join(", ")}` };
}

const SHOWN = 3;

const PHASES = ["resolve", "connect", "tls", "firstByte", "body"] as const;
type Phase = (typeof PHASES)[number];

const phaseLayers: Record<Phase, Layer> = {
  resolve: "dns",
  connect: "network",
  tls: "tls",
  firstByte: "protocol",
  body: "content",
};

const phaseWords: Record<Phase, string> = {
  resolve: "Looking up the name",
  connect: "Connecting",
  tls: "The TLS handshake",
  firstByte: "The first byte",
  body: "The body",
};

/** The phase that has grown most since the last good check; null if that is not known, or a phase that was not measured then may be it. */
export function grownPhase(
  before: AllPhases,
  now: AllPhases,
): { phase: Phase; before: number; now: number } | null {
  const grown = PHASES.flatMap((phase) => {
    const [was, is] = [before[phase], now[phase]];
    return was === undefined || is === undefined || is <= was ? [] : [{ phase, before: was, now: is }];
  });
  const [most] = grown.toSorted((one, other) => other.now - other.before - (one.now - one.before));
  const isOther = PHASES.some(
    (phase) => before[phase] === undefined && (now[phase] ?? 0) > (most ? most.now - most.before : 0),
  );
  return isOther ? null : (most ?? null);
}

/** Slower than usual: the layer of the phase that has grown most. */
function slower(failure: Failure): Why | null {
  const now = phasesIn(failure);
  const before = failure.good?.phases ?? {};
  const grown = grownPhase(before, now);
  if (!grown) return null;
  const { phase } = grown;
  const took = `${phaseWords[phase]} took ${milliseconds(grown.now)} instead of ${rounded(grown.before)}`;
  const isSteady = phase !== "connect" && isAbout(before.connect, now.connect);
  return {
    layer: phaseLayers[phase],
    summary: isSteady ? `${took}; connecting was as fast as before` : took,
  };
}

/** Differences of a network that nobody notices: a half more, and some milliseconds. */
function isAbout(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now <= before * 1.5 + 5;
}

function milliseconds(ms: number): string {
  return `${rounded(ms)} ms`;
}

function rounded(ms: number): string {
  return ms < 10 ? String(Math.round(ms * 10) / 10) : formatted(Math.round(ms));
}

function formatted(count: number): string {
  return count.toLocaleString("en-US");
}
