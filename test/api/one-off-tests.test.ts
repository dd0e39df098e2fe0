import { afterEach, beforeEach, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { TestServer } from "../support/product/server.ts";
import type { Answer, Client } from "../support/requests/client.ts";
import { createChannel } from "../support/requests/monitors.ts";
import {
  answering,
  closedPort,
  silent,
  startServer,
  type TestServer as Target,
} from "../support/servers/tcp-server.ts";

let server: ApiServer;
let owner: Client;
let receiver: Target;
let probed = 0;
let end: PromiseWithResolvers<void>;

beforeEach(async () => {
  probed = 0;
  end = Promise.withResolvers();
  server = await ApiServer.start({
    async testMonitor() {
      probed++;
      await end.promise;
      return { status: "up", latencyMs: 1, detail: {}, answer: null, failedExpectation: null };
    },
  });
  owner = (await server.organization("One", "enterprise")).owner;
  receiver = await startServer(silent);
});
afterEach(async () => {
  end.resolve();
  receiver[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const probe = (client: Client): Promise<Answer> =>
  client.post("/api/v1/probe", { type: "TCP", config: { host: "127.0.0.1", port: 1, interval: 60 } });

const REFUSED = { status: 429, body: { error: "Too many tests at the same time: try again in 1 s" } };

test("behavior 7.11, 8.23: an organization may run ten probes at once: others are rejected until one has ended", async () => {
  const answers: Answer[] = [];
  const sent = Array.from({ length: 14 }, async () => answers.push(await probe(owner)));
  await eventually(() => probed === 10 && answers.length === 4);
  for (const answer of answers) expect(answer).toMatchObject(REFUSED);
  expect(answers[0]?.headers.get("retry-after")).toBe("1");
  const { owner: another } = await server.organization("Two", "enterprise");
  const other = probe(another);
  await eventually(() => probed === 11);
  end.resolve();
  await Promise.all(sent);
  expect((await other).status).toBe(200);
  expect((await probe(owner)).status).toBe(200);
});

test("behavior 7.11: a probe that an own fault prevents is a 409, and another follows", async () => {
  const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }];
  await using whole = await TestServer.start({ probes: { privateTargets: "allow", dnsServers } });
  const { client } = whole;
  await whole.store.housekeeping.noteDnsAnswer(whole.now());
  const config = { host: "unknown.test", port: 1, interval: 60 };
  expect(await client.post("/api/v1/probe", { type: "TCP", config })).toMatchObject({
    status: 409,
    body: { error: "the check could not be made: try again" },
  });
  expect((await probe(client)).body.data).toMatchObject({ status: "down" });
});

test("behavior 8.23: tests of channels count towards the same limit as probes", async () => {
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { id } = await createChannel(owner, { config: { url } });
  const probes = Array.from({ length: 9 }, () => probe(owner));
  await eventually(() => probed === 9);
  const tried = owner.post(`/api/v1/alerts/${id}/test`);
  await eventually(() => receiver.received().includes("POST"));
  expect(await owner.post(`/api/v1/alerts/${id}/test`)).toMatchObject(REFUSED);
  expect(await probe(owner)).toMatchObject(REFUSED);
  receiver[Symbol.dispose]();
  expect((await tried).status).toBe(200);
  end.resolve();
  await Promise.all(probes);
});

test("behavior 10.30: a probe shows the answer and the failed expectation, and records nothing", async () => {
  await using whole = await TestServer.start({ probes: { privateTargets: "allow" } });
  using target = await startServer(answering("HTTP/1.1 503 No\r\nX-A: b\r\n\r\nsorry"));
  const url = `http://127.0.0.1:${target.port}/`;
  const config = { url, interval: 60, expect: {} };
  const { status, body } = await whole.client.post("/api/v1/probe", { type: "HTTP", config });
  expect(status).toBe(200);
  expect(body.data).toEqual({
    status: "down",
    latencyMs: expect.any(Number),
    detail: expect.objectContaining({ reason: "unexpected", statusCode: 503 }),
    answer: {
      statusCode: 503,
      // The address is private.
      ...{ isPrivate: true, headers: [], body: null },
      durationMs: expect.any(Number),
      isBodyCut: false,
    },
    failedExpectation: "503 Service Unavailable, expected 2xx",
  });
  expect((await probe(whole.client)).body.data).toMatchObject({ answer: null, failedExpectation: null });
});
