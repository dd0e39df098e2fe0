import type { Clock } from "../clock.ts";
import { writeInitialKey } from "../store/data-dir.ts";
import { createKey } from "../store/ids.ts";
import type { Claimant, Store } from "../store/store.ts";

/** How long a node may take to create the organization before another one does; milliseconds. */
const LEASE = 60_000;

/** A node that takes longer than this until it can write its key was suspended, and begins again; milliseconds. */
const MAX_CLAIM = 10_000;

/** How often a node looks whether another one has created the organization; milliseconds. */
const LOOK_EVERY = 250;

interface Parts {
  store: Pick<Store, "organizations" | "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  /** Where the key is written. Several nodes may share it. */
  dataDir: string;
}

/**
 * Creates the first organization and the file with its owner key, unless there is one. Of several nodes one creates it, and
 * the others wait for it and write no file.
 *
 * @returns the owner key if this node created it (behavior 9.14, 9.15, 12.22)
 */
export async function createFirstOrganization(parts: Parts): Promise<string | undefined> {
  const { store, clock } = parts;
  while (await store.organizations.isFirstStart()) {
    const key = await claimAndCreate(parts);
    if (key !== undefined) return key;
    await clock.sleep(LOOK_EVERY);
  }
  return undefined;
}

async function claimAndCreate({ store, clock, claimant, dataDir }: Parts): Promise<string | undefined> {
  const startedAt = clock.monotonic();
  const when = { now: clock.now(), lease: LEASE };
  if (!(await store.claims.take("first start", claimant(), when))) return undefined;
  // The node that had the claim before may have ended meanwhile.
  if (!(await store.organizations.isFirstStart())) return undefined;
  if (clock.monotonic() - startedAt > MAX_CLAIM) return undefined;
  const key = createKey();
  // The file precedes the organization: a crash in between leaves an invalid key, not an organization without a key.
  writeInitialKey(dataDir, key);
  return (await store.organizations.createDefault(key, clock.now())) ? key : undefined;
}
