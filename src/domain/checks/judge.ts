import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";
import { type CertificateMemory, judgeCertificate, rememberCertificate } from "./certificate.ts";
import { boundDetail } from "./detail.ts";
import { type JudgedAnswer, judgeAnswer } from "./dns-answer.ts";
import type { DnsMemory } from "./dns-memory.ts";
import { recordTypesOf } from "./dns-record.ts";
import type { Detail, Evidence } from "./observation.ts";

/** What the checks of a monitor leave for the next one. Only DNS and TLS monitors have any. */
export type Memory = DnsMemory | CertificateMemory;

export interface Judgement {
  status: Status;
  /** Null where it is not measured. */
  latencyMs: number | null;
  detail: Detail | null;
  memory: Memory | null;
}

/** The monitor that was checked, with what its last check left. */
export interface Judged {
  type: MonitorType;
  config: MonitorConfig;
  memory: Memory | null;
}

/** What a check's evidence says of a monitor (interface 3.2, decisions 3). @param now milliseconds since 1970 */
export function judgeCheck(monitor: Judged, evidence: Evidence, now: number): Judgement {
  const judgement = judgeEvidence(monitor, evidence, now);
  return { ...judgement, detail: judgement.detail && boundDetail(judgement.detail) };
}

function judgeEvidence(monitor: Judged, evidence: Evidence, now: number): Judgement {
  const { memory } = monitor;
  switch (evidence.outcome) {
    case "reached":
      return { status: "up", latencyMs: evidence.latencyMs, detail: evidence.detail, memory };
    case "certified": {
      const { certificate, latencyMs, detail } = evidence;
      const known = memory && "valid" in memory ? memory : null;
      return {
        status: judgeCertificate(certificate, now, known),
        latencyMs,
        detail: { ...certificate, ...detail },
        memory: rememberCertificate(certificate, now, known),
      };
    }
    case "looked_up":
      return { ...judgeLookup(monitor, evidence, now), latencyMs: null };
    case "failed": {
      const detail = { reason: evidence.reason, ...evidence.detail };
      return { status: monitor.type === "TLS" ? "no_cert" : "down", latencyMs: null, detail, memory };
    }
  }
}

/** Whether what earlier checks saw still holds after a change of the config: it does for the same target. */
export function isSameTarget(before: MonitorConfig, after: MonitorConfig): boolean {
  return Bun.deepEquals(targetOf(before), targetOf(after));
}

/** The status of a SCHEDULED monitor after a checkin: any word but `fail` is a success (decisions 3). */
export function judgeCheckin(status: string | undefined): Status {
  return status === "fail" ? "failed" : "ok";
}

function judgeLookup(
  { config, memory }: Judged,
  { answer }: Evidence & { outcome: "looked_up" },
  now: number,
): JudgedAnswer {
  const expected = "expected" in config ? config.expected : undefined;
  const known = memory && "seen" in memory ? memory : null;
  return judgeAnswer(answer, expected ? { expected } : {}, known, now);
}

function targetOf(config: MonitorConfig) {
  if ("url" in config) return { origin: new URL(config.url).origin };
  if ("hostname" in config) return { name: nameOf(config.hostname), recordTypes: recordTypesOf(config) };
  return "host" in config && { name: nameOf(config.host), port: config.port };
}

/** The same for names that mean the same. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
