import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer, type TestDnsServer } from "../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../support/servers/http-answers.ts";
import { Receiver } from "../support/servers/receiver.ts";

const NAME = "several.test";
const [FIRST, SECOND] = ["127.0.0.2", "127.0.0.3"];
const OK = answer("200 OK", ["Content-Length: 2"], "ok");
const DAY = 86_400;

let dns: TestDnsServer;
let server: TestServer;
let client: Client;
let port: number;

beforeAll(async () => {
  dns = await startDnsServer({
    [`A ${NAME}`]: [SECOND, FIRST].map((data) => ({ type: "A", name: NAME, data })),
    [`AAAA ${NAME}`]: [],
  });
  server = await TestServer.start({ probes: { privateTargets: "allow", dnsServers: [dns] } });
  client = server.client;
});
beforeEach(async () => {
  port = await freePort();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  dns[Symbol.dispose]();
});

const latest = async (id: string) => (await client.get(`/api/v1/monitors/${id}/results`)).body.data[0];

async function checkAgain(id: string): Promise<void> {
  const before = (await latest(id)).id;
  await client.post(`/api/v1/monitors/${id}/check`);
  await eventually(async () => (await latest(id)).id !== before);
}

test("behavior 10.102, 10.107: a host that fails at one address is degraded, is notified as such, and recovers", async () => {
  await using receiver = new Receiver();
  const channel = await createChannel(client, { config: { url: receiver.url } });
  using first = await startHttpServer(() => OK, { host: FIRST, port });
  const config = { url: `http://${NAME}:${port}/`, interval: DAY, everyAddress: true };
  const { id, config: stored } = await createMonitor(client, "HTTP", {
    config,
    alertChannelIds: [channel.id],
  });
  expect(stored).toEqual(config);
  await becomes(client, id, "degraded");
  const detail = {
    ...{ statusCode: 200, address: FIRST, reason: "some_addresses" },
    message: expect.stringMatching(/^1 of 2 addresses fails: 127\.0\.0\.3: the connection was refused/),
    addresses: [
      { address: FIRST, seen: "up", latencyMs: expect.any(Number) },
      { address: SECOND, seen: "down", reason: "refused" },
    ],
  };
  const { latencyMs, ...result } = await latest(id);
  expect(latencyMs).toBeCloseTo(result.detail.addresses[0].latencyMs, 1);
  expect(result).toMatchObject({ status: "degraded", detail });
  const outages = await client.get(`/api/v1/outages?monitorId=${id}`);
  expect(outages.body.data).toMatchObject([{ reason: "some_addresses", status: "degraded" }]);

  using second = await startHttpServer(() => OK, { host: SECOND, port });
  await checkAgain(id);
  expect(await latest(id)).toMatchObject({
    status: "up",
    detail: { addresses: [{ seen: "up" }, { seen: "up" }] },
  });
  expect((await latest(id)).detail).not.toHaveProperty("reason");
  await eventually(() => receiver.received.length === 2);
  expect(receiver.received.map(({ payload }) => payload.data)).toMatchObject([
    { status: "degraded", result: { detail } },
    { previousStatus: "degraded", status: "up" },
  ]);

  for (const target of [first, second]) target[Symbol.dispose]();
  await checkAgain(id);
  expect(await latest(id)).toMatchObject({
    status: "down",
    latencyMs: null,
    detail: { reason: "refused", addresses: [{ seen: "down" }, { seen: "down" }] },
  });
}, 300_000);

test("behavior 10.104: the certificate of any address that ends soon is the one of the report", async () => {
  const authority = await createAuthority();
  const names = [{ type: "dns" as const, value: NAME }];
  using first = await startHttpServer(() => OK, { host: FIRST, port, tls: await authority.issue(names) });
  const tls = await authority.issue(names, { left: 3 });
  using second = await startHttpServer(() => OK, { host: SECOND, port, tls });
  const url = `https://${NAME}:${port}/`;
  const config = { url, interval: DAY, everyAddress: true, verifyTls: false, expiryWarning: 14 };
  const { id } = await createMonitor(client, "HTTP", { config });
  await becomes(client, id, "degraded");
  expect((await latest(id)).detail).toMatchObject({ reason: "expires_soon", tls: { daysLeft: 2 } });
  expect((await client.get(`/api/v1/monitors/${id}/report`)).body.data.tls).toMatchObject({ daysLeft: 2 });

  const { id: other } = await createMonitor(client, "TLS", {
    config: { host: NAME, port, interval: DAY, everyAddress: true },
  });
  await becomes(client, other, "expiring_soon");
  expect((await latest(other)).detail.addresses).toMatchObject([
    { address: FIRST, seen: "active" },
    { address: SECOND, seen: "expiring_soon" },
  ]);
  void [first, second];
}, 300_000);

test("behavior 10.30, 10.102: a test of a config shows the answer that fails", async () => {
  using first = await startHttpServer(() => OK, { host: FIRST, port });
  using second = await startHttpServer(() => answer("503 Service Unavailable"), { host: SECOND, port });
  const config = { url: `http://${NAME}:${port}/`, interval: 60, everyAddress: true, expect: {} };
  const { body } = await client.post("/api/v1/probe", { type: "HTTP", config });
  expect(body.data).toMatchObject({
    status: "degraded",
    detail: { reason: "some_addresses", addresses: [{ seen: "up" }, { seen: "down", reason: "unexpected" }] },
    answer: { statusCode: 503 },
    failedExpectation: "503 Service Unavailable, expected 2xx",
  });
  void [first, second];
});

test("behavior 10.30, 10.103: a test of a config shows an answer also if another address gives none", async () => {
  using second = await startHttpServer(() => answer("503 Service Unavailable"), { host: SECOND, port });
  const config = { url: `http://${NAME}:${port}/`, interval: 60, everyAddress: true, expect: {} };
  const { body } = await client.post("/api/v1/probe", { type: "HTTP", config });
  expect(body.data).toMatchObject({
    status: "down",
    detail: { addresses: [{ reason: "refused" }, { reason: "unexpected" }] },
    answer: { statusCode: 503 },
    failedExpectation: "503 Service Unavailable, expected 2xx",
  });
  void second;
});

test("behavior 10.100, 13.5: a location sees the addresses of its own, and an old probe sees one", async () => {
  const { id: location, probe } = await createLocation(client, "Frankfurt");
  const config = { host: NAME, port, interval: DAY, everyAddress: true };
  const { id } = await createMonitor(client, "TCP", { config, locations: [location] });
  expect((await probe.work()).body.data.monitors).toMatchObject([{ monitorId: id, config }]);
  const up = { outcome: "reached", latencyMs: 5, detail: {} };
  const down = { outcome: "failed", reason: "refused", detail: { message: "no" } };
  const addresses = [
    { address: "192.0.2.1", evidence: up },
    { address: "2001:db8::1", evidence: down },
  ];
  const evidence = { outcome: "by_address", addresses, omitted: 1 };
  expect((await probe.observe({ monitorId: id, evidence, at: server.now() })).body).toMatchObject({
    data: { recorded: 1 },
  });
  await becomes(client, id, "degraded");
  expect((await latest(id)).detail).toMatchObject({
    location: "Frankfurt",
    reason: "some_addresses",
    addresses: [
      { address: "192.0.2.1", seen: "up", latencyMs: 5 },
      { address: "2001:db8::1", seen: "down", reason: "refused" },
    ],
    omitted: { addresses: 1 },
  });
  await probe.observe({ monitorId: id, evidence: up, at: server.now() });
  await becomes(client, id, "up");
}, 300_000);
