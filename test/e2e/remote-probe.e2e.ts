import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { nextCheckAt } from "../../src/domain/checks/check-slot.ts";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { LocationServer, refused } from "../support/servers/location-server.ts";
import { HttpTarget } from "../support/servers/targets.ts";

const binary = new Binary();
afterAll(() => binary[Symbol.asyncDispose]());

const LONG = 300_000;
setDefaultTimeout(LONG);
const PATIENCE = 120_000;

/** A monitor that is checked each second. */
const monitorOf = (target: HttpTarget, monitorId = "a") => ({
  monitorId,
  revision: 1,
  type: "HTTP" as const,
  config: { url: target.url, interval: 1 },
  offset: 0,
});

test("behavior 13.42, 13.43: a probe that is killed while the server is away loses nothing, and nothing is recorded twice", async () => {
  await using target = new HttpTarget(() => new Response("ok"));
  await using server = new LocationServer();
  server.setMonitors([monitorOf(target)]);
  const probe = () => binary.probe({ server: server.url, key: server.key, dataDir: "killed" });
  const first = await probe();
  await eventually(() => server.recorded.length >= 2, PATIENCE);
  expect(first.printed).toBe(`probe of location fra is connected to ${server.url}\n`);
  await server.close();
  const before = target.requests;
  await eventually(() => target.requests >= before + 3, PATIENCE);
  await first.kill();
  const second = await probe();
  await eventually(() => target.requests >= before + 6, PATIENCE);
  server.listen();
  await eventually(() => server.recorded.length >= before + 5, PATIENCE);
  const slots = server.recorded.map(({ startAt }) => Math.floor(nextCheckAt("a", 1, startAt) / 1000));
  const [, ...regular] = slots.sort((a, b) => a - b);
  // Only the slots in which no probe ran are missing.
  expect(new Set(server.recorded.map(({ sequence }) => sequence)).size).toBe(server.recorded.length);
  expect(regular.filter((slot, at) => slot !== (regular[at - 1] ?? slot - 1) + 1).length).toBeLessThanOrEqual(
    2,
  );
  expect(await second.end("SIGTERM")).toBe(0);
});

test("behavior 13.48: SIGTERM sends what is left, and the exit code is 0", async () => {
  await using target = new HttpTarget(async () => {
    await Bun.sleep(1000);
    return new Response("at last");
  });
  await using server = new LocationServer();
  const slow = monitorOf(target);
  server.setMonitors([{ ...slow, config: { ...slow.config, interval: 60 } }]);
  const probe = await binary.probe({ server: server.url, key: server.key, dataDir: "ended" });
  await eventually(() => target.requests === 1, PATIENCE);
  expect(await probe.end("SIGTERM")).toBe(0);
  expect(server.recorded.map(({ evidence }) => evidence.outcome)).toEqual(["reached"]);
});

test("behavior 13.45: a probe whose key is not accepted says so, without the key, and stays", async () => {
  await using server = new LocationServer();
  server.fail(() => refused(401));
  const probe = await binary.probe({ server: server.url, key: server.key, dataDir: "refused" });
  await eventually(() => probe.hasLogged("does not accept the key"), PATIENCE);
  expect(await probe.end("SIGINT")).toBe(0);
  expect(await probe.log).not.toContain(server.key);
  expect(probe.printed).toBe("");
});

test("behavior 13.47: a second probe on the same directory is refused", async () => {
  await using server = new LocationServer();
  const options = { server: server.url, key: server.key, dataDir: "shared" };
  await binary.probe(options);
  await eventually(() => server.polls.length > 0, PATIENCE);
  const second = await binary.probe(options);
  expect(await second.log).toContain("another stillup probe is running on shared");
  expect(await second.end("SIGTERM")).toBe(1);
});

test("behavior 13.49: a missing or wrong setting exits with code 2 and one line that names it", async () => {
  const keyFile = join(binary.folder, "no-key");
  await Bun.write(keyFile, `stillup_${"k".repeat(43)}\n`);
  const server = "http://127.0.0.1:7070";
  const cases: [string[], string][] = [
    [[], "--server is missing: give it, or set STILLUP_SERVER"],
    [["--server", server], "--key-file is missing: give it, or set STILLUP_KEY_FILE"],
    [["--server", "127.0.0.1", "--key-file", keyFile], "--server must be a URL"],
    [
      ["--server", server, "--key-file", "/no/such/file"],
      "--key-file must be the path of a file that exists",
    ],
    [["--server", server, "--key-file", keyFile], "must be the key of a location"],
    [["--server", server, "--key-file", binary.folder], "can't be read"],
    [["--port", "1"], "unknown option '--port'"],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await binary.run(["probe", ...args]);
    expect(stderr).toStartWith("stillup: ");
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("k".repeat(43));
    expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({
      code: 2,
      stdout: "",
      lines: 1,
    });
  }
});

test("behavior 13.49: a key that is sent in plain text to another machine is warned of", async () => {
  const key = `stillup_probe_${"k".repeat(43)}`;
  const probe = await binary.probe({ server: "http://192.0.2.1:7070", key, dataDir: "plain" });
  await eventually(() => probe.hasLogged("in plain text"), PATIENCE);
  expect(await probe.end("SIGTERM")).toBe(0);
  const local = await binary.probe({ server: "http://127.0.0.1:1", key, dataDir: "local" });
  await eventually(() => local.hasLogged("can't be reached"), PATIENCE);
  expect(local.hasLogged("in plain text")).toBe(false);
});
