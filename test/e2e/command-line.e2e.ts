import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { Binary } from "../support/product/binary.ts";

const binary = new Binary();
afterAll(() => binary[Symbol.asyncDispose]());

describe("behavior 9.19: an error on the command line exits with code 2 and one line that names it", () => {
  test.each([
    [["serve", "--port", "x"], {}, '--port must be a whole number from 0 to 65535, got "x"'],
    [
      ["serve"],
      { STILLUP_PORT: "99999" },
      'STILLUP_PORT must be a whole number from 0 to 65535, got "99999"',
    ],
    [["serve", "--prot", "1"], {}, "unknown option '--prot'"],
    [["serve", "--log-level", "loud"], {}, "--log-level must be one of debug, info, warn, error"],
    [["serve", "extra"], {}, "too many arguments"],
    [["nonsense"], {}, "unknown command 'nonsense'"],
    [[], {}, "give a command: see stillup help"],
    [["help", "nope"], {}, "unknown command 'nope'"],
    [["help", "orgs", "nope"], {}, "unknown command 'nope'"],
    [["orgs", "help", "nope"], {}, "unknown command 'nope'"],
    [["orgs", "update", "x"], {}, "give what to change: --name, --plan or --subscription"],
    [["orgs", "create"], {}, "missing required argument 'NAME'"],
    [["orgs", "create", " "], {}, "NAME must be 1 to 200 characters"],
    [["orgs", "create", "A", "--plan", "gold"], {}, "Allowed choices are starter, pro, enterprise"],
    [["keys", "create"], {}, "--name <NAME>' not specified"],
    [
      ["keys", "create", "--name", "k", "--expires-at", "tomorrow"],
      {},
      "--expires-at must be an ISO 8601 time",
    ],
  ])("%p %p", async (args, env, message) => {
    const { code, stdout, stderr } = await binary.run(args, env);
    expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({
      code: 2,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toStartWith("stillup: ");
    expect(stderr).toContain(message);
  });
});

describe("behavior 9.104: a command that fails says why in its own words, after its name", () => {
  const { folder } = binary;
  const absent = join(folder, "absent");
  const file = join(folder, "a-file");
  const key = join(folder, "a-key");
  beforeAll(() => {
    writeFileSync(file, "text");
    writeFileSync(key, `stillup_${"a".repeat(43)}\n`, { mode: 0o600 });
  });

  test.each([
    [["orgs", "create", "A", "--data-dir", file], 1, "can't be read: a part of its path is not a directory"],
    [["serve", "--port", "0", "--data-dir", file], 1, `${file} is not a directory`],
    [["orgs", "create", "A", "--data-dir", "/proc/none"], 1, "/proc/none can't be created: "],
    [["keys", "list", "--data-dir", file], 1, "can't be read: a part of its path is not a directory"],
    [["restore", folder], 1, `${folder} is a directory`],
    [["import", "kuma", absent], 1, `${absent} can't be read: there is no such file or directory`],
    [["import", "kuma", folder], 1, `${folder} has no file kuma.db: give the data folder of Uptime Kuma`],
    [["import", "gatus", absent], 1, `${absent} can't be read: there is no such file or directory`],
    [["import", "gatus", file], 1, `${file} is not a configuration of Gatus`],
    [["import", "healthchecks", folder], 1, `${folder} can't be read: it is a directory`],
    [["apply", absent], 1, `the file ${absent} can't be read: there is no such file or directory`],
    [["apply", folder], 1, `the file ${folder} can't be read: it is a directory`],
    [
      ["export", "--server", "http://localhost:1", "--key-file", folder],
      2,
      `${folder} can't be read: it is a directory`,
    ],
    [
      ["export", "--server", "http://localhost:1", "--key-file", key],
      1,
      "http://localhost:1: the connection was refused",
    ],
    [["health", "--url", "http://localhost:1"], 1, "/healthz can't be reached: the connection was refused"],
    [["keys"], 2, "give a command: see stillup help keys"],
  ])("%j", async (args, code, message) => {
    const done = await binary.run(args as string[]);
    expect(done).toMatchObject({ code, stdout: "" });
    expect(done.stderr).toMatch(/^stillup: [^\n]+\n$/);
    expect(done.stderr).toContain(message as string);
    expect(done.stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
  });
});

test("behavior 9.1, 9.103: version prints the version, and help the commands and settings", async () => {
  for (const word of ["version", "--version", "-V", "-v"])
    expect(await binary.run([word])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  const help = await binary.run(["help", "serve"]);
  expect(help.code).toBe(0);
  const update = await binary.run(["help", "orgs", "update"]);
  expect(update.stdout).toContain("--subscription");
  expect(await binary.run(["orgs", "help", "update"])).toEqual(update);
  const overview = await binary.run(["help"]);
  expect(overview).toEqual(await binary.run(["--help"]));
  expect([...overview.stdout.matchAll(/^\S.*:$/gm)].flat()).toEqual([
    ...["Options:", "Run:", "Access:", "Database:", "Daily work:"],
    ...["Configuration files:", "Other:", "Examples:"],
  ]);
  for (const word of ["--data-dir", "STILLUP_PORT", "127.0.0.1", "7070"]) expect(help.stdout).toContain(word);
});

test("behavior 9.2, 9.4, 9.5: organizations and keys are created, listed, updated and revoked while a server runs", async () => {
  await using fresh = new Binary();
  const server = await fresh.serve();
  const json = async (args: string[]) => JSON.parse((await fresh.run(args)).stdout);

  expect(await json(["orgs", "list"])).toEqual([
    { id: expect.any(String), name: "Default", plan: "enterprise", subscription: "active" },
  ]);
  const created = await json(["orgs", "create", "Acme", "--plan", "pro", "--subscription", "inactive"]);
  expect(created).toEqual({ id: created.id, name: "Acme", plan: "pro", subscription: "inactive" });
  expect(await json(["orgs", "update", created.id, "--plan", "starter"])).toEqual({
    ...created,
    plan: "starter",
  });

  const { stdout } = await fresh.run([
    "keys",
    "create",
    "--name",
    "ci",
    "--org",
    created.id,
    "--role",
    "viewer",
  ]);
  expect(stdout).toMatch(/^stillup_[0-9A-Za-z]{43}\n$/);
  const client = (await server.client()).as(stdout.trim());
  expect((await client.get("/api/v1/status")).status).toBe(200);

  const [key] = await json(["keys", "list", "--org", created.id]);
  expect(key).toMatchObject({ name: "ci", role: "viewer", keyPrefix: stdout.slice(0, 16), expiresAt: null });
  expect(JSON.stringify(key)).not.toContain(stdout.trim());
  expect(await json(["keys", "revoke", key.id])).toEqual({ id: key.id });
  expect((await client.get("/api/v1/status")).status).toBe(401);
  const missing = [
    { args: ["keys", "revoke", key.id], message: `there is no key with the ID "${key.id}"` },
    { args: ["keys", "list", "--org", "nobody"], message: 'there is no organization with the ID "nobody"' },
    { args: ["keys", "list", "--org", ""], message: 'there is no organization with the ID ""' },
    {
      args: ["keys", "create", "--name", "k", "--org", "nobody"],
      message: 'there is no organization with the ID "nobody"',
    },
    {
      args: ["orgs", "update", "nobody", "--name", "A"],
      message: 'there is no organization with the ID "nobody"',
    },
  ];
  for (const { args, message } of missing)
    expect(await fresh.run(args)).toEqual({ code: 1, stdout: "", stderr: `stillup: ${message}\n` });
});

test("behavior 9.3: keys create requires --org if there are two organizations", async () => {
  await using fresh = new Binary();
  for (const name of ["A", "B"]) expect((await fresh.run(["orgs", "create", name])).code).toBe(0);
  expect(await fresh.run(["keys", "create", "--name", "k"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^stillup: --org must be given .*: there are 2\n$/),
  });
});

test.each([
  [["backup", "copy.db"]],
  [["check"]],
  [["keys", "create", "--name", "k"]],
  [["keys", "list"]],
  [["keys", "revoke", "x"]],
  [["orgs", "list"]],
  [["orgs", "update", "x", "--name", "A"]],
])("%p does not create a database in a wrong directory", async (args) => {
  await using fresh = new Binary();
  expect(await fresh.run([...args, "--data-dir", "elsewhere"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "stillup: elsewhere/stillup.db does not exist\n",
  });
  expect(readdirSync(fresh.folder)).toEqual(["stillup"]);
});

test("behavior 9.13, 9.14, 9.15, 9.17: the first start creates an organization and an owner key, which is in a file that only its owner can read and not in the log", async () => {
  await using fresh = new Binary();
  const server = await fresh.serve();
  const file = join(fresh.folder, "data", "initial-owner-key");
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect((statSync(join(fresh.folder, "data")).mode & 0o777).toString(8)).toBe("700");
  const client = await server.client();
  const { key = "" } = client;
  expect((await client.get("/api/v1/organization")).body.data).toMatchObject({
    name: "Default",
    plan: "enterprise",
    subscription: "active",
  });
  expect((await client.get("/api/v1/api-keys")).body.data).toMatchObject([{ role: "owner" }]);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await server.log).not.toContain(key.slice(16));
  const again = await fresh.serve();
  expect((await again.client()).key).toBe(key);
});

test("behavior 9.16: a second server on the same directory is refused, and the first continues", async () => {
  await using fresh = new Binary();
  const server = await fresh.serve();
  const { code, stderr } = await fresh.run(["serve", "--port", "0"]);
  expect(code).toBe(1);
  expect(stderr).toContain("another stillup server is running on ./data");
  expect((await (await server.client()).get("/api/v1/status")).status).toBe(200);
});

test("a port in use is reported in one line, and no data directory is created", async () => {
  await using fresh = new Binary();
  const server = await fresh.serve();
  const { port } = new URL(server.url);
  const { code, stderr } = await fresh.run(["serve", "--port", port, "--data-dir", "other"]);
  expect(code).toBe(1);
  expect(stderr).toBe(`stillup: --port ${port} is taken by another program on 127.0.0.1\n`);
  expect(existsSync(join(fresh.folder, "other"))).toBe(false);

  // With an existing database, the port is opened last.
  expect((await fresh.run(["orgs", "create", "A", "--data-dir", "other"])).code).toBe(0);
  expect((await fresh.run(["serve", "--port", port, "--data-dir", "other"])).stderr).toEndWith(stderr);
});

test.each(["203.0.113.9", "999.1.1.1"])(
  "the host %p, which is not an address of this machine, is a wrong setting",
  async (host) => {
    await using fresh = new Binary();
    expect(await fresh.run(["serve", "--port", "0", "--host", host])).toEqual({
      code: 2,
      stdout: "",
      stderr: `stillup: --host must be an address of this machine, got "${host}"\n`,
    });
    expect(readdirSync(fresh.folder)).toEqual(["stillup"]);
  },
);

test("an error while creating the data directory is reported in one line", async () => {
  await using fresh = new Binary();
  writeFileSync(join(fresh.folder, "file"), "");
  const { code, stderr } = await fresh.run(["serve", "--port", "0", "--data-dir", "file/data"]);
  expect(code).toBe(1);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("behavior 9.106: status prints the monitors in trouble of a server or its database, and its exit code says if one is down", async () => {
  await using own = new Binary();
  expect(await own.run(["status"])).toMatchObject({ code: 3, stdout: "" });
  const server = await own.serve();
  const client = await server.client();
  expect(await own.run(["status"])).toEqual({ code: 0, stdout: "no monitors\n", stderr: "" });
  const job = { name: "nightly backup", type: "SCHEDULED", config: {} };
  const { checkinUrl } = (await client.post("/api/v1/monitors", job)).body.data;
  await fetch(`${checkinUrl}?status=fail`);
  const key = join(own.folder, "key");
  writeFileSync(key, `${client.key}\n`, { mode: 0o600 });
  const remote = ["--server", server.url, "--key-file", key];
  for (const from of [[], remote]) {
    const { code, stdout, stderr } = await own.run(["status", ...from]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^nightly backup {2}Failed {2}for [\w ]+( {2}.+)?\n1 down\n$/);
    const json = await own.run(["status", "--json", ...from]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      counts: { down: 1, warning: 0, waiting: 0, healthy: 0, paused: 0 },
      monitors: [{ name: "nightly backup", status: "failed", since: expect.stringMatching(/Z$/) }],
    });
  }
  await server.kill();
  const refused = await own.run(["status", ...remote]);
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toStartWith(`stillup: ${server.url}: the connection was refused`);
  expect(await own.run(["status"])).toMatchObject({ code: 1 });
  expect(await own.run(["status", "--org", "x", ...remote])).toMatchObject({ code: 2 });
});
