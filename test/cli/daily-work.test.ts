import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../src/cli/program.ts";
import { table } from "../../src/cli/table.ts";
import { stillup } from "../support/product/command.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const dir = await untilEndOfFile(tempDir());

let owner: Client;
let keyFile: string;
/** The folder of the configuration of the user. */
let config: string;
let files = 0;

beforeEach(async () => {
  owner = await server.organization();
  files++;
  keyFile = join(dir.path, `key-${files}`);
  config = join(dir.path, `config-${files}`);
  writeFileSync(keyFile, `${owner.key}\n`, { mode: 0o600 });
});

const run = (args: string[], env: Record<string, string> = {}) =>
  stillup(args, { XDG_CONFIG_HOME: config, ...env });

/** Runs a command against the server. @returns what it prints */
async function printed(...args: string[]) {
  const { code, stdout, stderr } = await run([...args, "--server", server.client.url, "--key-file", keyFile]);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code}, ${stderr}`);
  return JSON.parse(stdout);
}

async function failure(...args: string[]) {
  const { code, stdout, stderr } = await run([...args, "--server", server.client.url, "--key-file", keyFile]);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^stillup: [^\n]+\n$/);
  return [code, stderr.replace("stillup: ", "").trimEnd()];
}

const get = async (path: string) => (await owner.get(`/api/v1/${path}`)).body.data;

describe("behavior 9.120: by the API of a server", () => {
  test("a maintenance is started, listed and ended, by the clock of the server", async () => {
    const started = await printed(
      "maintenance",
      "start",
      "--for",
      "30m",
      "--title",
      "Release",
      "--tag",
      "shop",
    );
    expect(started).toMatchObject({ title: "Release", selector: { tags: ["shop"] }, state: "active" });
    expect(Date.parse(started.endsAt) - Date.parse(started.startsAt)).toBe(30 * 60_000);
    expect(await get("maintenances")).toEqual([started]);
    expect(await printed("maintenance", "list")).toEqual([started]);
    expect(await printed("maintenance", "end", "--tag", "shop")).toMatchObject([
      { id: started.id, state: "ended" },
    ]);
    expect(await failure("maintenance", "end")).toEqual([1, "no maintenance is open"]);
    expect(await failure("maintenance", "end", "none")).toEqual([
      1,
      'there is no maintenance with the ID "none"',
    ]);
    expect((await failure("maintenance", "list", "--org", "x"))[0]).toBe(2);
  });

  test.each([
    [["orgs", "list"]],
    [["people", "link", "none"]],
    [["nodes"]],
    [["backup", "copy.db"]],
    [["check"]],
  ])("%j says that it needs the database", async (args) => {
    expect(await failure(...args)).toEqual([
      2,
      "this command has no --server: run it on the machine of the server, with --data-dir or --database-url",
    ]);
  });

  test("keys are created, listed and revoked", async () => {
    const args = ["keys", "create", "--name", "deploy", "--role", "admin"];
    const created = await run([...args, "--server", server.client.url, "--key-file", keyFile]);
    expect(created.stdout).toMatch(/^stillup_\w{43}\n$/);
    expect(created.stderr).toContain("It is shown only once");
    const [, deploy] = await printed("keys", "list");
    expect(deploy).toMatchObject({ name: "deploy", role: "admin" });
    expect(await printed("keys", "revoke", deploy.id)).toEqual({ id: deploy.id });
    expect(await failure("keys", "revoke", deploy.id)).toEqual([
      1,
      `there is no key with the ID "${deploy.id}"`,
    ]);
  });

  test("people are invited, listed and disabled", async () => {
    const email = `p${files}@example.com`;
    const person = await printed("people", "create", "--email", email, "--role", "viewer", "--name", "P");
    expect(person).toMatchObject({ email, role: "viewer", inviteUrl: expect.stringContaining("/invite/") });
    expect(await printed("people", "list")).toMatchObject([{ id: person.id, state: "invited" }]);
    expect(await failure("people", "disable", "none")).toEqual([1, 'there is no person with the ID "none"']);
  });
});

describe("behavior 9.124, 9.125: monitors", () => {
  test("are listed by name, paused, resumed and checked, by name, ID or tag", async () => {
    const shop = await createMonitor(owner, "TCP", { name: "shop", tags: ["web"] });
    const blog = await createMonitor(owner, "TCP", { name: "blog", tags: ["web"] });
    const job = await createMonitor(owner, "SCHEDULED", { name: "backup" });
    const names = async (...args: string[]) =>
      (await printed("monitors", "list", ...args)).map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(["backup", "blog", "shop"]);
    expect(await names("--tag", "web")).toEqual(["blog", "shop"]);
    expect(await printed("monitors", "pause", "shop", job.id)).toEqual([
      { id: shop.id, name: "shop" },
      { id: job.id, name: "backup" },
    ]);
    expect(await printed("monitors", "list", "--tag", "web")).toMatchObject([
      { name: "blog", enabled: true },
      { name: "shop", enabled: false, standing: "paused" },
    ]);
    expect(await printed("monitors", "pause", "--tag", "web")).toEqual([{ id: blog.id, name: "blog" }]);
    expect(await printed("monitors", "resume", "--all")).toHaveLength(3);
    expect(await printed("monitors", "check", "blog")).toEqual([{ id: blog.id, name: "blog" }]);
    expect(await failure("monitors", "check", "none")).toEqual([1, 'no monitor has the name or ID "none"']);
    expect(await failure("monitors", "pause")).toEqual([2, "give which monitors: names, --tag or --all"]);
    await createMonitor(owner, "TCP", { name: "blog" });
    expect((await failure("monitors", "pause", "blog"))[1]).toStartWith(
      '2 monitors have the name "blog": give',
    );
  });

  test("behavior 9.126: the open outage of a monitor is acknowledged, with a note", async () => {
    const job = await createMonitor(owner, "SCHEDULED", { name: "backup" });
    expect(await failure("ack", "backup")).toEqual([1, "backup has no open outage"]);
    await checkIn(owner, job.id, "fail");
    const outage = await printed("ack", "backup", "--note", "disk full");
    expect(outage).toMatchObject({ note: "disk full", acknowledgedBy: "owner" });
    expect(await get(`outages/${outage.id}`)).toMatchObject({ note: "disk full" });
    expect(await printed("ack", outage.id)).toMatchObject({ id: outage.id, note: null });
    expect((await failure("ack", "none"))[1]).toContain('no outage with the ID "none"');
  });
});

describe("behavior 9.121, 9.122: a context", () => {
  const login = (...args: string[]) => run(["login", server.client.url, ...args]);
  const path = () => join(config, "stillup", "context");

  test("is a file that only its user can read, whose server commands then use", async () => {
    await createMonitor(owner, "TCP", { name: "shop" });
    const { code, stdout, stderr } = await login("--key-file", keyFile);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^Signed in to http:.*: organization .*, role owner\n$/);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readFileSync(path(), "utf8")).toContain(server.client.url);
    for (const args of [
      ["monitors", "list"],
      ["monitors", "list", "--server", server.client.url],
    ]) {
      const listed = await run(args);
      expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "shop" }]);
    }
    const data = join(dir.path, "data");
    // A database that is given goes first.
    expect((await run(["keys", "list", "--data-dir", data])).stderr).toContain(data);
    expect((await run(["keys", "list"], { STILLUP_DATA_DIR: data })).stderr).toContain(data);
    // The key is only for its server.
    expect((await run(["keys", "list", "--server", "http://127.0.0.1:1"])).code).toBe(2);
    const out = await run(["logout"]);
    expect(out).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Signed out of ${server.client.url}.`),
    });
    expect(existsSync(path())).toBe(false);
    expect((await run(["logout"])).stderr).toBe("nobody is signed in\n");
  });

  test("is not written for a key that the server refuses, or an address without a server", async () => {
    writeFileSync(keyFile, `stillup_${"a".repeat(43)}\n`, { mode: 0o600 });
    expect(await login("--key-file", keyFile)).toMatchObject({
      code: 1,
      stderr: `stillup: ${server.client.url}: Unauthorized: the key is unknown, expired or deleted\n`,
    });
    expect((await run(["login", "http://127.0.0.1:1", "--key-file", keyFile])).code).toBe(1);
    expect((await run(["login", "nonsense", "--key-file", keyFile])).code).toBe(2);
    expect((await run(["login"])).code).toBe(2);
    expect(existsSync(path())).toBe(false);
  });
});

test("behavior 9.120: people link says after a login that it needs the database", async () => {
  expect((await run(["login", server.client.url, "--key-file", keyFile])).code).toBe(0);
  expect(await run(["people", "link", "none"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "stillup: stillup people link works only on the machine of the server: give its database with --data-dir or --database-url\n",
  });
  const { stderr } = await run(["people", "link", "none", "--data-dir", join(dir.path, "missing")]);
  expect(stderr).toEndWith("missing/stillup.db does not exist\n");
});

describe("behavior 9.123: a list on a terminal", () => {
  test("has the names of its columns, and lines as long as the terminal is wide", () => {
    const rows = [
      { name: "日本", note: "a\u001b[2Jb" },
      { name: "a long name", note: "x".repeat(90) },
    ];
    const columnsOf = {
      NAME: ({ name }: (typeof rows)[0]) => name,
      NOTE: ({ note }: (typeof rows)[0]) => note,
    };
    expect(table(rows, columnsOf, 40)).toBe(
      ["NAME         NOTE\n", "日本         a\\u001b[2Jb\n", `a long name  ${"x".repeat(26)}…\n`].join(""),
    );
    expect(table([], columnsOf, 40)).toBe("NAME  NOTE\n");
  });

  test("has the whole ID at the end, and cuts the widest other column", () => {
    const row = { name: "a name that is quite long", role: "owner", id: "0123456789abcdefghijkl" };
    const columnsOf = {
      NAME: ({ name }: typeof row) => name,
      ROLE: ({ role }: typeof row) => role,
      ID: ({ id }: typeof row) => id,
    };
    expect(table([row], columnsOf, 45)).toBe(
      "NAME            ROLE   ID\na name that i…  owner  0123456789abcdefghijkl\n",
    );
  });
});

describe("behavior 9.1: the help", () => {
  test("of every command has examples", async () => {
    const program = await createProgram([]);
    const all = (command: typeof program): (typeof program)[] => [command, ...command.commands.flatMap(all)];
    const texts = all(program)
      .filter((command) => command.name() !== "help")
      .map((command) => {
        let text = "";
        command.configureOutput({ writeOut: (part) => (text += part) });
        command.outputHelp();
        return [command.name(), text.includes("Examples:")];
      });
    expect(texts.filter(([, has]) => !has)).toEqual([]);
  });

  test("behavior 9.127: names the nearest command for one that does not exist", async () => {
    expect((await run(["monitor"])).stderr).toContain("Did you mean monitors?");
    expect((await run(["help", "monitor"])).stderr).toContain("did you mean monitors?");
    expect((await run(["monitors", "puase"])).stderr).toContain("Did you mean pause?");
    expect((await run(["xyz"])).stderr).toBe("stillup: unknown command 'xyz': see stillup help\n");
  });
});
