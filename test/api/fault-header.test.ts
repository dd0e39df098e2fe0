import { afterAll, beforeAll, expect, test } from "bun:test";
import { answerError } from "../../src/api/http/errors.ts";
import { loadAssets } from "../../src/dashboard/bundle.ts";
import { fault } from "../../src/domain/faults/fault.ts";
import { hints, sentences } from "../../src/domain/faults/sentences.ts";
import { type AppError, type FormFault, invalid, withFault } from "../../src/errors.ts";
import { createLogger } from "../../src/log.ts";
import { ApiServer, type Members } from "../support/product/api-server.ts";

let server: ApiServer;
let members: Members;

beforeAll(async () => {
  server = await ApiServer.start();
  members = await server.organization("A", "pro");
});

afterAll(() => server[Symbol.asyncDispose]());

async function faultOf(path: string, body: object): Promise<{ named: FormFault | null; error: string }> {
  const { status, headers, body: answer } = await members.owner.post(path, body);
  expect(status).toBeGreaterThanOrEqual(400);
  const named = headers.get("stillup-fault");
  return { named: named === null ? null : JSON.parse(named), error: answer.error };
}

test.each<[string, object, FormFault, string]>([
  [
    "/api/v1/monitors",
    { name: "a", type: "TCP", config: { host: "example.com", port: 70_000, interval: 60 } },
    { code: "wholeNumberFromTo", field: "config.port", values: { least: 1, count: 65_535, got: 70_000 } },
    "config.port must be a whole number from 1 to 65535, got 70000",
  ],
  [
    "/api/v1/monitors",
    { name: "a", type: "HTTP", config: { url: "https://example.com/", interval: 5 } },
    { code: "intervalTooShort", field: "config.interval", values: { got: 5, plan: "pro", least: 60 } },
    "config.interval of 5 s is not allowed on the pro plan: it must be at least 60 s",
  ],
  [
    "/api/v1/api-keys",
    { role: "viewer" },
    { code: "required", field: "name", values: {} },
    "name is required",
  ],
  [
    "/api/v1/monitors",
    {
      name: "a",
      type: "HTTP",
      config: { url: "https://example.com/", interval: 60, expect: { matches: "(a" } },
    },
    { code: "patternSyntax", field: "config.expect.matches", values: { why: "missing closing ): (a" } },
    "config.expect.matches must be a pattern in the syntax of RE2: missing closing ): (a",
  ],
])("behavior 27.71: %s with %j has the fault in a header", async (path, body, named, error) => {
  expect(await faultOf(path, body)).toEqual({ named, error });
});

test("behavior 27.71: a sentence that only clients of the API can get has no header, and neither has an answer without an error", async () => {
  const { named } = await faultOf("/api/v1/monitors/bulk", {
    selector: { all: true },
    change: { delete: true, enabled: true },
  });
  expect(named).toBeNull();
  expect((await members.owner.get("/api/v1/monitors")).headers.has("stillup-fault")).toBe(false);
});

const log = createLogger({ level: "silent" });
const headerOf = (error: AppError) => answerError(error, log).fault;

test("behavior 27.71: the header is ASCII, and left out if it would be long", () => {
  const named = headerOf(fault("locationInUse", { monitors: "Café, 日本, 🙂" }));
  expect(named).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(named ?? "").values).toEqual({ monitors: "Café, 日本, 🙂" });
  const long = fault("locationInUse", { monitors: "x".repeat(2000) });
  expect(headerOf(long)).toBeUndefined();
  expect(answerError(long, log).body.error).toStartWith("monitors use this location: xxx");
  expect(headerOf(withFault(invalid("a"), { code: "", field: "a", values: {} }))).toBeUndefined();
});

test("behavior 27.71: the header repeats no secret", async () => {
  const secret = "geheim\u0000geheim";
  const { named, error } = await faultOf("/api/v1/monitors", {
    name: "a",
    type: "HTTP",
    config: { url: "https://example.com/", interval: 60, headers: { Authorization: secret } },
  });
  expect(named).toEqual({ code: "header-value", field: "config.headers.Authorization", values: {} });
  expect(error).not.toContain("geheim");
});

test("behavior 27.71: a fault that only the server finds has a header too", async () => {
  const page = { title: "Shop", slug: "taken", days: 90, minOutage: 120 };
  expect((await members.owner.post("/api/v1/pages", page)).status).toBe(201);
  expect(await faultOf("/api/v1/pages", page)).toEqual({
    named: { code: "taken", field: "slug", values: {} },
    error: "slug is taken: it must be unique on this server",
  });
});

test("behavior 27.73: the scripts of the page have no sentences of the API", async () => {
  const assets = await loadAssets();
  const scripts = assets.filter(({ type }) => type.startsWith("text/javascript"));
  const code = scripts
    .map(({ gzip }) => new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(gzip))))
    .join("\n");
  expect(code.length).toBeGreaterThan(100_000);
  // Parts of them that are long enough to be theirs alone.
  const parts = [...Object.values(sentences), ...Object.values(hints)]
    .flatMap((sentence) => sentence.split(/\{\w+\}/))
    .filter((part) => part.length > 30);
  expect(parts.length).toBeGreaterThan(50);
  expect(parts.filter((part) => code.includes(part.trim()))).toEqual([]);
  expect(code).not.toContain("must be a cron expression");
  expect(code).not.toContain("be a cron expression of five fields");
});
