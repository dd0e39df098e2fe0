import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { startDeafServer } from "../support/servers/deaf-server.ts";
import { health, startGrpcServer } from "../support/servers/grpc-server.ts";
import { HttpTarget } from "../support/servers/targets.ts";

test("behavior 10.30: a test of an HTTP target at a private address shows neither its headers nor its body, and stores nothing", async () => {
  await using server = await TestServer.start();
  const { client } = server;
  await using echo = new HttpTarget(async (request) => {
    const sent = `${request.headers.get("x-key")} ${request.headers.get("authorization")} `;
    return new Response(sent.padEnd(3000, "é"), { status: 503, headers: { "X-Echo": sent } });
  });
  const config = {
    url: echo.url,
    interval: 86_400,
    method: "POST",
    headers: { "X-Key": "xHUSHx" },
    basicAuth: { user: "me", password: "xHUSHx" },
    expect: { contains: "Basket" },
  };
  const { id: monitorId, config: masked } = await createMonitor(client, "HTTP", { config });
  const { status, body } = await client.post("/api/v1/probe", { type: "HTTP", config: masked, monitorId });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    status: "down",
    detail: {
      reason: "unexpected",
      statusCode: 503,
      message: "503 Service Unavailable, expected 2xx",
    },
    failedExpectation: "503 Service Unavailable, expected 2xx",
    answer: {
      ...{ statusCode: 503, isBodyCut: true, durationMs: expect.any(Number) },
      ...{ isPrivate: true, headers: [], body: null },
    },
  });
  expect(JSON.stringify(body)).not.toContain("xHUSHx");
  const { body: results } = await client.get(`/api/v1/monitors/${monitorId}/results`);
  expect(JSON.stringify(results)).not.toContain("é");
}, 300_000);

test("a test of a target that is not reached has no answer", async () => {
  await using server = await TestServer.start();
  const config = { url: "http://127.0.0.1:1/", interval: 60 };
  const { body } = await server.client.post("/api/v1/probe", { type: "HTTP", config });
  expect(body.data).toMatchObject({
    status: "down",
    detail: { reason: "refused" },
    answer: null,
    failedExpectation: null,
  });
});

test("a test of an HTTP target without expectations shows its answer too", async () => {
  await using server = await TestServer.start();
  await using target = new HttpTarget();
  const config = { url: target.url, interval: 60 };
  const { body } = await server.client.post("/api/v1/probe", { type: "HTTP", config });
  expect(body.data).toMatchObject({
    status: "up",
    answer: { statusCode: 200, body: null, isBodyCut: false, isPrivate: true },
  });
});

test("behavior 13.55, 13.58: offline, a test of a target and /healthz say so", async () => {
  using deaf = await startDeafServer();
  const networkCheck = [{ host: "127.0.0.1", port: deaf.port }];
  await using server = await TestServer.start({ probes: { privateTargets: "allow", networkCheck } });
  const { client } = server;
  const config = { host: "127.0.0.1", port: deaf.port, interval: 60, timeout: 1 };
  const { status, body } = await client.post("/api/v1/probe", { type: "TCP", config });
  expect(status).toBe(409);
  expect(body.error).toContain("the network of this machine is offline");
  const health = { status: "ok", database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 1 };
  expect((await client.get("/healthz")).body).toMatchObject({ ...health, network: "offline" });
  deaf.accept();
  await eventually(async () => (await client.get("/healthz")).body.network === "online");
}, 300_000);

test("behavior 20.52, 20.63: a test of a WebSocket shows the answer that refuses it, and one of a gRPC server shows none", async () => {
  await using server = await TestServer.start();
  await using target = new HttpTarget(() => new Response("no", { status: 403 }));
  const config = { url: target.url, interval: 60, protocol: "websocket", headers: { "X-Key": "xHUSHx" } };
  const { body } = await server.client.post("/api/v1/probe", { type: "HTTP", config });
  const refusal = "403 Forbidden, expected 101 Switching Protocols";
  expect(body.data).toMatchObject({
    status: "down",
    detail: { reason: "unexpected", statusCode: 403, message: refusal },
    answer: { statusCode: 403, isPrivate: true, headers: [], body: null },
    failedExpectation: refusal,
  });
  await using grpc = await startGrpcServer(() => [null, health(2)]);
  const asked = { url: `http://127.0.0.1:${grpc.port}/`, interval: 60, protocol: "grpc", service: "a.B" };
  const tested = await server.client.post("/api/v1/probe", { type: "HTTP", config: asked });
  const unhealthy = "the service is NOT_SERVING, expected SERVING";
  expect(tested.body.data).toMatchObject({
    status: "down",
    detail: { reason: "unexpected", message: unhealthy },
    answer: null,
    failedExpectation: unhealthy,
  });
});
