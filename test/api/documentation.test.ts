import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { OpenAPIClientAxios } from "openapi-client-axios";
import { ApiServer } from "../support/product/api-server.ts";
import type { Client } from "../support/requests/client.ts";
import { dereference } from "../support/requests/contract.ts";

interface Schema {
  examples?: unknown[];
  properties?: Record<string, { type?: unknown; format?: string }>;
}

interface Content {
  "application/json": { schema: Schema; example?: unknown };
}

interface Operation {
  operationId: string;
  tags?: string[];
  summary: string;
  description: string;
  parameters?: { name: string; in: string; description?: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
  security?: object[];
}

interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
}

let server: ApiServer;
let owner: Client;
let document: Document;
let operations: [name: string, operation: Operation][];

beforeAll(async () => {
  server = await ApiServer.start();
  owner = (await server.organization("documented", "enterprise")).owner;
  document = (await owner.as(undefined).get("/docs/json")).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      { ...operation, responses: Object.fromEntries(responsesOf(operation)) },
    ]),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

describe("the OpenAPI document", () => {
  test("is valid for an independent validator", async () => {
    expect(await new Validator().validate(structuredClone({ ...document }))).toEqual({ valid: true });
    expect(document.openapi).toStartWith("3.1");
  });

  test("behavior 7.70: has every endpoint of the interface", () => {
    const names = operations.map(([name]) => name);
    for (const endpoint of ENDPOINTS) expect(names).toContain(endpoint);
  });

  test("describes every operation, its parameters, and each response with an example", () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const missing = operations.flatMap(([name, operation]) => [
      ...(operation.summary ? [] : [`${name}: summary`]),
      ...(operation.description ? [] : [`${name}: description`]),
      ...(operation.parameters ?? [])
        .filter((parameter) => !parameter.description)
        .map((parameter) => `${name}: description of ${parameter.name}`),
      ...Object.entries(operation.responses)
        .filter(
          ([code, { content = {} }]) =>
            // The server of the runtime answers it without a body.
            code !== "431" && !Object.values(content).some(({ schema, example }) => schema && example),
        )
        .map(([code]) => `${name}: schema or example of ${code}`),
      ...(operation.requestBody && !examplesOf(operation).length ? [`${name}: example of the body`] : []),
    ]);
    expect(missing).toEqual([]);
  });

  test("describes the group of each operation, and no other groups", () => {
    const groups = new Set(operations.flatMap(([, { tags }]) => tags ?? []));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...groups].sort());
  });

  test("behavior 7.70: lists the status codes of each operation", () => {
    for (const [name, { responses, security, requestBody }] of operations) {
      const codes = Object.keys(responses);
      expect(codes).toContain("500");
      if (
        /\/checkin|\/push|\/ping|\/invites\/|\/healthz|\/api\/wall\/|\/session\/(current|help|link|passkey-options)/.test(
          name,
        )
      )
        expect(security).toEqual([]);
      else expect(codes).toContain("401");
      if (name.includes("{id}")) expect(codes).toContain("404");
      if (/\/probe\/(results|looks)$/.test(name))
        expect(codes).toEqual(expect.arrayContaining(["413", "422"]));
      else if (requestBody) expect(codes).toEqual(expect.arrayContaining(["403", "413", "422"]));
    }
  });

  test("behavior 7.70: says that a sign-in needs no key, and a sign-out does", () => {
    const operationOf = (name: string) => operations.find(([given]) => given === name)?.[1];
    const { security, responses = {} } = operationOf("POST /api/v1/session") ?? {};
    expect(security).toEqual([]);
    for (const code of ["200", "401", "413", "422", "429"]) expect(Object.keys(responses)).toContain(code);
    expect(operationOf("GET /api/v1/session")?.security).not.toEqual([]);
  });

  test("behavior 7.20: has the format date-time for expiresAt", () => {
    const bodies = operations.filter(([name]) => /^(POST|PATCH) .*api-keys/.test(name));
    const schemas = bodies.map(([, operation]) => bodyOf(operation)?.properties?.expiresAt);
    expect(schemas).toEqual([
      expect.objectContaining({ type: ["string", "null"], format: "date-time" }),
      expect.objectContaining({ type: ["string", "null"], format: "date-time" }),
    ]);
  });

  test("has examples that the server accepts", async () => {
    // Except requests of a sign-in and of the probe of a location, whose keys do not exist, of a target, of an outage, of a page,
    // of an e-mail, of a preview, which creates nothing, of a bulk change to a channel, and those that name people.
    const isTried = (name: string) =>
      name.startsWith("POST") &&
      !/\/(session|session\/link|invites\/.*|invite|password|passkeys|people|probe|probe\/results|probe\/looks|acknowledge|incidents|updates|markdown|mail-test|bulk|schedules|overrides)$/.test(
        name,
      );
    for (const [name, operation] of operations.filter(([name]) => isTried(name))) {
      for (const example of examplesOf(operation)) {
        const answer = await owner.post(name.split(" ")[1] ?? "", example);
        const status = /\/(apply|replay)$/.test(name) ? 200 : 201;
        expect({ name, example, status: answer.status }).toEqual({ name, example, status });
      }
    }
  });
});

test("a client generated from the document creates, reads, pages and deletes", async () => {
  const api = new OpenAPIClientAxios({
    definition: document as never,
    axiosConfigDefaults: {
      baseURL: owner.url,
      proxy: false,
      headers: {
        authorization: `Bearer ${(await server.organization("generated", "enterprise")).owner.key}`,
      },
    },
  });
  const client = await api.init<GeneratedClient>();
  const monitor = { name: "generated", type: "SCHEDULED", config: {} };
  const { data: created } = await client.createMonitor(null, monitor);
  const { id } = created.data;
  for (let at = 0; at < 5; at++) await client.checkIn({ id, status: at % 2 ? "fail" : "ok" });
  expect((await client.getMonitor({ id })).data.data).toMatchObject({ name: "generated", status: "ok" });
  await client.updateMonitor({ id }, { name: "renamed" });

  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { data: page } = await client.listResults({ id, limit: "2", ...(cursor && { cursor }) });
    seen.push(...page.data.map((result) => result.status));
    cursor = page.cursor;
  } while (cursor !== null);
  expect(seen).toEqual(["ok", "failed", "ok", "failed", "ok"]);

  expect((await client.listMonitors()).data.data).toMatchObject([{ id, name: "renamed" }]);
  expect((await client.deleteMonitor({ id })).data).toEqual({ data: { id } });
  expect((await client.listMonitors()).data.data).toEqual([]);
});

describe("behavior 7.70: /docs", () => {
  test("is a page that needs no other host", async () => {
    const page = await (await fetch(`${owner.url}/docs`)).text();
    expect(page).not.toMatch(/(?:https?:)?\/\/[\w-]+\.\w/);
    const [, script = ""] = /<script src="([^"]+)"/.exec(page) ?? [];
    expect(script).toStartWith("/");
    const viewer = await fetch(owner.url + script);
    expect(viewer.status).toBe(200);
    expect(viewer.headers.get("content-type")).toStartWith("text/javascript");
  });

  test("has no feature that sends the document to a service of the vendor of the viewer", async () => {
    const page = await (await fetch(`${owner.url}/docs`)).text();
    const [, config = "{}"] = /data-configuration='([^']+)'/.exec(page) ?? [];
    expect(JSON.parse(config)).toMatchObject({
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
      telemetry: false,
      withDefaultFonts: false,
      proxyUrl: "",
    });
  });

  test("needs no key", async () => {
    for (const path of ["/docs", "/docs/json"]) expect((await fetch(owner.url + path)).status).toBe(200);
  });
});

/** The endpoints of behavior 7, "Monitors" to "Check-ins". */
const ENDPOINTS = [
  ...["GET", "POST"].map((method) => `${method} /api/v1/api-keys`),
  ...["PATCH", "DELETE"].map((method) => `${method} /api/v1/api-keys/{id}`),
  ...["GET", "POST"].map((method) => `${method} /api/v1/monitors`),
  ...["GET", "PATCH", "DELETE"].map((method) => `${method} /api/v1/monitors/{id}`),
  "POST /api/v1/monitors/pause-all",
  "GET /api/v1/monitors/{id}/results",
  "GET /api/v1/events",
  "GET /api/v1/status",
  ...["GET", "POST"].map((method) => `${method} /api/v1/alerts`),
  ...["GET", "PATCH", "DELETE"].map((method) => `${method} /api/v1/alerts/{id}`),
  ...["GET", "POST"].map((method) => `${method} /api/v1/monitors/{id}/checkin`),
];

function responsesOf({ responses }: Operation): [string, Operation["responses"][string]][] {
  return Object.entries(responses).map(([code, response]) => [
    code,
    dereference(response, document) ?? response,
  ]);
}

/** The schema of the body of a request. */
function bodyOf({ requestBody }: Operation): Schema | undefined {
  return dereference(requestBody?.content["application/json"].schema, document);
}

function examplesOf(operation: Operation): unknown[] {
  return bodyOf(operation)?.examples ?? [];
}

type Call<Answer> = (parameters?: object | null, body?: object) => Promise<{ data: Answer }>;

/** The methods that the tool builds from the operationIds. */
interface GeneratedClient {
  createMonitor: Call<{ data: { id: string } }>;
  getMonitor: Call<{ data: object }>;
  updateMonitor: Call<{ data: object }>;
  deleteMonitor: Call<{ data: object }>;
  listMonitors: Call<{ data: object[] }>;
  listResults: Call<{ data: { status: string }[]; cursor: string | null }>;
  checkIn: Call<object>;
}
