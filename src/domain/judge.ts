import { judgeCertificate } from "./certificate.ts";
import { type JudgedAnswer, judgeAnswer } from "./dns-answer.ts";
import type { DnsMemory } from "./dns-memory.ts";
import { recordTypesOf } from "./dns-record.ts";
import type { MonitorConfig, MonitorType } from "./monitor.ts";
import type { Detail, Evidence } from "./observation.ts";
import type { Status } from "./status.ts";

/** What the checks of a monitor leave for the next one. Only DNS monitors have any. */
export type Memory = DnsMemory;

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
  const { memory } = monitor;
  switch (evidence.outcome) {
    case "reached":
      return { status: "up", latencyMs: evidence.latencyMs, detail: evidence.detail, memory };
    case "certified": {
      const { certificate, latencyMs, detail } = evidence;
      const status = judgeCertificate(certificate, now);
      return { status, latencyMs, detail: { ...certificate, ...detail }, memory };
    }
    case "looked_up":
      return { ...judgeLookup(monitor, evidence, now), latencyMs: null };
    case "failed": {
      const detail = { reason: evidence.reason, ...evidence.detail };
      return { status: monitor.type === "TLS" ? "no_cert" : "down", latencyMs: null, detail, memory };
    }
  }
}

/** Whether what earlier checks saw still holds after a change of the config: it does for the same question. */
export function keepsMemory(before: MonitorConfig, after: MonitorConfig): boolean {
  return Bun.deepEquals(questionOf(before), questionOf(after));
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
  return judgeAnswer(answer, expected ? { expected } : {}, memory, now);
}

function questionOf(config: MonitorConfig) {
  return "hostname" in config && { hostname: config.hostname, recordTypes: recordTypesOf(config) };
}
