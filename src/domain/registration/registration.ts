import { DAY, HOUR } from "../duration.ts";
import type { Status } from "../monitors/status.ts";

/**
 * The outcome of a request to a registry.
 *
 * - `no_date`: the registry knows the domain, and does not say when its registration ends.
 * - `not_found`: the registry says that there is no such domain.
 * - `refused`: the registry answered with something else. `retryAfter` is how long it wants to be left alone, in milliseconds.
 * - `unanswered`: nothing came back, which may be a fault of this machine, or nothing was asked.
 */
export type LookUp =
  | { outcome: "answered"; facts: RegistrationFacts }
  | { outcome: "no_date" | "not_found" }
  | { outcome: "refused"; message: string; retryAfter?: number }
  | { outcome: "unanswered"; message: string; retryAfter?: number };

/** The registration of a domain as it is stored. Times are milliseconds since 1970. */
export interface StoredRegistration extends KnownRegistration {
  /** The server of its registry. */
  registry: string;
  /** When the last answer counted that did not know the domain. */
  notFoundAt: number | null;
  hasNoDate: boolean;
  /** When the domain is looked up next. */
  nextAt: number;
  /** Until when its registry wants no requests. */
  pausedUntil: number | null;
}

/** The first pause after a look-up that failed while nothing is known, in milliseconds. It doubles up to a day. */
const FIRST_RETRY = HOUR;

/** Spreads the look-ups of domains that were added at the same time, in milliseconds. */
const JITTER = 2 * HOUR;

/** The longest pause that a registry can ask for, in milliseconds. */
const MAX_PAUSE = 7 * DAY;

/**
 * The registration to store after a look-up (behavior 20.73, 20.78, 20.79).
 *
 * @param before null before the first one
 * @param jitter from 0 to 1
 */
export function afterLookUp(
  before: StoredRegistration | null,
  { domain, registry, result }: { domain: string; registry: string; result: LookUp },
  { now, jitter }: { now: number; jitter: number },
): StoredRegistration {
  const { notFound = 0, notFoundAt = null, facts = null, answeredAt = null } = before ?? {};
  const tomorrow = now + DAY + Math.round(jitter * JITTER);
  const common = {
    ...{ domain, registry, facts, answeredAt, notFound, notFoundAt },
    failingSince: before?.failingSince ?? now,
    hasNoDate: before?.hasNoDate ?? false,
    nextAt: tomorrow,
    pausedUntil: null,
  };
  switch (result.outcome) {
    case "answered":
      return { ...common, ...ANSWERED, facts: result.facts, answeredAt: now };
    case "no_date":
      return { ...common, notFound: 0, notFoundAt: null, hasNoDate: true };
    case "not_found": {
      const isCounted = notFoundAt === null || now - notFoundAt >= DAY;
      if (!isCounted) return { ...common, hasNoDate: false };
      return { ...common, notFound: notFound + 1, notFoundAt: now, hasNoDate: false };
    }
    case "refused": {
      const pause = Math.min(result.retryAfter ?? 0, MAX_PAUSE);
      return {
        ...common,
        notFound: 0,
        notFoundAt: null,
        nextAt: Math.max(retryAt(before, { now, tomorrow }), now + pause),
        pausedUntil: pause > 0 ? now + pause : null,
      };
    }
    case "unanswered":
      return {
        ...common,
        nextAt: Math.max(retryAt(before, { now, tomorrow }), now + (result.retryAfter ?? 0)),
      };
  }
}

const ANSWERED = { failingSince: null, notFound: 0, notFoundAt: null, hasNoDate: false };

/** Sooner than tomorrow while nothing is known: as long again as it has failed. */
function retryAt(
  before: StoredRegistration | null,
  { now, tomorrow }: { now: number; tomorrow: number },
): number {
  if (before?.facts) return tomorrow;
  const failedFor = before?.failingSince == null ? 0 : now - before.failingSince;
  return Math.min(tomorrow, now + Math.max(FIRST_RETRY, failedFor));
}

/** The answer of a registry about a domain. */
export interface RegistrationFacts {
  /** ISO 8601. */
  expiresAt: string;
  /** Its name; null if the registry does not say it. */
  registrar: string | null;
  /** In the names of EPP, which RFC 8056 maps to the names of RDAP. */
  statuses: string[];
}

/** The registration of a domain, as far as it is known. Times are milliseconds since 1970. */
export interface KnownRegistration {
  domain: string;
  /** The last good answer; null before the first one. */
  facts: RegistrationFacts | null;
  answeredAt: number | null;
  /** When the first look-up failed after the last good answer; null if none did. */
  failingSince: number | null;
  /** How many times in a row, each a day after the one before, the registry did not know the domain. */
  notFound: number;
}

/** The reason of a TLS monitor whose status follows from the registration rather than from the certificate. */
export const BY_REGISTRATION = "registration";

/** A domain is gone if the registry says so this many days in a row (behavior 20.79). */
const GONE_AFTER = 3;

/** How long an answer counts without another one, in milliseconds: look-ups are a day apart. */
const COUNTS_FOR = 2 * DAY;

/** The states in which the name servers do not, or soon will not, know the domain (behavior 20.77). */
const LOST = ["redemptionPeriod", "pendingDelete", "clientHold", "serverHold"];

const lostWords: Record<string, string> = {
  redemptionPeriod: "was not renewed, and can only be restored by the registrar",
  pendingDelete: "is about to be deleted",
  clientHold: "is suspended by the registrar",
  serverHold: "is suspended by the registry",
};

/**
 * The status that the registration means, and why in words that follow "the registration of example.com".
 *
 * While look-ups fail, nothing becomes worse: time does not pass for the last good answer (behavior 20.78).
 *
 * @param warnDays how many days before its end it expires soon
 * @param now milliseconds since 1970
 */
export function judgeRegistration(
  { facts, answeredAt, failingSince, notFound }: KnownRegistration,
  warnDays: number,
  now: number,
): { status: Status; words: string } {
  if (notFound >= GONE_AFTER) return { status: "expired", words: "is not known to the registry any more" };
  if (facts === null || answeredAt === null) return { status: "active", words: "is not known yet" };
  const lost = LOST.find((status) => facts.statuses.includes(status));
  if (lost !== undefined) return { status: "expired", words: lostWords[lost] ?? lost };
  const at = Math.min(now, failingSince ?? answeredAt + COUNTS_FOR);
  const end = Date.parse(facts.expiresAt);
  const left = end - at;
  const words = expiryWords(end, at);
  if (left <= 0) return { status: "expired", words };
  return { status: left <= warnDays * DAY ? "expiring_soon" : "active", words };
}

function expiryWords(end: number, now: number): string {
  const day = new Date(end).toISOString().slice(0, 10);
  const left = end - now;
  if (left <= 0) return `expired on ${day}`;
  const days = Math.floor(left / DAY);
  return `expires in ${days === 0 ? "less than a day" : days === 1 ? "1 day" : `${days} days`}, on ${day}`;
}

/** How many days before its end the registration expires soon by a config; undefined if the config has none. */
export function registrationWarnDays(config: object): number | undefined {
  const { registration } = config as { registration?: true | { warnDays?: number } };
  if (registration === undefined) return undefined;
  return (registration === true ? undefined : registration.warnDays) ?? REGISTRATION_WARN_DAYS;
}

/** The registration in results and in answers about monitors. */
export interface RegistrationDetail extends RegistrationFacts {
  domain: string;
}

/** Null until the registry has answered. */
export function registrationDetail({
  domain,
  facts,
}: Pick<KnownRegistration, "domain" | "facts">): RegistrationDetail | null {
  return facts && { domain, ...facts };
}

/** How many days before its end a registration expires soon, if the config does not say it. */
export const REGISTRATION_WARN_DAYS = 30;
