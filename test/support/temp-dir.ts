import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TempDir = Disposable & { path: string };

/** A fresh directory that goes with the `using` block. */
export function tempDir(): TempDir {
  const path = mkdtempSync(join(tmpdir(), "stillup-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
