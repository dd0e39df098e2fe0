import type { Clock } from "../clock.ts";
import { type Caller, isExpired } from "../domain/accounts/api-key.ts";
import type { Author } from "../domain/accounts/audit.ts";
import { clientNetwork } from "../domain/network/client-address.ts";
import type { Logger } from "../log.ts";
import { hashKey } from "../store/accounts/api-keys.ts";
import { isTokenOfPerson } from "../store/ids.ts";
import type { ProbeCaller, Store } from "../store/store.ts";
import { createFaultLog, createLoop } from "./loop.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createRateLimit } from "./rate-limit.ts";

/** Identifies callers. It caches them, and writes the last uses of keys together. */
export interface Authenticator {
  /** @returns undefined if the key is unknown, revoked or expired */
  identify(key: string): Promise<Caller | undefined>;
  /** @returns undefined if the session or its key is unknown or expired */
  identifySession(token: string): Promise<Caller | undefined>;
  /** @returns undefined if no location has this key (behavior 13.31) */
  identifyProbe(key: string): Promise<ProbeCaller | undefined>;
  /** Notes that a request used the key of a caller now. */
  noteUse(caller: Caller): void;
  /** Clears the cache. Must follow every change of keys and sessions by this process; others are detected. */
  forget(): void;
  /** The author of what a caller changes with a request, for `Store.as` (behavior 14.73). */
  authorOf(caller: Caller, request: Request): Author;
  /** Counts a failed attempt. @returns 0, or after how many seconds the client can try again if it is rate-limited */
  noteFailure(request: Request): number;
  /** Writes the last uses of keys that are not written yet. A failure is logged, and the next run tries again. */
  saveUses(): Promise<void>;
  /** Who sends a request without a key; absent where such a request is refused. */
  anybody?: Caller | undefined;
  /** The URL of this server: only pages from there can write with a session. */
  baseUrl: () => string;
  stop(): Promise<void>;
}

/** Failed attempts of one client. A script with a wrong key stays below this. */
const FAILURE_LIMIT = { burst: 1000, perSecond: 10 };

/** Milliseconds between two warnings in the log about rate-limited attempts. */
const WARN_EVERY = 10_000;

const SAVE_USES_EVERY = 10_000;

/** An API key, the token of a session, or the key of a location. */
interface CredentialKind<Owner> {
  /** By hash. */
  cached: Map<string, Owner>;
  find: (hash: Uint8Array) => Promise<Owner | undefined>;
}

export function createAuthenticator({
  store,
  clock,
  log,
  baseUrl,
  addressOf,
  metrics,
  anybody,
}: {
  store: Store;
  clock: Clock;
  log: Logger;
  baseUrl: () => string;
  /** The IP address of the client. */
  addressOf: (request: Request) => string;
  metrics: Pick<Metrics, "refused">;
  anybody?: Caller | undefined;
}): Authenticator {
  const keys: CredentialKind<Caller> = { cached: new Map(), find: store.apiKeys.findCaller };
  const sessions: CredentialKind<Caller> = { cached: new Map(), find: store.sessions.findCaller };
  const people: CredentialKind<Caller> = { cached: new Map(), find: store.personSessions.findCaller };
  const probes: CredentialKind<ProbeCaller> = { cached: new Map(), find: store.locations.findProbe };
  let uses = new Map<string, number>();
  /** The uses of sessions of people, by their ID. */
  let visits = new Map<string, number>();
  let version: number | undefined;
  /** How often the cache was cleared. */
  let forgotten = 0;
  const failures = createRateLimit({ ...FAILURE_LIMIT, clock });
  let refused = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const loop = createLoop({
    clock,
    every: SAVE_USES_EVERY,
    task: saveUses,
    faults: createFaultLog(log, "the last uses of keys could not be written"),
  });
  loop.start();

  function forget(): void {
    forgotten++;
    keys.cached.clear();
    sessions.cached.clear();
    people.cached.clear();
    probes.cached.clear();
  }

  async function lookUp<Owner>(
    secret: string,
    { cached, find }: CredentialKind<Owner>,
  ): Promise<Owner | undefined> {
    const current = await store.changes.foreignVersion();
    if (current !== version) forget();
    version = current;
    const id = idOf(secret);
    const known = cached.get(id);
    if (known) return known;
    const began = forgotten;
    const owner = await find(hashKey(secret));
    // A caller that was read before a change must not be cached after it.
    if (owner && forgotten === began) cached.set(id, owner);
    return owner;
  }

  async function identify(secret: string, kind: CredentialKind<Caller>): Promise<Caller | undefined> {
    const caller = await lookUp(secret, kind);
    if (!caller || !isExpired(caller, clock.now())) return caller;
    // A use renews the session of a person: what was found before may be too old.
    if (caller.sessionId === undefined || !kind.cached.delete(idOf(secret))) return undefined;
    const renewed = await lookUp(secret, kind);
    return renewed && !isExpired(renewed, clock.now()) ? renewed : undefined;
  }

  function noteFailure(request: Request): number {
    const address = addressOf(request);
    const wait = failures.take(clientNetwork(address));
    if (wait > 0) noteRefusal(address);
    return wait;
  }

  function noteRefusal(address: string): void {
    refused++;
    metrics.refused("failed_attempts");
    if (clock.monotonic() - warnedAt < WARN_EVERY) return;
    log.warn({ address, refused }, "too many failed attempts with bad keys");
    warnedAt = clock.monotonic();
    refused = 0;
  }

  async function saveUses(): Promise<void> {
    const saved = { uses, visits };
    [uses, visits] = [new Map(), new Map()];
    try {
      if (saved.uses.size > 0) await store.apiKeys.saveLastUses(saved.uses);
      if (saved.visits.size > 0) await store.personSessions.renew(saved.visits);
    } catch (error) {
      uses = new Map([...saved.uses, ...uses]);
      visits = new Map([...saved.visits, ...visits]);
      throw error;
    }
  }

  return {
    identify: (key) => identify(key, keys),
    identifySession: (token) => identify(token, isTokenOfPerson(token) ? people : sessions),
    identifyProbe: (key) => lookUp(key, probes),
    noteUse({ actor, sessionId }) {
      if (sessionId === undefined) uses.set(actor.id, clock.now());
      else visits.set(sessionId, clock.now());
    },
    authorOf: ({ actor }, request) => ({
      actor,
      // Everybody reads the audit log of a demonstration.
      address: anybody ? null : addressOf(request),
      at: clock.now(),
    }),
    anybody,
    forget,
    noteFailure,
    saveUses: loop.run,
    baseUrl,
    async stop() {
      await loop.run();
      await loop.stop();
    },
  };
}

/** The key of a credential in the cache. */
function idOf(secret: string): string {
  return hashKey(secret).toBase64();
}
