import { canonicalJson } from "../canonical-json.ts";
import type { HttpConfig } from "../monitors/kinds/http.ts";
import { firstUrlOf, isHttpConfig } from "../monitors/kinds/http-target.ts";
import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import { bySeverity, type Status } from "../monitors/status.ts";
import { parseDnsServer } from "../network/dns-server.ts";
import {
  BY_REGISTRATION,
  judgeRegistration,
  type KnownRegistration,
  registrationDetail,
  registrationWarnDays,
} from "../registration/registration.ts";
import { worstOf } from "../results/history.ts";
import {
  type Certificate,
  type CertificateMemory,
  judgeCertificate,
  rememberCertificate,
} from "./certificate.ts";
import { type DnsMemory, type JudgedAnswer, judgeAnswer } from "./dns-answer.ts";
import { judgeAddresses, tlsOfAddresses } from "./judge-addresses.ts";
import {
  boundDetail,
  CHANGED,
  type Detail,
  type Evidence,
  expiryReason,
  isSameTls,
  PACKET_LOSS,
  recordTypesOf,
  SOME_ADDRESSES,
  type TlsFacts,
  type TlsMemory,
  tlsDetail,
} from "./observation.ts";
import type { TargetMemory } from "./target-memory.ts";
import { joined, withContents } from "./watched-content.ts";

/** Values that a check keeps for the next one: to judge it, for DNS, TLS and HTTPS monitors, and to explain its failure. */
export type Memory = (DnsMemory | CertificateMemory | TlsMemory | Record<never, never>) & TargetMemory;

export interface Judgement {
  status: Status;
  /** Null if it was not measured. */
  latencyMs: number | null;
  detail: Detail | null;
  memory: Memory | null;
  /** Whether the check is the first that sees a content that is not usual, after a usual content. */
  isNews?: true;
}

/** A checked monitor, with the memory of its previous check. */
export interface Judged {
  type: MonitorType;
  config: MonitorConfig;
  memory: Memory | null;
  /** The registration of the domain, only if the config asks for it. */
  registration?: KnownRegistration | undefined;
  /** Whether it is in a maintenance, so that every content is usual. */
  learns?: boolean;
}

/** Judges the evidence of a check (behavior 1.25 to 1.40). @param now milliseconds since 1970 */
export function judgeCheck(monitor: Judged, evidence: Evidence, now: number): Judgement {
  const tls = tlsIn(evidence);
  const { config, learns = false } = monitor;
  const judged = withContents(judgeEvidence(monitor, evidence, now), evidence, { config, learns, now });
  const secured = tls ? withTls(judged, { monitor, tls, now }) : judged;
  const judgement = monitor.registration ? withRegistration(secured, monitor, now) : secured;
  return { ...judgement, detail: judgement.detail && boundDetail(judgement.detail) };
}

function tlsIn(evidence: Evidence): TlsFacts | undefined {
  if (evidence.outcome === "by_address") return tlsOfAddresses(evidence);
  return "tls" in evidence ? evidence.tls : undefined;
}

/**
 * The traits of an observation about the speed of a target, beside the latency.
 *
 * @property lateBy how many milliseconds this service may have added
 * @property isSlow whether the answer took longer than the config expects, also without them
 * @property mayBeSlow the same with them
 */
export interface Slowness {
  lateBy: number;
  isSlow: boolean;
  mayBeSlow: boolean;
}

export function slownessOf(evidence: Evidence): Slowness {
  if (evidence.outcome !== "by_address") {
    const { lateBy = 0, slowBy = 0 } = evidence.outcome === "reached" ? evidence : {};
    return { lateBy, isSlow: slowBy > lateBy, mayBeSlow: slowBy > 0 };
  }
  const all = evidence.addresses.map((one) => slownessOf(one.evidence));
  return {
    lateBy: Math.max(...all.map(({ lateBy }) => lateBy)),
    isSlow: all.some(({ isSlow }) => isSlow),
    mayBeSlow: all.some(({ mayBeSlow }) => mayBeSlow),
  };
}

/** The TLS that the checks of a monitor saw last; null if none of them saw any. */
export function knownTls(memory: Memory | null): TlsFacts | null {
  return (memory && "tls" in memory && memory.tls) || null;
}

/** A result has the TLS if the check before saw another one (behavior 10.90). */
function withTls(
  judged: Judgement,
  { monitor: { config, memory }, tls, now }: { monitor: Judged; tls: TlsFacts; now: number },
): Judgement {
  const warning = warningOf(judged, { config, tls, now });
  const known = knownTls(memory);
  const isKnown = known !== null && isSameTls(known, tls);
  return {
    ...judged,
    status: warning ? "degraded" : judged.status,
    detail: { ...judged.detail, ...warning, ...(!isKnown && { tls: tlsDetail(tls, now) }) },
    // The same object if nothing changed: then it is not written again.
    memory: isKnown && judged.memory === memory ? memory : { ...judged.memory, tls: rememberedTls(tls) },
  };
}

/** The memory has the fingerprint beside it, of good checks only. */
function rememberedTls({ fingerprint: _, ...tls }: TlsFacts): TlsFacts {
  return tls;
}

/**
 * A result with a certificate has the registration too, and the worse of both statuses (behavior 20.76). What the registration
 * makes worse, it explains.
 */
function withRegistration(judged: Judgement, { config, registration }: Judged, now: number): Judgement {
  const warnDays = registrationWarnDays(config);
  const { status: byCertificate, detail } = judged;
  if (!registration || warnDays === undefined || !detail || !("validTo" in detail)) return judged;
  const { status: byRegistration, words } = judgeRegistration(registration, warnDays, now);
  const status = worstOf("TLS", [byCertificate, byRegistration]);
  const message = `the registration of ${registration.domain} ${words}`;
  return {
    ...judged,
    status,
    detail: {
      ...detail,
      ...(status !== byCertificate && { reason: BY_REGISTRATION, message }),
      registration: registrationDetail(registration),
    },
  };
}

/** Only `down` wins over the warning. If addresses fail, or the content changed, its message says that too (behavior 10.104, 26.118). */
function warningOf(
  { status, detail }: Judgement,
  { config, tls, now }: { config: MonitorConfig; tls: TlsFacts; now: number },
): ReturnType<typeof expiryReason> {
  const days = "expiryWarning" in config ? config.expiryWarning : undefined;
  const warning = status === "down" || days === undefined ? null : expiryReason(tls, days, now);
  if (!warning) return null;
  if (detail?.reason === CHANGED)
    return { reason: CHANGED, message: joined(String(detail.message), warning.message) };
  return detail?.reason === SOME_ADDRESSES
    ? { ...warning, message: joined(warning.message, detail.message) }
    : warning;
}

function judgeEvidence(monitor: Judged, evidence: Evidence, now: number): Judgement {
  const { memory } = monitor;
  switch (evidence.outcome) {
    case "reached":
      return { ...judgeReached(monitor.config, evidence), latencyMs: evidence.latencyMs, memory };
    case "certified": {
      const { certificate, latencyMs, detail } = evidence;
      const known = memory && "valid" in memory ? memory : null;
      const warnDays = "warnDays" in monitor.config ? monitor.config.warnDays : undefined;
      return {
        status: judgeCertificate(certificate, now, { memory: known, ...(warnDays && { warnDays }) }),
        latencyMs,
        detail: { ...certificate, ...detail },
        memory: rememberCertificate(certificate, now, known),
      };
    }
    case "looked_up":
      return { ...judgeLookup(monitor, evidence, now), latencyMs: null };
    case "failed": {
      const detail = { reason: evidence.reason, ...withCertificate(evidence) };
      const [status] = bySeverity[monitor.type];
      return { status, latencyMs: evidence.latencyMs ?? null, detail, memory };
    }
    case "by_address":
      return judgeAddresses(monitor.type, evidence, {
        memory,
        judge: (one, known) => judgeEvidence({ ...monitor, memory: known }, one, now),
      });
  }
}

/** As the certificate of a TLS monitor. */
function withCertificate({
  certificate,
  detail,
}: {
  certificate?: Certificate | undefined;
  detail: Detail;
}): Detail {
  return certificate ? { ...certificate, ...detail } : detail;
}

/** A target that answered is only Degraded here if too many pings were lost (behavior 20.33). */
function judgeReached(
  config: MonitorConfig,
  { detail: seen, certificate }: Evidence & { outcome: "reached" },
): Pick<Judgement, "status" | "detail"> {
  const detail = withCertificate({ certificate, detail: seen });
  const maxLoss = "maxLoss" in config ? config.maxLoss : undefined;
  const ping = detail.ping as PingFacts | undefined;
  const message = maxLoss === undefined || !ping ? null : excessiveLoss(ping, maxLoss);
  if (message === null) return { status: "up", detail };
  return { status: "degraded", detail: { ...detail, reason: PACKET_LOSS, message } };
}

/** Whether two configs have the same target, so that the memory and the baseline stay valid (behavior 2.8, 4.15). */
export function isSameTarget(before: MonitorConfig, after: MonitorConfig): boolean {
  return targetOf(before) === targetOf(after);
}

/** The status of a check-in: every value except `fail` is a success (behavior 1.41). @param status of the query */
export function judgeCheckin(status: string | undefined): Status {
  return status === "fail" ? "failed" : "ok";
}

function judgeLookup(
  { config, memory }: Judged,
  { answer }: Evidence & { outcome: "looked_up" },
  now: number,
): JudgedAnswer {
  const known = memory && "seen" in memory ? memory : null;
  return judgeAnswer(answer, "hostname" in config ? config : {}, known, now);
}

/** A text that is equal for equal targets. Empty without a target, for example for a SCHEDULED monitor. */
function targetOf(config: MonitorConfig): string {
  if (isHttpConfig(config)) return originOf(config);
  if ("hostname" in config) {
    const servers = config.servers?.map((server) => canonicalJson(parseDnsServer(server))) ?? [];
    return [canonicalName(config.hostname), ...recordTypesOf(config), ...servers].join(" ");
  }
  if (!("host" in config)) return "";
  const { host, servername = host, port, protocol } = config;
  const tls = "tls" in config && config.tls !== "none" ? config.tls : undefined;
  return [...[host, servername].map(canonicalName), port, protocol, tls].join(" ");
}

/** The origin of an HTTP monitor, with what it speaks; with steps the origin of each one. */
function originOf(config: HttpConfig): string {
  const { protocol = "http", steps } = config;
  if (steps) return steps.map(({ url }) => new URL(url).origin).join(" ");
  const { origin } = new URL(firstUrlOf(config));
  return protocol === "http" ? origin : `${origin} ${protocol}`;
}

/** Equal for names that differ only in case or in a trailing dot. */
function canonicalName(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

/**
 * The figures of the pings of a check (behavior 20.31). Times are round trips in milliseconds, null without a reply.
 *
 * @property sent how many of the pings this machine could send
 */
export interface PingFacts {
  sent: number;
  received: number;
  minMs: number | null;
  avgMs: number | null;
  maxMs: number | null;
}

/** @param roundTrips of the replies, in milliseconds */
export function pingFacts(sent: number, roundTrips: readonly number[]): PingFacts {
  const received = roundTrips.length;
  if (received === 0) return { sent, received, minMs: null, avgMs: null, maxMs: null };
  const mean = roundTrips.reduce((sum, one) => sum + one, 0) / received;
  return {
    sent,
    received,
    minMs: rounded(Math.min(...roundTrips)),
    avgMs: rounded(mean),
    maxMs: rounded(Math.max(...roundTrips)),
  };
}

/**
 * Why a check whose target answered is Degraded all the same: more of its pings were lost than the config allows (behavior 20.33).
 *
 * @param maxLoss percent
 * @returns null if as many arrived as expected
 */
export function excessiveLoss({ sent, received }: PingFacts, maxLoss: number): string | null {
  const lost = sent - received;
  if (lost * 100 <= maxLoss * sent) return null;
  return `${lost} of ${sent} pings were lost, expected at most ${maxLoss} %`;
}

/** To microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
