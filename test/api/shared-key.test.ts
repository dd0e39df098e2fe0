import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createLocation, ProbeClient } from "../support/requests/probe-client.ts";

let server: TestServer;
let warnings: { location?: string; msg: string }[] = [];
let names = 0;

beforeAll(async () => {
  const log = createLogger({ level: "warn" }, (line: string) => void warnings.push(JSON.parse(line)));
  server = await TestServer.start({}, log);
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  warnings = [];
});

/** A location with two probes that use its key, and a monitor that it checks. */
async function shared() {
  const name = `place ${++names}`;
  const { id, probe } = await createLocation(server.client, name);
  const config = { url: "http://127.0.0.1:1/", interval: 3600 };
  const { id: monitorId } = await createMonitor(server.client, "HTTP", { config, locations: [id] });
  const other = new ProbeClient(server.client, probe.key, "b".repeat(22));
  const observe = async (client: ProbeClient) => {
    const { status, body } = await client.observe({ monitorId, at: server.now() });
    expect({ status, recorded: body.data?.recorded }).toEqual({ status: 200, recorded: 1 });
  };
  const warned = () => warnings.filter(({ location }) => location === name).map(({ msg }) => msg);
  const report = async () => {
    const { body } = await server.client.get("/api/v1/locations/report");
    return body.data.find((location: { id: string }) => location.id === id);
  };
  return { id, probe, other, observe, warned, report };
}

const WARNING = expect.stringContaining("give each probe its own key");

test("behavior 13.72: a probe that was installed again is no second probe", async () => {
  const { probe, other, observe, warned, report } = await shared();
  for (const client of [probe, probe, other, other]) await observe(client);
  expect(await report()).not.toHaveProperty("keySharedAt");
  expect(warned()).toEqual([]);
});

test("behavior 13.73: two probes with one key are logged once and reported, until 10 minutes after the last return", async () => {
  const { id, probe, other, observe, warned, report } = await shared();
  const before = server.now();
  for (const client of [probe, other, probe, other, other, probe]) await observe(client);
  const { keySharedAt } = await report();
  expect(Date.parse(keySharedAt)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(keySharedAt)).toBeLessThanOrEqual(server.now());
  expect(warned()).toEqual([WARNING]);
  expect((await server.client.get(`/api/v1/locations/${id}`)).body.data).not.toHaveProperty("keySharedAt");

  const returnedAt = server.now() - 10 * 60_000;
  await server.db.run("UPDATE locations SET stream_returned_at = $1 WHERE id = $2", returnedAt, id);
  await observe(probe);
  expect(await report()).not.toHaveProperty("keySharedAt");
  expect(warned()).toHaveLength(1);

  for (const client of [other, probe]) await observe(client);
  expect(await report()).toHaveProperty("keySharedAt");
  expect(warned()).toEqual([WARNING, WARNING]);
});
