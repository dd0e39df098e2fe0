import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backUp, findDamage, restore } from "../../src/db/backup.ts";
import { closeDatabase, openDatabase } from "../../src/db/open.ts";
import { createOrganization, listOrganizations } from "../../src/db/organizations.ts";
import { tempDir } from "../support/temp-dir.ts";

const NOW = Date.UTC(2026, 10, 21, 10, 30);
const NAMED = { plan: "enterprise", subscription: "active" } as const;

async function makeDatabase(dataDir: string, name: string): Promise<void> {
  const db = openDatabase(dataDir);
  await createOrganization(db, { ...NAMED, name }, NOW);
  closeDatabase(db);
}

async function names(dataDir: string): Promise<string[]> {
  const db = openDatabase(dataDir);
  const found = (await listOrganizations(db)).map(({ name }) => name);
  closeDatabase(db);
  return found;
}

/** Overwrites a page in the middle of a file. */
function damage(file: string): void {
  const bytes = new Uint8Array(statSync(file).size);
  bytes.set(new Uint8Array(Bun.mmap(file)));
  bytes.fill(0xff, 8192, 12_288);
  writeFileSync(file, bytes);
}

describe("a backup", () => {
  test("holds what was committed, has mode 0600, and overwrites nothing", async () => {
    using dir = tempDir();
    const db = openDatabase(dir.path);
    await createOrganization(db, { ...NAMED, name: "A" }, NOW);
    const file = join(dir.path, "backup.db");
    backUp(db.$client, file);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(findDamage(file)).toEqual([]);
    expect(() => backUp(db.$client, file)).toThrow("exists already: a backup overwrites nothing");
    expect(existsSync(`${file}.partial`)).toBe(false);
    closeDatabase(db);
  });

  test("is restored over another database, which is kept beside it", async () => {
    using dir = tempDir();
    const [old, dataDir, file] = [join(dir.path, "old"), join(dir.path, "data"), join(dir.path, "backup.db")];
    await makeDatabase(old, "from the backup");
    const db = openDatabase(old);
    backUp(db.$client, file);
    closeDatabase(db);
    await makeDatabase(dataDir, "former");

    const former = restore(file, dataDir, NOW);
    expect(await names(dataDir)).toEqual(["from the backup"]);
    expect(former).toBe(join(dataDir, "stillup.db.before-restore-2026-11-21T10-30-00.000Z"));
    expect(findDamage(former ?? "")).toEqual([]);
    expect(restore(former ?? "", dataDir, NOW + 1)).toBeDefined();
    expect(await names(dataDir)).toEqual(["former"]);
  });

  test("is restored where there is no database yet", async () => {
    using dir = tempDir();
    await makeDatabase(join(dir.path, "old"), "A");
    expect(restore(join(dir.path, "old", "stillup.db"), join(dir.path, "new"), NOW)).toBeUndefined();
    expect(await names(join(dir.path, "new"))).toEqual(["A"]);
  });
});

describe("what can't be restored changes nothing", () => {
  test.each([
    ["nothing", () => {}, "does not exist"],
    [
      "no database",
      (file: string) => writeFileSync(file, "x".repeat(20_000)),
      "is damaged and can't be restored",
    ],
    ["a damaged one", damage, "is damaged and can't be restored"],
    [
      "one of another program",
      (file: string) => void new Sqlite(file).run("CREATE TABLE theirs (x)"),
      "is not a database of stillup",
    ],
  ])("%s", async (what, make, error) => {
    using dir = tempDir();
    const [dataDir, file] = [join(dir.path, "data"), join(dir.path, "backup.db")];
    await makeDatabase(dataDir, "kept");
    if (what === "a damaged one") {
      const db = openDatabase(dataDir);
      backUp(db.$client, file);
      closeDatabase(db);
    }
    make(file);
    const before = readdirSync(dataDir);
    expect(() => restore(file, dataDir, NOW)).toThrow(error);
    expect(readdirSync(dataDir)).toEqual(before);
    expect(await names(dataDir)).toEqual(["kept"]);
  });
});

test("a damaged database is refused with a clear error", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "stillup.db"), "x".repeat(20_000));
  expect(() => openDatabase(dir.path)).toThrow("stillup.db is damaged: restore a backup");
});
