import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TempDir = Disposable & { path: string };

/** A new directory that is deleted at the end of the `using` block. */
export function tempDir(parent = tmpdir()): TempDir {
  const path = mkdtempSync(join(parent, "stillup-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
