import { expect, test } from "bun:test";
import { Metadata, ServerCredentials, status } from "@grpc/grpc-js";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { readPage } from "../../support/documentation/page.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { type Answer, health, type SeenCall, startGrpcServer } from "../../support/servers/grpc-server.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

const check = (
  port: number,
  config: Partial<HttpConfig> = {},
  options: Parameters<typeof observation>[2] = {},
) =>
  observation(
    "HTTP",
    { url: `http://127.0.0.1:${port}`, protocol: "grpc", ...config },
    { timeout: 5000, ...options },
  );

const serving: Answer = [null, health(1)];

test("behavior 20.61: a server that serves is up, with the latency to its answer", async () => {
  const calls: SeenCall[] = [];
  await using server = await startGrpcServer((call) => {
    calls.push(call);
    return serving;
  });
  const before = Date.now();
  expect(await check(server.port, {}, { isSampled: true })).toEqual({
    outcome: "reached",
    latencyMs: expect.any(Number),
    detail: {
      address: "127.0.0.1",
      phases: { resolve: expect.any(Number), connect: expect.any(Number), firstByte: expect.any(Number) },
    },
  });
  const [call] = calls;
  expect(call).toMatchObject({ service: "", host: `127.0.0.1:${server.port}` });
  expect(call?.deadline).toBeWithin(before, Date.now() + 5001);
  expect(call?.metadata.getMap()).toEqual({ "user-agent": "stillup" });
});

test.each(["shop.Cart", "ü".repeat(64), "ü".repeat(256)])(
  "behavior 20.60: a check asks for the service %s, with the headers of the config",
  async (service) => {
    const calls: SeenCall[] = [];
    await using server = await startGrpcServer((call) => {
      calls.push(call);
      return serving;
    });
    const headers = { Authorization: "Bearer x", "X-Key": "1", Host: "shop.test", "User-Agent": "me" };
    expect(await check(server.port, { service, headers })).toMatchObject({ outcome: "reached" });
    expect(calls[0]).toMatchObject({ service, host: "shop.test" });
    expect(calls[0]?.metadata.getMap()).toEqual({
      "user-agent": "me",
      authorization: "Bearer x",
      "x-key": "1",
    });
  },
);

test.each<[string, string | undefined, Answer, string, object]>([
  ["NOT_SERVING", undefined, [null, health(2)], "the server is NOT_SERVING, expected SERVING", {}],
  ["NOT_SERVING", "a.B", [null, health(2)], "the service is NOT_SERVING, expected SERVING", {}],
  ["UNKNOWN", undefined, [null, health(0)], "the server is UNKNOWN, expected SERVING", {}],
  [
    "nothing, which is UNKNOWN",
    undefined,
    [null, Buffer.alloc(0)],
    "the server is UNKNOWN, expected SERVING",
    {},
  ],
  ["SERVICE_UNKNOWN", "a.B", [null, health(3)], "the service is SERVICE_UNKNOWN, expected SERVING", {}],
  ["another health", undefined, [null, health(9)], "the server is status 9, expected SERVING", {}],
  [
    "no message of health",
    undefined,
    [null, Buffer.from("MARKER")],
    "the answer is no health of grpc.health.v1",
    {},
  ],
  [
    "NOT_FOUND",
    "a.B",
    [{ code: status.NOT_FOUND, details: "MARKER" }],
    "the server does not know the service: gRPC status 5 NOT_FOUND",
    { code: 5 },
  ],
  [
    "UNAUTHENTICATED",
    undefined,
    [{ code: status.UNAUTHENTICATED, details: "MARKER", metadata: new Metadata() }],
    "gRPC status 16 UNAUTHENTICATED, expected 0 OK",
    { code: 16 },
  ],
  [
    "an unknown status",
    undefined,
    [{ code: 77 as status, details: "MARKER" }],
    "gRPC status 77, expected 0 OK",
    { code: 77 },
  ],
])(
  "behavior 20.62: a server that says %s (service %s) is down",
  async (_, service, answer, message, numbers) => {
    await using server = await startGrpcServer(() => answer);
    const seen = await check(server.port, service === undefined ? {} : { service });
    expect(seen).toEqual({
      outcome: "failed",
      reason: "unexpected",
      latencyMs: expect.any(Number),
      detail: { message, ...numbers, address: "127.0.0.1", phases: expect.any(Object) },
      facts: expect.objectContaining({ step: "answer", http: expect.any(Object) }),
    });
  },
);

test("behavior 20.62: a server without the health service is down", async () => {
  await using server = await startGrpcServer();
  expect(await check(server.port)).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: { message: "the server has no health service: gRPC status 12 UNIMPLEMENTED", code: 12 },
  });
});

test("over TLS, HTTP/2 is agreed on, the certificate must be valid, and it is in the observation", async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
  const pair = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) };
  await using server = await startGrpcServer(() => serving, ServerCredentials.createSsl(null, [pair]));
  const url = `https://127.0.0.1:${server.port}`;
  expect(await check(0, { url, verifyTls: false })).toMatchObject({
    outcome: "reached",
    tls: { protocol: "TLSv1.3" },
    detail: { phases: { tls: expect.any(Number) } },
  });
  expect(await check(0, { url })).toMatchObject({ outcome: "failed", reason: "tls_invalid" });
  using plain = await startServer(() => {}, { tls: { cert, key } });
  expect(await check(0, { url: `https://127.0.0.1:${plain.port}`, verifyTls: false })).toMatchObject({
    outcome: "failed",
    reason: "not_http",
    detail: { message: "the server does not offer HTTP/2 in its TLS handshake (ALPN h2)" },
  });
});

test("the name is resolved by the DNS servers of the operator, and private targets may be denied", async () => {
  using dns = await startDnsServer({ "A grpc.test": [{ type: "A", name: "grpc.test", data: "127.0.0.1" }] });
  const calls: SeenCall[] = [];
  await using server = await startGrpcServer((call) => {
    calls.push(call);
    return serving;
  });
  const url = `http://grpc.test:${server.port}`;
  expect(await check(0, { url }, { dnsServers: [dns] })).toMatchObject({ outcome: "reached" });
  expect(calls[0]?.host).toBe(`grpc.test:${server.port}`);
  expect(await check(0, { url, ipFamily: 6 }, { dnsServers: [dns] })).toMatchObject({
    reason: "dns_not_found",
  });
  const denied = await check(0, { url }, { dnsServers: [dns], privateTargets: "deny" });
  expect(denied).toMatchObject({ outcome: "failed", reason: "private_target" });
  expect(calls).toHaveLength(1);
});

test("behavior 20.60: the documented gRPC service is up", async () => {
  const { blocks } = await readPage("docs/monitors.md");
  const example = blocks.find(({ mark }) => mark === "tested by test/probes/grpc/grpc.test.ts");
  const config: HttpConfig = JSON.parse(example?.text ?? "");
  expect(parseConfig("HTTP", config, "pro")).toEqual(config);
  await using server = await startGrpcServer(({ service }) => [
    null,
    health(service === "shop.Cart" ? 1 : 2),
  ]);
  const url = (config.url ?? "").replace("https://api.example.com:8443", `http://127.0.0.1:${server.port}`);
  expect(await check(0, { ...config, url })).toMatchObject({ outcome: "reached" });
});
