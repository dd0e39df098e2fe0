import { describe, expect, test } from "bun:test";
import { parseAddressRanges } from "../../src/domain/network/client-address.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(
  TestServer.start({ trustedProxies: parseAddressRanges("127.0.0.0/8") ?? [] }),
);

const PATH = "/api/v1/audit";

/** The actions of an organization, the first one first. */
async function actionsOf(owner: Client): Promise<string[]> {
  const { body } = await owner.get(PATH);
  return body.data.map(({ action }: { action: string }) => action).reverse();
}

async function latest(owner: Client) {
  return (await owner.get(`${PATH}?limit=1`)).body.data[0];
}

describe("behavior 14.70, 14.71: each write of the API is in the audit log", () => {
  test("writes of monitors are listed, also the pause of all", async () => {
    const owner = await server.organization();
    const { id } = (await owner.post("/api/v1/monitors", newMonitor("SCHEDULED"))).body.data;
    await owner.patch(`/api/v1/monitors/${id}`, { name: "renamed" });
    expect(await latest(owner)).toMatchObject({
      resource: { type: "monitor", id, name: "renamed" },
      changed: ["name"],
    });
    await owner.post("/api/v1/monitors/pause-all");
    await owner.delete(`/api/v1/monitors/${id}`);
    expect(await actionsOf(owner)).toEqual([
      "monitor.created",
      "monitor.updated",
      "monitor.all_paused",
      "monitor.deleted",
    ]);
  });

  test("writes of channels are listed", async () => {
    const owner = await server.organization();
    const { id } = await createChannel(owner);
    await owner.patch(`/api/v1/alerts/${id}`, { enabled: false });
    await owner.delete(`/api/v1/alerts/${id}`);
    expect(await actionsOf(owner)).toEqual(["channel.created", "channel.updated", "channel.deleted"]);
  });

  test("writes of API keys are listed", async () => {
    const owner = await server.organization();
    const { id } = (await owner.post("/api/v1/api-keys", { name: "deploy" })).body.data;
    await owner.patch(`/api/v1/api-keys/${id}`, { role: "viewer" });
    await owner.delete(`/api/v1/api-keys/${id}`);
    expect(await actionsOf(owner)).toEqual(["api_key.created", "api_key.updated", "api_key.deleted"]);
  });

  test("writes of locations are listed", async () => {
    const owner = await server.organization();
    const { id } = (await owner.post("/api/v1/locations", { name: "fra" })).body.data;
    await owner.patch(`/api/v1/locations/${id}`, { name: "ber" });
    await owner.delete(`/api/v1/locations/${id}`);
    expect(await actionsOf(owner)).toEqual(["location.created", "location.updated", "location.deleted"]);
  });

  test("writes of the organization are listed", async () => {
    const owner = await server.organization();
    await owner.patch("/api/v1/organization", { name: "Acme" });
    expect(await latest(owner)).toMatchObject({
      action: "organization.updated",
      resource: { type: "organization", name: "Acme" },
      changed: ["name"],
    });
  });

  test("writes of maintenances are listed", async () => {
    const owner = await server.organization();
    const window = {
      startsAt: new Date(server.now() - 60_000).toISOString(),
      endsAt: "2999-01-01T00:00:00Z",
    };
    const upgrade = { title: "upgrade", selector: { all: true }, ...window };
    const { id } = (await owner.post("/api/v1/maintenances", upgrade)).body.data;
    expect((await latest(owner)).changed.toSorted()).toEqual(Object.keys(upgrade).sort());
    await owner.patch(`/api/v1/maintenances/${id}`, { title: "Upgrade of the database" });
    expect(await latest(owner)).toMatchObject({
      resource: { type: "maintenance", id, name: "Upgrade of the database" },
      changed: ["title"],
    });
    await owner.post(`/api/v1/maintenances/${id}/end`);
    expect(await latest(owner)).toMatchObject({ action: "maintenance.updated", changed: ["endsAt"] });
    await owner.delete(`/api/v1/maintenances/${id}`);
    expect(await actionsOf(owner)).toEqual([
      "maintenance.created",
      "maintenance.updated",
      "maintenance.updated",
      "maintenance.deleted",
    ]);
  });

  test("acknowledgements are listed", async () => {
    const owner = await server.organization();
    const job = { ...newMonitor("SCHEDULED"), name: "backup" };
    const { id } = (await owner.post("/api/v1/monitors", job)).body.data;
    await owner.post(`/api/v1/monitors/${id}/checkin?status=fail`);
    const [outage] = (await owner.get("/api/v1/outages")).body.data;
    const path = `/api/v1/outages/${outage.id}/acknowledge`;
    await owner.post(path, { note: "the disk is full" });
    expect(await latest(owner)).toMatchObject({
      action: "outage.acknowledged",
      resource: { type: "outage", id: outage.id, name: "backup" },
      changed: ["note"],
    });
    await owner.post(path);
    await owner.delete(path);
    await owner.delete(path);
    expect(await actionsOf(owner)).toEqual([
      "monitor.created",
      "outage.acknowledged",
      "outage.acknowledged",
      "outage.unacknowledged",
    ]);
  });

  test("behavior 14.72: a write that is rejected or changes nothing is not listed, nor is a read", async () => {
    const owner = await server.organization();
    await owner.get("/api/v1/monitors");
    await owner.post("/api/v1/monitors", { name: "x" });
    await owner.patch("/api/v1/organization", { name: "Other" });
    await owner.delete("/api/v1/monitors/none");
    expect(await actionsOf(owner)).toEqual([]);
  });
});

describe("behavior 14.73: the author", () => {
  test("is the key of the request with its name, and the address of its client", async () => {
    const owner = await server.organization();
    const before = server.now();
    const { id, key } = (await owner.post("/api/v1/api-keys", { name: "deploy", role: "admin" })).body.data;
    const headers = { "x-forwarded-for": "198.51.100.1, 192.0.2.7" };
    await owner.as(key).send("POST", "/api/v1/monitors", newMonitor("SCHEDULED"), headers);
    await owner.patch(`/api/v1/api-keys/${id}`, { name: "renamed" });
    await owner.as(key).patch("/api/v1/organization", { name: "Acme" });
    const { data } = (await owner.get(PATH)).body;
    expect(data).toMatchObject([
      { actor: { type: "key", id, name: "renamed" }, address: "127.0.0.1" },
      { action: "api_key.updated" },
      { actor: { type: "key", id, name: "deploy" }, address: "192.0.2.7" },
      { action: "api_key.created" },
    ]);
    expect(Date.parse(data[0].createdAt)).toBeWithin(before, server.now() + 1);
  });

  test("is the key of the session if the page sent the request", async () => {
    const owner = await server.organization();
    const page = { "sec-fetch-site": "same-origin" };
    const anonymous = owner.as(undefined);
    const { body, headers } = await anonymous.send("POST", "/api/v1/session", { key: owner.key }, page);
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const { status } = await anonymous.send("POST", "/api/v1/monitors/pause-all", undefined, {
      ...page,
      cookie,
    });
    expect(status).toBe(200);
    expect(await latest(owner)).toMatchObject({
      action: "monitor.all_paused",
      actor: { type: "key", id: body.data.keyId, name: "owner" },
    });
  });
});

describe("behavior 14.74: the audit log", () => {
  test("is for an owner only, also if the query is invalid", async () => {
    for (const role of ["admin", "viewer"] as const) {
      const client = server.client.as(await server.keyWith(role));
      expect(await client.get(PATH)).toMatchObject({ status: 403, body: { error: "Forbidden" } });
      expect((await client.get(`${PATH}?limit=0`)).status).toBe(403);
    }
    expect((await server.client.as(undefined).get(PATH)).status).toBe(401);
  });

  test("has pages", async () => {
    const owner = await server.organization();
    for (const name of ["a", "b", "c"]) await owner.patch("/api/v1/organization", { name });
    const first = (await owner.get(`${PATH}?limit=2`)).body;
    expect(first.cursor).toBe(first.data[1].id);
    const second = (await owner.get(`${PATH}?limit=2&cursor=${first.cursor}`)).body;
    expect(second).toMatchObject({ data: [{ resource: { name: "a" } }], cursor: null });
    for (const query of ["limit=0", "cursor=", "cursor=x"])
      expect((await owner.get(`${PATH}?${query}`)).status).toBe(422);
  });
});
