import { DAY, HOUR } from "../duration.ts";
import type { KnownRegistration, RegistrationFacts } from "./registration.ts";

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
