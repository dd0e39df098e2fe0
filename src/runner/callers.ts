import { Cron } from "croner";
import { findCaller, hashKey, saveLastUses } from "../db/api-keys.ts";
import { type Database, dataVersion } from "../db/open.ts";
import { type Caller, isExpired } from "../domain/api-key.ts";
import type { Logger } from "../log.ts";

/** Who makes the requests: looked up once, and noted as used without a write for each request. */
export interface Callers {
  /** @returns nothing where the key is unknown, revoked or expired */
  identify(key: string): Promise<Caller | undefined>;
  /** Must follow every change of keys that this process makes; those of other processes are noticed. */
  forget(): void;
  /** That of the database when the last caller was identified: to read it costs more than all else there is to do. */
  dataVersion(): number;
  /** Writes when keys were last used, as far as it is not written yet. */
  saveUses(): Promise<void>;
  stop(): Promise<void>;
}

export function createCallers({ db, log }: { db: Database; log: Logger }): Callers {
  const known = new Map<string, Caller>();
  let uses = new Map<string, number>();
  let version = dataVersion(db);
  const onError = (error: unknown) => log.error({ err: error }, "the last uses of keys could not be written");
  const job = new Cron("*/10 * * * * *", { protect: true, catch: onError }, saveUses);

  async function find(key: string): Promise<Caller | undefined> {
    const current = dataVersion(db);
    if (current !== version) known.clear();
    version = current;
    const hash = hashKey(key);
    const id = hash.toBase64();
    const caller = known.get(id) ?? (await findCaller(db, hash));
    if (caller) known.set(id, caller);
    return caller;
  }

  async function saveUses(): Promise<void> {
    if (uses.size === 0) return;
    const saved = uses;
    uses = new Map();
    await saveLastUses(db, saved);
  }

  return {
    async identify(key) {
      const now = Date.now();
      const caller = await find(key);
      if (!caller || isExpired(caller, now)) return undefined;
      uses.set(caller.keyId, now);
      return caller;
    },
    forget: () => known.clear(),
    dataVersion: () => version,
    saveUses,
    async stop() {
      job.stop();
      await saveUses();
    },
  };
}
