import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { engineOfTests } from "../support/store/engines.ts";
import { countSessions, expireSessions, storedRows } from "../support/store/states.ts";

let server: TestServer;
let owner: Client;
/** A client without a key, like the page before the sign-in. */
let anonymous: Client;

beforeAll(async () => {
  server = await TestServer.start();
  owner = server.client;
  anonymous = owner.as(undefined);
});

afterAll(() => server[Symbol.asyncDispose]());

const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized" } };
const FORBIDDEN = { status: 403, body: { error: "Forbidden" } };
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

function signIn(key: string | undefined, headers: Record<string, string> = OWN_PAGE) {
  return anonymous.send("POST", "/api/v1/session", { key }, headers);
}

/** Signs in. @returns the `Cookie` header that a browser then sends */
async function cookieOf(key: string | undefined): Promise<{ cookie: string }> {
  const { status, headers } = await signIn(key);
  expect(status).toBe(200);
  return { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" };
}

function write(headers: Record<string, string>) {
  return anonymous.send("POST", "/api/v1/monitors", newMonitor("SCHEDULED"), headers);
}

describe("behavior 8.11: sign-in", () => {
  test("sets a cookie for 12 hours that scripts and other sites cannot read", async () => {
    const { status, body, headers } = await signIn(owner.key);
    expect({ status, role: body.data.role }).toEqual({ status: 200, role: "owner" });
    const cookie = headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^stillup_session=[0-9A-Za-z]{43}; /);
    expect(cookie).toContain("; Path=/");
    expect(cookie).toContain("; HttpOnly");
    expect(cookie).toContain("; SameSite=Strict");
    expect(cookie).not.toContain("Secure");
    const left = Date.parse(body.data.expiresAt) - server.now();
    expect(left / 3_600_000).toBeCloseTo(12, 2);
  });

  test("behavior 8.100: with keep sets a cookie for 30 days, whatever the clock of the browser shows", async () => {
    const { body, headers } = await anonymous.send(
      "POST",
      "/api/v1/session",
      { key: owner.key, keep: true },
      OWN_PAGE,
    );
    expect(headers.get("set-cookie")).toContain(`; Max-Age=${30 * 24 * 3600}`);
    const left = Date.parse(body.data.expiresAt) - server.now();
    expect(left / 86_400_000).toBeCloseTo(30, 2);
    expect((await signIn(owner.key)).headers.get("set-cookie")).toContain(`; Max-Age=${12 * 3600}`);
    const { status } = await anonymous.send("POST", "/api/v1/session", { key: owner.key, keep: 1 }, OWN_PAGE);
    expect(status).toBe(422);
  });

  test("sets a Secure cookie over HTTPS, also behind a proxy", async () => {
    const { host } = new URL(owner.url);
    const { headers } = await signIn(owner.key, { origin: `https://${host}` });
    const cookie = headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-stillup_session=[0-9A-Za-z]{43}; /);
    expect(cookie).toContain("; Path=/");
    expect(cookie).toContain("; Secure");
    expect(cookie).not.toContain("Domain");
    const sent = { cookie: cookie.split(";")[0] ?? "" };
    expect((await anonymous.send("GET", "/api/v1/session", undefined, sent)).status).toBe(200);
    // A cookie with the plain name, set by another subdomain, does not take precedence.
    const both = { cookie: `stillup_session=made-up; ${sent.cookie}` };
    const out = await anonymous.send("DELETE", "/api/v1/session", undefined, { ...both, ...OWN_PAGE });
    expect(out.status).toBe(200);
    expect(out.headers.get("set-cookie")).toMatch(/^__Host-stillup_session=;.*Max-Age=0.*Secure/);
    expect(await anonymous.send("GET", "/api/v1/session", undefined, sent)).toMatchObject(UNAUTHORIZED);
  });

  test.each([
    ["unknown", "stillup_x"],
    ["empty", ""],
  ])("with a key that is %s is a 401", async (_, key) => {
    expect(await signIn(key)).toMatchObject(UNAUTHORIZED);
  });

  test("with an expired key is a 401", async () => {
    expect(await signIn(await server.keyWith("owner", server.now() - 1))).toMatchObject(UNAUTHORIZED);
  });

  test("without a key is a 422, and from a page of another site a 403", async () => {
    expect((await signIn(undefined)).body.error).toBe("key is required");
    expect(await signIn(owner.key, { origin: "https://evil.example" })).toMatchObject(FORBIDDEN);
    expect(await signIn(owner.key, { "sec-fetch-site": "cross-site" })).toMatchObject(FORBIDDEN);
  });

  test("behavior 8.12: stores only a hash of the token, and the token is not a key", async () => {
    const { cookie } = await cookieOf(owner.key);
    const token = cookie.split("=")[1] ?? "";
    const stored = (await storedRows(server.db)).join("\n");
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString("hex"));
    expect((await anonymous.send("GET", "/api/v1/session", undefined, { cookie })).status).toBe(200);
    expect(await anonymous.as(token).get("/api/v1/session")).toMatchObject(UNAUTHORIZED);
  });
});

describe("behavior 16.338: help with the sign-in", () => {
  const help = async (page: string, headers: Record<string, string> = {}) => {
    const path = `/api/v1/session/help?${new URLSearchParams({ page })}`;
    const { status, body } = await anonymous.send("GET", path, undefined, headers);
    expect(status).toBe(200);
    return body.data;
  };

  test("has no path for strangers", async () => {
    const command = "stillup keys create --name me";
    const plain = { methods: [], provider: null, command, initialKeyFile: null };
    expect(await help("https://up.example.com")).toEqual(plain);
    expect(await help(owner.url, { "x-forwarded-for": "127.0.0.1" })).toEqual(plain);
    expect((await anonymous.get("/api/v1/session/help")).body.data).toEqual(plain);
  });

  test("names the directory, and the file of the first key while that key is valid, on the machine of the server", async () => {
    await using own = await TestServer.start();
    anonymous = own.client.as(undefined);
    try {
      const dataDir = resolve(own.dataDir);
      const file = join(dataDir, "initial-owner-key");
      const first = await help(own.client.url);
      expect(first.initialKeyFile).toBe(file);
      if (!engineOfTests().isShared) expect(first.command).toEndWith(` --data-dir ${dataDir}`);
      const [key] = await own.store.apiKeys.list();
      await own.store.apiKeys.delete(key?.id ?? "");
      expect((await help(own.client.url)).initialKeyFile).toBeNull();
    } finally {
      anonymous = owner.as(undefined);
    }
  });
});

describe("a session", () => {
  test("reads and writes with the role of its key", async () => {
    const admin = await cookieOf(await server.keyWith("admin"));
    expect((await anonymous.send("GET", "/api/v1/session", undefined, admin)).body.data.role).toBe("admin");
    expect((await write({ ...admin, ...OWN_PAGE })).status).toBe(201);

    const viewer = await cookieOf(await server.keyWith("viewer"));
    expect((await anonymous.send("GET", "/api/v1/status", undefined, viewer)).status).toBe(200);
    expect(await write({ ...viewer, ...OWN_PAGE })).toMatchObject(FORBIDDEN);
  });

  test.each([
    ["of another site", { "sec-fetch-site": "cross-site" }],
    ["of another subdomain", { "sec-fetch-site": "same-site" }],
    ["of another origin", { origin: "https://evil.example" }],
    ["of another port", { origin: "http://127.0.0.1:1" }],
    ["in a sandbox", { origin: "null" }],
    ["without headers of origin", {}],
  ])("behavior 8.14: does not write for a page %s", async (_, headers: Record<string, string>) => {
    const cookie = await cookieOf(owner.key);
    expect(await write({ ...cookie, ...headers })).toMatchObject(FORBIDDEN);
    expect(
      await anonymous.send("POST", "/api/v1/monitors/pause-all", undefined, { ...cookie, ...headers }),
    ).toMatchObject(FORBIDDEN);
  });

  test("writes for a page of the same origin if the browser sends only Origin", async () => {
    const cookie = await cookieOf(owner.key);
    expect((await write({ ...cookie, origin: new URL(owner.url).origin })).status).toBe(201);
  });

  test("behavior 8.13: is ignored if there is an Authorization header, even an invalid one", async () => {
    const cookie = await cookieOf(owner.key);
    const headers = { ...cookie, authorization: "Bearer wrong" };
    expect(await anonymous.send("GET", "/api/v1/status", undefined, headers)).toMatchObject(UNAUTHORIZED);
  });

  test("ends with the sign-out, which deletes the cookie", async () => {
    const cookie = await cookieOf(owner.key);
    const { status, headers } = await anonymous.send("DELETE", "/api/v1/session", undefined, {
      ...cookie,
      ...OWN_PAGE,
    });
    expect(status).toBe(200);
    expect(headers.get("set-cookie")).toMatch(/^stillup_session=;.*Max-Age=0/);
    expect(await anonymous.send("GET", "/api/v1/session", undefined, cookie)).toMatchObject(UNAUTHORIZED);
  });

  test("that is unknown or has ended cannot be ended: a 401", async () => {
    const out = (cookie: string) =>
      anonymous.send("DELETE", "/api/v1/session", undefined, { cookie, ...OWN_PAGE });
    expect(await out("stillup_session=made-up")).toMatchObject(UNAUTHORIZED);
    const { cookie } = await cookieOf(owner.key);
    expect((await out(cookie)).status).toBe(200);
    expect(await out(cookie)).toMatchObject(UNAUTHORIZED);
  });

  test("is not ended by a page of another site", async () => {
    const cookie = await cookieOf(owner.key);
    const headers = { ...cookie, origin: "https://evil.example" };
    expect(await anonymous.send("DELETE", "/api/v1/session", undefined, headers)).toMatchObject(FORBIDDEN);
    expect((await anonymous.send("GET", "/api/v1/session", undefined, cookie)).status).toBe(200);
  });

  test("ends when its key is deleted", async () => {
    const key = await server.keyWith("admin");
    const cookie = await cookieOf(key);
    const { keyId } = (await anonymous.send("GET", "/api/v1/session", undefined, cookie)).body.data;
    await owner.delete(`/api/v1/api-keys/${keyId}`);
    expect(await anonymous.send("GET", "/api/v1/session", undefined, cookie)).toMatchObject(UNAUTHORIZED);
    expect((await server.store.apiKeys.list()).some(({ id }) => id === keyId)).toBe(false);
  });

  test("ends when its key expires, by time or by an update", async () => {
    const cookie = await cookieOf(await server.keyWith("admin"));
    const session = await anonymous.send("GET", "/api/v1/session", undefined, cookie);
    const soon = server.now() + 300;
    const expiresAt = new Date(soon).toISOString();
    await owner.patch(`/api/v1/api-keys/${session.body.data.keyId}`, { expiresAt });
    const answer = () => anonymous.send("GET", "/api/v1/session", undefined, cookie);
    await eventually(async () => (await answer()).status === 401);
    expect(server.now()).toBeGreaterThanOrEqual(soon);

    const other = await cookieOf(await server.keyWith("viewer"));
    const { keyId } = (await anonymous.send("GET", "/api/v1/session", undefined, other)).body.data;
    await owner.patch(`/api/v1/api-keys/${keyId}`, { expiresAt: "2020-01-01T00:00:00Z" });
    expect(await anonymous.send("GET", "/api/v1/session", undefined, other)).toMatchObject(UNAUTHORIZED);
  });

  test("has a new role of its key immediately", async () => {
    const cookie = await cookieOf(await server.keyWith("viewer"));
    const { keyId } = (await anonymous.send("GET", "/api/v1/session", undefined, cookie)).body.data;
    await owner.patch(`/api/v1/api-keys/${keyId}`, { role: "admin" });
    expect((await write({ ...cookie, ...OWN_PAGE })).status).toBe(201);
  });

  test("behavior 9.100: is null at another path if there is none, and counts as a failed attempt", async () => {
    const current = (headers: Record<string, string>) =>
      anonymous.send("GET", "/api/v1/session/current", undefined, headers);
    const sent = await cookieOf(owner.key);
    const { body } = await anonymous.send("GET", "/api/v1/session", undefined, sent);
    expect(await current(sent)).toMatchObject({ status: 200, body });
    for (const headers of [{}, { cookie: "stillup_session=x" }, { authorization: "Bearer x" }])
      expect(await current(headers)).toMatchObject({ status: 200, body: { data: null } });
  });

  test("is deleted after its end", async () => {
    await expireSessions(server.db);
    const cookie = await cookieOf(owner.key);
    expect(await countSessions(server.db)).toBe(1);
    for (const { id } of await server.store.apiKeys.list()) await server.store.apiKeys.delete(id);
    expect(await countSessions(server.db)).toBe(0);
    expect(await anonymous.send("GET", "/api/v1/session", undefined, cookie)).toMatchObject(UNAUTHORIZED);
  });
});
