import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { exampleFor } from "../support/documentation/example.ts";
import { isLong } from "../support/long.ts";
import { ApiServer } from "../support/product/api-server.ts";
import type { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

const MODULES = join(import.meta.dir, "../../node_modules");
const PROGRAMS = join(import.meta.dir, "../support/clients");
const PYTHON = "/usr/bin/python3";
/** A file of Debian's package `python3-httpx`, without which generated Python clients do not run. */
const HTTPX = "/usr/lib/python3/dist-packages/httpx";

/** The output of the examples. */
const REFUSED = /^422 .*name must be 1 to 200 characters/s;

setDefaultTimeout(300_000);

let server: ApiServer;
let dir: ReturnType<typeof tempDir>;
let printed: string;

describe.skipIf(!isLong)("clients that a generator writes", () => {
  beforeAll(async () => {
    server = await ApiServer.start();
    dir = tempDir();
    await Bun.write(join(dir.path, "openapi.json"), await (await fetch(`${server.url}/docs/json`)).text());
    const generators = ["typescript", "python"].flatMap((name) => ["--generator", name]);
    const args = ["generate-client", "openapi.json", "--output", "client.ts", ...generators];
    printed = await run([process.execPath, join(MODULES, "@redocly/cli/bin/cli.js"), ...args]);
  });

  afterAll(async () => {
    dir[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  test("behavior 16.183: clients are generated from the document without a warning", () => {
    expect(printed).not.toMatch(/generate-client:|warning/i);
  });

  test("behavior 16.183: a generated TypeScript client type-checks, and creates, lists, pages, updates and deletes", async () => {
    const program = await Bun.file(join(PROGRAMS, "typescript/program.ts")).text();
    await Bun.write(join(dir.path, "program.ts"), program);
    const options = ["--strict", "--noEmit", "--allowImportingTsExtensions", "--skipLibCheck"];
    const target = ["--target", "esnext", "--module", "preserve", "--lib", "esnext,dom,dom.iterable"];
    expect(await run([join(MODULES, ".bin/tsc"), ...options, ...target, "program.ts"])).toBe("");
    const owner = await ownerOf("typescript");
    expect(JSON.parse(await run([process.execPath, "program.ts", owner.url, owner.key ?? ""]))).toEqual({
      listed: [
        ["Shop", "HTTP"],
        ["Backup", "SCHEDULED"],
        ["Certificate", "TLS"],
      ],
      warnDays: [30],
      results: ["ok", "failed", "ok"],
      channel: "ntfy",
      updated: ["HTTP", "Shop front", true],
      expiresAt: null,
      errors: [[422, { error: "name must be 1 to 200 characters" }]],
      left: ["Backup", "Certificate"],
    });
  });

  test.skipIf(isMissing([PYTHON, HTTPX]))(
    "behavior 16.183: a generated Python client creates, lists, pages, updates and deletes",
    async () => {
      await Bun.write(join(dir.path, "program.py"), Bun.file(join(PROGRAMS, "program.py")));
      const owner = await ownerOf("python");
      expect(JSON.parse(await run([PYTHON, "program.py", owner.url, owner.key ?? ""]))).toEqual({
        listed: [
          ["Shop", "HttpConfig"],
          ["Backup", "ScheduledConfig"],
          ["Certificate", "TlsConfig"],
        ],
        warnDays: 30,
        results: ["ok", "failed", "ok"],
        channel: [true, "ntfy"],
        updated: [true, "Shop front", true],
        expiresAt: "2036-01-31T00:00:00.000Z",
        unlimited: null,
        errors: [
          [422, "name must be 1 to 200 characters"],
          [401, "Unauthorized"],
        ],
        left: ["Backup", "Certificate"],
      });
    },
  );

  test("behavior 16.183: the example of the documentation works with the TypeScript client", async () => {
    await Bun.write(join(dir.path, "example.ts"), await example("ts"));
    expect(await run([process.execPath, "example.ts"])).toMatch(REFUSED);
  });

  test.skipIf(isMissing([PYTHON, HTTPX]))(
    "behavior 16.183: the example of the documentation works with the Python client",
    async () => {
      await Bun.write(join(dir.path, "example.py"), await example("python"));
      expect(await run([PYTHON, "example.py"])).toMatch(REFUSED);
    },
  );
});

async function example(language: string): Promise<string> {
  const mark = "test/clients/generated-clients.test.ts";
  return exampleFor(await ownerOf(`example in ${language}`), { path: "docs/api.md", language, mark });
}

async function ownerOf(organization: string): Promise<Client> {
  return (await server.organization(organization, "enterprise")).owner;
}

/** @returns everything that the command prints */
async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: dir.path,
    // No requests to the vendor of the generator.
    env: {
      PATH: process.env.PATH,
      NO_PROXY: "127.0.0.1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return texts.join("");
}
