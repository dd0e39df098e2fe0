import { afterAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";

const binary = new Binary();
afterAll(() => binary[Symbol.asyncDispose]());

const ENV = { GRACE_KEY: "5f2c81d09a" };

const FILE = `channels:
  ops:
    type: EMAIL
    config: { to: ops@example.com }
monitors:
  nightly:
    type: SCHEDULED
    alertChannelIds: [ops]
  shop:
    type: HTTP
    enabled: false
    config:
      url: http://127.0.0.1:1/
      interval: 60
      headers: { X-Api-Key: "\${GRACE_KEY}" }
`;

const BAD = FILE.replace("interval: 60", 'interval: 0\n      timeout: "s3cret"');

function write(name: string, text: string): string {
  const file = join(binary.folder, name);
  writeFileSync(file, text);
  return file;
}

/** Runs a command with a file as its standard input. */
function runWithInput(args: string[], input: string, env: Record<string, string>) {
  return binary.run(args, env, { under: ["sh", "-c", `exec "$0" "$@" <'${input}'`] });
}

test("behavior 16.63, 16.65, 16.66, 16.67, 16.68, 16.76, 16.80, 16.81, 16.82, 16.83: a configuration file from the start of a server to its export", async () => {
  const file = write("stillup.yaml", FILE);
  // A file that no database could accept creates none.
  const refused = await binary.run(["serve", "--port", "0", "--config", write("bad.yaml", BAD)], ENV);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("\nmonitors.shop.config.interval (line 14): must be a whole number");
  const unset = await binary.run(["serve", "--port", "0", "--config", file]);
  expect(unset).toMatchObject({ code: 2, stdout: "" });
  expect(unset.stderr).toContain("(line 15): needs the environment variable GRACE_KEY, which is not set");

  const server = await binary.serve(["--config", file], ENV);
  const client = await server.client();
  const names = async () => {
    const { body } = await client.get("/api/v1/monitors");
    return body.data.map(({ name }: { name: string }) => name).sort();
  };
  expect(await names()).toEqual(["nightly", "shop"]);
  const { body: audit } = await client.get("/api/v1/audit");
  expect(audit.data[0].actor).toMatchObject({ type: "cli", id: null });

  const health = async () => (await client.get("/healthz")).body;
  writeFileSync(file, BAD);
  process.kill(server.pid, "SIGHUP");
  await eventually(async () => (await health()).config !== undefined);
  const { config, status } = await health();
  expect([config, status]).toEqual([
    expect.stringMatching(/^monitors\.shop\.config\.interval \(line 14\): must /),
    "ok",
  ]);
  expect(config).not.toContain("got");
  const { code, stderr } = await binary.run(["health", "--url", server.url]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`was not applied: ${config}\n`)]);
  expect(await names()).toEqual(["nightly", "shop"]);
  writeFileSync(file, FILE.replace("  nightly:", "  weekly: { type: SCHEDULED }\n  nightly:"));
  process.kill(server.pid, "SIGHUP");
  await eventually(async () => (await health()).config === undefined);
  expect(await names()).toEqual(["nightly", "shop", "weekly"]);

  // Beside the server, on its database.
  const changed = write("changed.yaml", FILE.replace("60", "120").replace("ops@", "all@"));
  const dryRun = await binary.run(["apply", "--dry-run", "--prune", changed], ENV);
  const lines = "~ channel ops: config.to\n~ monitor shop: config.interval\n- monitor weekly\n";
  expect(dryRun).toEqual({ code: 2, stdout: lines, stderr: "2 to update, 1 to delete\n" });
  const faulty = await runWithInput(["apply", "-"], join(binary.folder, "bad.yaml"), ENV);
  expect(faulty).toMatchObject({ code: 1, stdout: "" });
  expect(faulty.stderr.trimEnd().split("\n")).toHaveLength(2);
  const large = write("large.yaml", "#".repeat(17 * 1024 * 1024));
  expect(await binary.run(["apply", large])).toEqual({
    code: 1,
    stdout: "",
    stderr: "stillup: the file must be at most 16 MiB\n",
  });

  // By the API of the server, which has no variables.
  const keyFile = write("key", `${client.key}\n`);
  chmodSync(keyFile, 0o600);
  const remote = ["--server", server.url, "--key-file", keyFile];
  const applied = await binary.run(["apply", "--prune=all", ...remote, changed], ENV);
  expect(applied).toEqual({ code: 0, stdout: lines, stderr: "2 updated, 1 deleted\n" });
  const remoteFaults = await binary.run([
    "apply",
    ...remote,
    write("type.yaml", "monitors:\n  shop:\n    type: SCHEDULED\n"),
  ]);
  expect(remoteFaults).toMatchObject({ code: 1, stdout: "" });
  expect(remoteFaults.stderr).toStartWith("monitors.shop.type (line 3): must be HTTP");

  const exported = await binary.run(["export", ...remote]);
  expect(exported.stdout).toStartWith(`# yaml-language-server: $schema=${server.url}/schema/config.json\n`);
  expect(exported.stdout).not.toContain(ENV.GRACE_KEY);
  expect(exported.stdout).toContain("    config:\n      url: http://127.0.0.1:1/\n      interval: 120\n");
  const [, variable = ""] = /X-Api-Key: \$\{(\w+)\} # a secret: set \1\n/.exec(exported.stdout) ?? [];
  expect(exported.stderr).toContain(variable);
  const again = write("exported.yaml", exported.stdout);
  const same = await binary.run(["apply", "--dry-run", "--prune", again], { [variable]: ENV.GRACE_KEY });
  expect(same).toEqual({ code: 0, stdout: "", stderr: "nothing to change\n" });
}, 300_000);
