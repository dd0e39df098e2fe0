import { Cron } from "croner";
import { type Caller, isExpired } from "../domain/accounts/api-key.ts";
import { clientNetwork } from "../domain/network/client-address.ts";
import type { Logger } from "../log.ts";
import { findCaller, hashKey, saveLastUses } from "../store/accounts/api-keys.ts";
import { findSessionCaller } from "../store/accounts/sessions.ts";
import { type Database, dataVersion } from "../store/sqlite/open.ts";
import { createRateLimit } from "./rate-limit.ts";

/** Who makes the requests: looked up once, and noted as used without a write for each request. */
export interface Authenticator {
  /** @returns nothing where the key is unknown, revoked or expired */
  identify(key: string): Promise<Caller | undefined>;
  /** @returns nothing where the session is unknown or over, or its key is */
  identifySession(token: string): Promise<Caller | undefined>;
  /** Notes that a request used the key of a caller now. */
  noteUse(caller: Caller): void;
  /** Must follow every change of keys and sessions that this process makes; those of other processes are noticed. */
  forget(): void;
  /** That of the database when the last caller was identified: to read it costs more than all else there is to do. */
  dataVersion(): number;
  /** Counts an attempt that failed. @returns 0, or after how many seconds another is answered where there are too many */
  noteFailure(request: Request): number;
  /** Writes when keys were last used, as far as it is not written yet. */
  saveUses(): Promise<void>;
  /** Where users reach this server: whose pages may write by a session. */
  baseUrl: () => string;
  stop(): Promise<void>;
}

/** How many bad keys one client may try, which a script with a wrong one never comes to. */
const OFTEN = { burst: 1000, perSecond: 10 };

/** Milliseconds between two lines of the log that tell of too many. */
const TELL_EVERY = 10_000;

/** What opens: a key or the token of a session, each with those that are known already. */
interface Way {
  known: Map<string, Caller>;
  find: typeof findCaller;
}

export function createAuthenticator({
  db,
  log,
  baseUrl,
  addressOf,
  onRefused,
}: {
  db: Database;
  log: Logger;
  baseUrl: () => string;
  /** The IP address of whoever sent a request. */
  addressOf: (request: Request) => string;
  /** Told of each attempt that is one of too many. */
  onRefused: () => void;
}): Authenticator {
  const keys: Way = { known: new Map(), find: findCaller };
  const sessions: Way = { known: new Map(), find: findSessionCaller };
  let uses = new Map<string, number>();
  let version = dataVersion(db);
  const failures = createRateLimit(OFTEN);
  let refused = 0;
  let told = Number.NEGATIVE_INFINITY;
  const onError = (error: unknown) => log.error({ err: error }, "the last uses of keys could not be written");
  const job = new Cron("*/10 * * * * *", { protect: true, catch: onError }, saveUses);

  function forget(): void {
    keys.known.clear();
    sessions.known.clear();
  }

  async function look(secret: string, { known, find }: Way): Promise<Caller | undefined> {
    const current = dataVersion(db);
    if (current !== version) forget();
    version = current;
    const hash = hashKey(secret);
    const id = hash.toBase64();
    const caller = known.get(id) ?? (await find(db, hash));
    if (caller) known.set(id, caller);
    return caller;
  }

  async function identify(secret: string, way: Way): Promise<Caller | undefined> {
    const caller = await look(secret, way);
    return caller && !isExpired(caller, Date.now()) ? caller : undefined;
  }

  function noteFailure(request: Request): number {
    const now = Date.now();
    const address = addressOf(request);
    const wait = failures.take(clientNetwork(address), now);
    if (wait === 0) return 0;
    refused++;
    onRefused();
    if (Math.abs(now - told) >= TELL_EVERY) {
      log.warn({ address, refused }, "too many failed attempts with bad keys");
      told = now;
      refused = 0;
    }
    return wait;
  }

  async function saveUses(): Promise<void> {
    if (uses.size === 0) return;
    const saved = uses;
    uses = new Map();
    await saveLastUses(db, saved);
  }

  return {
    identify: (key) => identify(key, keys),
    identifySession: (token) => identify(token, sessions),
    noteUse: ({ keyId }) => void uses.set(keyId, Date.now()),
    forget,
    dataVersion: () => version,
    noteFailure,
    saveUses,
    baseUrl,
    async stop() {
      job.stop();
      await saveUses();
    },
  };
}
