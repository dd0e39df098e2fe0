import type { Logger } from "../log.ts";
import { type CopyProgress, copyDatabase } from "./copy.ts";
import type { BackupOptions, Diagnosis, EngineDriver, PreviousDatabase, StoreSettings } from "./engine.ts";
import { sqlite } from "./sqlite/driver.ts";
import { createStore, type Store } from "./store.ts";
import type { Tx } from "./tx.ts";

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

/** @param pingRefusal see `Tx` */
export async function openStoreForServer(
  settings: StoreSettings,
  log: Logger,
  pingRefusal?: Tx["pingRefusal"],
): Promise<Store> {
  return createStore(await (await driverOf(settings)).openForServer(settings, log), pingRefusal);
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
