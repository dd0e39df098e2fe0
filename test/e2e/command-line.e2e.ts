import { expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { Binary } from "../support/product/binary.ts";

test("behavior 9.1, 9.103: version prints the version, and help the commands and settings", async () => {
  await using binary = new Binary();
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
    ...["A server elsewhere:", "Configuration files:", "Agents:", "Other:", "Examples:"],
  ]);
  for (const word of ["--data-dir", "STILLUP_PORT", "127.0.0.1", "7070"]) expect(help.stdout).toContain(word);
});

test("behavior 9.19: an error on the command line exits with code 2 and one line that names it", async () => {
  await using binary = new Binary();
  expect(await binary.run(["serve", "--prot", "1"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "stillup: unknown option '--prot' (Did you mean --port?)\n",
  });
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
