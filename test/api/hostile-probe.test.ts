import { beforeEach, describe, expect, test } from "bun:test";
import { KEPT_FOR, MAX_SKEW } from "../../src/domain/locations/protocol.ts";
import { ApiServer, type Members } from "../support/product/api-server.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createLocation, EVIDENCE, type ProbeClient, type Seen } from "../support/requests/probe-client.ts";
import { untilEndOfFile } from "../support/until-end.ts";

/* The probe of one location whose key is stolen, or whose program is changed, against the server. */

let members: Members;
let owner: Client;
let hostile: { id: string; probe: ProbeClient };
let names = 0;

const server = await untilEndOfFile(ApiServer.start());

beforeEach(async () => {
  members = await server.organization(`organization ${++names}`, "enterprise");
  owner = members.owner;
  hostile = await createLocation(owner, "hostile");
  await hostile.probe.work();
});

async function send(batch: object) {
  const { status, body } = await hostile.probe.send("POST", "results", batch);
  return { status, ...body?.data };
}

function observe(...seen: Seen[]) {
  return send(hostile.probe.batch(...seen));
}

async function resultsOf(monitorId: string, client = owner) {
  return (await client.get(`/api/v1/monitors/${monitorId}/results?limit=200`)).body.data;
}

async function statusOf(monitorId: string, client = owner): Promise<string> {
  return (await client.get(`/api/v1/monitors/${monitorId}`)).body.data.status;
}

/** A monitor that only the hostile location checks. */
async function createOwn(changes: object = {}): Promise<string> {
  return (await createMonitor(owner, "HTTP", { locations: [hostile.id], ...changes })).id;
}

describe("behavior 13.38: the probe of a location", () => {
  test("cannot record anything for a monitor that it does not check, and does not learn whether it exists", async () => {
    const other = await server.organization("other", "enterprise");
    const otherPlace = await createLocation(other.owner, "fra");
    const job = await createMonitor(owner, "SCHEDULED");
    const paused = await createOwn();
    await owner.patch(`/api/v1/monitors/${paused}`, { enabled: false });
    const foreign = await createMonitor(other.owner, "HTTP", { locations: [otherPlace.id] });
    const targets: [string, Client][] = [
      [foreign.id, other.owner],
      [(await createMonitor(other.owner, "HTTP")).id, other.owner],
      [(await createMonitor(owner, "HTTP")).id, owner],
      [job.id, owner],
      [paused, owner],
    ];
    for (const monitorId of [...targets.map(([id]) => id), "none", "__proto__"])
      for (const revision of [0, 1])
        expect(await observe({ monitorId, revision, evidence: EVIDENCE.failed })).toMatchObject({
          status: 200,
          recorded: 0,
          ignored: 1,
        });
    for (const [id, client] of targets) {
      expect(await resultsOf(id, client)).toEqual([]);
      expect(await statusOf(id, client)).toBe("unknown");
    }
  });

  test("gets no monitor of others", async () => {
    await createMonitor(owner, "HTTP");
    expect((await hostile.probe.work()).body.data.monitors).toEqual([]);
  });

  test("cannot record for an earlier config", async () => {
    const monitorId = await createOwn();
    await owner.patch(`/api/v1/monitors/${monitorId}`, {
      config: { url: "http://127.0.0.1:2/", interval: 60 },
    });
    expect(await observe({ monitorId, evidence: EVIDENCE.failed })).toMatchObject({
      recorded: 0,
      ignored: 1,
    });
    expect(await observe({ monitorId, revision: 1 })).toMatchObject({ recorded: 1 });
  });

  test("cannot change a status against the majority, however much it sends", async () => {
    const honest = await Promise.all(["fra", "nyc"].map((name) => createLocation(owner, name)));
    for (const { probe } of honest) await probe.work();
    const locations = [hostile.id, ...honest.map(({ id }) => id)];
    const config = { url: "http://127.0.0.1:1/", interval: 60 };
    const { id: monitorId } = await createMonitor(owner, "HTTP", { config, locations });
    const now = server.now();
    for (const { probe } of [hostile, ...honest]) await probe.observe({ monitorId, at: now - 5000 });
    expect(await statusOf(monitorId)).toBe("up");
    const seen = Array.from({ length: 100 }, (_, at) => ({
      monitorId,
      at: now - 4000 + at,
      evidence: EVIDENCE.failed,
    }));
    expect(await observe(...seen)).toMatchObject({ recorded: 100 });
    expect(await statusOf(monitorId)).toBe("up");
    const [latest] = await resultsOf(monitorId);
    expect(latest).toMatchObject({
      status: "up",
      alertTriggered: false,
      detail: { location: "hostile", seen: { status: "down" } },
    });
    for (const { probe } of honest) await probe.observe({ monitorId, evidence: EVIDENCE.failed });
    expect(await statusOf(monitorId)).toBe("down");
    await observe(...seen.map(({ at }) => ({ monitorId, at: at + 4000 })));
    expect(await statusOf(monitorId)).toBe("down");
  });

  test("cannot set a time before or after the present status", async () => {
    const monitorId = await createOwn();
    await observe({ monitorId });
    const now = server.now();
    const bad = [
      { at: now + MAX_SKEW + 60_000 },
      { at: now - KEPT_FOR - 60_000 },
      { at: 0 },
      { at: 8_640_000_000_000_000 },
      { at: now, startAt: now + 1 },
    ].map((times) => ({ monitorId, evidence: EVIDENCE.failed, ...times }));
    expect(await observe(...bad)).toMatchObject({ recorded: 0, refused: bad.length });
    expect(
      await observe({ monitorId, at: now - KEPT_FOR + 60_000, evidence: EVIDENCE.failed }),
    ).toMatchObject({
      recorded: 1,
    });
    expect(await statusOf(monitorId)).toBe("up");
  });

  test("cannot record an observation twice, alone or in one batch", async () => {
    const monitorId = await createOwn();
    const batch = hostile.probe.batch({ monitorId, sequence: 7 }, { monitorId, sequence: 7 });
    expect(await send(batch)).toMatchObject({ recorded: 1, repeated: 1 });
    expect(await send(batch)).toMatchObject({ recorded: 0, repeated: 2 });
    const forged = hostile.probe.batch({ monitorId, sequence: 7, evidence: EVIDENCE.failed });
    expect(await send(forged)).toMatchObject({ recorded: 0, repeated: 1 });
    expect(await resultsOf(monitorId)).toHaveLength(1);
    expect(await statusOf(monitorId)).toBe("up");
  });

  test("records the good observations of a batch with bad ones", async () => {
    const monitorId = await createOwn();
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) deep = [deep];
    const failed = (detail: unknown) => ({ outcome: "failed", reason: "timeout", detail });
    const bad = [
      null,
      "reached",
      {},
      { outcome: "reached" },
      { outcome: "inconclusive", message: "no" },
      { ...EVIDENCE.reached, latencyMs: -1 },
      { ...EVIDENCE.reached, latencyMs: 240_001 },
      { ...EVIDENCE.reached, latencyMs: "1" },
      { ...EVIDENCE.reached, extra: true },
      { ...EVIDENCE.failed, reason: "because" },
      { outcome: "looked_up", answer: {} },
      { outcome: "certified", latencyMs: 1, certificate: {}, detail: {} },
      failed({ message: "x".repeat(17 * 1024) }),
      failed({ deep }),
      failed([]),
      failed("text"),
    ].map((evidence) => ({ monitorId, evidence }));
    const good = [failed({ message: "a\u0000b 🦊" }), EVIDENCE.reached].map((evidence) => ({
      monitorId,
      evidence,
    }));
    expect(await observe(...bad, ...good)).toMatchObject({
      status: 200,
      recorded: good.length,
      refused: bad.length,
    });
  });

  test.each([
    ['{"outcome":"failed","reason":"timeout","detail":{"toString":1}}'],
    ['{"outcome":"failed","reason":"timeout","detail":{"__proto__":{"a":1}}}'],
    ['{"outcome":"failed","reason":"timeout","detail":{"message":"\\ud800"}}'],
    ['{"outcome":"reached","latencyMs":1e999,"detail":{}}'],
    ['{"toString":1}'],
  ])("gets no error with the evidence %s", async (evidence) => {
    const monitorId = await createOwn();
    const batch = JSON.stringify(hostile.probe.batch({ monitorId, evidence: "EVIDENCE" }));
    const { status } = await hostile.probe.send("POST", "results", batch.replace('"EVIDENCE"', evidence));
    expect(status).toBe(200);
    expect((await owner.get(`/api/v1/monitors/${monitorId}/results`)).status).toBe(200);
    expect(await observe({ monitorId })).toMatchObject({ status: 200, recorded: 1 });
  });

  test.each<[string, (batch: { stream: string; observations: object[] }) => unknown]>([
    ["no observations", (batch) => ({ ...batch, observations: [] })],
    ["501 observations", (batch) => ({ ...batch, observations: Array(501).fill(batch.observations[0]) })],
    ["another stream", (batch) => ({ ...batch, stream: "x" })],
    ["an unknown field", (batch) => ({ ...batch, more: 1 })],
    ["evidence beside the observations", (batch) => ({ ...batch, evidence: { toString: 1 } })],
    ["a sequence of 0", (batch) => ({ ...batch, observations: [{ ...batch.observations[0], sequence: 0 }] })],
    [
      "a sequence of 2^53",
      (batch) => ({ ...batch, observations: [{ ...batch.observations[0], sequence: 2 ** 53 }] }),
    ],
    ["a time of null", (batch) => ({ ...batch, observations: [{ ...batch.observations[0], at: null }] })],
    ["a list", (batch) => [batch]],
  ])("gets a 422 for a batch with %s", async (_, change) => {
    const monitorId = await createOwn();
    const { status } = await send(change(hostile.probe.batch({ monitorId })) as object);
    expect(status).toBe(422);
    expect(await resultsOf(monitorId)).toEqual([]);
  });

  test("behavior 7.18: gets a 422 for a batch that is malformed beside a deep evidence", async () => {
    const batch = JSON.stringify(hostile.probe.batch({ monitorId: "x", sequence: 0, evidence: "EVIDENCE" }));
    const evidence = "[".repeat(200_000) + "]".repeat(200_000);
    const answer = await hostile.probe.send("POST", "results", batch.replace('"EVIDENCE"', evidence));
    expect(answer).toMatchObject({ status: 422, body: { error: expect.stringContaining("sequence") } });
  });

  test("behavior 7.7: gets a 413 for a body of more than a MiB", async () => {
    const monitorId = await createOwn();
    const evidence = { ...EVIDENCE.failed, detail: { message: "x".repeat(1024 * 1024) } };
    expect((await observe({ monitorId, evidence })).status).toBe(413);
  });
});

describe("behavior 13.36: requests of one location", () => {
  test("get 429 if they are too many, and those of another location do not", async () => {
    const other = await createLocation(owner, "fra");
    const observe = () => hostile.probe.observe({ monitorId: "x" });
    const answers = await Promise.all(Array.from({ length: 150 }, observe));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body.error).toStartWith("Too many requests of this location");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await other.probe.observe({ monitorId: "x" })).status).toBe(200);
    expect((await hostile.probe.work()).status).toBe(200);
    expect((await owner.get("/api/v1/status")).status).toBe(200);
  });
});

describe("behavior 13.37: observations of one location", () => {
  test("get 429 if they are too many for its monitors, and then nothing of the batch is recorded", async () => {
    const config = { url: "http://127.0.0.1:1/", interval: 86_400 };
    const monitorId = await createOwn({ config });
    const now = server.now();
    const batch = (from: number) =>
      Array.from({ length: 500 }, (_, at) => ({ monitorId, at: now - 10_000 + from + at }));
    expect(await observe(...batch(0))).toMatchObject({ status: 200, recorded: 500 });
    expect(await observe(...batch(500))).toMatchObject({ status: 200, recorded: 500 });
    const refused = await hostile.probe.observe(...batch(1000));
    expect(refused.status).toBe(429);
    expect(refused.body.error).toStartWith("Too many observations of this location");
    // At one per second, beside the few of its monitor.
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(400);
    const newest = (await resultsOf(monitorId))[0];
    expect(Date.parse(newest.createdAt)).toBeLessThan(now - 9000);
  });

  test("have room for what its monitors give in a day", async () => {
    const config = { url: "http://127.0.0.1:1/", interval: 60 };
    const monitorId = await createOwn({ config });
    const now = server.now();
    const seen = (of: number) =>
      Array.from({ length: 480 }, (_, at) => ({ monitorId, at: now - (1440 - of - at) * 60_000 + 60_000 }));
    for (const start of [0, 480, 960])
      expect(await observe(...seen(start))).toMatchObject({ status: 200, refused: 0 });
  });
});
