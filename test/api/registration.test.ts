import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { createAuthority, type ServerCertificate } from "../support/servers/certificates.ts";
import { Registry } from "../support/servers/registry.ts";

setDefaultTimeout(300_000);

// The hosts are names of this machine (RFC 6761), so that each of them is a domain by the default rule of the list.
const HOST = "shop.localhost";

let registry: Registry;
let server: TestServer;
let certificate: ServerCertificate;
let target: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  const authority = await createAuthority();
  certificate = await authority.issue([{ type: "dns", value: HOST }], { left: 300 });
  target = Bun.serve({ hostname: "127.0.0.1", port: 0, tls: certificate, fetch: () => new Response() });
});

afterAll(() => target.stop(true));

beforeEach(async () => {
  registry = new Registry();
  server = await TestServer.start({ rdapSource: registry.listed("localhost") });
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  registry[Symbol.dispose]();
});

/** @param registration null leaves it out */
const monitor = (registration: unknown, changes: object = {}) => ({
  name: "Shop",
  type: "TLS",
  config: {
    host: HOST,
    port: target.port,
    interval: 86_400,
    ...(registration !== null && { registration }),
    ...changes,
  },
});

async function create(registration: unknown = true, changes: object = {}) {
  const { status, body } = await server.client.post("/api/v1/monitors", monitor(registration, changes));
  expect([status, body]).toEqual([201, body]);
  return body.data;
}

function firstResult(id: string) {
  return eventually(async () => {
    const { body } = await server.client.get(`/api/v1/monitors/${id}/results`);
    return body.data[0];
  });
}

const facts = {
  domain: HOST,
  expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
  registrar: "Example Registrar Inc.",
  statuses: ["clientTransferProhibited", "ok"],
};

test("behavior 20.72, 20.76: the answer of the registry is in the monitor, and in results with a certificate", async () => {
  registry.knows(HOST);
  const created = await create();
  expect(created.registration).toEqual(facts);
  const result = await firstResult(created.id);
  expect(result).toMatchObject({ status: "active", detail: { registration: facts } });
  expect(result.detail.reason).toBeUndefined();
  const { body } = await server.client.get(`/api/v1/monitors/${created.id}`);
  expect(body.data).toMatchObject({ config: { registration: true }, registration: facts });
});

test("behavior 20.76, 20.77: the worse of certificate and registration is the status, with its reason", async () => {
  registry.knows(HOST, { days: 29.5 });
  const soon = await firstResult((await create()).id);
  expect(soon).toMatchObject({
    status: "expiring_soon",
    detail: {
      reason: "registration",
      message: expect.stringMatching(
        /^the registration of shop.localhost expires in 29 days, on \d{4}-\d\d-\d\d$/,
      ),
    },
  });
  const later = await firstResult((await create({ warnDays: 7 })).id);
  expect(later.status).toBe("active");
  const both = await firstResult((await create(true, { warnDays: 365 })).id);
  expect(both.status).toBe("expiring_soon");
  expect(both.detail.reason).toBeUndefined();
});

test("behavior 20.76: what holds a domain back is worse than its certificate", async () => {
  registry.knows(HOST, { status: ["client hold"] });
  const held = await firstResult((await create()).id);
  expect(held).toMatchObject({
    status: "expired",
    detail: { message: "the registration of shop.localhost is suspended by the registrar" },
  });
});

test("behavior 20.76: a target without a certificate has that status, whatever is registered", async () => {
  registry.knows(HOST, { days: -5 });
  const failed = await firstResult((await create(true, { port: 1 })).id);
  expect(failed.status).toBe("no_cert");
  expect(failed.detail.registration).toBeUndefined();
});

test("behavior 20.72: what can't be looked up is refused, also by ref, by PATCH and in a document", async () => {
  registry.knows(HOST, { events: [] });
  const { client } = server;
  const noRdap = "the registry of .de offers no RDAP";
  const refused = await client.post("/api/v1/monitors", monitor(true, { host: "www.shop.de" }));
  expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining(noRdap)]);
  const noDate = "config.registration must be left out: the registry of shop.localhost does not say when";
  for (const request of [
    client.post("/api/v1/monitors", monitor({ warnDays: 7 })),
    client.put("/api/v1/monitors/by-ref/shop", monitor(true)),
  ]) {
    const { status, body } = await request;
    expect([status, body.error]).toEqual([422, expect.stringContaining(noDate)]);
  }
  const { id, config } = await create(null);
  const changed = await client.patch(`/api/v1/monitors/${id}`, { config: { ...config, registration: true } });
  expect([changed.status, changed.body.error]).toEqual([422, expect.stringContaining(noDate)]);
  const { name: _, ...entry } = monitor(true);
  const applied = await client.post("/api/v1/apply", { monitors: { shop: entry } });
  expect([applied.status, applied.body.faults]).toEqual([
    422,
    [{ path: "monitors.shop.config.registration", message: expect.stringContaining("does not say when") }],
  ]);
  expect(registry.asked).toEqual([HOST]);
});

test("behavior 20.72: a fault of the registry does not keep a monitor from being saved", async () => {
  registry.answers.set(HOST, () => new Response("busy", { status: 503 }));
  const created = await create();
  expect(created.registration).toBeNull();
  const result = await firstResult(created.id);
  expect(result).toMatchObject({ status: "active", detail: { registration: null } });
  const { config } = created;
  const changed = await server.client.patch(`/api/v1/monitors/${created.id}`, {
    config: { ...config, registration: { warnDays: 7 } },
  });
  expect([changed.status, changed.body.data.registration]).toEqual([200, null]);
  expect(registry.asked).toHaveLength(1);
});

test("behavior 20.70: organizations share what a registry said, and other monitors have nothing of it", async () => {
  registry.knows(HOST);
  await create();
  const other = await server.organization();
  const { body } = await other.post("/api/v1/monitors", monitor(true));
  expect([body.data.registration, registry.asked]).toEqual([facts, [HOST]]);
  const plain = await create(null);
  expect("registration" in plain).toBe(false);
  expect("registration" in (await firstResult(plain.id)).detail).toBe(false);
});

test("behavior 20.70: what a location sees is judged with what this server knows", async () => {
  registry.knows(HOST, { days: 10 });
  const { id, probe } = await createLocation(server.client, "Berlin");
  const placed = await server.client.post("/api/v1/monitors", { ...monitor(true), locations: [id] });
  const { id: monitorId } = placed.body.data;
  const certificate = seenCertificate(server.now());
  const sent = await probe.observe({
    monitorId,
    at: server.now(),
    evidence: { outcome: "certified", latencyMs: 5, certificate, detail: {} },
  });
  expect(sent.body.data).toMatchObject({ recorded: 1 });
  expect(await firstResult(monitorId)).toMatchObject({
    status: "expiring_soon",
    detail: { location: "Berlin", reason: "registration", registration: { domain: HOST } },
  });
});

test("behavior 20.72: a configuration document keeps the registration", async () => {
  registry.knows(HOST);
  const { name: _, ...entry } = monitor({ warnDays: 60 });
  const { status } = await server.client.post("/api/v1/apply", { monitors: { shop: entry } });
  expect(status).toBe(200);
  const { body } = await server.client.get("/api/v1/export");
  expect(body.data.document.monitors.shop.config.registration).toEqual({ warnDays: 60 });
});

/** A certificate as a probe sends it. */
function seenCertificate(now: number) {
  const day = 24 * 60 * 60 * 1000;
  return {
    authorized: true,
    authorizationError: null,
    subject: "CN=shop",
    issuer: "CN=authority",
    names: [HOST],
    validFrom: new Date(now - day).toISOString(),
    validTo: new Date(now + 100 * day).toISOString(),
    fingerprint: Array(32).fill("AB").join(":"),
    protocol: "TLSv1.3",
  };
}
