import type { Certificate } from "../checks/certificate.ts";
import type { Phases } from "../checks/observation.ts";
import type { Status } from "../monitors/status.ts";

/*
 * The evidence of a failure (behavior 22): what a location knew when a check failed, and how it differs from the last good check.
 */

/** Where a failure is. `self`: at stillup or its machine. `unknown`: a wrong layer is worse than none. */
export const LAYERS = ["self", "dns", "network", "port", "tls", "protocol", "content", "unknown"] as const;
export type Layer = (typeof LAYERS)[number];

/** The layer and one sentence: what notifications have of evidence. */
export interface Why {
  layer: Layer;
  /** At most 200 characters, without any text of a server and without secrets. */
  summary: string;
}

/** The step in which a check ended. */
export const STEPS = ["dns", "connect", "tls", "greeting", "answer", "body"] as const;
export type Step = (typeof STEPS)[number];

/** The facts that a failed check saw besides its result, without a further packet. */
export interface CheckFacts {
  step: Step;
  dns: DnsFacts | null;
  tls: TlsEvidence | null;
  http: HttpEvidence | null;
  /** The outcomes at the addresses that were tried, if they were several. */
  attempts?: Attempt[];
  /** Whether the system may have reported a missing route as a refused connection. */
  mayBeUnreachable?: true;
  /** Whether a part of an answer had come before the check failed, and whether the connection was reset where the reason is `closed`. */
  hasAnswered?: true;
  isReset?: true;
  /** Whether the server speaks another protocol than the monitor. */
  isForeign?: true;
  /** Whether all of it is about the host of a redirect. */
  isRedirected?: true;
}

/** The answer about a name. @property code the word, such as `NXDOMAIN` */
export interface DnsFacts {
  server: string | null;
  code: string;
  records: string[];
  tookMs: number;
}

export const OUTCOMES = ["open", "refused", "reset", "timeout", "unreachable"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Attempt {
  address: string;
  outcome: Outcome;
}

/** One attempt to connect, made once after the check. */
export interface ConnectionFacts extends Attempt {
  port: number;
  tookMs: number;
}

/** A router on the path. @property address null if it stayed silent */
export interface Hop {
  hop: number;
  address: string | null;
  rttMs: number | null;
}

/** @property fingerprint of SHA-256, as in the detail of a result */
export interface ChainCertificate {
  subject: string;
  issuer: string;
  validFrom: string;
  validTo: string;
  fingerprint: string;
}

/** A handshake, also of a refused certificate. @property error its code, or the code of a fault of the certificate */
export interface TlsEvidence {
  protocol: string | null;
  cipher: string | null;
  chain: ChainCertificate[];
  error: string | null;
  /** The names of the first certificate, which the summary needs. */
  names?: Certificate["names"];
}

/** @property headers only those that say nothing about a person @property size of the body in bytes; null if it was not read */
export interface HttpEvidence {
  statusCode: number;
  headers: Record<string, string>;
  headerNames: string[];
  size: number | null;
  body: string | null;
}

/** The state of the location that made the check. */
export interface SelfFacts {
  loopDelayMs: number;
  load: number;
  freeDescriptors: number | null;
  online: boolean;
  healthyElsewhere: number;
  failingElsewhere: number;
}

/** The durations of the phases of a check, in milliseconds. */
export type AllPhases = Phases;

/**
 * The last good check of a location. What it did not read is null.
 *
 * @property at milliseconds since 1970 @property headerNames one a line; missing if no expectation read them
 */
export interface Good {
  at: number;
  address: string | null;
  certificate: string | null;
  statusCode: number | null;
  size: number | null;
  phases: AllPhases;
  headerNames?: string;
  /** The version of TLS, to compare it. */
  protocol: string | null;
}

/** The results of looking once more, after the check. */
export interface Look {
  connections: ConnectionFacts[] | null;
  path: Hop[] | null;
}

export const NOTHING_LOOKED: Look = { connections: null, path: null };

export const CHANGES = [
  "addresses",
  "address",
  "certificate",
  "protocol",
  "status_code",
  "headers",
  "size",
  "content",
  "phase",
] as const;

export type ChangeValue = string | number | null | (string | number)[];

/** A difference from the last good check. */
export interface Change {
  what: (typeof CHANGES)[number];
  before: ChangeValue;
  now: ChangeValue;
}

/** Evidence as it is kept. Times are milliseconds since 1970. @property location its number @property outageId null for a blip */
export interface KeptEvidence extends Why, Look {
  id: string;
  monitorId: string;
  outageId: string | null;
  location: number;
  at: number;
  status: Status;
  reason: string | null;
  changes: Change[];
  dns: DnsFacts | null;
  tls: TlsEvidence | null;
  http: HttpEvidence | null;
  self: SelfFacts | null;
  good: Good | null;
}
