import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import type { CheckFacts } from "../../../src/domain/evidence/evidence.ts";
import type { MonitorConfig, ProbedType } from "../../../src/domain/monitors/monitor.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import {
  type Authority,
  createAuthority,
  type ServerCertificate,
} from "../../support/servers/certificates.ts";
import { startDeafServer } from "../../support/servers/deaf-server.ts";
import { type Reply, startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { startResettingServer } from "../../support/servers/resetting-server.ts";
import { startTalking } from "../../support/servers/talking-server.ts";
import { answering, closedPort, silent, startServer } from "../../support/servers/tcp-server.ts";

setDefaultTimeout(60_000);

const HERE = "127.0.0.1";
const NAME = "shop.test";

type Options = Parameters<typeof observation>[2];
type Given = { facts: CheckFacts; told: string[] | undefined; reason: string };

async function failed<T extends ProbedType>(
  type: T,
  config: Omit<MonitorConfig<T>, "interval">,
  options: Options = {},
): Promise<Given> {
  const seen: Observation = await observation(type, config, { timeout: 5000, ...options });
  if (seen.outcome !== "failed" || !seen.facts) throw new Error(`no facts: ${JSON.stringify(seen)}`);
  return { facts: seen.facts, told: seen.told, reason: seen.reason };
}

const a = (...all: string[]) => all.map((data) => ({ type: "A" as const, name: NAME, data }));

/** Tries a closed port at a name. */
async function named(reply: Reply | Record<string, Reply>, options: Options = {}) {
  const replies =
    Array.isArray(reply) || typeof reply === "string" || "code" in reply ? { [NAME]: reply } : reply;
  using dns = await startDnsServer(replies as Record<string, Reply>);
  const config = { host: NAME, port: await closedPort() };
  const seen = await failed("TCP", config, { dnsServers: [dns], ...options });
  return { ...seen, server: `${HERE}:${dns.port}` };
}

test.each<[string, Reply, string]>([
  ["does not exist", { code: "NXDOMAIN" }, "NXDOMAIN"],
  ["has no address", [], "NODATA"],
  ["is refused by its server", { code: "REFUSED" }, "REFUSED"],
  ["fails at its server", { code: "SERVFAIL" }, "SERVFAIL"],
])("behavior 22.11: of a name that %s, the facts have the server and its code", async (_, reply, code) => {
  const { facts, told, server } = await named(reply);
  expect(facts).toEqual({
    step: "dns",
    dns: { server, code, records: [], tookMs: expect.any(Number) },
    tls: null,
    http: null,
  });
  expect(told).toBeUndefined();
});

test("behavior 22.11: the silence of all DNS servers has no server", async () => {
  const { facts, reason } = await named({ [NAME]: "silence", ".": "silence" }, { timeout: 1000 });
  expect(reason).toBe("dns_unreachable");
  expect(facts).toMatchObject({ step: "dns", dns: { server: null, code: "timeout", records: [] } });
});

test("behavior 22.11, 22.12: of a name that was found, the facts and the observation have the records", async () => {
  const { facts, told, server } = await named({ [`A ${NAME}`]: a(HERE), [`AAAA ${NAME}`]: [] });
  expect(facts).toEqual({
    step: "connect",
    dns: { server, code: "NOERROR", records: [HERE], tookMs: expect.any(Number) },
    tls: null,
    http: null,
  });
  expect(told).toEqual([HERE]);
});

test("behavior 22.11: a DNS monitor without a record has the answer, and without a server the failed step", async () => {
  using dns = await startDnsServer({});
  const server = `${HERE}:${dns.port}`;
  const servers = [server];
  const seen = await observation("DNS", { hostname: NAME, recordType: "A", servers });
  expect(seen).toMatchObject({ outcome: "looked_up", dns: { server, code: "NXDOMAIN", records: [] } });
  const denied = await failed("DNS", { hostname: NAME, servers }, { privateTargets: "deny" });
  expect(denied.facts).toEqual({ step: "dns", dns: null, tls: null, http: null });
});

test("behavior 22.12: a good check of a name has its addresses, and a check of an address has none", async () => {
  using server = await startServer(silent);
  using dns = await startDnsServer({ [`A ${NAME}`]: a(HERE, "127.0.0.2") });
  const { port } = server;
  const options = { dnsServers: [dns] };
  expect(await observation("TCP", { host: NAME, port }, options)).toMatchObject({
    told: [HERE, "127.0.0.2"],
  });
  expect(await observation("TCP", { host: HERE, port }, options)).not.toHaveProperty("told");
  const every = await observation("TCP", { host: NAME, port, everyAddress: true }, options);
  expect(every).toMatchObject({ outcome: "by_address" });
  expect(JSON.stringify(every)).not.toContain("told");
});

test("behavior 22.12: with redirects, the check has the addresses of its own host", async () => {
  using server = await startHttpServer((path) => {
    return path === "/"
      ? answer("302 Found", [`Location: http://other.test:${server.port}/end`])
      : answer("200 OK");
  });
  using dns = await startDnsServer({
    [`A ${NAME}`]: a(HERE),
    "A other.test": [{ type: "A", name: "other.test", data: "127.0.0.1" }],
  });
  const config = { url: `http://${HERE}:${server.port}/`, redirects: 1 };
  expect(await observation("HTTP", config, { dnsServers: [dns] })).not.toHaveProperty("told");
  const byName = { ...config, url: `http://${NAME}:${server.port}/` };
  expect(await observation("HTTP", byName, { dnsServers: [dns] })).toMatchObject({ told: [HERE] });
});

test("behavior 22.11: a failure at the host of a redirect says so", async () => {
  using server = await startHttpServer(() => answer("302 Found", ["Location: http://gone.test/"]));
  using dns = await startDnsServer({ [`A ${NAME}`]: a(HERE) });
  const config = { url: `http://${NAME}:${server.port}/`, redirects: 1 };
  const { facts, told } = await failed("HTTP", config, { dnsServers: [dns] });
  expect(facts).toMatchObject({ step: "dns", isRedirected: true, dns: { code: "NXDOMAIN" }, http: null });
  expect(told).toEqual([HERE]);
});

test("behavior 22.11: where several addresses were tried, the facts have the outcome at each", async () => {
  using deaf = await startDeafServer();
  using dns = await startDnsServer({ [`A ${NAME}`]: a("127.0.0.2", HERE) });
  const config = { host: NAME, port: deaf.port };
  const { facts } = await failed("TCP", config, { dnsServers: [dns], timeout: 1500 });
  expect(facts).toMatchObject({
    step: "connect",
    attempts: [
      { address: "127.0.0.2", outcome: "refused" },
      { address: HERE, outcome: "timeout" },
    ],
  });
});

test.each<[string, CheckFacts["step"], string, Parameters<typeof startServer>[0], object]>([
  ["stays silent", "answer", "timeout", silent, {}],
  ["closes the connection", "answer", "closed", (socket) => void socket.end(), {}],
  [
    "sends half a body",
    "body",
    "timeout",
    (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf"),
    { expect: { contains: "x" } },
  ],
])("behavior 22.11: of a server that %s, the step is %s", async (_, step, reason, onConnection, config) => {
  using server = await startServer(onConnection);
  const url = `http://${HERE}:${server.port}/`;
  const seen = await failed("HTTP", { url, ...config }, { timeout: 500 });
  expect(seen).toMatchObject({ reason, facts: { step, tls: null } });
});

test("behavior 22.11: a text that does not come is missing in the body, and a reset is one before the answer", async () => {
  using talking = await startServer((socket) => void socket.write("hello"));
  const config = { host: HERE, port: talking.port, contains: "bye" };
  expect(await failed("TCP", config, { timeout: 300 })).toMatchObject({ facts: { step: "body" } });
  using resetting = await startResettingServer();
  // A reset before the request is sent is seen as an end of the connection.
  const reset = await eventually(async () => {
    const seen = await failed("HTTP", { url: `http://${HERE}:${resetting.port}/` });
    return seen.reason === "reset" && seen;
  });
  expect(reset).toMatchObject({ facts: { step: "answer", http: null } });
});

type Talks = (socket: Socket) => unknown;

/** Sends a text, and resets the connection after turns of the event loop in which the check can read it. */
const sendsAndResets = (text: string) => async (socket: Socket) => {
  socket.write(text);
  for (let turn = 0; turn < 5; turn++) await Bun.sleep(10);
  socket.resetAndDestroy();
};

test.each<[string, Talks, object]>([
  ["another text", (socket) => socket.end("hello"), { hasAnswered: true }],
  ["nothing", (socket) => socket.end(), {}],
  ["another text and a reset", sendsAndResets("hello"), { hasAnswered: true, isReset: true }],
  ["a reset", (socket) => socket.resetAndDestroy(), { isReset: true }],
])("behavior 22.11: the facts of a text that is missing say that %s came", async (_, talks, more) => {
  using server = await startServer((socket) => void socket.once("data", () => talks(socket)));
  const config = { host: HERE, port: server.port, send: "hi", contains: "bye" };
  const { reason, facts } = await failed("TCP", config);
  expect(reason).toBe("closed");
  expect(facts).toEqual({ step: "body", dns: null, tls: null, http: null, ...more });
});

test("behavior 22.11: the facts say whether a part of an answer over HTTP had come", async () => {
  const url = (port: number) => ({ url: `http://${HERE}:${port}/` });
  const talks = sendsAndResets("HTTP/1.1 2");
  using server = await startServer((socket) => void socket.once("data", () => talks(socket)));
  expect((await failed("HTTP", url(server.port))).facts).toMatchObject({ step: "answer", hasAnswered: true });
  using resetting = await startResettingServer();
  expect((await failed("HTTP", url(resetting.port))).facts.hasAnswered).toBeUndefined();
});

test.each<[string, string, true | undefined]>([
  ["speaks another protocol", "SSH-2.0-x\r\n", true],
  ["refuses its clients", "554 no\r\n", undefined],
])("behavior 22.11: whether a server that %s is foreign", async (_, greeting, isForeign) => {
  using server = await startTalking({ greeting });
  const { facts } = await failed("TCP", { host: HERE, port: server.port, protocol: "smtp" });
  expect(facts).toEqual({
    step: "greeting",
    dns: null,
    tls: null,
    http: null,
    hasAnswered: true,
    ...(isForeign && { isForeign }),
  });
});

let root: Authority;
let between: Pick<Authority, "cert" | "issue">;
let own: ServerCertificate;
beforeAll(async () => {
  root = await createAuthority();
  between = await root.authority();
  const issued = await between.issue([{ type: "dns", value: "www.example.net" }]);
  own = { ...issued, cert: [issued.cert, between.cert, root.cert].join("\n") };
});

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;

/** The chain of the server, as the facts have it. */
function shownChain() {
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:/);
  return [own.cert, between.cert, root.cert].map((pem) => ({
    subject: expect.stringMatching(/^CN=/),
    issuer: expect.stringMatching(/^CN=(Second authority|Authority) of the tests$/),
    validFrom: day,
    validTo: day,
    fingerprint: fingerprintOf(pem),
  }));
}

const handshake = (error: string | null) => ({
  protocol: expect.stringMatching(/^TLSv1\.[23]$/),
  cipher: expect.stringMatching(/^TLS_/),
  chain: shownChain(),
  error,
  names: ["www.example.net"],
});

const UNTRUSTED = "SELF_SIGNED_CERT_IN_CHAIN";

test.each(["http", "grpc", "websocket"] as const)(
  "behavior 22.11: a refused certificate is in the facts with its chain and its names: %s",
  async (protocol) => {
    using server = await startServer(silent, { tls: { ...own, ALPNProtocols: ["h2", "http/1.1"] } });
    const url = `https://${HERE}:${server.port}/`;
    const seen = await failed("HTTP", { url, ...(protocol !== "http" && { protocol }) });
    expect(seen).toMatchObject({ reason: "tls_invalid", facts: { step: "tls" } });
    expect(seen.facts.tls).toEqual(handshake(UNTRUSTED));
  },
);

test("behavior 22.11: a failure after the handshake has the certificate too", async () => {
  using server = await startServer(answering("HTTP/1.1 503 no\r\nContent-Length: 2\r\n\r\nno"), { tls: own });
  const url = `https://${HERE}:${server.port}/`;
  const { facts } = await failed("HTTP", { url, verifyTls: false, expect: { status: ["2xx"] } });
  expect(facts).toMatchObject({ step: "answer", http: { statusCode: 503, body: "no" } });
  expect(facts.tls).toEqual(handshake(UNTRUSTED));
});

test("behavior 22.11: STARTTLS has the handshake in the facts", async () => {
  using server = await startTalking({
    greeting: "220 ready\r\n",
    answers: { EHLO: "250-mail\r\n250 STARTTLS\r\n", STARTTLS: "220 go\r\n" },
    tls: own,
  });
  const config = { host: HERE, port: server.port, protocol: "smtp", tls: "starttls" } as const;
  const { facts, reason } = await failed("TCP", config);
  expect(reason).toBe("tls_invalid");
  expect(facts.tls).toEqual(handshake(UNTRUSTED));
});

test("behavior 22.11: a server that requires a client certificate has its chain in the facts, and its error", async () => {
  using server = await startTalking({
    greeting: "220 ready\r\n",
    answers: { EHLO: "250-mail\r\n250 STARTTLS\r\n", STARTTLS: "220 go\r\n" },
    tls: { ...own, requestCert: true, rejectUnauthorized: true, maxVersion: "TLSv1.2" },
  });
  const config = { host: HERE, port: server.port, protocol: "smtp", tls: "starttls" } as const;
  const { facts } = await failed("TCP", config);
  expect(facts).toMatchObject({ step: "tls", tls: { protocol: "TLSv1.2", chain: shownChain() } });
  expect(facts.tls?.error).toMatch(/^ERR_SSL_/);
});

test.each<["HTTP" | "TLS"]>([["HTTP"], ["TLS"]])(
  "behavior 22.11: a handshake that fails has its error: %s",
  async (type) => {
    const see = (port: number) =>
      type === "HTTP"
        ? failed("HTTP", { url: `https://${HERE}:${port}/` }, { timeout: 1000 })
        : failed("TLS", { host: HERE, port }, { timeout: 1000 });
    const nothing = { protocol: null, cipher: null, chain: [] };
    using plain = await startServer((socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect((await see(plain.port)).facts).toMatchObject({
      step: "tls",
      tls: { ...nothing, error: "ERR_SSL_WRONG_VERSION_NUMBER" },
    });
    using mute = await startServer(silent);
    expect((await see(mute.port)).facts).toMatchObject({ step: "tls", tls: { ...nothing, error: null } });
    using old = await startServer(silent, {
      tls: { ...own, minVersion: "TLSv1.2", maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256" },
    });
    expect((await see(old.port)).facts.tls?.error).toMatch(/^ERR_SSL_/);
  },
);

test("behavior 22.11: texts of a certificate are cut, and only names of hosts are among its names", async () => {
  const names = ["a.test", "<b>.test", `${"c".repeat(120)}.test`].map((value) => ({
    type: "dns" as const,
    value,
  }));
  const issued = await root.issue(names, {
    subject: [
      { CN: ["x".repeat(64)] },
      { O: ["y".repeat(64)] },
      { OU: ["z".repeat(64)] },
      { L: ["w".repeat(64)] },
    ],
  });
  using server = await startServer(silent, { tls: issued });
  const { facts } = await failed("HTTP", { url: `https://${HERE}:${server.port}/` });
  expect(facts.tls?.names).toEqual(["a.test"]);
  expect(facts.tls?.chain[0]?.subject).toHaveLength(200);
});
