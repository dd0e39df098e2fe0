import { statfs } from "node:fs/promises";
import type { Clock } from "../clock.ts";
import type { DataPlace } from "../domain/accounts/api-key.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { initialKeyFile, lastBackup, readInitialKey } from "../store/data-dir.ts";
import type { Claimant, Store } from "../store/store.ts";
import { createFaultLog, createLoop } from "./loop.ts";

const NOTE_EVERY = 1000;

/** Over how many signs of life the checks per second are averaged. */
const SAMPLES = 60;

/** The largest number that both engines store as an integer. */
const MAX_NUMBER = 2 ** 31 - 1;

/** This server process among those that share the database. */
export interface Node {
  /** Its name in the list of nodes, after the start. */
  name(): string;
  /** How it claims work. */
  claimant(): Claimant;
  /** Resolves if a newer version migrates the database, and this version can't work with it. */
  outdated: Promise<AppError>;
  /** Joins the list of nodes, and stores every second that it is alive. */
  start(): Promise<void>;
  /** Hands back what it has claimed and leaves the list. To be called after all its work has ended. */
  stop(): Promise<void>;
}

export function createNode({
  store,
  clock,
  log,
  name,
  version,
  retentionDays,
  checks,
}: {
  store: Pick<Store, "nodes" | "claims">;
  clock: Clock;
  log: Logger;
  name: string;
  version: string;
  retentionDays: number;
  /** How many checks it has recorded since the start. */
  checks: () => number;
}): Node {
  const self = { pk: 1 + Math.floor(Math.random() * MAX_NUMBER), name, version, retentionDays };
  let claimant: Claimant = { node: self.pk, place: 0, nodes: 1 };
  const samples = [{ at: clock.monotonic(), checks: checks() }];
  const loop = createLoop({
    clock,
    every: NOTE_EVERY,
    task: note,
    faults: createFaultLog(log, "could not record the heartbeat of this node", "warn"),
  });

  const outdated = Promise.withResolvers<AppError>();

  /** Gives a sign of life, unless this version can't work with the database. */
  async function note(): Promise<void> {
    try {
      await store.nodes.assertCompatible();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outdated.resolve(error);
      return;
    }
    claimant = await store.nodes.note({ ...self, checksPerSecond: checksPerSecond() }, clock.now());
  }

  function checksPerSecond(): number {
    const last = { at: clock.monotonic(), checks: checks() };
    const first = samples[0] ?? last;
    samples.push(last);
    if (samples.length > SAMPLES) samples.shift();
    const seconds = (last.at - first.at) / 1000;
    return seconds > 0 ? Math.round((last.checks - first.checks) / seconds) : 0;
  }

  return {
    name: () => self.name,
    claimant: () => claimant,
    outdated: outdated.promise,
    async start() {
      self.name = await store.nodes.join(self, clock.now());
      await loop.run();
      loop.start();
    },
    async stop() {
      const noted = loop.stop();
      try {
        await store.claims.release(self.pk);
        // A sign of life must not follow.
        await noted;
        await store.nodes.leave(self.pk);
      } catch (error) {
        log.warn({ err: error }, "could not release claims: other nodes wait until they expire");
      }
    },
  };
}

/** The data of this server, as it knows it. */
export interface Installation {
  place: DataPlace;
  /** Bytes. @property files by name @property freeBytes of the disk with the embedded database; null for another database, or if it is unknown */
  storage(): Promise<{ files: Record<string, number>; bytes: number; freeBytes: number | null }>;
  /** When `stillup backup` last ran here, in milliseconds since 1970; null if it never did, or is not for this database. */
  lastBackup(): number | null;
  /** The file of the first owner key and its content, if it still exists. */
  initialKey(): { file: string; key: string } | undefined;
}

/** @param place the path of the data directory is absolute */
export function createInstallation(place: DataPlace, store: Pick<Store, "fileSizes">): Installation {
  const { dataDir, isEmbedded } = place;
  return {
    place,
    async storage() {
      const files = await store.fileSizes();
      const bytes = Object.values(files).reduce((sum, size) => sum + size, 0);
      return { files, bytes, freeBytes: isEmbedded ? await freeBytes(dataDir) : null };
    },
    lastBackup: () => (isEmbedded ? lastBackup(dataDir) : null),
    initialKey() {
      const key = readInitialKey(dataDir);
      return key === undefined ? undefined : { file: initialKeyFile(dataDir), key };
    },
  };
}

/** As a process without special rights can still use. */
async function freeBytes(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
