import { describe, expect, test } from "bun:test";
import { countStandings } from "../../src/domain/monitors/standing.ts";
import { eventually } from "../support/eventually.ts";
import { OWN_PAGE } from "../support/people/person.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

interface Snapshot {
  id: string;
  latest: object | null;
  detail: object | null;
}

const server = await untilEndOfFile(TestServer.start());
const client = server.client;

describe("behavior 7.50: the overview", () => {
  test("has the current state of all monitors, and with a range their history", async () => {
    const before = server.now();
    const job = await createMonitor(client, "SCHEDULED");
    await checkIn(client, job.id, "ok", "fail");
    const [now] = (await client.get("/api/v1/overview")).body.data.monitors;
    expect(now).toMatchObject({ id: job.id, status: "failed", enabled: true, latest: { status: "failed" } });
    expect(now).not.toHaveProperty("history");
    expect(Date.parse(now.since)).toBeWithin(before, server.now() + 1);

    const { body } = await client.get("/api/v1/overview?range=7d");
    expect(body.data.buckets).toHaveLength(28);
    expect(body.data.monitors[0]).toMatchObject({ uptime: "50.00%", history: `${"-".repeat(27)}1` });
  });

  test("behavior 14.93: has the tags of each monitor", async () => {
    const some = await server.organization();
    await createMonitor(some, "SCHEDULED", { tags: ["web", "eu"] });
    await createMonitor(some, "SCHEDULED");
    for (const path of ["/api/v1/overview", "/api/v1/overview?first=9"]) {
      const monitors: { tags: string[] }[] = (await some.get(path)).body.data.monitors;
      const tags = monitors.map((monitor) => monitor.tags.join());
      expect(tags.sort()).toEqual(["", "web,eu"]);
    }
  });

  test("behavior 14.97: has the monitors that each monitor depends on", async () => {
    const some = await server.organization();
    const { id } = await createMonitor(some, "SCHEDULED");
    await createMonitor(some, "SCHEDULED", { dependsOn: [id] });
    for (const path of ["/api/v1/overview", "/api/v1/overview?first=9"]) {
      const monitors: { dependsOn: string[] }[] = (await some.get(path)).body.data.monitors;
      expect(monitors.map(({ dependsOn }) => dependsOn.join()).sort()).toEqual(["", id]);
    }
  });

  test("has the detail only of monitors in trouble", async () => {
    await using target = new HttpTarget();
    const down = await createMonitor(client, "HTTP");
    const up = await createMonitor(client, "HTTP", { config: { url: target.url, interval: 86_400 } });
    const detailOf = async ({ id }: { id: string }) => {
      const all: Snapshot[] = (await client.get("/api/v1/overview")).body.data.monitors;
      const one = all.find((monitor) => monitor.id === id);
      return one?.latest ? { detail: one.detail } : undefined;
    };
    expect(await eventually(() => detailOf(down))).toMatchObject({ detail: { reason: "refused" } });
    expect(await eventually(() => detailOf(up))).toEqual({ detail: null });
  });

  test("has the worst first if the number is limited, and counts all", async () => {
    const some = await server.organization();
    for (const name of ["job 10", "job 9", "broken", "paused"]) {
      const { id } = await createMonitor(some, "SCHEDULED", { name });
      await checkIn(some, id, name === "broken" ? "fail" : "ok");
      if (name === "paused") await some.patch(`/api/v1/monitors/${id}`, { enabled: false });
    }
    const { data: all } = (await some.get("/api/v1/overview?range=30d")).body;
    const { data } = (await some.get("/api/v1/overview?range=30d&first=3")).body;
    expect(data.monitors.map(({ name }: { name: string }) => name)).toEqual(["broken", "job 9", "job 10"]);
    expect(data.counts).toEqual({ ...countStandings([]), down: 1, healthy: 2, paused: 1 });
    expect(all).toMatchObject({ counts: data.counts, buckets: data.buckets });
    expect(all.monitors).toEqual(expect.arrayContaining(data.monitors));
    expect((await some.get("/api/v1/overview?first=9")).body.data.monitors).toHaveLength(4);
    expect((await some.get("/api/v1/overview?first=x")).status).toBe(422);
  });

  test("is searched, filtered, sorted and paged by the server, with the numbers of all", async () => {
    const some = await server.organization();
    for (const [at, name] of ["shop 2", "shop 10", "blog", "Shop 1"].entries()) {
      const { id } = await createMonitor(some, "SCHEDULED", { name, tags: at < 2 ? ["eu", "web"] : ["web"] });
      await checkIn(some, id, name === "blog" ? "fail" : "ok");
    }
    const find = async (query: string) => {
      const { data } = (await some.get(`/api/v1/overview?first=3${query}`)).body;
      const names = data.monitors.map(({ name }: { name: string }) => name);
      return { names, matching: data.matching, tags: data.tags, down: data.counts.down };
    };
    const tags = [
      { tag: "web", count: 4 },
      { tag: "eu", count: 2 },
    ];
    expect(await find("")).toEqual({ names: ["blog", "Shop 1", "shop 2"], matching: 4, tags, down: 1 });
    expect(await find("&skip=3")).toMatchObject({ names: ["shop 10"], matching: 4 });
    expect(await find("&search=SHOP%201")).toMatchObject({ names: ["Shop 1", "shop 10"], matching: 2, tags });
    expect(await find("&tag=eu,web&sort=name")).toMatchObject({ names: ["shop 2", "shop 10"], down: 1 });
    expect(await find("&anyTag=eu,none")).toMatchObject({ names: ["shop 2", "shop 10"], matching: 2 });
    expect(await find("&search=EU")).toMatchObject({ names: ["shop 2", "shop 10"], matching: 2 });
    expect(await find("&status=down")).toMatchObject({ names: ["blog"], matching: 1 });
    expect(await find("&type=HTTP")).toMatchObject({ names: [], matching: 0 });
    expect((await find("&sort=uptime")).names[0]).toBe("blog");
    const [one] = (await some.get("/api/v1/overview?first=1&search=blog")).body.data.monitors;
    expect(await find(`&ids=${one.id},unknown`)).toMatchObject({ names: ["blog"], matching: 1 });
    const webhook = { name: "ops", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } };
    const channel = (await some.post("/api/v1/alerts", webhook)).body.data.id;
    expect((await some.get("/api/v1/alerts/unnotified")).body).toEqual({ data: { monitors: 4 } });
    await some.patch(`/api/v1/monitors/${one.id}`, { alertChannelIds: [channel] });
    expect((await some.get("/api/v1/alerts/unnotified")).body).toEqual({ data: { monitors: 3 } });
    const listed = (await some.get("/api/v1/alerts/unnotified?list=true")).body.data;
    expect([listed.monitors, listed.monitorIds.length]).toEqual([3, 3]);
    expect(await find(`&channel=${channel}`)).toMatchObject({ names: ["blog"], matching: 1 });
    expect(await find("&channel=unknown")).toMatchObject({ names: [], matching: 0 });
    await some.patch(`/api/v1/monitors/${one.id}`, { name: "diary" });
    expect((await find("&search=diary")).names).toEqual(["diary"]);
    await some.delete(`/api/v1/monitors/${one.id}`);
    expect(await find("")).toMatchObject({ names: ["Shop 1", "shop 2", "shop 10"], matching: 3, down: 0 });
    expect((await some.get("/api/v1/overview?first=1&sort=size")).status).toBe(422);
  });

  test("is filtered by kind by the server, also in a change of many monitors", async () => {
    const some = await server.organization();
    const port = { host: "127.0.0.1", port: 1, interval: 3600 };
    await createMonitor(some, "TCP", { name: "port", config: port });
    await createMonitor(some, "TCP", { name: "mail", config: { ...port, protocol: "smtp" } });
    const find = async (kind: string) =>
      (await some.get(`/api/v1/overview?first=9&kind=${kind}`)).body.data.monitors.map(
        ({ name }: { name: string }) => name,
      );
    expect([await find("TCP"), await find("MAIL"), await find("PING")]).toEqual([["port"], ["mail"], []]);
    expect((await some.get("/api/v1/overview?first=9&kind=SMTP")).status).toBe(422);
    const bulk = { selector: { matching: { kind: "MAIL" } }, change: { addTags: ["of-mail"] } };
    expect((await some.post("/api/v1/monitors/bulk", bulk)).status).toBe(200);
    const { tags } = (await some.get("/api/v1/overview?first=9")).body.data;
    expect(tags).toEqual([{ tag: "of-mail", count: 1 }]);
  });

  test("behavior 1.6: has what is in maintenance or acknowledged after what needs somebody, like all other counts", async () => {
    const some = await server.organization();
    const failing = async (name: string) => {
      const { id } = await createMonitor(some, "SCHEDULED", { name });
      await checkIn(some, id, "fail");
      return id;
    };
    const [maintained, acknowledged] = [await failing("a"), await failing("b")];
    await failing("c");
    const window = { startsAt: new Date(server.now() - 1000), endsAt: new Date(server.now() + 3_600_000) };
    await some.post("/api/v1/maintenances", {
      title: "Move",
      selector: { monitorIds: [maintained] },
      startsAt: window.startsAt.toISOString(),
      endsAt: window.endsAt.toISOString(),
    });
    const [outage] = (await some.get(`/api/v1/outages?monitorId=${acknowledged}`)).body.data;
    await some.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: "disk full" });
    const counts = { down: 1, acknowledged: 1, maintenance: 1, healthy: 0 };
    const { data } = (await some.get("/api/v1/overview?first=9")).body;
    expect(data.counts).toMatchObject(counts);
    expect(data.monitors.map(({ name }: { name: string }) => name)).toEqual(["c", "b", "a"]);
    expect(data.monitors[1].acknowledgement).toMatchObject({ by: expect.any(String), note: "disk full" });
    expect((await some.get("/api/v1/overview")).body.data.counts).toEqual(data.counts);
    for (const [state, name] of Object.entries({ down: "c", acknowledged: "b", maintenance: "a" })) {
      const found = (await some.get(`/api/v1/overview?first=9&status=${state}`)).body.data.monitors;
      expect(found).toMatchObject([{ name }]);
      const bulk = { selector: { matching: { status: state } }, change: { addTags: ["x"] } };
      const { changed } = (await some.post("/api/v1/monitors/bulk?dryRun=true", bulk)).body.data;
      expect(changed).toMatchObject([{ name }]);
    }
    const wall = (await some.get("/api/v1/wall")).body.data;
    expect(wall.counts).toEqual(data.counts);
    expect(wall.monitors.map(({ name }: { name: string }) => name)).toEqual(["c", "b", "a"]);
    expect((await some.get("/api/v1/attention")).body.data).toEqual({ down: 1, warning: 0 });
  });

  test("has no monitors if there are more than the caller wants", async () => {
    const some = await server.organization();
    for (let at = 0; at < 3; at++) await createMonitor(some, "SCHEDULED", { tags: ["web"] });
    const { data } = (await some.get("/api/v1/overview?upTo=2&range=7d")).body;
    expect(data).toMatchObject({ monitors: [], tags: [{ tag: "web", count: 3 }], counts: { waiting: 3 } });
    const all = (await some.get("/api/v1/overview?upTo=3")).body.data;
    expect(all.monitors).toHaveLength(3);
    expect(all).not.toHaveProperty("tags");
  });

  test("is compressed if it is long and the client accepts it", async () => {
    const other = await server.organization();
    const encodingOf = async (accepted: string, path = "/api/v1/overview?range=90d") => {
      const headers = { authorization: `Bearer ${other.key}`, "accept-encoding": accepted };
      const url = new URL(path, other.url);
      const response = await fetch(url, { headers, decompress: false } as RequestInit);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const encoding = response.headers.get("content-encoding");
      const text = new TextDecoder().decode(encoding ? Bun.gunzipSync(bytes) : bytes);
      return { encoding, monitors: JSON.parse(text).data.monitors.length };
    };
    expect(await encodingOf("gzip", "/api/v1/overview")).toEqual({ encoding: null, monitors: 0 });
    for (let at = 0; at < 20; at++) await createMonitor(other, "SCHEDULED");
    expect(await encodingOf("gzip, br")).toEqual({ encoding: "gzip", monitors: 20 });
    expect(await encodingOf("identity")).toEqual({ encoding: null, monitors: 20 });
    expect(await encodingOf("br, gzip; Q=0")).toEqual({ encoding: null, monitors: 20 });
    expect(await encodingOf("gzip;q=0.1")).toEqual({ encoding: "gzip", monitors: 20 });
  });

  test("has only monitors of the caller's organization", async () => {
    const other = await server.organization();
    expect((await other.get("/api/v1/overview?range=1d")).body.data.monitors).toEqual([]);
  });

  test("rejects an unknown range", async () => {
    expect((await client.get("/api/v1/overview?range=2d")).status).toBe(422);
  });
});

describe("the report of a monitor", () => {
  test.each(["30d", "90d"] as const)(
    "behavior 6.1, 7.43: has the uptime over %s from the hour in which the range starts",
    async (range) => {
      const { id } = await createMonitor(client, "SCHEDULED", { name: range });
      const hour = 3_600_000;
      const since = Math.floor(server.now() / hour) * hour - Number.parseInt(range, 10) * 24 * hour;
      const checkins = (
        [
          ["fail", since - 1],
          ["ok", since],
          ["ok", server.now()],
        ] as const
      ).map(([status, at]) => ({
        kind: "checkin" as const,
        monitorId: id,
        status,
        at,
      }));
      await server.store.recording.record(checkins);
      const { data } = (await client.get(`/api/v1/monitors/${id}/report`)).body;
      expect(data.uptime[range]).toBe("100.00%");
      const list = (await client.get("/api/v1/monitors")).body.data;
      expect(list.find((one: { id: string }) => one.id === id).uptime).toBe(data.uptime["90d"]);
    },
  );

  test("is a 404 for another organization", async () => {
    const { id } = await createMonitor(client, "SCHEDULED");
    const other = await server.organization();
    expect((await other.get(`/api/v1/monitors/${id}/report`)).status).toBe(404);
  });

  test("behavior 3.6: has each outage once with its end, the uptime, and the rhythm of all check-ins", async () => {
    const { id } = await createMonitor(client, "SCHEDULED");
    await checkIn(client, id, "fail", "fail", "ok", "fail", "ok", "ok", "fail", "fail");
    const { body } = await client.get(`/api/v1/monitors/${id}/report?range=1d`);
    const { outages, uptime, lastCheckinAt, learnedPeriod, deadline, checkinUrl } = body.data;
    expect(learnedPeriod).toBeLessThan(60);
    expect(outages.map(({ end }: { end: string | null }) => end === null)).toEqual([true, false, false]);
    expect(uptime).toEqual({ "1d": "37.50%", "7d": "37.50%", "30d": "37.50%", "90d": "37.50%" });
    expect(Date.parse(deadline)).toBeGreaterThan(Date.parse(lastCheckinAt));
    expect(checkinUrl).toBe(`${client.url}/api/v1/monitors/${id}/checkin`);
  });

  test.each(["1d", "7d", "30d", "90d"])("has the latencies over %s", async (range) => {
    const { id } = await createMonitor(client, "TCP", { name: range });
    await becomes(client, id, "down");
    const at = server.now();
    for (const latencyMs of [10, 20, 60]) {
      const evidence = { outcome: "reached", latencyMs, detail: {} } as const;
      await server.store.recording.record([{ kind: "check", monitorId: id, revision: 0, evidence, at }]);
    }
    const { body } = await client.get(`/api/v1/monitors/${id}/report?range=${range}`);
    expect(body.data.latencies).toMatchObject([{ mean: 30, shortest: 10, longest: 60 }]);
  });
});

describe("behavior 7.50: the stream", () => {
  test("says within seconds that something has changed, and ends with the key", async () => {
    const key = await server.keyWith("viewer");
    const response = await fetch(`${client.url}/api/v1/stream`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const text = read(response);
    const changes = () => text.now.split('event: change\ndata: {"monitors":true').length - 1;
    // A new stream always starts with a change.
    await eventually(() => changes() > 0);
    const before = changes();
    const { id } = await createMonitor(client, "SCHEDULED");
    await eventually(() => changes() > before);
    expect(text.now).toContain("event: pulse");
    await client.delete(`/api/v1/monitors/${id}`);
    const keys = (await client.get("/api/v1/api-keys")).body.data;
    await client.delete(`/api/v1/api-keys/${keys.at(-1).id}`);
    await text.end;
  }, 300_000);

  test("notifies a page only of what has changed since the page was sent, before its first reads", async () => {
    await using own = await TestServer.start();
    const signedIn = await own.client.send("POST", "/api/v1/session", { key: own.client.key }, OWN_PAGE);
    const page = { cookie: signedIn.headers.get("set-cookie")?.split(";")[0] ?? "" };
    const load = () => fetch(own.client.url, { headers: page });
    expect(await (await load()).text()).toContain("data-session");
    const idle = read(await fetch(`${own.client.url}/api/v1/stream`, { headers: page }));
    const other = read(
      await fetch(`${own.client.url}/api/v1/stream`, {
        headers: { authorization: `Bearer ${own.client.key}` },
      }),
    );
    // Another reader gets the event that all may have changed from the same look at the database.
    await eventually(() => other.now.includes("event: change"));
    expect(idle.now).not.toContain("event: change");
    await load();
    await createMonitor(own.client, "SCHEDULED");
    const late = read(await fetch(`${own.client.url}/api/v1/stream`, { headers: page }));
    await eventually(() => late.now.includes('"monitors":true') && idle.now.includes('"monitors":true'));
    expect(late.now).toContain('"channels":false');
  }, 300_000);

  test("behavior 8.9: counts as one use of its key, however long it stays open", async () => {
    const key = await server.keyWith("admin");
    const closed = new AbortController();
    const response = await fetch(`${client.url}/api/v1/stream`, {
      headers: { authorization: `Bearer ${key}` },
      signal: closed.signal,
    });
    const text = read(response);
    const lastUsedAt = async () => {
      const { data } = (await client.get("/api/v1/api-keys")).body;
      return data.find(({ keyPrefix }: { keyPrefix: string }) => key.startsWith(keyPrefix)).lastUsedAt;
    };
    const opened = await lastUsedAt();
    expect(opened).not.toBeNull();
    await eventually(async () => text.now.split("event: pulse").length > 2);
    expect(await lastUsedAt()).toBe(opened);
    closed.abort();
    await text.end.catch(() => {});
  }, 300_000);

  test("ends whole when the server stops, which would abort it later", async () => {
    const own = await TestServer.start();
    const headers = { authorization: `Bearer ${own.client.key}` };
    const text = read(await fetch(`${own.client.url}/api/v1/stream`, { headers }));
    await eventually(() => text.now !== "");
    await own[Symbol.asyncDispose]();
    await text.end;
  });

  test("needs a key", async () => {
    expect((await client.as(undefined).get("/api/v1/stream")).status).toBe(401);
  });
});

function read(response: Response) {
  const text = { now: "", end: Promise.resolve() };
  text.end = (async () => {
    for await (const chunk of response.body ?? []) text.now += new TextDecoder().decode(chunk);
  })();
  return text;
}
