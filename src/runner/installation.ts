import { statfs } from "node:fs/promises";
import type { DataPlace } from "../domain/accounts/key-command.ts";
import { initialKeyFile, lastBackup, readInitialKey } from "../store/data-dir.ts";
import type { Store } from "../store/store.ts";

/** The data of this server, as it knows it. */
export interface Installation {
  place: DataPlace;
  /** Bytes. @property freeBytes of the disk with the embedded database; null for another database, or if it is unknown */
  storage(): Promise<{ bytes: number; freeBytes: number | null }>;
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
      const sizes = Object.values(await store.fileSizes());
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      return { bytes, freeBytes: isEmbedded ? await freeBytes(dataDir) : null };
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
