import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importFromKuma } from "../../src/cli/import/kuma.ts";
import { kumaMonitor } from "../support/import/kuma.ts";
import { createKumaDatabase, fillKumaTable } from "../support/store/kuma-database.ts";
import { tempDir } from "../support/temp-dir.ts";

// The command is a process.
setDefaultTimeout(60_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");
const TELEGRAM = { type: "telegram", telegramBotToken: "1:geheim", telegramChatID: "-100" };

let dir: ReturnType<typeof tempDir>;
beforeAll(() => {
  dir = tempDir();
});
afterAll(() => dir[Symbol.dispose]());

function backupFile(): string {
  const path = join(dir.path, "backup.json");
  const monitors = [kumaMonitor({}), kumaMonitor({ id: 2, name: "Router\u001b[2J", type: "docker" })];
  const notifications = [{ id: 1, name: "Ops", config: JSON.stringify(TELEGRAM) }];
  writeFileSync(
    path,
    JSON.stringify({ version: "1.23.16", monitorList: monitors, notificationList: notifications }),
  );
  return path;
}

test("behavior 16.92, 16.93: the document is on standard output, and the rest on standard error", async () => {
  const command = [process.execPath, MAIN, "import", "kuma", backupFile()];
  const { exited, stdout, stderr } = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [document, said] = await Promise.all([new Response(stdout).text(), new Response(stderr).text()]);
  expect(await exited).toBe(0);
  expect(Bun.YAML.parse(document)).toMatchObject({
    channels: { ops: { config: { options: { token: "${TELEGRAM_OPS_TOKEN}" } } } },
    monitors: { shop: { type: "HTTP" } },
  });
  expect(said.trim().split("\n")).toEqual([
    ...['monitor "Router [2J": stillup has no monitors of the type "docker"'],
    "Set these variables for stillup apply: TELEGRAM_OPS_TOKEN",
    "1 channel, 1 monitor, 0 maintenances, 0 pages; 1 thing not taken over",
  ]);
  expect(document + said).not.toContain("geheim");
});

const options = { withSecrets: true, now: Date.parse("2026-11-22T19:00:00Z") };

test("behavior 16.94: the database is found in the data folder of Uptime Kuma", async () => {
  const folder = join(dir.path, "data");
  mkdirSync(folder);
  const kuma = createKumaDatabase(join(folder, "kuma.db"));
  fillKumaTable(kuma, "monitor", [{ name: "Shop", type: "http", url: "https://shop.example.com/" }]);
  writeFileSync(join(folder, "db-config.json"), '{"type":"sqlite"}');
  const { document } = await importFromKuma(folder, options);
  expect(Object.keys(document.monitors ?? {})).toEqual(["shop", "shop-certificate"]);
  kuma.close();
  writeFileSync(join(folder, "db-config.json"), '{"type":"mariadb"}');
  await expect(importFromKuma(folder, options)).rejects.toThrow("uses mariadb");
});

test("behavior 16.94, 16.95: what is neither a database nor a backup is refused in one line", async () => {
  const path = join(dir.path, "other");
  for (const content of ["", "{}", "[]", "no", "SQLite format 3\0", '{"monitorList":']) {
    writeFileSync(path, content);
    await expect(importFromKuma(path, options)).rejects.toThrow(
      /^[^\n]*(neither a database nor|can't be read)[^\n]*$/,
    );
  }
  await expect(importFromKuma(join(dir.path, "missing"), options)).rejects.toThrow(
    "can't be read: there is no such file or directory",
  );
  await expect(importFromKuma("/dev/null", options)).rejects.toThrow("not a file");
});
