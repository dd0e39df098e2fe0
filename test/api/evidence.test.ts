import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";

const CANARY = "canary-5f2c81d09a";
const ALL_FIELDS = [
  ...["id", "monitorId", "outageId", "location", "at", "status", "reason", "layer", "summary", "changes"],
  ...["dns", "connections", "path", "tls", "http", "self", "good"],
];

let server: TestServer;
let owner: Client;

beforeAll(async () => {
  server = await TestServer.start();
  owner = server.client;
});
afterAll(() => server[Symbol.asyncDispose]());

const evidenceOf = async (monitorId: string, client = owner) =>
  (await client.get(`/api/v1/monitors/${monitorId}/evidence`)).body.data;

const outageOf = async (monitorId: string, client = owner) =>
  (await client.get(`/api/v1/outages?monitorId=${monitorId}`)).body.data[0];

/** A monitor of a target, after a good check. */
async function watched(target: HttpTarget, changes: object = {}, config: object = {}): Promise<string> {
  const given = { config: { url: target.url, interval: 86_400, ...config }, ...changes };
  const { id } = await createMonitor(owner, "HTTP", { confirmations: 0, ...given });
  await becomes(owner, id, "up");
  return id;
}

const checkNow = (id: string) => owner.post(`/api/v1/monitors/${id}/check`);

describe("behavior 22.1, 22.7, 22.8, 22.9: an outage", () => {
  test("of a server that refuses has evidence with all fields, which a look completes", async () => {
    await using receiver = new Receiver();
    await using target = new HttpTarget();
    const channel = await createChannel(owner, { config: { url: receiver.url } });
    const id = await watched(target, { alertChannelIds: [channel.id] });
    await target.break();
    await checkNow(id);
    await becomes(owner, id, "down");
    await eventually(async () => (await evidenceOf(id))[0]?.self !== null);
    const [first, ...others] = await evidenceOf(id);
    const outage = await outageOf(id);
    const { port } = new URL(target.url);
    const why = { layer: "port", summary: `127.0.0.1 refuses connections on port ${port}` };
    expect(others).toEqual([]);
    expect(Object.keys(first).sort()).toEqual(ALL_FIELDS.sort());
    expect(first).toEqual({
      ...first,
      ...{ monitorId: id, outageId: outage.id, location: "here", status: "down", reason: "refused", ...why },
      ...{ changes: [], dns: null, path: null, tls: null, http: null },
      connections: [
        { address: "127.0.0.1", port: Number(port), outcome: "refused", tookMs: expect.any(Number) },
      ],
      self: {
        ...{ loopDelayMs: expect.any(Number), load: expect.any(Number), online: true },
        ...{ healthyElsewhere: expect.any(Number), failingElsewhere: expect.any(Number) },
        freeDescriptors: expect.any(Number),
      },
      good: {
        ...{ at: expect.any(String), address: "127.0.0.1", certificate: null, statusCode: 200, size: null },
        phases: expect.any(Object),
      },
    });
    expect(outage.why).toEqual(why);
    expect((await owner.get(`/api/v1/outages/${outage.id}`)).body.data.why).toEqual(why);
    expect((await owner.get(`/api/v1/outages/${outage.id}/evidence`)).body).toEqual({ data: [first] });
    await eventually(() => receiver.received.length === 1);
    expect(receiver.only().payload.data).toMatchObject({ why });
  });

  test("of a server that answers something else has its answer, whose body viewers do not see, and no secret", async () => {
    let isBroken = false;
    const body = `no ${CANARY}`;
    await using target = new HttpTarget(() =>
      isBroken
        ? new Response(body, { status: 503, headers: { "x-trace": CANARY, "retry-after": "9" } })
        : new Response("ok"),
    );
    const id = await watched(
      target,
      {},
      {
        headers: { Authorization: `Bearer ${CANARY}` },
        expect: { status: [200] },
      },
    );
    isBroken = true;
    await checkNow(id);
    await becomes(owner, id, "down");
    const [seen] = await evidenceOf(id);
    expect(seen).toMatchObject({
      ...{ layer: "content", summary: "503 instead of 200", reason: "unexpected" },
      changes: [{ what: "status_code", before: 200, now: 503 }],
      http: { statusCode: 503, headers: { "retry-after": "9" }, body: "no •••" },
    });
    expect(seen.http.headers).not.toHaveProperty("x-trace");
    expect(seen.http.headerNames).toContain("x-trace");
    expect(JSON.stringify(seen)).not.toContain(CANARY);
    const viewer = owner.as(await server.keyWith("viewer"));
    const [shown] = await evidenceOf(id, viewer);
    expect(shown.http).toEqual({ ...seen.http, body: null });
    const admin = owner.as(await server.keyWith("admin"));
    expect((await evidenceOf(id, admin))[0].http.body).toBe("no •••");
    const { id: outageId } = await outageOf(id);
    const ofOutage = (client: Client) => client.get(`/api/v1/outages/${outageId}/evidence`);
    expect((await ofOutage(viewer)).body.data[0].http.body).toBeNull();
    const stranger = await server.organization();
    for (const path of [`outages/${outageId}`, `monitors/${id}`, "outages/none", "monitors/none"]) {
      const { status, body } = await stranger.get(`/api/v1/${path}/evidence`);
      expect([path, status, body]).toEqual([path, 404, { error: "Not found" }]);
    }
    const headers = { authorization: `Bearer ${owner.key}` };
    const csv = await (await fetch(`${owner.url}/api/v1/outages.csv`, { headers })).text();
    expect(csv).toContain(outageId);
    expect(csv).not.toContain("instead of");
  });

  test("of a job has none", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    await checkIn(owner, id, "ok", "fail");
    expect(await evidenceOf(id)).toEqual([]);
    const outage = await outageOf(id);
    expect(outage.why).toBeNull();
    expect((await owner.get(`/api/v1/outages/${outage.id}/evidence`)).body).toEqual({ data: [] });
  });
});

test("behavior 22.8: pages take the usual parameters", async () => {
  const { id } = await createMonitor(owner, "HTTP");
  await becomes(owner, id, "down");
  const path = `/api/v1/monitors/${id}/evidence`;
  expect((await owner.get(`${path}?limit=0`)).status).toBe(422);
  expect((await owner.get(`${path}?cursor=none`)).status).toBe(422);
  const { body } = await owner.get(`${path}?limit=1`);
  expect([body.data.length, body.cursor]).toEqual([1, null]);
});

describe("behavior 22.19: a remote location", () => {
  const failed = {
    outcome: "failed",
    reason: "timeout",
    told: ["203.0.113.7"],
    facts: { step: "connect", dns: null, tls: null, http: null },
    detail: { message: "no answer", address: "203.0.113.7" },
  };
  const look = {
    connections: [{ address: "203.0.113.7", port: 443, outcome: "timeout", tookMs: 3000 }],
    path: [{ hop: 1, address: "198.51.100.1", rttMs: 2 }],
    self: { loopDelayMs: 0, load: 0.1, freeDescriptors: 1000, online: true },
  };

  async function placed(name: string) {
    const { id, probe } = await createLocation(owner, name);
    const config = { url: "https://shop.example/", interval: 60 };
    const monitor = await createMonitor(owner, "HTTP", { config, locations: [id], confirmations: 0 });
    return { probe, monitorId: monitor.id as string };
  }

  test("is asked to look once more with the answer to its observation, and completes the evidence", async () => {
    const { probe, monitorId } = await placed("looking");
    const now = Date.now();
    expect((await probe.observe({ monitorId, at: now + 10 })).body.data).not.toHaveProperty("looks");
    const { body } = await probe.observe({ monitorId, at: now + 20, evidence: failed });
    const [asked, ...others] = body.data.looks;
    expect([asked, others]).toEqual([
      { evidenceId: expect.any(String), addresses: ["203.0.113.7"], port: 443 },
      [],
    ]);
    const [before] = await evidenceOf(monitorId);
    expect(before).toMatchObject({ id: asked.evidenceId, location: "looking", layer: "network", path: null });
    const { evidenceId } = asked;
    const sent = await probe.send("POST", "looks", { evidenceId, ...look });
    expect([sent.status, Object.keys(sent.body.data)]).toEqual([200, ["now"]]);
    const [after] = await evidenceOf(monitorId);
    expect(after).toMatchObject({
      ...{ connections: look.connections, path: look.path, self: look.self },
      summary: "No answer from 203.0.113.7; the path ends after 198.51.100.1 (hop 1)",
    });
    const { probe: other } = await placed("another");
    expect((await other.send("POST", "looks", { evidenceId, ...look })).status).toBe(404);
    expect((await probe.send("POST", "looks", { evidenceId, ...look, more: 1 })).status).toBe(422);
  });

  test("with version 1 of the protocol is not asked", async () => {
    const { probe, monitorId } = await placed("old");
    const { facts, told, ...evidence } = failed;
    const now = Date.now();
    const version = { "stillup-protocol": "1" };
    await probe.send("POST", "results", probe.batch({ monitorId, at: now + 10 }), version);
    const batch = probe.batch({ monitorId, at: now + 20, evidence });
    const { status, body } = await probe.send("POST", "results", batch, version);
    expect([status, body.data.recorded, body.data.looks]).toEqual([200, 1, undefined]);
    expect(await evidenceOf(monitorId)).toMatchObject([{ layer: "unknown", self: null, http: null }]);
  });

  test("has evidence of a late observation, without a look", async () => {
    const { probe, monitorId } = await placed("late");
    const now = Date.now();
    await probe.observe({ monitorId, at: now + 10 });
    const { body } = await probe.observe(
      { monitorId, at: now - 1_800_000, evidence: failed },
      { monitorId, at: now - 1_740_000, evidence: failed },
    );
    expect([body.data.recorded, body.data.looks]).toEqual([2, undefined]);
    expect(await evidenceOf(monitorId)).toMatchObject([
      { at: new Date(now - 1_800_000).toISOString(), layer: "network", outageId: null },
    ]);
  });
});
