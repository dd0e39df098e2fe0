import { afterEach, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { type ProbeThread, startProbeThread } from "../../src/probes/probe-thread.ts";
import { eventually } from "../support/eventually.ts";
import { startDeafServer } from "../support/servers/deaf-server.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { answering, closedPort, silent, startServer } from "../support/servers/tcp-server.ts";

let thread: ProbeThread;
afterEach(() => thread?.stop());

const settings = { privateTargets: "allow" as const };
const entry = (path: string) => new URL(path, import.meta.url);
const start = (path: string) => {
  thread = startProbeThread(entry(path), settings, () => {});
  return thread;
};

const HEALTHY = "../../src/probes/probe-worker.ts";
const BLOCKED = "../support/probes/blocked-worker.ts";

const http = (port: number, timeout: number) => ({
  type: "HTTP" as const,
  config: { url: `http://127.0.0.1:${port}/`, interval: 60 },
  startAt: Date.now(),
  timeout,
});

test("checks run in a thread of their own, and each returns its observation", async () => {
  using server = await startServer(answering("HTTP/1.1 204 No Content\r\n\r\n"));
  const probes = start(HEALTHY);
  const port = await closedPort();
  const [up, down] = await Promise.all([probes.run(http(server.port, 2000)), probes.run(http(port, 2000))]);
  expect(up).toMatchObject({ outcome: "reached", detail: { statusCode: 204 } });
  expect(down).toMatchObject({ outcome: "failed", reason: "refused" });
});

test("a check reports when it ended", async () => {
  const probes = start(HEALTHY);
  const before = Date.now();
  const ended: number[] = [];
  await probes.run(http(await closedPort(), 2000), { onEnd: (at) => ended.push(at) });
  expect(ended).toHaveLength(1);
  expect(ended[0]).toBeWithin(before, Date.now() + 1);
});

test("a silent server is a timeout if the thread is not blocked", async () => {
  using server = await startServer(silent);
  expect(await start(HEALTHY).run(http(server.port, 300))).toMatchObject({ outcome: "failed" });
});

test("behavior 1.46: if the thread is blocked, a check of a silent server is inconclusive", async () => {
  using server = await startServer(silent);
  expect(await start(BLOCKED).run(http(server.port, 300))).toEqual({
    outcome: "inconclusive",
    message: "the probe thread was blocked during the check",
  });
});

test("behavior 1.48: if the thread is blocked, a healthy server is neither down nor slow", async () => {
  using server = await startServer((socket) => {
    socket.once("data", () => setTimeout(() => socket.end("HTTP/1.1 200 OK\r\n\r\n"), 50));
  });
  const probes = start(BLOCKED);
  const seen = await Promise.all(Array.from({ length: 20 }, () => probes.run(http(server.port, 100))));
  expect(seen.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const answered = seen.filter((one) => one.outcome === "reached");
  expect(answered.length).toBeGreaterThan(0);
  for (const { latencyMs, detail } of answered) {
    expect(latencyMs).toBeNull();
    expect(detail).toEqual({
      statusCode: 200,
      address: "127.0.0.1",
      message: "the probe thread was blocked during the check: the latency is unknown",
    });
  }
});

test("if the thread dies, its checks fail and onDeath is called", async () => {
  const died = Promise.withResolvers<string>();
  thread = startProbeThread(entry("../support/probes/dying-worker.ts"), settings, died.resolve);
  await expect(thread.run(http(1, 300))).rejects.toThrow("the probe thread died");
  expect(await died.promise).toContain("dies for a test");
});

test("a running thread answers a ping, and a thread that dies before rejects it", async () => {
  await start(HEALTHY).ping();
  thread.stop();
  const dying = start("../support/probes/dying-worker.ts");
  const settled = await Promise.allSettled([dying.ping(), dying.run(http(1, 300))]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("a cancelled check ends immediately, and so does its connection", async () => {
  const [opened, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  using server = await startServer((socket) => {
    opened.resolve();
    socket.once("close", () => closed.resolve());
  });
  const probes = start(HEALTHY);
  const check = http(server.port, 10_000);
  const seen = probes.run(check);
  await opened.promise;
  probes.cancel(check);
  expect(await seen).toMatchObject({ outcome: "inconclusive" });
  await closed.promise;
});

test("a check that is cancelled before its start never runs", async () => {
  using server = await startServer(silent);
  const probes = start(HEALTHY);
  const [early, late] = [300, 400].map((wait) => ({ ...http(server.port, 200), startAt: Date.now() + wait }));
  if (!early || !late) throw new Error("unreachable");
  const seen = probes.run(early);
  const other = probes.run(late);
  probes.cancel(early);
  expect(await seen).toMatchObject({ outcome: "inconclusive" });
  expect(await other).toMatchObject({ outcome: "failed" });
  expect(server.received().split("GET")).toHaveLength(2);
});

test("behavior 1.47: without free descriptors, checks of every type are inconclusive", async () => {
  const program = fileURLToPath(entry("../support/probes/exhaust-descriptors.ts"));
  const command = ["sh", "-c", 'ulimit -n 128 && exec "$0" "$@"', process.execPath, program];
  const child = Bun.spawn(command, { stderr: "inherit" });
  expect(await new Response(child.stdout).json()).toEqual({
    before: ["reached", "reached", "certified", "looked_up"],
    without: Array(4).fill("shortage"),
    after: ["reached", "reached", "certified", "looked_up"],
  });
});

test("the sockets of checks are counted until they are closed", async () => {
  using server = await startServer(silent);
  using deaf = await startDeafServer();
  const probes = start(HEALTHY);
  const tls = { type: "TLS" as const, config: { host: "127.0.0.1", port: server.port, interval: 60 } };
  const checks = [
    http(server.port, 10_000),
    http(deaf.port, 10_000),
    { ...http(server.port, 10_000), ...tls },
  ];
  const seen = checks.map((check) => probes.run(check));
  await eventually(() => probes.sockets() === checks.length);
  for (const check of checks) probes.cancel(check);
  await Promise.all(seen);
  // Bun keeps the socket of an unanswered attempt until there is an answer.
  await eventually(() => probes.sockets() === 1);
  deaf.accept();
  await eventually(() => probes.sockets() === 0);
});

test("a long check reports how many sockets it may hold", async () => {
  using server = await startServer(silent);
  using dns = await startDnsServer({
    "A two.test": ["127.0.0.1", "127.0.0.2"].map((data) => ({ type: "A", name: "two.test", data })),
  });
  thread = startProbeThread(
    entry(HEALTHY),
    { ...settings, dnsServers: [{ address: dns.address, port: dns.port }] },
    () => {},
  );
  const reported: [string, number][] = [];
  const hosts = ["127.0.0.1", "two.test"];
  await Promise.all(
    hosts.map((host) => {
      const config = { url: `http://${host}:${server.port}/`, interval: 60 };
      return thread.run(
        { ...http(server.port, 1500), config },
        {
          onSockets: (sockets) => reported.push([host, sockets]),
        },
      );
    }),
  );
  expect(new Map(reported)).toEqual(
    new Map([
      ["127.0.0.1", 1],
      ["two.test", 4],
    ]),
  );
});
