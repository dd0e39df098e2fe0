import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { startNode, type TestNode } from "../support/product/node.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { createIncident, createPage, PAGES, uniqueSlug } from "../support/requests/pages.ts";
import { createLocation, ProbeClient } from "../support/requests/probe-client.ts";
import { PushService } from "../support/servers/push-service.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

const HOUR = 3_600_000;

describe.skipIf(findPrograms() === undefined)("two nodes on one database", () => {
  let database: string;
  let nodes: TestNode[];
  let first: Client;
  let second: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = (await sharedCluster()).url(database);
    const a = await startNode(url, { nodeName: "web" });
    const b = await startNode(url, { nodeName: "web" });
    nodes = [b, a];
    first = a.client;
    second = b.client.as(a.client.key);
  });

  afterAll(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    dropDatabase(database);
  });

  async function createKey(role: string): Promise<{ id: string; key: string }> {
    return (await first.post("/api/v1/api-keys", { name: role, role })).body.data;
  }

  test("behavior 12.7: are counted by /healthz, and listed for an owner alone", async () => {
    await eventually(async () => (await first.as(undefined).get("/healthz")).body.nodes === 2);
    const node = {
      version: expect.any(String),
      lastSeenAt: expect.stringMatching(/Z$/),
      checksPerSecond: expect.any(Number),
    };
    const nodeList = ["web", "web-2"].map((name) => ({ name, ...node }));
    expect((await second.get("/healthz")).body).toMatchObject({ status: "ok", nodes: 2, nodeList });
    const viewer = await createKey("viewer");
    for (const key of [undefined, "unknown", viewer.key]) {
      const { status, body } = await second.as(key).get("/healthz");
      expect({ status, body }).toMatchObject({ status: 200, body: { status: "ok", nodes: 2 } });
      expect(body).not.toHaveProperty("nodeList");
    }
  });

  test("a node that can't listen does not join the others", async () => {
    const { port } = new URL(first.url);
    const url = (await sharedCluster()).url(database);
    await expect(startNode(url, { port, nodeName: "third" })).rejects.toThrow(`--port ${port} is taken`);
    const { nodeList } = (await first.get("/healthz")).body;
    expect(nodeList.map(({ name }: { name: string }) => name)).toEqual(["web", "web-2"]);
  });

  test("behavior 12.10: a deleted key is refused by both at the next request", async () => {
    const { id, key } = await createKey("admin");
    for (const node of [first, second]) expect((await node.as(key).get("/api/v1/monitors")).status).toBe(200);
    await second.delete(`/api/v1/api-keys/${id}`);
    for (const node of [first, second]) expect((await node.as(key).get("/api/v1/monitors")).status).toBe(401);
  });

  test("behavior 13.34: one answers a probe when a request to the other one changed its work", async () => {
    const { id, probe } = await createLocation(first, "fra");
    const atSecond = new ProbeClient(second, probe.key);
    const { revision, after } = (await probe.work()).body.data;
    const request = atSecond.work({ revision, after });
    const { id: monitorId } = await createMonitor(first, "TCP", { locations: [id] });
    expect((await request).body.data.monitors).toMatchObject([{ monitorId }]);
    const batch = probe.batch({ monitorId });
    expect((await probe.send("POST", "results", batch)).body.data).toMatchObject({ recorded: 1 });
    expect((await atSecond.send("POST", "results", batch)).body.data).toMatchObject({ repeated: 1 });
    await first.delete(`/api/v1/monitors/${monitorId}`);
    await first.delete(`/api/v1/locations/${id}`);
    expect((await atSecond.work()).status).toBe(401);
  });

  test("behavior 12.9: each shows what the other one writes, and its live page learns it", async () => {
    const abort = new AbortController();
    const { body } = await fetch(`${second.url}/api/v1/stream`, {
      headers: { authorization: `Bearer ${second.key}` },
      signal: abort.signal,
    });
    const changes: { results: boolean; monitors: boolean }[] = [];
    const read = (async () => {
      for await (const text of (body as ReadableStream<Uint8Array>).pipeThrough(
        new TextDecoderStream() as never,
      ))
        for (const [, data = ""] of String(text).matchAll(/event: change\ndata: (.*)\n/g))
          changes.push(JSON.parse(data));
    })().catch(() => {});
    // The first change is sent in any case.
    await eventually(() => changes.length > 0);
    const { id } = await createMonitor(first, "SCHEDULED");
    expect((await second.get(`/api/v1/monitors/${id}`)).status).toBe(200);
    await eventually(() => changes.some(({ monitors }, at) => at > 0 && monitors));
    changes.length = 0;
    await checkIn(first, id, "ok");
    expect((await second.get(`/api/v1/monitors/${id}/results`)).body.data).toHaveLength(1);
    await eventually(() => changes.some(({ results }) => results));
    abort.abort();
    await read;
  });

  test("behavior 18.6: the first takes the start of a run and the other its end, also many at once", async () => {
    const { id } = await createMonitor(first, "SCHEDULED");
    const path = `/api/v1/monitors/${id}/checkin`;
    const readers = [first, second].map((client) => client.as(undefined));
    const rids = Array.from({ length: 40 }, (_, at) => `r${at}`);
    const send = (rid: string, at: number, action: string) =>
      readers[at % 2]?.send("POST", `${path}/${action}?rid=${rid}`, `${action} `);
    await Promise.all(rids.map((rid, at) => send(rid, at, "start")));
    await Promise.all(rids.map((rid, at) => send(rid, at + 1, "0")));
    const { data } = (await first.get(`/api/v1/monitors/${id}/runs?limit=100`)).body;
    expect(data.map(({ rid }: { rid: string }) => rid).toSorted()).toEqual(rids.toSorted());
    for (const run of data) expect(run).toMatchObject({ outcome: "ok", outputBytes: "start 0 ".length });
    const numbers = data.map((run: { id: string }) => Number(run.id));
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at));
    const results = (await second.get(`/api/v1/monitors/${id}/results?limit=100`)).body.data;
    expect(
      new Set(results.map(({ detail }: { detail: { run: { id: string } } }) => detail.run.id)).size,
    ).toBe(40);
  });

  test("behavior 15.17: each answers with what the other one writes to a page, and shows it on the page", async () => {
    const { id: monitorId } = await createMonitor(first, "SCHEDULED", { name: "Backup" });
    const page = await createPage(first, { visibility: "public", components: [{ monitorId }] });
    const readers = [first, second].map((client) => client.as(undefined));
    const summaryOf = async (reader: Client) =>
      (await reader.get(`/status/${page.slug}/api/v2/summary.json`)).body;
    /** Waits until both nodes show it. */
    const shown = (isShown: (summary: Awaited<ReturnType<typeof summaryOf>>) => boolean) =>
      Promise.all(readers.map((reader) => eventually(async () => isShown(await summaryOf(reader)))));

    expect((await second.get(`${PAGES}/${page.id}`)).body.data).toEqual(page);
    await shown(({ components }) => components?.[0].name === "Backup");
    const incident = await createIncident(second, page.id, { title: "Backups are late" });
    expect((await first.get(`${PAGES}/${page.id}/incidents`)).body.data).toEqual([incident]);
    await shown(({ incidents }) => incidents[0]?.name === "Backups are late");
    const [component] = page.components;
    await first.patch(`${PAGES}/${page.id}`, {
      components: [{ ...component, name: "Copies", group: "Jobs" }],
    });
    await shown(({ components }) => components.some(({ name }: { name: string }) => name === "Copies"));
    await first.post(`${PAGES}/${page.id}/incidents/${incident.id}/updates`, {
      status: "resolved",
      body: "All copies are made.",
    });
    await shown(({ incidents, status }) => incidents.length === 0 && status.indicator === "none");
    await checkIn(second, monitorId, "ok", "fail");
    await shown(({ status }) => status.indicator !== "none");
    await second.patch(`${PAGES}/${page.id}`, { visibility: "off" });
    await shown(({ error }) => error === "Not found");
    const taken = await first.post(PAGES, { slug: page.slug, title: "x" });
    expect([taken.status, taken.body.error]).toEqual([422, expect.stringContaining("slug is taken")]);
  });

  test("behavior 21.53: show one key for devices, also if both are asked for the first time at once, and notify a device with it", async () => {
    const nodes = [first, second];
    const keys = await Promise.all(nodes.map((node) => node.get("/api/v1/webpush")));
    expect(keys[1]?.body).toEqual(keys[0]?.body);
    await using service = new PushService();
    const { id } = await createChannel(first, { config: service.subscribe() });
    for (const node of nodes) {
      const { body } = await node.post(`/api/v1/alerts/${id}/test`);
      expect(body.data).toMatchObject({ status: "delivered" });
    }
    const { publicKey } = keys[0]?.body.data ?? {};
    for (const { headers } of service.accepted) expect(headers.authorization).toEndWith(`, k=${publicKey}`);
    expect(service.accepted).toHaveLength(2);
  });

  test("behavior 15.3: a slug that is requested of both at the same time is given once", async () => {
    const slug = uniqueSlug();
    const answers = await Promise.all(
      [first, second, first, second].map((client) => client.post(PAGES, { slug, title: "t" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });

  test("behavior 12.5: work by the clock of the database after their own clock is set", async () => {
    const [node] = nodes;
    const before = node?.now() ?? Number.NaN;
    const { id } = await createMonitor(first, "SCHEDULED");
    {
      using _ = shiftClock(HOUR);
      await checkIn(first, id, "ok");
      await checkIn(second, id, "ok");
    }
    const { data } = (await first.get(`/api/v1/monitors/${id}/results`)).body;
    expect(data).toHaveLength(2);
    for (const { createdAt } of data) expect(Math.abs(Date.parse(createdAt) - before)).toBeLessThan(HOUR / 2);
  });
});
