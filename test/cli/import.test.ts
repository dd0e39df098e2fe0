import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importFromKuma } from "../../src/cli/import/kuma.ts";
import { kumaMonitor } from "../support/import/kuma.ts";
import { stillup } from "../support/product/command.ts";
import { createKumaDatabase, fillKumaTable } from "../support/store/kuma-database.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const TELEGRAM = { type: "telegram", telegramBotToken: "1:geheim", telegramChatID: "-100" };

const dir = await untilEndOfFile(tempDir());

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
  const { exitCode, document, said } = await run("kuma", backupFile());
  expect(exitCode).toBe(0);
  expect(Bun.YAML.parse(document)).toMatchObject({
    channels: { ops: { config: { options: { token: "${TELEGRAM_OPS_TOKEN}" } } } },
    monitors: { shop: { type: "HTTP" } },
  });
  expect(said).toEqual([
    ...['monitor "Router [2J": stillup has no monitors of the type "docker"'],
    "Set these variables for stillup apply: TELEGRAM_OPS_TOKEN",
    "1 channel, 0 maintenances, 0 pages; 0 parts left out or changed",
    "1 of 2 monitors; 1 not taken over: 1 of types that stillup lacks (docker 1)",
  ]);
  expect(document + said.join()).not.toContain("geheim");
});

async function run(...args: string[]) {
  const { code, stdout, stderr } = await stillup(["import", ...args]);
  return { exitCode: code, document: stdout, said: stderr.trim().split("\n") };
}

test("behavior 16.104: monitors that are left out come first, by reason, then parts, notes and the sums", async () => {
  const path = join(dir.path, "many.json");
  const mail = { type: "smtp", hostname: "mail.example.com", port: 465, smtp_security: "secure" };
  const monitors = [
    kumaMonitor({ name: "Group", id: 9, type: "group" }),
    kumaMonitor({ name: "A", description: "x", parent: 9 }),
    kumaMonitor({ name: "B", upside_down: 1 }),
    kumaMonitor({ name: "C", type: "docker" }),
    kumaMonitor({ name: "D", type: "mqtt" }),
    kumaMonitor({ name: "C", type: "docker" }),
    kumaMonitor({ name: "E", ...mail, expiry_notification: 1, timeout: 90, interval: 90 }),
  ].map((monitor, at) => ({ ...monitor, id: monitor.id === 9 ? 9 : at + 10 }));
  writeFileSync(path, JSON.stringify({ monitorList: monitors, notificationList: [] }));
  const lost = [
    'monitor "C": stillup has no monitors of the type "docker"',
    'monitor "C": stillup has no monitors of the type "docker"',
    'monitor "B": it is upside down: stillup has no monitors that must fail',
    'monitor "D": stillup has no monitors of the type "mqtt"',
  ];
  const others = [
    'monitor "A", description: a monitor has none here',
    'monitor "E", timeout: it is 90 s; whole seconds, up to 60 and the interval are possible: it is 60 s here',
    "note: groups are tags of their monitors: group:group",
  ];
  const sums = [
    "0 channels, 0 maintenances, 0 pages; 2 parts left out or changed",
    "2 of 6 monitors (and 1 TLS monitor beside them); 4 not taken over: 3 of types that stillup lacks (docker 2, mqtt 1), 1 for other reasons",
  ];
  expect(await run("kuma", path)).toMatchObject({ exitCode: 0, said: [...lost, ...others, ...sums] });
  const report = join(dir.path, "report.txt");
  expect((await run("kuma", path, "--report", report)).said).toEqual([
    ...lost,
    `${report} has all 7 lines`,
    ...sums,
  ]);
  expect(readFileSync(report, "utf8")).toBe(`${[...lost, ...others, ...sums].join("\n")}\n`);
  expect(await run("kuma", path, "--report", dir.path)).toMatchObject({ exitCode: 1 });
});

test("behavior 16.110: a file without endpoints is no configuration of Gatus, and an error", async () => {
  const path = join(dir.path, "checks.json");
  for (const content of ['{"checks":[]}', "{}", "endpoints: []", "endpoints: 5", "metrics: true", "text"]) {
    writeFileSync(path, content);
    const { exitCode, document, said } = await run("gatus", path);
    expect({ exitCode, document }).toEqual({ exitCode: 1, document: "" });
    expect(said).toEqual([
      expect.stringContaining(`${path} is not a configuration of Gatus: it has no endpoints`),
    ]);
  }
});

const options = { withSecrets: true, now: Date.parse("2026-11-22T19:00:00Z") };

test("behavior 16.94: the database is found in the data folder of Uptime Kuma", async () => {
  const folder = join(dir.path, "data");
  mkdirSync(folder);
  const kuma = createKumaDatabase(join(folder, "kuma.db"));
  fillKumaTable(kuma, "monitor", [{ name: "Shop", type: "http", url: "https://shop.example.com/" }]);
  writeFileSync(join(folder, "db-config.json"), '{"type":"sqlite"}');
  const { document } = await importFromKuma(folder, options);
  expect(Object.keys(document.monitors ?? {})).toEqual(["shop"]);
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
