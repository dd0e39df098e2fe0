import type { Caller } from "../domain/accounts/api-key.ts";
import type { Logger } from "../log.ts";
import { hashKey } from "./accounts/api-keys.ts";
import { type CopyProgress, copyDatabase } from "./copy.ts";
import type { BackupOptions, Diagnosis, EngineDriver, PreviousDatabase, StoreSettings } from "./engine.ts";
import { createKey } from "./ids.ts";
import { sqlite } from "./sqlite/driver.ts";
import type { Example } from "./sqlite/examples/monitors.ts";
import type { MemoryBounds } from "./sqlite/memory.ts";
import { createStore, type Refusals, type Store } from "./store.ts";

/*
 * The only file outside the rooms of the engines that knows them. Each function is documented at `EngineDriver`.
 */

/** Chooses the engine. The client of PostgreSQL is loaded only if it is used, because it takes time and memory. */
async function driverOf({ databaseUrl }: StoreSettings): Promise<EngineDriver> {
  if (databaseUrl === undefined) return sqlite;
  return (await import("./postgres/driver.ts")).postgres;
}

export async function storeExists(settings: StoreSettings): Promise<boolean> {
  return (await driverOf(settings)).exists(settings);
}

export async function openStore(settings: StoreSettings): Promise<Store> {
  return createStore(await (await driverOf(settings)).open(settings));
}

export async function openExistingStore(settings: StoreSettings): Promise<Store> {
  return createStore(await (await driverOf(settings)).openExisting(settings));
}

export async function openStoreForServer(
  settings: StoreSettings,
  log: Logger,
  refusals?: Refusals,
): Promise<Store> {
  return createStore(await (await driverOf(settings)).openForServer(settings, log), refusals);
}

/** A store in memory with an organization, an owner key and examples. */
export interface ExampleStore {
  store: Store;
  /** The caller with the owner key, whose text nobody knows. */
  owner: Caller;
  /** The IDs of the monitors, by name. */
  monitorIds: ReadonlyMap<string, string>;
}

/** @param given.name of the organization @param given.now milliseconds since 1970 */
export async function openExampleStore({
  name,
  bounds,
  examples,
  refusals,
  now,
}: {
  name: string;
  bounds: MemoryBounds;
  examples: (all: readonly Example[]) => readonly Example[];
  refusals: Refusals;
  now: number;
}): Promise<ExampleStore> {
  const { openMemoryEngine } = await import("./sqlite/memory.ts");
  const { createExamples, EXAMPLES } = await import("./sqlite/examples/monitors.ts");
  const engine = openMemoryEngine(bounds);
  const store = createStore(engine, refusals);
  const key = createKey();
  await store.organizations.createDefault({ key }, now);
  const owner = await store.apiKeys.findCaller(hashKey(key));
  if (!owner) throw new Error("the owner key was not created");
  const { organizationId } = owner;
  await store.organizations.update(organizationId, { name });
  const filled = { engine, store, organizationId, now };
  return { store, owner, monitorIds: await createExamples(filled, examples(EXAMPLES)) };
}

export async function backUpStore(
  settings: StoreSettings,
  file: string,
  options: BackupOptions,
): Promise<void> {
  return (await driverOf(settings)).backUp(settings, file, options);
}

export async function restoreStore(
  settings: StoreSettings,
  file: string,
  options: BackupOptions,
): Promise<PreviousDatabase | undefined> {
  return (await driverOf(settings)).restore(settings, file, options);
}

export async function checkStore(settings: StoreSettings): Promise<Diagnosis> {
  return (await driverOf(settings)).check(settings);
}

/**
 * Copies a database into an empty one, of any engine (behavior 12.50 to 12.55).
 *
 * @returns how many rows, and the names of both databases, without passwords
 * @throws AppError `refused` as `copyDatabase` and both engines: the target is then as empty as before
 */
export async function copyStore(
  { from, to, now }: { from: StoreSettings; to: StoreSettings; now: number },
  onProgress: (progress: CopyProgress) => void,
): Promise<{ rows: number; leftOut: number; from: string; to: string }> {
  const source = await (await driverOf(from)).openCopySource(from);
  try {
    const target = await (await driverOf(to)).openCopyTarget(to, now);
    try {
      const copied = await copyDatabase(source, target, onProgress);
      return { ...copied, from: source.name, to: target.name };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
