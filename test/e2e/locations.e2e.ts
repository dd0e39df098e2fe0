import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { Binary, type RunningProbe, type RunningServer } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { HttpTarget } from "../support/servers/targets.ts";

interface Result {
  id: string;
  status: string;
  createdAt: string;
  detail: { location?: string; seen?: { status: string } } | null;
}

const PATIENCE = 120_000;
const LONG = 300_000;
setDefaultTimeout(LONG);

const binary = new Binary();
let port: number;
let server: RunningServer;
let client: Client;
let target: HttpTarget;
let key: string;
let locationId: string;
let monitorId: string;
let probe: RunningProbe;

beforeAll(async () => {
  port = await freePort();
  target = new HttpTarget();
  server = await serve();
  client = await server.client();
  const { body } = await client.post("/api/v1/locations", { name: "fra" });
  ({ key, id: locationId } = body.data);
}, LONG);
afterAll(async () => {
  await binary[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

const serve = () => binary.serve(["--port", `${port}`]);
const startProbe = (given = key) =>
  binary.probe({ server: `http://127.0.0.1:${port}`, key: given, dataDir: "fra" });

/** The latest results of a location, most recent first. */
async function resultsOf(location: string): Promise<Result[]> {
  const { body } = await client.get(`/api/v1/monitors/${monitorId}/results?limit=200`);
  return body.data.filter(({ detail }: Result) => detail?.location === location);
}

/** Waits for results of a location that were recorded after now. */
async function moreOf(location: string, count: number, filter = (_: Result) => true): Promise<Result[]> {
  const known = new Set((await resultsOf(location)).map(({ id }) => id));
  return eventually(async () => {
    const found = (await resultsOf(location)).filter((result) => !known.has(result.id) && filter(result));
    return found.length >= count && found;
  }, PATIENCE);
}

const state = async () => {
  const { body } = await client.get("/api/v1/locations");
  return body.data.find(({ id }: { id: string }) => id === locationId);
};

test("a monitor is checked from the server and from a probe, and is down when both see it", async () => {
  expect(await state()).toMatchObject({ state: "new" });
  probe = await startProbe();
  await eventually(() => probe.printed.includes("probe of location fra is connected to"), PATIENCE);
  expect(await state()).toMatchObject({ state: "connected" });
  const { body } = await client.post("/api/v1/monitors", {
    name: "shop",
    type: "HTTP",
    config: { url: target.url, interval: 1 },
    locations: ["here", locationId],
  });
  monitorId = body.data.id;
  await Promise.all([moreOf("here", 2), moreOf("fra", 2)]);
  await target.break();
  await Promise.all(["here", "fra"].map((name) => moreOf(name, 1, ({ status }) => status === "down")));
  target.fix();
  await Promise.all(["here", "fra"].map((name) => moreOf(name, 1, ({ status }) => status === "up")));
});

test("behavior 13.41: when one location sees trouble, the other checks at once, and not only in its own slot", async () => {
  await using other = new HttpTarget();
  const { body } = await client.post("/api/v1/monitors", {
    name: "two places",
    type: "HTTP",
    config: { url: other.url, interval: 20 },
    locations: ["here", locationId],
  });
  const results = async (): Promise<Result[]> =>
    (await client.get(`/api/v1/monitors/${body.data.id}/results`)).body.data;
  await eventually(async () => (await results()).length >= 2, PATIENCE);
  await other.break();
  const failing = await eventually(async () => {
    const found = (await results()).filter(({ status, detail }) =>
      [status, detail?.seen?.status].includes("down"),
    );
    return found.length >= 2 && found;
  }, PATIENCE);
  const [second, first] = failing.slice(-2).map(({ createdAt }) => Date.parse(createdAt));
  // Their slots are ten seconds apart.
  expect((second ?? 0) - (first ?? 0)).toBeLessThan(8000);
  expect(failing[0]?.status).toBe("down");
  expect(new Set(failing.map(({ detail }) => detail?.location))).toEqual(new Set(["here", "fra"]));
  await client.patch(`/api/v1/monitors/${body.data.id}`, { locations: ["here"] });
});

test("behavior 13.42, 13.43: what a probe saw while the server was stopped is in the history, once, also if it was killed", async () => {
  expect(await server.end("SIGTERM")).toBe(0);
  const stoppedAt = Date.now();
  const requestsFrom = (least: number) => {
    const before = target.requests;
    return eventually(() => target.requests >= before + least, PATIENCE);
  };
  await requestsFrom(3);
  await probe.kill();
  probe = await startProbe();
  // The last request of each may belong to a check that did not end in that time.
  await requestsFrom(3);
  const startedAt = Date.now();
  server = await serve();
  await eventually(async () => {
    const between = (await resultsOf("fra")).filter(
      ({ createdAt }) => Date.parse(createdAt) > stoppedAt && Date.parse(createdAt) < startedAt,
    );
    return between.length >= 4;
  }, PATIENCE);
  await moreOf("fra", 2);
  const all = await resultsOf("fra");
  expect(new Set(all.map(({ createdAt }) => createdAt)).size).toBe(all.length);
});

test("behavior 13.48: SIGTERM stops a probe, whose next start goes on where it was", async () => {
  expect(await probe.end("SIGTERM")).toBe(0);
  probe = await startProbe();
  await moreOf("fra", 1);
});

test("behavior 13.45: the probe of a deleted location checks nothing any more", async () => {
  await client.patch(`/api/v1/monitors/${monitorId}`, { locations: ["here"] });
  expect((await client.delete(`/api/v1/locations/${locationId}`)).status).toBe(200);
  await eventually(() => probe.hasLogged("does not accept the key"), PATIENCE);
  expect(await probe.end("SIGTERM")).toBe(0);
});

test("behavior 13.45: a probe with a key of no location says so", async () => {
  const other = await startProbe(`stillup_probe_${"x".repeat(43)}`);
  await eventually(() => other.hasLogged("does not accept the key"), PATIENCE);
  expect(await other.end("SIGTERM")).toBe(0);
});

test("a probe whose server does not run yet connects when it does", async () => {
  const { body } = await client.post("/api/v1/locations", { name: "nyc" });
  await server.end("SIGTERM");
  const early = await startProbe(body.data.key);
  await eventually(() => early.hasLogged("can't be reached"), PATIENCE);
  server = await serve();
  await eventually(() => early.printed.includes("location nyc"), PATIENCE);
  expect(await early.end("SIGTERM")).toBe(0);
});
