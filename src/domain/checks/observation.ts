import type { Certificate } from "./certificate.ts";
import type { DnsAnswer } from "./dns-lookup.ts";

/** Why a target counts as not reached. */
export type Reason =
  | "refused"
  | "timeout"
  | "reset"
  | "closed"
  | "unreachable"
  | "dns_not_found"
  | "dns_failed"
  | "tls_invalid"
  | "tls_failed"
  | "not_http"
  | "private_target";

/** How long each phase of a check took, in milliseconds; a phase that was not reached is left out. */
export interface Phases {
  resolve?: number;
  connect?: number;
  tls?: number;
  firstByte?: number;
}

/** Milliseconds; null where a fault of ours makes it unknown. */
export type Latency = number | null;

export type Detail = Record<string, unknown>;

/**
 * What a probe saw. Where it is blurred, a fault of ours may have lengthened the latency: nothing follows from that.
 * `inconclusive` is a fault of ours, such as no free file descriptor: it says nothing of the
 * target, so the check is run again and nothing is recorded (decisions 3). A shortage is a lack of descriptors, memory or
 * ports: fewer checks at once may mend it.
 */
export type Observation =
  | { outcome: "reached"; latencyMs: Latency; isBlurred?: true; detail: Detail }
  | { outcome: "certified"; latencyMs: Latency; certificate: Certificate; detail: Detail }
  | { outcome: "looked_up"; answer: DnsAnswer }
  | { outcome: "failed"; reason: Reason; detail: Detail }
  | { outcome: "inconclusive"; message: string; isShortage?: true };

export type Evidence = Exclude<Observation, { outcome: "inconclusive" }>;
