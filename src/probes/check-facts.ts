import { isIP } from "node:net";
import type { Lookup, LookupFailure, Reason } from "../domain/checks/observation.ts";
import type { CheckFacts, DnsFacts, Outcome, Step, TlsEvidence } from "../domain/evidence/evidence.ts";
import { withoutSecrets } from "../domain/evidence/secrets.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { oneLine, truncate } from "../domain/truncate.ts";
import { tlsEvidence } from "./connections/tls-evidence.ts";
import { serverOf } from "./dns/dns-client.ts";
import type { ProbeContext } from "./observe.ts";
import { since } from "./probe-clock.ts";
import { asProbeError, type ProbeError } from "./probe-error.ts";

const steps: Record<ProbeContext["waitingFor"], Step> = {
  "DNS answer": "dns",
  connection: "connect",
  "TLS handshake": "tls",
  greeting: "greeting",
  answer: "answer",
  reply: "answer",
  pong: "answer",
  "end of the body": "body",
  "expected text": "body",
};

/** Redirects whose head was read, and no body. */
const OF_REDIRECTS: ReadonlySet<Reason> = new Set(["too_many_redirects", "bad_redirect"]);

/** The facts of a failed check besides its result, without the answer over HTTP (behavior 22.11). */
export function factsOf(context: ProbeContext, { reason, seen }: ProbeError): CheckFacts {
  const step = OF_REDIRECTS.has(reason) ? "answer" : steps[context.waitingFor];
  const attempts = context.attempts?.();
  const { hasAnswered, isReset } = context.conversation ?? {};
  return {
    step,
    dns: dnsFactsOf(context, step, reason),
    tls: tlsOf(context, step, { reason, code: seen.tlsError }),
    http: null,
    ...(attempts && { attempts }),
    ...(seen.mayBeUnreachable && { mayBeUnreachable: true }),
    ...(hasAnswered && { hasAnswered: true }),
    ...(reason === "closed" && isReset && { isReset: true }),
    ...(seen.isForeign && { isForeign: true }),
    ...(context.isRedirected && { isRedirected: true }),
  };
}

function dnsFactsOf(
  { lookups, lookupAt, phases }: ProbeContext,
  step: Step,
  reason: Reason,
): DnsFacts | null {
  const tookMs = step === "dns" ? since(lookupAt) : (phases.resolve ?? 0);
  if (lookups) return answerOf(lookups, tookMs);
  return step === "dns" && SILENT.has(reason) ? silenceFor(tookMs) : null;
}

/** Without an answer to any query. */
const SILENT: ReadonlySet<Reason> = new Set(["timeout", "dns_failed", "dns_unreachable"]);

/** No DNS server has answered. @param tookMs milliseconds */
export function silenceFor(tookMs: number): DnsFacts {
  return { server: null, code: "timeout", records: [], tookMs };
}

const codes: Record<LookupFailure, string> = {
  nxdomain: "NXDOMAIN",
  no_data: "NODATA",
  servfail: "SERVFAIL",
  refused: "REFUSED",
  error: "ERROR",
  malformed: "MALFORMED",
  timeout: "timeout",
};

/** A name may have thousands. */
const MAX_RECORDS = 20;

/** The answers to the queries for both families, or for one record type, as one. @param tookMs milliseconds */
export function answerOf(lookups: Lookup[], tookMs: number): DnsFacts {
  const [first] = lookups;
  const found = lookups.filter(({ values }) => values.length > 0);
  const isFault = ({ failure }: Lookup) => failure !== "nxdomain" && failure !== "no_data";
  const shown = found[0] ?? lookups.find(isFault) ?? first;
  return {
    server: shown ? serverOf(shown) : null,
    code: shown?.failure ? codes[shown.failure] : "NOERROR",
    records: found.flatMap(({ values }) => values).slice(0, MAX_RECORDS),
    tookMs,
  };
}

function tlsOf(
  { handshake }: ProbeContext,
  step: Step,
  { reason, code }: { reason: Reason; code: string | undefined },
): TlsEvidence | null {
  if (!handshake && step !== "tls") return null;
  const error = reason === "reset" && step === "tls" ? "ECONNRESET" : code;
  return tlsEvidence(handshake, error ?? handshake?.fault ?? null);
}

/** Reasons that are the outcome of an attempt to connect. After any other one, the connection was open. */
const unopened: Partial<Record<Reason, Outcome>> = {
  refused: "refused",
  reset: "reset",
  timeout: "timeout",
  unreachable: "unreachable",
};

/** The outcome of an attempt at one address that failed. */
export function outcomeOf(error: Error): Outcome {
  return unopened[asProbeError(error)?.reason ?? "unreachable"] ?? "open";
}

const MAX_TEXT = 200;
const MAX_NAME = 100;

/** Hides the secrets of a config, which a certificate may repeat, and cuts its texts. Of its names, only names of hosts are shown. */
export function shownFacts(facts: CheckFacts, config: MonitorConfig): CheckFacts {
  const { tls } = facts;
  if (!tls || tls.chain.length === 0) return facts;
  const hidden = (text: string) => withoutSecrets(oneLine(text), config);
  const shown = (text: string) => truncate(hidden(text), MAX_TEXT);
  const chain = tls.chain.map((one) => ({
    ...one,
    subject: shown(one.subject),
    issuer: shown(one.issuer),
  }));
  const names = tls.names?.map(hidden).filter(isNameOfHost).slice(0, MAX_RECORDS);
  return { ...facts, tls: { ...tls, chain, ...(names && { names }) } };
}

function isNameOfHost(name: string): boolean {
  if (name.length > MAX_NAME) return false;
  return /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name) || isIP(name) > 0;
}
