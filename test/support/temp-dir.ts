import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TempDir = Disposable & { path: string };

/** A new directory that is deleted at the end of the `using` block. */
export function tempDir(parent = tmpdir()): TempDir {
  const path = mkdtempSync(join(parent, "stillup-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The parent of directories in memory, where syncs take no time, if the machine has the space. */
export function memoryDir(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize > 2 ** 30) return "/dev/shm";
  } catch {
    // Not every machine has it.
  }
  return tmpdir();
}
