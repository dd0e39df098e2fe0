import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { parseAnswer } from "../support/requests/raw-request.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const admin = owner.as(await server.keyWith("admin"));
const viewer = owner.as(await server.keyWith("viewer"));
const inactive = await server.organization({ subscription: "inactive" });

const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized" } };
const FORBIDDEN = { status: 403, body: { error: "Forbidden" } };

/** Every route that needs a key. */
const READS = [
  "/api/v1/monitors",
  "/api/v1/monitors/x",
  "/api/v1/monitors/x/results",
  "/api/v1/events",
  "/api/v1/status",
  "/api/v1/alerts",
  "/api/v1/alerts/report",
  "/api/v1/alerts/x",
  "/api/v1/api-keys",
  "/api/v1/organization",
  "/api/v1/session",
  "/api/v1/overview",
  "/api/v1/alerts/unnotified",
  "/api/v1/monitors/x/report",
  "/api/v1/monitors/x/related?relation=dependents",
  "/api/v1/locations",
  "/api/v1/locations/report",
];
const WRITES: [method: string, path: string][] = [
  ["POST", "/api/v1/monitors"],
  ["PATCH", "/api/v1/monitors/x"],
  ["DELETE", "/api/v1/monitors/x"],
  ["POST", "/api/v1/monitors/x/check"],
  ["POST", "/api/v1/monitors/pause-all"],
  ["POST", "/api/v1/monitors/bulk"],
  ["POST", "/api/v1/alerts"],
  ["PATCH", "/api/v1/alerts/x"],
  ["DELETE", "/api/v1/alerts/x"],
  ["PATCH", "/api/v1/organization"],
  ["POST", "/api/v1/probe"],
];
const KEY_WRITES: [method: string, path: string][] = [
  ["POST", "/api/v1/api-keys"],
  ["PATCH", "/api/v1/api-keys/x"],
  ["DELETE", "/api/v1/api-keys/x"],
  ["POST", "/api/v1/locations"],
  ["PATCH", "/api/v1/locations/x"],
  ["DELETE", "/api/v1/locations/x"],
];

describe("behavior 8.6: every endpoint except check-in needs a key", () => {
  const reads = READS.map((path): [string, string] => ["GET", path]);
  const probes: [string, string][] = [
    ["GET", "/api/v1/probe/work"],
    ["POST", "/api/v1/probe/results"],
  ];
  const all = [...reads, ...WRITES, ...KEY_WRITES, ...probes];
  test.each(all)("%s %s", async (method, path) => {
    expect(await owner.as(undefined).send(method, path)).toMatchObject(UNAUTHORIZED);
  });
});

describe("behavior 7.3: an invalid key gets 401:", () => {
  test.each([
    ["missing", undefined],
    ["malformed", "Bearer"],
    ["of another scheme", "Basic c3RpbGx1cA=="],
    ["without a scheme", "KEY"],
    ["unknown", `Bearer stillup_${"x".repeat(43)}`],
    ["very long", `Bearer ${"x".repeat(8000)}`],
    ["followed by another word", "Bearer KEY more"],
  ])("%s", async (_, value) => {
    const authorization = value?.replace("KEY", owner.key ?? "");
    const answer = await owner
      .as(undefined)
      .send("GET", "/api/v1/status", undefined, authorization ? { authorization } : {});
    expect(answer).toMatchObject(UNAUTHORIZED);
  });

  test("expired", async () => {
    const key = await server.keyWith("owner", server.now() - 1);
    expect(await owner.as(key).get("/api/v1/status")).toMatchObject(UNAUTHORIZED);
  });

  test("deleted by another process after the server used it", async () => {
    const key = await server.keyWith("owner");
    expect((await owner.as(key).get("/api/v1/status")).status).toBe(200);
    const keys = await server.store.apiKeys.list();
    const { id } = keys.find(({ keyPrefix }) => keyPrefix === key.slice(0, 16)) ?? { id: "none" };
    await server.store.apiKeys.delete(id);
    expect(await owner.as(key).get("/api/v1/status")).toMatchObject(UNAUTHORIZED);
  });

  test("the case of the scheme does not matter", async () => {
    const authorization = `bearer ${owner.key}`;
    expect(
      (await owner.as(undefined).send("GET", "/api/v1/status", undefined, { authorization })).status,
    ).toBe(200);
  });
});

type Slow = [method: string, path: string, body: object];

/** Sends a request with a new key, whose body is complete only after the key was identified and something else has happened. */
async function sendSlowly(
  role: string,
  [method, path, value]: Slow,
  meanwhile: (keyPath: string) => Promise<unknown>,
) {
  const { id, key } = (await owner.post("/api/v1/api-keys", { name: "slow", role })).body.data;
  const body = JSON.stringify(value);
  const { hostname, port } = new URL(owner.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: a",
    `Authorization: Bearer ${key}`,
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  await eventually(async () => {
    const { data } = (await owner.get("/api/v1/api-keys")).body;
    return data.some((one: { id: string; lastUsedAt: unknown }) => one.id === id && one.lastUsedAt !== null);
  });
  await meanwhile(`/api/v1/api-keys/${id}`);
  socket.write(body.slice(10));
  return parseAnswer(Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString());
}

test("behavior 8.10: a key that is deleted while a body is received writes nothing", async () => {
  const monitor = { ...newMonitor("SCHEDULED"), name: "too late" };
  const request: Slow = ["POST", "/api/v1/monitors", monitor];
  expect(await sendSlowly("admin", request, (path) => owner.delete(path))).toEqual(UNAUTHORIZED);
});

test.each([
  ["POST", "/api/v1/monitors", newMonitor("SCHEDULED")],
  ["PUT", "/api/v1/monitors/by-ref/late", newMonitor("SCHEDULED")],
  ["PATCH", "/api/v1/organization", { name: "too late" }],
  ["POST", "/api/v1/people", { email: "late@example.com", role: "viewer" }],
  ["POST", "/api/v1/api-keys", { name: "too late", role: "viewer" }],
  ["POST", "/api/v1/pages", { slug: "too-late", title: "too late" }],
] as Slow[])(
  "behavior 8.10: a role that is lowered while the body of %s %s is received counts",
  async (method, path, body) => {
    const lower = (keyPath: string) => owner.patch(keyPath, { role: "viewer" });
    expect(await sendSlowly("owner", [method, path, body], lower)).toEqual(FORBIDDEN);
  },
);

describe("behavior 7.4, 8.7: a viewer cannot write, an admin cannot manage keys, every role can read", () => {
  test.each(WRITES)("viewer: %s %s is forbidden", async (method, path) => {
    expect(await viewer.send(method, path)).toMatchObject(FORBIDDEN);
  });

  test.each(KEY_WRITES)("viewer and admin: %s %s is forbidden", async (method, path) => {
    expect(await viewer.send(method, path)).toMatchObject(FORBIDDEN);
    expect(await admin.send(method, path)).toMatchObject(FORBIDDEN);
  });

  test("every role may GET everything", async () => {
    const monitor = await createMonitor(admin, "SCHEDULED");
    const channel = await createChannel(admin);
    const paths = READS.map((path) =>
      path.replace("monitors/x", `monitors/${monitor.id}`).replace("alerts/x", `alerts/${channel.id}`),
    );
    for (const client of [viewer, admin, owner]) {
      for (const path of paths) expect(await client.get(path)).toMatchObject({ status: 200 });
    }
  });
});

describe("behavior 7.1: the order of checks is 401, 403, 402, 422, 404", () => {
  const BROKEN = "{";

  test("an anonymous request with a broken body gets 401", async () => {
    expect(await owner.as(undefined).post("/api/v1/monitors", BROKEN)).toMatchObject(UNAUTHORIZED);
    expect(await owner.as(undefined).patch("/api/v1/monitors/x", BROKEN)).toMatchObject(UNAUTHORIZED);
  });

  test("a viewer with a broken body gets 403, also without a subscription", async () => {
    const other = await server.organization({ subscription: "inactive", role: "viewer" });
    for (const client of [viewer, other])
      expect(await client.post("/api/v1/monitors", BROKEN)).toMatchObject(FORBIDDEN);
  });

  test("an owner without a subscription gets 402 before the body is read", async () => {
    for (const path of ["/api/v1/monitors", "/api/v1/alerts"]) {
      expect(await inactive.post(path, BROKEN)).toMatchObject({
        status: 402,
        body: { error: "No active subscription", code: "no_subscription" },
      });
    }
  });

  test("a broken body for something that does not exist gets 422", async () => {
    for (const path of ["/api/v1/monitors/x", "/api/v1/alerts/x", "/api/v1/api-keys/x"]) {
      expect((await owner.patch(path, BROKEN)).status).toBe(422);
      expect((await owner.patch(path, { name: "fine" })).status).toBe(404);
    }
    expect((await owner.get("/api/v1/monitors/x/results?limit=0")).status).toBe(422);
    expect((await owner.get("/api/v1/monitors/x/results")).status).toBe(404);
  });

  test("a config that does not fit the stored type is reported after 404 and before an unknown channel", async () => {
    const { id } = await createMonitor(owner, "TCP");
    const body = { config: { url: "http://a/", interval: 60 }, alertChannelIds: ["nope"] };
    expect(await owner.patch("/api/v1/monitors/x", body)).toMatchObject({ status: 404 });
    expect((await owner.patch(`/api/v1/monitors/${id}`, body)).body.error).toStartWith("config.");
    expect((await owner.patch(`/api/v1/monitors/${id}`, { alertChannelIds: ["nope"] })).body.error).toBe(
      "alertChannelIds.0 is not an alert channel of this organization",
    );
  });

  test("an unknown channel is reported before the limit of the plan", async () => {
    const starter = await server.organization({ plan: "starter" });
    for (let at = 0; at < 10; at++) await createMonitor(starter, "SCHEDULED");
    expect(
      (await starter.post("/api/v1/monitors", newMonitor("SCHEDULED", { alertChannelIds: ["x"] }))).body,
    ).toEqual({
      error: "alertChannelIds.0 is not an alert channel of this organization",
    });
    expect((await starter.post("/api/v1/monitors", newMonitor("SCHEDULED"))).body).toEqual({
      error: "Monitor limit reached",
      upgrade: true,
    });
  });

  test("a body over 1 MiB is 413, after 401 and 403", async () => {
    const large = JSON.stringify({ name: "x".repeat(1024 * 1024) });
    expect((await owner.as(undefined).post("/api/v1/monitors", large)).status).toBe(401);
    expect((await viewer.post("/api/v1/monitors", large)).status).toBe(403);
    expect(await owner.post("/api/v1/monitors", large)).toMatchObject({
      status: 413,
      body: { error: "the body must be at most 1048576 bytes" },
    });
  });
});

describe("behavior 7.13: errors", () => {
  test.each([
    ["GET", "/api/v1"],
    ["GET", "/api/v2/monitors"],
    ["PUT", "/api/v1/monitors"],
    ["DELETE", "/api/v1/monitors"],
    ["GET", "/api/v1/monitors/pause-all/x"],
    ["POST", "/api/v1/status"],
  ])("%s %s is a 404 with or without a key", async (method, path) => {
    for (const client of [owner, owner.as(undefined)]) {
      const { status, body } = await client.send(method, path);
      expect({ status, body }).toEqual({ status: 404, body: { error: "Not found" } });
    }
  });

  test("a body that is no JSON object is said so", async () => {
    expect((await owner.post("/api/v1/monitors", "{")).body.error).toBe(
      "the body must be JSON: it could not be parsed",
    );
    for (const body of ["[]", "null", "3", '"x"']) {
      expect((await owner.post("/api/v1/monitors", body)).body.error).toBe("the body must be a JSON object");
    }
    expect((await owner.post("/api/v1/monitors")).body.error).toBe(
      "the body must be JSON: it could not be parsed",
    );
  });
});

test("behavior 7.14: the version is in the path", async () => {
  expect((await owner.get("/api/v1/status")).status).toBe(200);
  expect((await owner.get("/api/status")).status).toBe(404);
});
