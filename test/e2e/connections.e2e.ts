import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { eventually } from "../support/eventually.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { scrape } from "../support/requests/scrape.ts";
import { HttpTarget } from "../support/servers/targets.ts";

/** Connections that send the beginning of a request, and then one byte each second or nothing. */
class Crowd implements Disposable {
  readonly #sockets: Socket[] = [];
  readonly #drips: Timer[] = [];
  closed = 0;

  constructor({ url }: RunningServer, count: number, said: { first?: string; drip?: string } = {}) {
    const { hostname, port } = new URL(url);
    for (let at = 0; at < count; at++) {
      const socket = connect(Number(port), hostname, () => said.first && socket.write(said.first));
      socket.on("error", () => {}).on("close", () => this.closed++);
      if (said.drip) this.#drips.push(setInterval(() => socket.write(said.drip ?? ""), 1000));
      this.#sockets.push(socket);
    }
  }

  [Symbol.dispose](): void {
    for (const drip of this.#drips) clearInterval(drip);
    for (const socket of this.#sockets) socket.destroy();
  }
}

test("behavior 8.18, 13.34: slow and idle connections are closed within half a minute, except that of a probe that waits for work, and delay no other client", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const { probe } = await createLocation(client, "fra");
  const { revision, after } = (await probe.work()).body.data;
  const held = probe.work({ revision, after });
  const post = "POST /api/v1/session HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{";
  using heads = new Crowd(server, 200, { first: "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ", drip: "x" });
  using bodies = new Crowd(server, 200, { first: post, drip: " " });
  using idle = new Crowd(server, 2000);
  for (let count = 0; count < 50; count++) expect((await client.get("/api/v1/status")).status).toBe(200);
  await eventually(() => heads.closed + bodies.closed + idle.closed === 2400);
  expect((await held).body.data).toMatchObject({ revision, rechecks: [] });
  expect((await client.get("/api/v1/status")).status).toBe(200);
}, 300_000);

test("behavior 8.18: more connections than file descriptors do not stop the checks, and the API responds again when they close", async () => {
  await using binary = new Binary();
  await using target = new HttpTarget();
  const server = await binary.serve([], {}, { descriptors: 400 });
  const client = await server.client();
  const config = { url: target.url, interval: 1 };
  await client.post("/api/v1/monitors", { name: "often", type: "HTTP", config });
  await eventually(() => target.requests > 0);
  {
    using crowd = new Crowd(server, 1000);
    const before = target.requests;
    await eventually(() => target.requests >= before + 4);
    expect(crowd.closed).toBeLessThanOrEqual(1000);
  }
  await eventually(
    async () => (await client.get("/api/v1/status").catch(() => null))?.status === 200,
    15_000,
  );
  const { body } = await client.get("/api/v1/events");
  expect(new Set(body.data.map(({ status }: { status: string }) => status))).toEqual(new Set(["up"]));
  const { samples } = await scrape(client);
  const full = samples.find(({ name }) => name === "stillup_connections_full_total");
  expect(full?.value).toBeGreaterThanOrEqual(1);
  await server.end("SIGTERM");
  expect(await server.log).toContain("too many connections: no new ones are accepted until some are closed");
}, 300_000);
