import { afterAll, beforeAll, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { setStatus } from "../support/store/states.ts";

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await TestServer.start();
  client = server.client;
});

afterAll(() => server[Symbol.asyncDispose]());

async function summary() {
  const { status, body } = await client.get("/api/v1/status");
  expect(status).toBe(200);
  return body.data;
}

test("behavior 7.48, 7.49: the summary counts every monitor once, including paused ones, and has overall", async () => {
  expect(await summary()).toEqual({ total: 0, healthy: 0, warning: 0, down: 0, overall: "operational" });

  const good = await createMonitor(client, "SCHEDULED");
  await checkIn(client, good.id, "ok");
  expect(await summary()).toEqual({ total: 1, healthy: 1, warning: 0, down: 0, overall: "operational" });

  const bad = await createMonitor(client, "SCHEDULED");
  await checkIn(client, bad.id, "fail");
  expect(await summary()).toEqual({ total: 2, healthy: 1, warning: 0, down: 1, overall: "incident" });

  await client.patch(`/api/v1/monitors/${bad.id}`, { enabled: false });
  expect(await summary()).toEqual({ total: 2, healthy: 1, warning: 0, down: 1, overall: "incident" });

  await checkIn(client, bad.id, "ok");
  await createMonitor(client, "SCHEDULED");
  expect(await summary()).toEqual({ total: 3, healthy: 2, warning: 0, down: 1, overall: "incident" });
});

test("behavior 7.48: a change by another process, an update and a deletion are in the next response", async () => {
  client = await server.organization();
  const { id } = await createMonitor(client, "SCHEDULED");
  await checkIn(client, id, "ok");
  expect(await summary()).toMatchObject({ total: 1, healthy: 1, overall: "operational" });
  await setStatus(server.db, id, "havent_heard");
  expect(await summary()).toMatchObject({ total: 1, warning: 1, overall: "degraded" });
  await checkIn(client, id, "fail");
  expect(await summary()).toMatchObject({ down: 1, overall: "incident" });
  await createMonitor(client, "SCHEDULED");
  expect(await summary()).toMatchObject({ total: 2, down: 2 });
  await client.delete(`/api/v1/monitors/${id}`);
  expect(await summary()).toMatchObject({ total: 1, down: 1 });
});

test("behavior 8.5: monitors of another organization do not count", async () => {
  const other = await server.organization();
  expect((await other.get("/api/v1/status")).body.data.total).toBe(0);
});
