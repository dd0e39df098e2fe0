import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { longTest } from "../support/long.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";

const WELL = { status: "ok", database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 1 };

async function healthOf({ url }: RunningServer): Promise<{ code: number; [part: string]: unknown }> {
  const response = await fetch(`${url}/healthz`);
  return { code: response.status, ...((await response.json()) as object) };
}

/** The size limit of files of the process: above it, the disk is full for the process. */
function limitFiles({ pid }: RunningServer, bytes: number | "unlimited"): void {
  Bun.spawnSync(["prlimit", "--pid", String(pid), `--fsize=${bytes}:unlimited`]);
}

test("behavior 1.50, 1.61, 7.71: /healthz reports a full disk, with or without results to write, and its recovery", async () => {
  await using binary = new Binary();
  await using target = new HttpTarget();
  const server = await binary.serve();
  expect(await healthOf(server)).toEqual({ code: 200, ...WELL });
  expect(await binary.run(["health", "--url", server.url])).toMatchObject({ code: 0, stdout: "" });

  // Only the sign of life is written.
  limitFiles(server, 1000);
  await eventually(async () => (await healthOf(server)).code === 503);
  expect(await healthOf(server)).toEqual({
    ...WELL,
    code: 503,
    status: "failing",
    database: "failing",
  });
  const unhealthy = await binary.run(["health", "--url", server.url]);
  expect(unhealthy).toMatchObject({ code: 1, stdout: "" });
  expect(unhealthy.stderr).toBe(`stillup: ${server.url}/healthz is unhealthy: the database rejects writes\n`);
  limitFiles(server, "unlimited");
  await eventually(async () => (await healthOf(server)).code === 200);

  const config = { url: target.url, interval: 1 };
  await (await server.client()).post("/api/v1/monitors", { name: "often", type: "HTTP", config });
  limitFiles(server, 1000);
  // The failed write of the result reports it, before the next sign of life.
  await eventually(async () => (await healthOf(server)).code === 503);
  // The results that are held are not recorded.
  await eventually(async () => (await healthOf(server)).overdue === 1);
  limitFiles(server, "unlimited");
  await eventually(async () => (await healthOf(server)).code === 200);
  await eventually(async () => (await healthOf(server)).overdue === 0);
}, 300_000);

test("behavior 9.10: stillup health finds the server by the settings of serve, also with TLS, and reports a missing server", async () => {
  await using binary = new Binary();
  const server = await binary.serve(["--host", "0.0.0.0"]);
  const { port } = new URL(server.url);
  expect((await binary.run(["health"], { STILLUP_HOST: "0.0.0.0", STILLUP_PORT: port })).code).toBe(0);
  await server.end("SIGTERM");
  const alone = await binary.run(["health", "--port", port]);
  expect(alone.code).toBe(1);
  expect(alone.stderr).toStartWith(`stillup: http://127.0.0.1:${port}/healthz can't be reached: `);
  expect((await binary.run(["health", "--port", "0"])).code).toBe(2);
  expect((await binary.run(["health", "--url", "localhost:1"])).code).toBe(2);
}, 300_000);

test("stillup health accepts an invalid certificate only with --insecure", async () => {
  await using binary = new Binary();
  const { cert, key } = await (await createAuthority()).issue([{ type: "dns", value: "up.example.com" }]);
  writeFileSync(join(binary.folder, "cert.pem"), cert);
  writeFileSync(join(binary.folder, "key.pem"), key);
  const { url } = await binary.serve(["--tls-cert", "cert.pem", "--tls-key", "key.pem"]);
  expect((await binary.run(["health", "--url", url])).code).toBe(1);
  expect((await binary.run(["health", "--url", url, "--insecure"])).code).toBe(0);
}, 300_000);

longTest(
  "stillup health treats no response and an invalid response as unhealthy",
  async () => {
    await using binary = new Binary();
    const silent = createServer(({ url }, response) => {
      if (url?.startsWith("/other")) response.writeHead(502).end("Bad gateway");
    });
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect((await binary.run(["health", "--url", `${url}/other/`])).stderr).toBe(
      `stillup: ${url}/other/healthz is unhealthy: it answered 502\n`,
    );
    expect(await binary.run(["health", "--url", url])).toMatchObject({
      code: 1,
      stderr: `stillup: ${url}/healthz can't be reached: no answer within 5 s\n`,
    });
    silent.closeAllConnections();
    silent.close();
  },
  300_000,
);

longTest(
  "a log on a full disk stops nothing",
  async () => {
    await using binary = new Binary();
    await using target = new HttpTarget();
    const server = await binary.serve(["--log-level", "debug"], {}, { log: "/dev/full" });
    const client = await server.client();
    const config = { url: target.url, interval: 1 };
    await client.post("/api/v1/monitors", { name: "often", type: "HTTP", config });
    const results = async () => (await client.get("/api/v1/events")).body.data.length;
    await eventually(async () => (await results()) > 0);
    // The log reports held results first. They must be written even if the log can't be.
    limitFiles(server, 1000);
    await eventually(async () => (await healthOf(server)).code === 503);
    limitFiles(server, "unlimited");
    const before = await results();
    await eventually(async () => (await results()) > before + 1);
    await eventually(async () => (await healthOf(server)).code === 200);
    expect(await server.end("SIGTERM")).toBe(0);
  },
  300_000,
);

longTest(
  "behavior 1.58, 1.60, 7.71: if the DNS server dies alone, monitors by name turn blind, and resume when it is back",
  async () => {
    await using binary = new Binary();
    await using target = new HttpTarget();
    await using receiver = new Receiver();
    const name = { "shop.test": [{ type: "A" as const, name: "shop.test", data: "127.0.0.1" }] };
    let dns = await startDnsServer({ "A shop.test": name["shop.test"] });
    const { port } = dns;
    using _ = { [Symbol.dispose]: () => dns[Symbol.dispose]() };
    const server = await binary.serve(["--dns-servers", `127.0.0.1:${port}`]);
    const client = await server.client();
    const channel = { name: "c", type: "WEBHOOK", config: { url: receiver.url } };
    const { data } = (await client.post("/api/v1/alerts", channel)).body;
    await client.patch("/api/v1/organization", { defaultAlertChannelIds: [data.id] });
    const url = `http://shop.test:${new URL(target.url).port}/`;
    await client.post("/api/v1/monitors", { name: "shop", type: "HTTP", config: { url, interval: 1 } });
    const shop = async () => (await client.get("/api/v1/monitors")).body.data[0];
    await eventually(async () => (await shop()).status === "up");

    dns[Symbol.dispose]();
    await eventually(async () => (await healthOf(server)).code === 503);
    expect(await healthOf(server)).toMatchObject({ status: "failing", probes: "blind", blind: 1 });
    expect(await shop()).toMatchObject({ status: "up", blindSince: expect.any(String) });
    await eventually(() => receiver.received.length === 1);

    dns = await startDnsServer({ "A shop.test": name["shop.test"] }, { port });
    await eventually(async () => (await healthOf(server)).code === 200);
    expect(await shop()).toMatchObject({ status: "up", blindSince: null });
    await eventually(() => receiver.received.length === 2);
    const types = receiver.received.map(({ body }) => JSON.parse(body).type);
    expect(types).toEqual(["checks.blind", "checks.resumed"]);
  },
  300_000,
);
