import { expect, test } from "bun:test";
import type { Wall } from "../../src/api/wall/wall.ts";
import { countStandings } from "../../src/domain/monitors/standing.ts";
import { createToken } from "../../src/store/ids.ts";
import { becomes } from "../support/browser/becomes.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

const LINKS = "/api/v1/wall-links";

async function job(owner: Client, name: string, values: object = {}): Promise<string> {
  const { id } = await createMonitor(owner, "SCHEDULED");
  await owner.patch(`/api/v1/monitors/${id}`, { name, ...values });
  return id;
}

async function createLink(owner: Client, values: object): Promise<{ id: string; token: string }> {
  const { status, body } = await owner.post(LINKS, values);
  expect(status).toBe(201);
  return { id: body.data.id, token: new URL(body.data.url).pathname.replace("/wall/", "") };
}

const wallOf = (token: string, headers = {}) =>
  fetch(new URL(`/api/wall/${token}`, server.client.url), { headers });

async function dataOf(token: string) {
  const { data } = (await (await wallOf(token)).json()) as { data: Wall };
  return data;
}

test("behavior 16.360, 16.362: a link shows names, tags and statuses of the monitors with its tag, worst first", async () => {
  const owner = await server.organization();
  const [good, bad] = [
    await job(owner, "good", { tags: ["web"] }),
    await job(owner, "bad", { tags: ["web"] }),
  ];
  await job(owner, "other");
  await checkIn(owner, good, "ok");
  await checkIn(owner, bad, "fail");
  const { token } = await createLink(owner, { name: " Office ", tag: "web" });
  const { build, monitors, ...rest } = await dataOf(token);
  expect(rest).toEqual({
    title: "Office",
    tag: "web",
    counts: { ...countStandings([]), down: 1, healthy: 1 },
  });
  expect(build).toMatch(/^\w+$/);
  const noReason = { reason: null, reasonCode: null, reasonDetail: null };
  const tile = { tags: ["web"], since: expect.any(String), ...noReason };
  expect(monitors).toEqual([
    { ...tile, name: "bad", state: "down", standing: "down", status: "failed" },
    { ...tile, name: "good", state: "healthy", standing: "healthy", status: "ok" },
  ]);
  const text = JSON.stringify(monitors);
  for (const secret of [good, bad]) expect(text).not.toContain(secret);

  const own = (await owner.get("/api/v1/wall")).body.data;
  expect(own).toMatchObject({ title: null, tag: null, build });
  expect(own.monitors.map(({ name }: { name: string }) => name)).toEqual(["bad", "other", "good"]);
  expect((await owner.get("/api/v1/wall?tag=none")).body.data).toMatchObject({ monitors: [] });
  expect((await owner.get("/api/v1/wall?tag=A%20B")).status).toBe(422);
});

test("behavior 16.360, 16.362, 27.19: a tile in trouble has its reason, and by a link no message of the check", async () => {
  const owner = await server.organization();
  const target = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("inner secret", { status: 503 }),
  });
  await using _ = { [Symbol.asyncDispose]: () => target.stop(true) };
  const config = { url: `http://127.0.0.1:${target.port}/`, interval: 60, expect: { status: [200] } };
  await owner.post("/api/v1/monitors", { name: "site", type: "HTTP", config });
  const { token } = await createLink(owner, { name: "Office" });
  const own = async () => (await owner.get("/api/v1/wall")).body.data.monitors[0];
  await becomes(async () => (await own()).standing, "down");
  const message = "503 Service Unavailable, expected 200";
  expect(await own()).toMatchObject({ reason: message, reasonCode: "unexpected", reasonDetail: message });
  await becomes(async () => (await dataOf(token)).monitors[0]?.reason, "Not as expected (503)");
  const [open] = (await dataOf(token)).monitors;
  expect(open).toMatchObject({ reasonCode: "unexpected", reasonDetail: "503" });
});

test("behavior 16.361: an unchanged wall is a 304, and no other host may read it", async () => {
  const owner = await server.organization();
  const { token } = await createLink(owner, { name: "Office" });
  const first = await wallOf(token);
  const etag = first.headers.get("etag") ?? "";
  expect(first.headers.get("cache-control")).toBe("private, no-cache");
  expect(first.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(first.headers.get("access-control-allow-origin")).toBeNull();
  expect((await wallOf(token, { "if-none-match": etag })).status).toBe(304);
});

test("behavior 16.363: unknown, deleted and malformed tokens get the same answer, and the token is no key of the API", async () => {
  const owner = await server.organization();
  const { id, token } = await createLink(owner, { name: "Office" });
  expect((await owner.delete(`${LINKS}/${id}`)).body).toEqual({ data: { id } });
  for (const wrong of [token, createToken(), "x", "a".repeat(200)]) {
    const answer = await wallOf(wrong);
    expect([answer.status, await answer.text()]).toEqual([404, '{"error":"Not found"}']);
  }
  const { token: valid } = await createLink(owner, { name: "Other" });
  const { client } = server;
  const headers = { authorization: `Bearer ${valid}` };
  for (const path of ["/api/v1/wall", "/api/v1/monitors", LINKS])
    expect((await fetch(new URL(path, client.url), { headers })).status).toBe(401);
});

test("behavior 16.364: admins create and delete links, everybody lists them, and the audit log names them", async () => {
  const owner = await server.organization();
  const keyed = async (role: string) => {
    const { body } = await owner.post("/api/v1/api-keys", { name: role, role });
    return owner.as(body.data.key);
  };
  const [viewer, admin] = [await keyed("viewer"), await keyed("admin")];
  const { id } = await createLink(admin, { name: "Office", tag: "web" });
  expect((await viewer.post(LINKS, { name: "x" })).status).toBe(403);
  expect((await viewer.delete(`${LINKS}/${id}`)).status).toBe(403);
  expect((await viewer.get(LINKS)).body.data).toEqual([
    { id, name: "Office", tag: "web", createdAt: expect.any(String) },
  ]);
  const other = await server.organization();
  expect((await other.get(LINKS)).body.data).toEqual([]);
  expect((await other.delete(`${LINKS}/${id}`)).status).toBe(404);
  for (const wrong of [{}, { name: "" }, { name: "x", tag: "A B" }, { name: "x", more: 1 }])
    expect((await owner.post(LINKS, wrong)).status).toBe(422);
  await admin.delete(`${LINKS}/${id}`);
  const { body } = await owner.get("/api/v1/audit?limit=2");
  const resource = { type: "api_key", id, name: "Office (wall link)" };
  expect(body.data).toMatchObject([
    { action: "api_key.deleted", resource },
    { action: "api_key.created", resource, changed: ["name", "tag"] },
  ]);
});

test("behavior 16.365: the page of the wall is not for search engines, and requests no session", async () => {
  for (const path of ["/wall", `/wall/${createToken()}`]) {
    const { status, headers } = await fetch(new URL(path, server.client.url));
    expect(status).toBe(200);
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("link")).not.toContain("/api/");
  }
});

test("behavior 16.372: acknowledged outages and monitors in maintenance need nobody", async () => {
  const owner = await server.organization();
  const attention = async () => (await owner.get("/api/v1/attention")).body.data;
  expect(await attention()).toEqual({ down: 0, warning: 0 });
  const [first, second] = [await job(owner, "first"), await job(owner, "second")];
  for (const id of [first, second]) await checkIn(owner, id, "fail");
  expect(await attention()).toEqual({ down: 2, warning: 0 });
  const { body } = await owner.get(`/api/v1/outages?monitorId=${first}`);
  await owner.post(`/api/v1/outages/${body.data[0].id}/acknowledge`);
  expect(await attention()).toEqual({ down: 1, warning: 0 });
  const at = (minutes: number) => new Date(server.now() + minutes * 60_000).toISOString();
  await owner.post("/api/v1/maintenances", {
    title: "Move",
    selector: { monitorIds: [second] },
    startsAt: at(-1),
    endsAt: at(60),
  });
  expect(await attention()).toEqual({ down: 0, warning: 0 });
});
