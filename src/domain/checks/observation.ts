import type { Certificate } from "./certificate.ts";
import type { DnsAnswer } from "./dns-record.ts";
import type { TlsFacts } from "./tls-facts.ts";

/** Why a check failed (behavior 1.23). */
export const REASONS = [
  "refused",
  "timeout",
  "reset",
  "closed",
  "unreachable",
  "dns_not_found",
  "dns_failed",
  "dns_unreachable",
  "tls_invalid",
  "tls_failed",
  "not_http",
  "private_target",
  "unexpected",
  "too_many_redirects",
  "bad_redirect",
  "bad_body",
] as const;
export type Reason = (typeof REASONS)[number];

/** The duration of each phase that a check reached, in milliseconds (behavior 1.24). */
export interface Phases {
  resolve?: number;
  connect?: number;
  tls?: number;
  firstByte?: number;
}

/** Milliseconds; null if a stall of stillup made it unknown (behavior 1.48). */
export type Latency = number | null;

export type Detail = Record<string, unknown>;

/** The answer of a server, for the person who tests a config. It is never recorded. */
export interface Sample {
  statusCode: number;
  headers: { name: string; value: string }[];
  /** Milliseconds to the end of what was read. */
  durationMs: number;
  /** The start of the decoded body; null if it could not be read. */
  body: string | null;
  /** Whether the body is longer. */
  isBodyCut: boolean;
  /** Whether the address that answered is private, so that headers and body are not shown (behavior 10.30). */
  isPrivate: boolean;
}

/**
 * The result of a probe.
 *
 * - `lateBy`: how many milliseconds of the latency a fault of stillup may have added (behavior 1.49).
 * - `slowBy`: how many milliseconds longer than the config expects the answer took, which is `degraded` (behavior 10.25).
 * - `certificate`: of a server that speaks a protocol over TLS (behavior 20.20).
 * - `tls`: the handshake with the server of an HTTPS or TLS monitor, if it got that far (behavior 10.90).
 * - `sample`: the answer of a server, only for a check that is not recorded.
 * - `by_address`: what each address of a host gave, at least one (behavior 10.100).
 * - `inconclusive`: a fault of stillup, such as no free file descriptor. The check runs again and nothing is recorded (behavior 1.47).
 * - `isShortage`: a lack of file descriptors, memory or ports. Fewer concurrent checks may fix it.
 * - `isOffline`: the network of this machine is offline (behavior 13.50).
 */
export type Observation =
  | {
      outcome: "reached";
      latencyMs: Latency;
      lateBy?: number;
      slowBy?: number;
      certificate?: Certificate;
      tls?: TlsFacts;
      detail: Detail;
      sample?: Sample;
    }
  | { outcome: "certified"; latencyMs: Latency; certificate: Certificate; tls?: TlsFacts; detail: Detail }
  | { outcome: "looked_up"; answer: DnsAnswer }
  | {
      outcome: "failed";
      reason: Reason;
      latencyMs?: number;
      certificate?: Certificate;
      tls?: TlsFacts;
      detail: Detail;
      sample?: Sample;
    }
  | { outcome: "by_address"; addresses: AddressEvidence[]; omitted: number }
  | { outcome: "inconclusive"; message: string; isShortage?: true; isOffline?: true };

/** How many addresses of a name are tried or checked at most: each may hold a socket until the check ends. */
export const MAX_ADDRESSES = 6;

/** The evidence of a check about one address of a host. */
export interface AddressEvidence {
  address: string;
  evidence: Extract<Observation, { outcome: "reached" | "certified" | "failed" }>;
}

export type Evidence = Exclude<Observation, { outcome: "inconclusive" }>;

/** Whether a target, or one of its addresses, failed. */
export function hasFailure(observation: Observation): boolean {
  if (observation.outcome !== "by_address") return observation.outcome === "failed";
  return observation.addresses.some(({ evidence }) => evidence.outcome === "failed");
}
