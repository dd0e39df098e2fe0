import { expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { isLong, longTest } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { HttpTarget } from "../support/servers/targets.ts";

setDefaultTimeout(300_000);

test.each(isLong ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const))(
  "behavior 9.18: after %s, a check in progress ends and is recorded, and the exit code is 0",
  async (signal) => {
    await using binary = new Binary();
    await using slow = new HttpTarget(async () => {
      await Bun.sleep(1000);
      return new Response("at last");
    });
    const server = await binary.serve();
    const client = await server.client();
    const config = { url: slow.url, interval: 60 };
    const { body } = await client.post("/api/v1/monitors", { name: "slow", type: "HTTP", config });
    await eventually(() => slow.requests === 1);
    expect(await server.end(signal)).toBe(0);

    const again = await binary.serve();
    const results = await client.at(again.url).get(`/api/v1/monitors/${body.data.id}/results`);
    expect(results.body.data.map(({ status }: { status: string }) => status)).toContain("up");
  },
);

longTest(
  "behavior 1.45, 9.18: a target that never responds delays the stop by at most 5 s, and is not recorded as an outage",
  async () => {
    await using binary = new Binary();
    await using silent = new HttpTarget(() => new Promise<Response>(() => {}));
    const server = await binary.serve();
    const client = await server.client();
    const config = { url: silent.url, interval: 60 };
    const { body } = await client.post("/api/v1/monitors", { name: "silent", type: "HTTP", config });
    await eventually(() => silent.requests === 1);
    expect(await server.end("SIGTERM")).toBe(0);

    const again = await binary.serve();
    const results = await client.at(again.url).get(`/api/v1/monitors/${body.data.id}/results`);
    // The check would end with its timeout of 10 s.
    expect(results.body.data).toEqual([]);
    await eventually(() => silent.requests === 2);
  },
);

test("behavior 7.77, 9.23: with --drain, the health is 503 before the stop, while requests are served, until a second signal", async () => {
  await using binary = new Binary();
  const server = await binary.serve(["--drain", "300"]);
  const client = await server.client();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const ended = server.end("SIGTERM");
  const draining = await eventually(async () => {
    const response = await fetch(`${server.url}/healthz`);
    return response.status === 503 && ((await response.json()) as Record<string, unknown>);
  });
  expect(draining).toMatchObject({ status: "failing", draining: true, database: "ok" });
  expect((await fetch(`${server.url}/healthz?for=readiness`)).status).toBe(503);
  expect((await fetch(`${server.url}/healthz?for=liveness`)).status).toBe(200);
  const job = { name: "job", type: "SCHEDULED", config: {} };
  expect((await client.post("/api/v1/monitors", job)).status).toBe(201);
  void server.end("SIGTERM");
  expect(await ended).toBe(0);
});

longTest(
  "behavior 9.23: a drain ends with the stop when its time is over, and never says that the server is healthy again",
  async () => {
    await using binary = new Binary();
    const server = await binary.serve(["--drain", "3"]);
    const health = () => fetch(`${server.url}/healthz`).then(({ status }) => status);
    expect(await health()).toBe(200);
    const seen: number[] = [];
    let hasEnded = false;
    const ended = server.end("SIGTERM").finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) seen.push(await health().catch(() => 0));
    expect(await ended).toBe(0);
    // In the time before the signal arrives 200, then 503, and 0 after the listener has closed.
    const states = seen.filter((status, at) => status !== seen[at - 1]);
    expect(states.filter((status) => status !== 0)).toEqual(states.includes(200) ? [200, 503] : [503]);
    expect(states.slice(0, -1)).not.toContain(0);
  },
);
