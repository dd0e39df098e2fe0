import { expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../src/log.ts";
import { lastBackup } from "../../src/store/data-dir.ts";
import {
  backUpStore,
  checkStore,
  openExistingStore,
  openStore,
  openStoreForServer,
  restoreStore,
  storeExists,
} from "../../src/store/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

const log = createLogger({ level: "silent" });
const NOW = Date.UTC(2027, 5, 1, 12);
const VALUES = { name: "A", plan: "enterprise", subscription: "active" } as const;

test("behavior 9.16: a server has the store alone until it closes it, and other programs may open the store", async () => {
  using dir = tempDir();
  const settings = { dataDir: dir.path };
  const server = await openStoreForServer(settings, log);
  await expect(openStoreForServer(settings, log)).rejects.toThrow("another stillup server is running");
  const other = await openExistingStore(settings);
  await other.organizations.create(VALUES, NOW);
  await other.close();
  expect(await server.organizations.list()).toMatchObject([VALUES]);
  await server.close();
  await (await openStoreForServer(settings, log)).close();
});

test("a server that can't open the store does not keep the next one from it", async () => {
  using dir = tempDir();
  const settings = { dataDir: dir.path };
  writeFileSync(join(dir.path, "stillup.db"), "x".repeat(5000));
  await expect(openStoreForServer(settings, log)).rejects.toThrow("is damaged: restore a backup");
  rmSync(join(dir.path, "stillup.db"));
  await (await openStoreForServer(settings, log)).close();
});

test("a store that does not exist is neither opened as an existing one nor checked nor created by that", async () => {
  using dir = tempDir();
  const settings = { dataDir: join(dir.path, "data") };
  expect(await storeExists(settings)).toBe(false);
  await expect(openExistingStore(settings)).rejects.toThrow("does not exist");
  await expect(checkStore(settings)).rejects.toThrow("does not exist");
  expect(existsSync(settings.dataDir)).toBe(false);
  await (await openStore(settings)).close();
  expect(await storeExists(settings)).toBe(true);
});

test("behavior 9.7: a restore says where the previous database is, or only its log", async () => {
  using dir = tempDir();
  const settings = { dataDir: join(dir.path, "data") };
  const [file, path] = [join(dir.path, "backup.db"), join(settings.dataDir, "stillup.db")];
  const store = await openStore({ dataDir: join(dir.path, "source") });
  await store.backUp(file);
  await store.close();

  expect(await restoreStore(settings, file, { now: NOW })).toBeUndefined();
  const previous = await restoreStore(settings, file, { now: NOW + 1 });
  expect(previous).toMatchObject({ isLogOnly: false });
  expect(existsSync(previous?.path ?? "")).toBe(true);
  rmSync(path);
  writeFileSync(`${path}-wal`, "");
  expect(await restoreStore(settings, file, { now: NOW + 2 })).toMatchObject({ isLogOnly: true });
});

test("behavior 16.331: the time of the last backup stays when an older one is restored", async () => {
  using dir = tempDir();
  const settings = { dataDir: join(dir.path, "data") };
  await (await openStore(settings)).close();
  expect(lastBackup(settings.dataDir)).toBeNull();
  await backUpStore(settings, join(dir.path, "one.db"), { now: NOW });
  await backUpStore(settings, join(dir.path, "two.db"), { now: NOW + 1 });
  await restoreStore(settings, join(dir.path, "one.db"), { now: NOW + 2 });
  expect(lastBackup(settings.dataDir)).toBe(NOW + 1);
});

test("a check names the database and its damage", async () => {
  using dir = tempDir();
  const settings = { dataDir: dir.path };
  await (await openStore(settings)).close();
  const database = join(dir.path, "stillup.db");
  expect(await checkStore(settings)).toEqual({ database, damage: [] });
  writeFileSync(database, "x".repeat(5000));
  expect((await checkStore(settings)).damage).toHaveLength(1);
});
