import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startNode, type TestNode } from "../support/product/node.ts";
import type { Answer, Client } from "../support/requests/client.ts";
import { answersOf, UNLOCKED, unlockedPage } from "../support/requests/locked-page.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createPage, PAGES } from "../support/requests/pages.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../support/store/postgres/proxy.ts";

setDefaultTimeout(300_000);

/** Within which a request is answered, in milliseconds. */
const LIMIT = 10_000;

describe.skipIf(findPrograms() === undefined)("while the database is silent", () => {
  let database: string;
  let proxy: DatabaseProxy;
  let node: TestNode;
  let client: Client;
  let target: HttpTarget;
  let ids: { check: string; job: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.start(await sharedCluster());
    node = await startNode(proxy.url(database));
    client = node.client;
    target = new HttpTarget();
    const config = { url: target.url, interval: 1 };
    const [check, job] = [
      await createMonitor(client, "HTTP", { config }),
      await createMonitor(client, "SCHEDULED"),
    ];
    ids = { check: check.id, job: job.id };
    await eventually(async () => (await statusesOf(check.id)).length > 1);
  });

  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    proxy[Symbol.dispose]();
    await target[Symbol.asyncDispose]();
    dropDatabase(database);
  });

  async function statusesOf(id: string): Promise<string[]> {
    const { data } = (await client.get(`/api/v1/monitors/${id}/results?limit=200`)).body;
    return data.map(({ status }: { status: string }) => status);
  }

  /** Reads the live stream of changes in the background. */
  async function readStream(signal: AbortSignal): Promise<{ text: string; isOpen: boolean }> {
    const headers = { authorization: `Bearer ${client.key}` };
    const { body } = await fetch(`${client.url}/api/v1/stream`, { headers, signal });
    const stream = { text: "", isOpen: true };
    const decoder = new TextDecoder();
    const read = async () => {
      for await (const bytes of body as ReadableStream<Uint8Array>) stream.text += decoder.decode(bytes);
    };
    const end = () => {
      stream.isOpen = false;
    };
    read().then(end, end);
    return stream;
  }

  async function timed(request: () => Promise<Answer>): Promise<Answer & { took: number }> {
    const start = performance.now();
    const answer = await request();
    return { ...answer, took: performance.now() - start };
  }

  const requests = (): (() => Promise<Answer>)[] => [
    () => client.get("/api/v1/monitors"),
    () => client.get(`/api/v1/monitors/${ids.job}/checkin`),
    () => client.get("/api/v1/api-keys"),
    () => client.patch(`/api/v1/monitors/${ids.job}`, { name: "b" }),
    () => client.get("/api/v1/status"),
    () => client.get("/metrics"),
  ];

  test("behavior 7.77, 12.6: every request that needs it is answered 503 within 10 s, and all goes on when it is back", async () => {
    const abort = new AbortController();
    const stream = await readStream(abort.signal);
    proxy.silence();
    const running: Promise<Answer & { took: number }>[] = [];
    const health: Answer[] = [];
    await eventually(async () => {
      // Also requests that wait for others, at any time of the silence.
      running.push(...requests().map(timed));
      health.push(await client.as(undefined).get("/healthz"));
      await Bun.sleep(500);
      return health.at(-1)?.body.database === "away";
    }, 300_000);
    expect(health.at(-1)).toMatchObject({
      status: 503,
      body: { status: "failing", database: "away", probes: "ok" },
    });
    const purposes = ["liveness", "readiness"].map((purpose) => client.get(`/healthz?for=${purpose}`));
    expect((await Promise.all(purposes)).map(({ status, body }) => [status, body.status])).toEqual([
      [200, "ok"],
      [503, "failing"],
    ]);
    running.push(...requests().map(timed));
    for (const { status, headers, took } of await Promise.all(running)) {
      expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 503, retryAfter: "5" });
      expect(took).toBeLessThan(LIMIT);
    }
    expect((await fetch(client.url)).status).toBe(200);

    proxy.cut();
    await eventually(async () => (await client.as(undefined).get("/healthz")).status === 200);
    const before = (await statusesOf(ids.check)).length;
    await eventually(async () => (await statusesOf(ids.check)).length > before);
    expect(new Set(await statusesOf(ids.check))).toEqual(new Set(["up"]));
    expect(stream.isOpen).toBe(true);
    const heard = stream.text.length;
    expect((await client.get(`/api/v1/monitors/${ids.job}/checkin`)).status).toBe(200);
    await eventually(() => stream.text.slice(heard).includes("event: change"));
    abort.abort();
  });

  test("behavior 15.34, 21.34: readers of a public page get the last known one, by its last known password, and the next one when it is back", async () => {
    const page = await createPage(client, { visibility: "public", title: "Before" });
    const read = async (slug: string) => {
      const answer = await fetch(`${client.url}/status/${slug}/api/v2/status.json`);
      return {
        status: answer.status,
        name: ((await answer.json()) as { page?: { name: string } }).page?.name,
      };
    };
    // A connection that the previous test has cut may answer first.
    await eventually(async () => (await read(page.slug)).name === "Before");
    const locked = await eventually(async () => {
      const opened = await unlockedPage(client);
      return opened.cookie !== "" && opened;
    });
    const changed = { ...locked, password: "another one" };
    proxy.silence();
    await eventually(async () => (await client.as(undefined).get("/healthz")).status === 503);
    expect(await read(page.slug)).toEqual({ status: 200, name: "Before" });
    expect(await read("never-read")).toEqual({ status: 503, name: undefined });
    {
      await using other = await startNode((await sharedCluster()).url(database));
      const there = other.client.as(client.key);
      const { status } = await there.patch(`${PAGES}/${locked.id}`, { password: changed.password });
      expect(status).toBe(200);
    }
    expect(await answersOf(client.url, locked)).toEqual(UNLOCKED);
    expect(await answersOf(client.url, changed)).toEqual([401, 200, 401]);
    proxy.cut();
    await eventually(async () => (await client.as(undefined).get("/healthz")).status === 200);
    expect((await client.patch(`${PAGES}/${page.id}`, { title: "After" })).status).toBe(200);
    await eventually(async () => (await read(page.slug)).name === "After");
    const { cookie } = locked;
    const readAgain = () => fetch(`${client.url}/status/${locked.slug}`, { headers: { cookie } });
    await eventually(async () => (await readAgain()).status === 401);
    expect(await answersOf(client.url, changed)).toEqual([401, 401, 303]);
    expect(await answersOf(client.url, locked)).toEqual([401, 401, 401]);
  });
});
