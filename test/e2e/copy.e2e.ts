import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../support/documentation/page.ts";
import { Reader } from "../support/documentation/reader.ts";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { answersOf, UNLOCKED, unlockedPage } from "../support/requests/locked-page.ts";
import { createChannel } from "../support/requests/monitors.ts";
import { PushService } from "../support/servers/push-service.ts";
import { createCluster, runSql } from "../support/store/postgres/cluster.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

const isLacking = findPrograms() === undefined;
if (isLacking) process.stderr.write("LEFT OUT: copies to PostgreSQL, which is not installed\n");

test("behavior 12.53, 12.56: an error of copy is one line that repeats no password", async () => {
  await using binary = new Binary();
  const failed = async (...args: string[]) => {
    const { code, stdout, stderr } = await binary.run(["copy", ...args]);
    return { code, stdout, line: stderr.replace(/^stillup: (.*)\n$/, "$1") };
  };
  expect(await failed("--from", "a")).toMatchObject({ code: 2, stdout: "" });
  expect(await failed("--from", "a", "--to", "a")).toEqual({
    code: 2,
    stdout: "",
    line: "--from and --to must be different databases",
  });
  expect(await failed("--from", "a", "--to", "b")).toEqual({
    code: 1,
    stdout: "",
    line: "a/stillup.db does not exist",
  });
  const malformed = await failed("--from", "a", "--to", "postgresql://user:secret@host:port/");
  expect(malformed).toMatchObject({ code: 2, stdout: "" });
  expect(malformed.line).toStartWith("--to must be the path of a directory, or a URL such as postgresql://");
  expect(malformed.line).not.toContain("secret");
});

test("behavior 12.54: a copy that a signal ends leaves no part of it behind", async () => {
  await using binary = new Binary();
  expect(await binary.run(["orgs", "create", "A"])).toMatchObject({ code: 0 });
  const target = join(binary.folder, "target");
  const partial = join(target, "stillup.db.copying");
  const copying = Bun.spawn([join(binary.folder, "stillup"), "copy", "--from", "data", "--to", "target"], {
    cwd: binary.folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  await eventually(() => existsSync(partial) || copying.exitCode !== null);
  copying.kill("SIGTERM");
  await copying.exited;
  expect(existsSync(partial)).toBe(false);
});

test.skipIf(isLacking)(
  "behavior 12.50, 12.55, 21.32, 21.53: a server continues on a copy in PostgreSQL, and on a copy of that in a directory",
  async () => {
    const cluster = await createCluster();
    try {
      await using device = new PushService();
      await using binary = new Binary();
      const first = await binary.serve();
      const client = await first.client();
      const job = { name: "job", type: "SCHEDULED", config: { interval: 60 } };
      const { body } = await client.post("/api/v1/monitors", job);
      const { id, checkinUrl } = body.data;
      for (let sent = 0; sent < 20; sent++) await fetch(checkinUrl);
      const locked = await unlockedPage(client);
      const channel = await createChannel(client, { config: device.subscribe() });
      const notify = async (at: string) =>
        (await client.at(at).post(`/api/v1/alerts/${channel.id}/test`)).body.data.status;
      expect(await notify(first.url)).toBe("delivered");
      const url = cluster.url("postgres");
      const copy = (from: string, to: string) => binary.run(["copy", "--from", from, "--to", to]);
      expect(await copy("data", url)).toMatchObject({
        code: 1,
        stderr: "stillup: a stillup server or another copy uses data: end it first\n",
      });
      await first.end("SIGTERM");

      const read = async (at: string) => {
        const results = await client.at(at).get(`/api/v1/monitors/${id}/results?limit=100`);
        const monitor = await client.at(at).get(`/api/v1/monitors/${id}?range=1d`);
        return { results: results.body.data, monitor: monitor.body.data.name };
      };
      const toPostgres = await copy("data", url);
      expect(toPostgres).toMatchObject({ code: 0, stdout: "" });
      expect(toPostgres.stderr).toMatch(
        /\nCopied \d+ rows from data\/stillup.db to the database "postgres" at /,
      );
      const second = await binary.serve(["--database-url", url, "--data-dir", "node"]);
      const moved = await read(second.url);
      expect(moved.results).toHaveLength(20);
      expect(await answersOf(second.url, locked)).toEqual(UNLOCKED);
      expect(await notify(second.url)).toBe("delivered");
      await fetch(checkinUrl.replace(first.url, second.url));
      expect((await copy(url, "back")).code).toBe(1);
      await second.end("SIGTERM");

      expect(await copy(url, "back")).toMatchObject({ code: 0 });
      const third = await binary.serve(["--data-dir", "back"]);
      const back = await read(third.url);
      expect(back.results.slice(1)).toEqual(moved.results);
      expect(await answersOf(third.url, locked)).toEqual(UNLOCKED);
      expect(await notify(third.url)).toBe("delivered");
      expect((await binary.run(["check", "--data-dir", "back"])).code).toBe(0);
      expect((await copy(url, "back")).stderr).toContain("end it first");
    } finally {
      cluster.end();
    }
  },
);

test.skipIf(isLacking)("docs/copy.md does what it says", async () => {
  const cluster = await createCluster();
  try {
    await runSql(cluster.config("postgres"), "CREATE DATABASE stillup");
    const replace = { "postgresql://stillup@db.example.com/stillup": `'${cluster.url("stillup")}'` };
    await using reader = new Reader({ replace });
    for (const command of [
      ["orgs", "create", "A"],
      ["keys", "create", "--name", "k"],
    ])
      expect(Bun.spawnSync(["./stillup", ...command], { cwd: reader.folder }).success).toBe(true);
    await reader.follow(await readPage("docs/copy.md"));
  } finally {
    cluster.end();
  }
});
