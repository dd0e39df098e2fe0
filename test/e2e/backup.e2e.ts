import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../src/store/sqlite-file.ts";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { answersOf, UNLOCKED, unlockedPage } from "../support/requests/locked-page.ts";

test("behavior 9.6, 21.32: a backup of a live database under load is consistent, and a server starts on its restore", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const { body } = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
  const { id, checkinUrl } = body.data;
  const locked = await unlockedPage(client);

  let sent = 0;
  let going = true;
  const flood = Array.from({ length: 8 }, async () => {
    while (going) {
      await fetch(checkinUrl);
      sent++;
    }
  });
  while (sent < 200) await Bun.sleep(1);
  const before = sent;
  expect(await binary.run(["backup", "copy.db"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Backed up to copy.db\n",
  });
  const after = sent;
  going = false;
  await Promise.all(flood);

  expect((await binary.run(["check"])).stderr).toContain("has no damage");
  expect((await binary.run(["backup", "copy.db"])).stderr).toContain("exists already");
  expect(await binary.run(["restore", "copy.db"])).toMatchObject({ code: 1, stdout: "" });
  expect(await binary.run(["restore", "copy.db", "--data-dir", "elsewhere"])).toMatchObject({ code: 0 });
  expect((await binary.run(["check", "--data-dir", "elsewhere"])).code).toBe(0);

  const restored = await binary.serve(["--data-dir", "elsewhere"]);
  const answer = await client.at(restored.url).get(`/api/v1/monitors?range=1d`);
  expect(answer.body.data.map((monitor: { id: string }) => monitor.id)).toEqual([id]);
  expect(await answersOf(restored.url, locked)).toEqual(UNLOCKED);
  let count = 0;
  let cursor = "";
  do {
    const page = await client
      .at(restored.url)
      .get(`/api/v1/monitors/${id}/results?limit=200${cursor && `&cursor=${cursor}`}`);
    count += page.body.data.length;
    cursor = page.body.cursor ?? "";
  } while (cursor);
  expect(count).toBeGreaterThanOrEqual(before);
  expect(count).toBeLessThanOrEqual(after + 8);
}, 300_000);

test("behavior 9.7: check and restore report an error in one line", async () => {
  await using binary = new Binary();
  expect(await binary.run(["check"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "stillup: data/stillup.db does not exist\n",
  });
  expect(await binary.run(["restore", "missing.db"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "stillup: missing.db does not exist\n",
  });
});

describe("behavior 9.128: on a terminal", () => {
  /** Starts a command of the binary in a pseudo terminal. @returns also all that it has shown */
  function onTerminal(binary: Binary, args: string[]) {
    let screen = "";
    const decoder = new TextDecoder();
    const child = Bun.spawn([join(binary.folder, "stillup"), ...args], {
      cwd: binary.folder,
      terminal: {
        data(_, bytes) {
          screen += decoder.decode(bytes, { stream: true });
        },
      },
    });
    return { child, shown: () => screen.replaceAll("\x1b[K", "<clear>") };
  }

  async function withDatabase(): Promise<Binary> {
    const binary = new Binary();
    expect(await binary.run(["orgs", "create", "A"])).toMatchObject({ code: 0 });
    const sqlite = openSqlite(join(binary.folder, "data/stillup.db"));
    sqlite.run("CREATE TABLE blobs (blob)");
    for (let at = 0; at < 100; at++) sqlite.run("INSERT INTO blobs VALUES (zeroblob(1000000))");
    sqlite.close();
    return binary;
  }

  test("backup and restore show a bar, which is gone at the end", async () => {
    await using binary = await withDatabase();
    const backup = onTerminal(binary, ["backup", "copy.db"]);
    expect(await backup.child.exited).toBe(0);
    await eventually(() => backup.shown().includes("Backed up"));
    expect(backup.shown()).toMatch(
      /^\r\[ {30}\] {3}0 % backing up<clear>.*\r<clear>Backed up to copy\.db\r\n$/s,
    );
    const restored = onTerminal(binary, ["restore", "copy.db"]);
    expect(await restored.child.exited).toBe(0);
    await eventually(() => restored.shown().includes("Restored"));
    for (const step of ["  0 % checking the backup", "  0 % restoring", "100 % checking the database"])
      expect(restored.shown()).toContain(`] ${step}<clear>`);
    expect(restored.shown()).toMatch(/\r<clear>Restored copy\.db; the previous database is .*\r\n$/);
    expect((await binary.run(["check"])).code).toBe(0);
  });

  test.each([
    ["backup", "copy.db.partial", "copy.db"],
    ["restore", "data/stillup.db.restoring.partial", "data/stillup.db.restoring"],
  ])("Ctrl+C ends %s, and leaves no part of a copy", async (command, partial, whole) => {
    await using binary = await withDatabase();
    if (command === "restore") await binary.run(["backup", "copy.db"]);
    const { child } = onTerminal(binary, [command, "copy.db"]);
    await eventually(() => existsSync(join(binary.folder, partial)) || child.exitCode !== null);
    child.terminal?.write("\x03");
    await child.exited;
    expect(existsSync(join(binary.folder, partial))).toBe(false);
    expect(existsSync(join(binary.folder, whole))).toBe(command === "backup" && child.exitCode === 0);
    expect((await binary.run(["check"])).code).toBe(0);
  });
});
