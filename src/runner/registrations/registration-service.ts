import type { Cancel, Clock } from "../../clock.ts";
import { DAY, HOUR, MINUTE } from "../../domain/duration.ts";
import { fault } from "../../domain/faults/fault.ts";
import {
  parseRdapServers,
  type RdapServers,
  type RdapSource,
  readBuiltInServers,
} from "../../domain/registration/rdap-servers.ts";
import type { KnownRegistration, StoredRegistration } from "../../domain/registration/registration.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import { createFaultLog } from "../loop.ts";
import { createLookUps, getRdap, type RequestOptions } from "./look-ups.ts";
import builtIn from "./rdap-servers.txt" with { type: "text" };
import { registrableDomain } from "./registrable-domain.ts";

/** How often the domains that checks asked for are scanned, and for how long after the last check. */
const LOOK_EVERY = MINUTE;
const USED_FOR = 2 * DAY;

/** For how long a domain is not read again, in milliseconds: another node may look it up. */
const READ_FOR = MINUTE;

/** How long a request that saves a monitor waits for a registry, in milliseconds. */
const PATIENCE = 10_000;

export interface RegistrationSettings {
  source: RdapSource | undefined;
  resolve: RequestOptions["resolve"];
  /** The same without `--private-targets`, for the list: the operator may have given its URL. */
  resolveOwn: RequestOptions["resolve"];
}

/**
 * A domain in memory. Times are of the monotonic clock.
 *
 * @property stored null before its first look-up @property usedAt when a check last asked for it
 */
interface Entry {
  stored: StoredRegistration | null;
  readAt: number;
  usedAt: number;
}

export type RegistrationService = ReturnType<typeof createRegistrationService>;

export function createRegistrationService({
  settings: { source, resolve, resolveOwn },
  ...common
}: {
  store: Pick<Store, "registrations" | "claims">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  settings: RegistrationSettings;
}) {
  const { store, clock, log } = common;
  const ending = new AbortController();
  const { signal } = ending;
  const jitter = Math.random;
  const servers = createServerList({ source, clock, log, jitter, resolve: resolveOwn, signal });
  const lookUps = createLookUps({ ...common, servers, jitter, resolve, signal });
  const entries = new Map<string, Entry>();
  const faults = createFaultLog(log, "what registries said could not be read or stored");
  const stopLooking = clock.every(LOOK_EVERY, look);

  /** Looks up what is due. Domains of monitors that were deleted or paused are forgotten. */
  function look(): void {
    for (const [domain, { stored, usedAt }] of entries) {
      if (clock.monotonic() - usedAt > USED_FOR) entries.delete(domain);
      else if (isDue(stored)) lookUp(domain);
    }
  }

  function isDue(stored: StoredRegistration | null): boolean {
    return stored === null || stored.nextAt <= clock.now();
  }

  function lookUp(domain: string): Promise<void> {
    return lookUps.run(domain).then(
      (stored) => {
        if (stored) note(domain, stored);
        faults.succeeded();
      },
      (error) => faults.failed(error),
    );
  }

  function note(domain: string, stored: StoredRegistration | null): void {
    const usedAt = entries.get(domain)?.usedAt ?? Number.NEGATIVE_INFINITY;
    entries.set(domain, { stored, readAt: clock.monotonic(), usedAt });
  }

  async function read(domain: string): Promise<StoredRegistration | null> {
    const entry = entries.get(domain);
    if (entry && clock.monotonic() - entry.readAt < READ_FOR) return entry.stored;
    try {
      const stored = await store.registrations.find(domain);
      // A look-up that ended meanwhile knows more.
      if (entries.get(domain) === entry) note(domain, stored);
      return entries.get(domain)?.stored ?? stored;
    } catch (error) {
      // The last known registration is better than a check without a result.
      if (!entry) throw error;
      return entry.stored;
    }
  }

  return {
    /** Finds the registration for a check of a host. A look-up that is due begins. */
    async find(host: string): Promise<KnownRegistration> {
      const domain = registrableDomain(host);
      if (domain === null) return unknown(host);
      const stored = await read(domain);
      const entry = entries.get(domain);
      if (entry) entry.usedAt = clock.monotonic();
      if (isDue(stored)) void lookUp(domain);
      return stored ?? unknown(domain);
    },

    /** Finds the registration for the answer to a request. */
    async peek(host: string): Promise<KnownRegistration | null> {
      const domain = registrableDomain(host);
      return domain === null ? null : read(domain);
    },

    /**
     * Asks for a domain that nothing is known of, and waits for at most 10 seconds (behavior 20.72).
     *
     * @throws AppError `invalid` if its registry has no RDAP, or no date
     */
    async confirm(host: string): Promise<void> {
      const domain = registrableDomain(host);
      if (domain === null) throw fault("noRegistrableDomain", { field: "config.registration", host });
      if (!(await lookUps.hasRegistry(domain)))
        throw fault("registryWithoutRdap", { field: "config.registration", domain: suffixOf(domain) });
      if (isDue(await read(domain)) && !entries.get(domain)?.stored?.facts)
        await Promise.race([lookUp(domain), clock.sleep(PATIENCE)]);
      const stored = entries.get(domain)?.stored;
      if (stored?.hasNoDate && stored.facts === null)
        throw fault("registryWithoutDate", { field: "config.registration", domain });
    },

    async stop(): Promise<void> {
      ending.abort();
      stopLooking();
      servers.stop();
      await lookUps.stop();
    },
  };
}

function unknown(domain: string): KnownRegistration {
  return { domain, facts: null, answeredAt: null, failingSince: null, notFound: 0 };
}

/** For example `.co.uk`. */
function suffixOf(domain: string): string {
  return domain.slice(domain.indexOf("."));
}

const IANA = "https://data.iana.org/rdap/dns.json";

/** How long one attempt to get the list may take, in milliseconds. */
const TIMEOUT = 8000;

/** The servers of the registries: those in the binary until there is a newer list. */
export interface ServerList {
  current(): Promise<RdapServers>;
  stop(): void;
}

/**
 * Gets the list once a day. A URL of the operator is read at once, and what asks for the list waits for it; IANA is first asked
 * an hour later, so that a server that restarts often asks no more often (behavior 20.75).
 */
function createServerList({
  source,
  clock,
  log,
  jitter,
  ...request
}: {
  /** Default: IANA. */
  source: RdapSource | undefined;
  clock: Pick<Clock, "after">;
  log: Logger;
  /** From 0 to 1. */
  jitter: () => number;
} & Omit<RequestOptions, "timeout" | "headers">): ServerList {
  if (source && "byName" in source) return { current: async () => source, stop() {} };
  const url = source?.url ?? IANA;
  const faults = createFaultLog(
    log,
    "the list of RDAP servers could not be read: the one that is known stays in use",
    "warn",
  );
  let servers = readBuiltInServers(builtIn);
  let tag: string | undefined;
  let cancel: Cancel;

  function plan(delay: number): void {
    cancel = clock.after(delay * (1 + jitter() / 10), refresh);
  }

  async function refresh(): Promise<void> {
    try {
      await read();
      faults.succeeded();
    } catch (error) {
      if (!request.signal.aborted) faults.failed(error);
    }
    if (!request.signal.aborted) plan(DAY);
  }

  async function read(): Promise<void> {
    const headers = tag === undefined ? {} : { "if-none-match": tag };
    const answer = await getRdap(url, { ...request, timeout: TIMEOUT, headers });
    if (answer.status === 304) return;
    const read = answer.status === 200 ? parseRdapServers(answer.text) : undefined;
    if (!read) throw new Error(`the answer (${answer.status}) is not a list of RDAP servers`);
    servers = read;
    tag = answer.headers.etag;
  }

  let first: Promise<void> | undefined;
  if (source) first = refresh();
  else plan(HOUR);
  return {
    async current() {
      await first;
      return servers;
    },
    stop: () => cancel?.(),
  };
}
