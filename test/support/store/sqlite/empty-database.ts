import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../../src/store/sqlite/driver.ts";
import { tempDir } from "../../temp-dir.ts";

const NAME = "stillup.db";

let bytes: Buffer | undefined;

/**
 * Opens the database of a data directory. If there is none, it begins with a copy of an empty one: its migrations would take
 * most of the time of a short test.
 */
export function openWithoutMigrations(dataDir: string): ReturnType<typeof openEngine> {
  const path = join(dataDir, NAME);
  if (!existsSync(path)) {
    bytes ??= migrated();
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
  }
  return openEngine(dataDir);
}

function migrated(): Buffer {
  using dir = tempDir();
  openEngine(dir.path).close();
  return readFileSync(join(dir.path, NAME));
}
