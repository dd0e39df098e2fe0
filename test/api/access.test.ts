import { beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Answer } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { type Authority, createAuthority, createSelfSigned } from "../support/servers/certificates.ts";
import { answer, startHttpServer } from "../support/servers/http-answers.ts";
import { startHttpProxy } from "../support/servers/proxies.ts";
import { closedPort } from "../support/servers/tcp-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

interface Pair {
  certificate: string;
  key: string;
}

let authority: Authority;
let first: Pair;
let other: Pair;
let withPassphrase: string;
beforeAll(async () => {
  authority = await createAuthority();
  const pair = async (): Promise<Pair> => {
    const { cert, key } = await authority.issue([]);
    return { certificate: cert, key };
  };
  [first, other] = [await pair(), await pair()];
  const { createPrivateKey } = await import("node:crypto");
  withPassphrase = String(
    createPrivateKey(first.key).export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    }),
  );
});

const URL_ = "https://127.0.0.1:1/";
const configWith = (clientCertificate: object) => ({ url: URL_, interval: 86_400, clientCertificate });

/** Every way in which a config reaches this server, each with its answer; those that replace a config replace the one of a monitor. */
const ways: [name: string, send: (config: object) => Promise<Answer>][] = [
  ["POST", (config) => owner.post("/api/v1/monitors", { name: "New", type: "HTTP", config })],
  ["the test of a config", (config) => owner.post("/api/v1/probe", { type: "HTTP", config })],
  [
    "PATCH",
    async (config) => {
      const { id } = await createMonitor(owner, "HTTP", { config: configWith(first) });
      return owner.patch(`/api/v1/monitors/${id}`, { config });
    },
  ],
  [
    "PUT by ref",
    async (config) => {
      const put = (one: object) =>
        owner.put("/api/v1/monitors/by-ref/put", { name: "Put", type: "HTTP", config: one });
      expect((await put(configWith(first))).status).toBeLessThan(300);
      return put(config);
    },
  ],
  [
    "apply",
    async (config) => {
      const apply = (one: object) =>
        owner.post("/api/v1/apply", { monitors: { applied: { type: "HTTP", config: one } } });
      expect((await apply(configWith(first))).status).toBe(200);
      return apply(config);
    },
  ],
];

describe.each(ways)("by %s", (way, send) => {
  /** A document names the monitor, and the path is followed by a colon. */
  const refusal = (message: string) => ({
    status: 422,
    body: {
      error: way === "apply" ? `monitors.applied.${message.replace(" ", ": ")}` : message,
    },
  });

  test("behavior 26.11: a key of another certificate is refused", async () => {
    const mixed = { certificate: first.certificate, key: other.key };
    expect(await send(configWith(mixed))).toMatchObject(
      refusal(
        "config.clientCertificate.key must be the key of the first certificate in config.clientCertificate.certificate",
      ),
    );
  });

  test("behavior 26.134: a pattern that RE2 refuses is refused, also in a step, and another one is taken", async () => {
    const expecting = (matches: unknown) => ({ url: URL_, interval: 86_400, expect: { matches } });
    const why = "must be a pattern in the syntax of RE2: missing closing ): (b";
    expect(await send(expecting(["a", "(b"]))).toMatchObject(refusal(`config.expect.matches.1 ${why}`));
    const steps = [{ url: URL_ }, { url: URL_, expect: { matches: "(b" } }];
    expect(await send({ interval: 86_400, steps })).toMatchObject(
      refusal(`config.steps.1.expect.matches ${why}`),
    );
    expect((await send(expecting("(?i)^\\pL+$"))).status).toBeLessThan(300);
  });

  test("behavior 26.11: a malformed certificate is refused", async () => {
    const broken = first.certificate.replace(/\n[^\n]{20}/, "\nAAAAAAAAAAAAAAAAAAAA");
    const answered = await send(configWith({ ...first, certificate: broken }));
    expect(answered.status).toBe(422);
    expect(JSON.stringify(answered.body)).toMatch(/config\.clientCertificate\.certificate:? must be/);
  });

  test("behavior 26.11: a malformed certificate of the chain is refused", async () => {
    const broken = other.certificate.replace(/\n[^\n]{20}/, "\nAAAAAAAAAAAAAAAAAAAA");
    const answered = await send(configWith({ ...first, certificate: `${first.certificate}\n${broken}` }));
    expect(answered.status).toBe(422);
    expect(JSON.stringify(answered.body)).toMatch(/certificate 2 of its chain/);
  });

  test("behavior 26.11: a key with a passphrase is refused, and does not appear in the answer", async () => {
    const answered = await send(configWith({ ...first, key: withPassphrase }));
    expect(answered.status).toBe(422);
    expect(JSON.stringify(answered.body)).toMatch(/config\.clientCertificate\.key:? must .*passphrase/);
    expect(JSON.stringify(answered.body)).not.toContain(withPassphrase.split("\n")[1] ?? "");
  });

  test("behavior 26.11: a certificate with a private key is refused, because certificates are shown", async () => {
    const answered = await send(configWith({ ...first, certificate: `${first.certificate}\n${first.key}` }));
    expect(answered.status).toBe(422);
    expect(JSON.stringify(answered.body)).toMatch(
      /config\.clientCertificate\.certificate:? must have no private key/,
    );
  });

  test("behavior 26.11: a pair that fits is taken, also in the older form of its key", async () => {
    const { createPrivateKey } = await import("node:crypto");
    const sec1 = String(createPrivateKey(first.key).export({ type: "sec1", format: "pem" }));
    const { cert, key } = await createSelfSigned([], { bits: 2048, hash: "SHA-256" });
    const pkcs1 = String(createPrivateKey(key).export({ type: "pkcs1", format: "pem" }));
    for (const pair of [first, { ...first, key: sec1 }, { certificate: cert, key: pkcs1 }])
      expect((await send(configWith(pair))).status).toBeLessThan(300);
  });

  test("behavior 26.11: a key that is kept must fit a new certificate", async () => {
    if (way === "POST" || way === "the test of a config") return;
    const { status, body } = await send(configWith({ certificate: other.certificate, key: "•••" }));
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining("must be the key of the first certificate"),
    ]);
    const again = await send(configWith({ certificate: first.certificate, key: "•••" }));
    expect(again.status).toBeLessThan(300);
  });
});

test("behavior 26.11: a test keeps the stored key only for a certificate that it fits", async () => {
  const { id: monitorId } = await createMonitor(owner, "HTTP", { config: configWith(first) });
  const probe = (certificate: string) =>
    owner.post("/api/v1/probe", { type: "HTTP", config: configWith({ certificate, key: "•••" }), monitorId });
  expect((await probe(first.certificate)).status).toBe(200);
  expect((await probe(other.certificate)).status).toBe(422);
});

test("behavior 26.12: a result has the end of the client certificate if it is new, and the report has it always", async () => {
  const own = await authority.issue([]);
  using target = await startHttpServer(() => answer("200 OK"), {
    tls: { ...own, ca: authority.cert, requestCert: true },
  });
  const { cert, key } = await authority.issue([], { left: 10 });
  const config = {
    ...{ url: `https://127.0.0.1:${target.port}/`, interval: 86_400, verifyTls: false },
    clientCertificate: { certificate: cert, key },
  };
  const { id } = await createMonitor(owner, "HTTP", { config });
  await becomes(owner, id, "up");
  const client = { validTo: expect.stringMatching(/Z$/), daysLeft: 9 };
  const latest = async () => (await owner.get(`/api/v1/monitors/${id}/results`)).body.data;
  expect((await latest())[0].detail.tls.client).toEqual(client);
  await owner.post(`/api/v1/monitors/${id}/check`, {});
  await eventually(async () => (await latest()).length === 2);
  expect((await latest())[0].detail).not.toHaveProperty("tls");
  expect((await owner.get(`/api/v1/monitors/${id}/report`)).body.data.tls.client).toEqual(client);
  const renewed = await authority.issue([], { left: 30 });
  const patched = await owner.patch(`/api/v1/monitors/${id}`, {
    config: { ...config, clientCertificate: { certificate: renewed.cert, key: renewed.key } },
  });
  expect(patched.body.data.config.clientCertificate).toEqual({ certificate: renewed.cert, key: "•••" });
  await eventually(async () => (await latest()).length === 3);
  expect((await latest())[0].detail.tls.client.daysLeft).toBe(29);
});

test("behavior 26.30: a test says what is wrong with the proxy, with a code and without its password", async () => {
  using proxy = await startHttpProxy({ login: { user: "me", password: "right" } });
  const probe = (url: string) => {
    const config = { url: URL_, interval: 60, proxy: { url, user: "me", password: "xHUSHx" } };
    return owner.post("/api/v1/probe", { type: "HTTP", config });
  };
  expect(await probe(proxy.url)).toMatchObject({
    status: 409,
    body: {
      error:
        "the check could not be made: the proxy answered 407 Proxy Authentication Required: it does not accept config.proxy.user and config.proxy.password",
      code: "proxy_failed",
    },
  });
  expect(await probe(`socks5://127.0.0.1:${await closedPort()}`)).toMatchObject({
    status: 409,
    body: { code: "proxy_failed" },
  });
});

test("behavior 26.28: with --private-targets deny, a proxy is refused in each way, and a stored one is not used", async () => {
  await using denying = await TestServer.start({ probes: { privateTargets: "deny" } });
  const { client } = denying;
  const config = {
    url: "https://example.com/",
    interval: 60,
    proxy: { url: "http://proxy.example.com:3128" },
  };
  const monitor = { name: "Shop", type: "HTTP", config };
  const { id } = await createMonitor(client, "HTTP", {
    config: { url: config.url, interval: 60 },
    enabled: false,
  });
  const message =
    "config.proxy must be left out: a proxy could connect to private addresses (--private-targets deny)";
  for (const answered of [
    await client.post("/api/v1/monitors", monitor),
    await client.patch(`/api/v1/monitors/${id}`, { config }),
    await client.put("/api/v1/monitors/by-ref/shop", monitor),
    await client.post("/api/v1/probe", { type: "HTTP", config }),
  ])
    expect(answered).toMatchObject({ status: 422, body: { error: message } });
  const applied = await client.post("/api/v1/apply", { monitors: { shop: { type: "HTTP", config } } });
  expect(applied).toMatchObject({
    status: 422,
    body: { faults: [{ path: "monitors.shop.config.proxy", message: message.replace("config.proxy ", "") }] },
  });
});

test("behavior 26.31: a probe of an earlier version gets no monitors that it would check in another way", async () => {
  const { id, probe } = await createLocation(owner, "fra");
  const create = async (more: object) => {
    const config = { url: "https://127.0.0.1:9/", interval: 60, ...more };
    return (await createMonitor(owner, "HTTP", { config, locations: [id] })).id;
  };
  const plain = await create({ expect: { contains: "a" } });
  const certified = await create({ clientCertificate: first });
  const proxied = await create({ proxy: { url: "http://127.0.0.1:9" } });
  const matching = await create({ expect: { matches: ["a+"] } });
  const work = async (query = {}) => {
    const { monitors } = (await probe.work({ ping: "open", ...query })).body.data;
    return monitors.map(({ monitorId }: { monitorId: string }) => monitorId);
  };
  expect(await work()).toEqual([plain]);
  expect((await work({ can: "reach" })).sort()).toEqual([plain, certified, proxied, matching].sort());
});
