import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { createLocation, EVIDENCE, type ProbeClient } from "../support/requests/probe-client.ts";
import { scrape } from "../support/requests/scrape.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

let names = 0;

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

function newLocation(client = owner) {
  return createLocation(client, `place ${++names}`);
}

/** The markers that the next request repeats. */
async function markers(probe: ProbeClient): Promise<{ revision: number; after: number }> {
  const { revision, after } = (await probe.work()).body.data;
  return { revision, after };
}

/** Whether a request is still held after some looks for something new. */
async function isHeld(request: Promise<unknown>): Promise<boolean> {
  const answered = request.then(() => "answered");
  return (await Promise.race([answered, Bun.sleep(600).then(() => "held")])) === "held";
}

describe("behavior 13.33: the protocol", () => {
  test("is named in the header of every answer", async () => {
    const { probe } = await newLocation();
    for (const { headers } of [
      await probe.work(),
      await probe.observe({ monitorId: "x" }),
      await probe.send("POST", "results", "{"),
      await owner.get("/api/v1/probe/work"),
    ])
      expect(headers.get("stillup-protocol")).toBe("2");
  });

  test.each([
    ["3", "got 3"],
    ["0", "got 0"],
    ["", "got another text"],
    ["1.5", "got another text"],
    ["1.0", "got another text"],
    ["0x1", "got another text"],
  ])("that the server does not understand, %p, is a 422 that names both versions", async (version, got) => {
    const { probe } = await newLocation();
    const error = `the header stillup-protocol must be 1 or 2, which this server understands, ${got}`;
    const headers = { "stillup-protocol": version };
    for (const { status, body } of [
      await probe.work({}, headers),
      await probe.send("POST", "results", probe.batch({ monitorId: "x" }), headers),
    ])
      expect({ status, body }).toEqual({ status: 422, body: { error } });
  });

  test("is required", async () => {
    const { probe } = await newLocation();
    const { status, body } = await owner.as(probe.key).get("/api/v1/probe/work");
    expect({ status, body }).toEqual({
      status: 422,
      body: { error: "the header stillup-protocol must be 1 or 2, which this server understands, got none" },
    });
  });
});

describe("behavior 13.34: a request for work", () => {
  test.each([["revision="], ["revision=-1"], ["after=1.5"], ["waiting=x"], [`dropped=${"9".repeat(16)}`]])(
    "with %s is a 422",
    async (query) => {
      const { probe } = await newLocation();
      const [name] = query.split("=");
      expect(await probe.send("GET", `work?${query}`)).toMatchObject({
        status: 422,
        body: { error: `${name} must be 1 to 15 digits` },
      });
    },
  );

  test("without a revision is answered at once, with the enabled monitors of the location only", async () => {
    const [{ id, probe }, other] = [await newLocation(), await newLocation()];
    const config = { url: "http://127.0.0.1:1/", interval: 60, headers: { "X-Api-Key": "5f2c81d09a" } };
    const monitor = await createMonitor(owner, "HTTP", { config, locations: ["here", id] });
    const paused = await createMonitor(owner, "TCP", { locations: [id] });
    await owner.patch(`/api/v1/monitors/${paused.id}`, { enabled: false });
    await createMonitor(owner, "TCP", { locations: [other.id] });
    await createMonitor(owner, "TCP");
    const before = server.now();
    const { status, body } = await probe.work();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      location: { id },
      monitors: [{ monitorId: monitor.id, revision: 0, type: "HTTP", config, offset: 30_000 }],
      rechecks: [],
    });
    expect(body.data.monitors).toHaveLength(1);
    expect(body.data.now).toBeGreaterThanOrEqual(before);
  });

  test("is held until its monitors change", async () => {
    const { id, probe } = await newLocation();
    const { id: monitorId } = await createMonitor(owner, "TCP", { locations: [id] });
    const changes = [{ locations: ["here", id] }, { enabled: false }, { enabled: true }];
    for (const change of changes) {
      const request = probe.work(await markers(probe));
      expect(await isHeld(request)).toBe(true);
      await owner.patch(`/api/v1/monitors/${monitorId}`, change);
      expect((await request).body.data.monitors).toHaveLength(change.enabled === false ? 0 : 1);
    }
    const request = probe.work(await markers(probe));
    await owner.delete(`/api/v1/monitors/${monitorId}`);
    expect((await request).body.data.monitors).toEqual([]);
  });

  test("is not answered for changes of monitors that other locations check", async () => {
    const [{ probe }, other] = [await newLocation(), await newLocation()];
    const request = probe.work(await markers(probe));
    await createMonitor(owner, "TCP", { locations: [other.id] });
    await createMonitor(owner, "TCP");
    expect(await isHeld(request)).toBe(true);
    await probe.work();
    await probe.work();
  });

  test("is answered with the re-checks as soon as another location sees trouble", async () => {
    const [a, b] = [await newLocation(), await newLocation()];
    for (const { probe } of [a, b]) await probe.work();
    const { id: monitorId } = await createMonitor(owner, "TCP", { locations: [a.id, b.id], downWhen: "all" });
    for (const { probe } of [a, b]) await probe.observe({ monitorId });
    const request = b.probe.work(await markers(b.probe));
    expect(await isHeld(request)).toBe(true);
    await a.probe.observe({ monitorId, evidence: EVIDENCE.failed });
    const { data } = (await request).body;
    expect(data.rechecks).toEqual([{ monitorId, at: expect.any(Number) }]);
    expect(data).not.toHaveProperty("monitors");

    const next = b.probe.work(data);
    expect(await isHeld(next)).toBe(true);
    await b.probe.observe({ monitorId, evidence: EVIDENCE.failed });
    expect((await owner.get(`/api/v1/monitors/${monitorId}`)).body.data.status).toBe("down");
    expect((await markers(b.probe)).after).toBe(0);
  });

  test("is answered with nothing new if two later ones are held", async () => {
    const { probe } = await newLocation();
    const marker = await markers(probe);
    const [first, second, third] = [1, 2, 3].map(() => probe.work(marker));
    const answered = await Promise.race([first, second, third].map(async (one, at) => (await one) && at));
    expect([0, 1, 2]).toContain(answered ?? -1);
    const rest = [first, second, third].filter((_, at) => at !== answered);
    for (const one of rest) expect(await isHeld(one as Promise<unknown>)).toBe(true);
  });

  test("is answered at once when the server stops", async () => {
    const stopped = await TestServer.start();
    const { probe } = await createLocation(stopped.client, "fra");
    const request = probe.work(await markers(probe));
    expect(await isHeld(request)).toBe(true);
    const [{ status, body }] = await Promise.all([request, stopped[Symbol.asyncDispose]()]);
    expect({ status, rechecks: body.data.rechecks }).toEqual({ status: 200, rechecks: [] });
  });

  test("has a compressed answer if the probe accepts it", async () => {
    const client = await server.organization();
    const { id, probe } = await newLocation(client);
    const url = `http://127.0.0.1:1/${"x".repeat(1000)}`;
    for (let at = 0; at < 5; at++)
      await createMonitor(client, "HTTP", { config: { url, interval: 60 }, locations: [id] });
    const { headers, body } = await probe.work({}, { "accept-encoding": "gzip" });
    expect(headers.get("stillup-protocol")).toBe("2");
    expect(headers.get("vary")).toBe("accept-encoding");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.data.monitors).toHaveLength(5);
  });

  test.each(["revision=-1", "revision=1.5", "after=x", "waiting=1e3", "dropped=1234567890123456"])(
    "with %s is a 422",
    async (query) => {
      const { probe } = await newLocation();
      expect((await probe.send("GET", `work?${query}`)).status).toBe(422);
    },
  );
});

describe("behavior 13.35: observations", () => {
  test("are results of their monitor with the name of the location, after the answer", async () => {
    const { id, probe } = await newLocation();
    await probe.work();
    const { id: monitorId } = await createMonitor(owner, "HTTP", { locations: [id] });
    const at = server.now() - 1000;
    const { status, body } = await probe.observe({ monitorId, at });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { now: expect.any(Number), recorded: 1, repeated: 0, ignored: 0, refused: 0 } },
    });
    const { data } = (await owner.get(`/api/v1/monitors/${monitorId}/results`)).body;
    expect(data).toMatchObject([
      {
        status: "up",
        latencyMs: 12.5,
        detail: { statusCode: 200, location: `place ${names}` },
        createdAt: new Date(at).toISOString(),
      },
    ]);
    expect((await owner.get(`/api/v1/monitors/${monitorId}`)).body.data.status).toBe("up");
  });

  test("notify the channels, and count in the metrics", async () => {
    const client = await server.organization();
    const { id, probe } = await newLocation(client);
    await probe.work();
    const alertChannelIds = [(await createChannel(client)).id];
    const { id: monitorId } = await createMonitor(client, "HTTP", { locations: [id], alertChannelIds });
    await probe.observe({ monitorId, evidence: EVIDENCE.failed });
    const { samples } = await scrape(client);
    const counted = samples.filter(({ name }) => name === "stillup_checks_total");
    expect(counted).toMatchObject([{ labels: { type: "HTTP", status: "down" }, value: 1 }]);
    await eventually(async () => {
      const [result] = (await client.get(`/api/v1/monitors/${monitorId}/results`)).body.data;
      return result.status === "down" && result.alertOutcome?.channels[0].attempts > 0;
    });
  });

  test("behavior 13.12: let this server check at once if they see trouble", async () => {
    await using target = new HttpTarget();
    const { id, probe } = await newLocation();
    await probe.work();
    const config = { url: target.url, interval: 86_400 };
    const { id: monitorId } = await createMonitor(owner, "HTTP", { config, locations: ["here", id] });
    await eventually(() => target.requests === 1);
    await probe.observe({ monitorId });
    await becomes(owner, monitorId, "up");
    await probe.observe({ monitorId, evidence: EVIDENCE.failed });
    await eventually(() => target.requests === 2);
    expect((await owner.get(`/api/v1/monitors/${monitorId}`)).body.data.status).toBe("up");
  });

  test("of one batch are recorded in the order of their times", async () => {
    const { id, probe } = await newLocation();
    await probe.work();
    const { id: monitorId } = await createMonitor(owner, "HTTP", { locations: [id] });
    const now = server.now();
    await probe.observe(
      { monitorId, at: now, evidence: EVIDENCE.failed },
      { monitorId, at: now - 2000 },
      { monitorId, at: now - 1000 },
    );
    expect((await owner.get(`/api/v1/monitors/${monitorId}`)).body.data.status).toBe("down");
  });

  test("of another stream have sequences of their own", async () => {
    const { id, probe } = await newLocation();
    await probe.work();
    const { id: monitorId } = await createMonitor(owner, "HTTP", { locations: [id] });
    const batch = probe.batch({ monitorId });
    expect((await probe.send("POST", "results", batch)).body.data).toMatchObject({ recorded: 1 });
    expect((await probe.send("POST", "results", batch)).body.data).toMatchObject({
      recorded: 0,
      repeated: 1,
    });
    const other = { ...probe.batch({ monitorId, sequence: 1 }), stream: "b".repeat(22) };
    expect((await probe.send("POST", "results", other)).body.data).toMatchObject({ recorded: 1 });
  });
});
