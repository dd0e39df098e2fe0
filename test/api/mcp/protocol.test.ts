import { expect, test } from "bun:test";
import { join } from "node:path";
import { TestServer } from "../../support/product/server.ts";
import { McpClient } from "../../support/requests/mcp-client.ts";
import { createMonitor } from "../../support/requests/monitors.ts";
import { untilEndOfFile } from "../../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const { url, key } = server.client;
const agent = await untilEndOfFile(McpClient.connect(server.client));

const TOOLS = [
  ...["status", "list_monitors", "why", "report", "test_target", "plan", "apply", "pause", "resume"],
  ...["acknowledge", "maintenance", "replay"],
];

const headers = {
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

async function post(body: string | Blob | ReadableStream, more: Record<string, string> = {}) {
  const answer = await fetch(new URL("/mcp", url), {
    method: "POST",
    headers: { ...headers, ...more },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, body: text && JSON.parse(text) };
}

const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });

test("behavior 29.1: the client of the SDK connects, and a message needs none before it", async () => {
  expect(agent.sdk.getServerVersion()).toMatchObject({ name: "stillup" });
  expect(agent.sdk.getInstructions()).toContain("untrusted");
  await agent.sdk.ping();
  const alone = await post(message("tools/call", { name: "status", arguments: {} }));
  expect(alone).toMatchObject({ status: 200, body: { jsonrpc: "2.0", id: 7 } });
  expect(alone.body.result.structuredContent.data.headline).toBe("There are no monitors");
  expect(await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toEqual({
    status: 202,
    body: "",
  });
  expect((await post(message("resources/list"))).body.error.code).toBe(-32601);
});

test.each(["GET", "DELETE"])("behavior 29.2: %s is refused", async (method) => {
  const answer = await fetch(new URL("/mcp", url), { method, headers });
  expect([answer.status, answer.headers.get("allow"), await answer.json()]).toEqual([
    405,
    "POST",
    { error: `${method} is not supported here: send each JSON-RPC message by POST` },
  ]);
});

test("behavior 29.3: a caller without a valid key is refused before the body", async () => {
  const refused = { status: 401, body: { error: "Unauthorized" } };
  const list = message("tools/list");
  expect(await post(list, { authorization: "Bearer none" })).toEqual(refused);
  expect(await post("{", { authorization: "Bearer none" })).toEqual(refused);
  const { authorization: _, ...without } = headers;
  const anonymous = await fetch(new URL("/mcp", url), { method: "POST", headers: without, body: list });
  expect(anonymous.status).toBe(401);
});

test("behavior 29.3: a page of another site can't use the session of a person", async () => {
  const own = { "sec-fetch-site": "same-origin" };
  const session = await server.client.as(undefined).send("POST", "/api/v1/session", { key }, own);
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { authorization: _, ...without } = headers;
  const write = { name: "pause", arguments: { selector: { all: true } } };
  const send = async (more: Record<string, string>) => {
    const body = message("tools/call", write);
    const init = { method: "POST", headers: { ...without, cookie, ...more }, body };
    const answer = await fetch(new URL("/mcp", url), init);
    return { status: answer.status, body: await answer.json() };
  };
  expect(await send({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })).toEqual({
    status: 403,
    body: { error: "Forbidden" },
  });
  const allowed = await send(own);
  expect(allowed).toMatchObject({
    status: 200,
    body: { result: { structuredContent: { data: { matched: 0 } } } },
  });
});

test("behavior 29.4: a body of 100 MB is refused, also without a length", async () => {
  const tooLarge = { status: 413, body: { error: "the body must be at most 1048576 bytes" } };
  const chunk = new Uint8Array(1024 * 1024).fill(32);
  expect(await post(new Blob(Array<Uint8Array<ArrayBuffer>>(100).fill(chunk)))).toEqual(tooLarge);
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      if (sent++ < 100) controller.enqueue(chunk);
      else controller.close();
    },
  });
  expect(await post(endless)).toEqual(tooLarge);
});

test.each([
  ["{", -32700, "the body must be JSON: it could not be parsed"],
  ["", -32700, "the body must be JSON: it could not be parsed"],
  [
    `[${message("ping")}]`,
    -32600,
    "the body must be a JSON object: one JSON-RPC message, and no batch of messages",
  ],
  ["5", -32600, "the body must be a JSON object: one JSON-RPC message, and no batch of messages"],
  ['{"jsonrpc":"1.0"}', -32700, "Parse error: Invalid JSON-RPC message"],
])("behavior 29.4: %j is no message", async (body, code, words) => {
  expect(await post(body)).toEqual({
    status: 400,
    body: { jsonrpc: "2.0", error: { code, message: words }, id: null },
  });
});

test("behavior 29.5: nothing of the SDK is loaded before the first message", async () => {
  const child = Bun.spawn(
    [
      process.execPath,
      "--preload",
      join(import.meta.dir, "../../support/requests/loaded-sdk.ts"),
      "-e",
      CALLS,
    ],
    { stdout: "pipe", stderr: "inherit", env: { ...process.env, TEST_ENGINE: "sqlite" } },
  );
  const lines = (await child.stdout.text()).trim().split("\n");
  expect(lines).toEqual(["before: 0", "refused: 0", "after: true"]);
}, 60_000);

/** Counts the modules of the SDK that a server has loaded: at its start, after a call without a key, after a message. */
const CALLS = `
  const { TestServer } = await import("./test/support/product/server.ts");
  await using server = await TestServer.start();
  const { url, key } = server.client;
  const post = (authorization) => fetch(url + "/mcp", { method: "POST", body: ${JSON.stringify(message("tools/list"))},
    headers: { authorization, "content-type": "application/json", accept: "application/json, text/event-stream" } });
  console.log("before: " + loadedOfSdk());
  await post("Bearer none");
  console.log("refused: " + loadedOfSdk());
  await post("Bearer " + key);
  console.log("after: " + (loadedOfSdk() > 0));
`;

test("behavior 29.6: there are exactly 12 tools, each with a schema, annotations and two sentences at most", async () => {
  const { tools } = await agent.sdk.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  const writes = ["apply", "pause", "resume", "acknowledge", "maintenance"];
  for (const { name, title, description = "", inputSchema, annotations } of tools) {
    expect([name, typeof title, inputSchema.type]).toEqual([name, "string", "object"]);
    expect([name, description.match(/\.( |$)/g)?.length ?? 0]).toBeOneOf([
      [name, 1],
      [name, 2],
    ]);
    expect([name, annotations?.readOnlyHint]).toEqual([name, !writes.includes(name)]);
    expect([name, "confirm" in (inputSchema.properties ?? {})]).toEqual([name, writes.includes(name)]);
  }
  const viewer = await McpClient.connect(server.client.as(await server.keyWith("viewer")));
  expect((await viewer.sdk.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
});

test("behavior 29.6: the names of arguments in the schemas are those of the API", async () => {
  const { tools } = await agent.sdk.listTools();
  const argumentsOf = Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
  );
  expect(argumentsOf).toMatchObject({
    why: ["monitorId", "outageId"],
    report: ["month", "tag"],
    test_target: ["type", "config", "monitorId"],
    plan: ["document", "prune"],
    apply: ["document", "prune", "confirm"],
    pause: ["monitorId", "selector", "confirm"],
    resume: ["monitorId", "selector", "confirm"],
    acknowledge: ["outageId", "note", "confirm"],
    replay: ["selector", "days", "changes"],
  });
  expect(argumentsOf.maintenance).toContain("startsAt");
});

test("behavior 29.8: an unknown tool is an error that names the tools, and does not repeat the name", async () => {
  const { status, body } = await post(message("tools/call", { name: "delete_everything", arguments: {} }));
  expect([status, body.error]).toEqual([
    200,
    { code: -32602, message: `MCP error -32602: there is no such tool: the tools are ${TOOLS.join(", ")}` },
  ]);
  expect(agent.call("delete_everything")).rejects.toThrow("there is no such tool");
});

test.each([
  ["list_monitors", { limit: "all" }, "limit must be a whole number from 1 to 200"],
  ["list_monitors", { status: "bad" }, "status must be one of down, warning, waiting, acknowledged, "],
  ["list_monitors", { name: "x" }, "name is not a known field"],
  ["why", {}, "either monitorId or outageId is required, and not both"],
  ["why", { monitorId: "a", outageId: "b" }, "either monitorId or outageId is required, and not both"],
  ["why", { monitorId: 5 }, "monitorId must be a string, got 5"],
  ["why", { monitorId: "../organization" }, "Not found"],
  ["why", { monitorId: "." }, "Not found"],
  ["why", { outageId: ".." }, "Not found"],
  ["acknowledge", { outageId: ".." }, "Not found"],
  ["report", { month: "May" }, "month must be "],
  ["test_target", { config: {} }, "type is required"],
  ["test_target", { type: "SCHEDULED", config: { interval: 300 } }, "type must be HTTP, TCP, "],
  ["apply", { document: [] }, "document must be an object"],
  ["apply", { document: {}, prune: "some" }, "prune must be true or false or one of true, false, all"],
  ["apply", { document: {}, confirm: true }, "confirm must be a string"],
  ["pause", { selector: {} }, "selector must be an object with at least one of monitorIds, tags, all, "],
  ["pause", { monitorId: "none" }, "monitorId is not a monitor of this organization"],
  ["acknowledge", { outageId: "none" }, "Not found"],
  [
    "maintenance",
    { title: "x", selector: { all: true } },
    "startsAt and endsAt, or cron and duration, are required",
  ],
  [
    "replay",
    { selector: { all: true }, days: 1000, changes: {} },
    "days must be a whole number from 1 to 90",
  ],
])("behavior 29.8: %s refuses %j in words", async (name, given, words) => {
  const { isError, data } = await agent.call(name, given);
  expect([isError, data.error]).toEqual([true, expect.stringContaining(words)]);
});

test("behavior 29.8: the faults of a document are part of the answer, at most 20", async () => {
  await createMonitor(server.client, "SCHEDULED");
  const wrong = Object.fromEntries(
    Array.from({ length: 25 }, (_, at) => [`m${at}`, { type: "TCP", config: {} }]),
  );
  const { isError, data } = await agent.call("plan", { document: { monitors: wrong } });
  expect([isError, data.faults.length, data.moreFaults]).toEqual([true, 20, 30]);
  expect(data.faults[0]).toEqual({ path: "monitors.m0.config.host", message: expect.any(String) });
});

test("behavior 29.3: too many wrong keys are a 429, as everywhere", async () => {
  const wrong = { authorization: "Bearer none" };
  const answers = await Promise.all(Array.from({ length: 1200 }, () => post(message("tools/list"), wrong)));
  const late = answers.find(({ status }) => status === 429);
  expect(late?.body).toEqual({ error: expect.stringContaining("Too many failed attempts: try again in ") });
  expect((await agent.call("status")).isError).toBe(false);
});
