import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { HttpTarget } from "../support/servers/targets.ts";

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

interface Result {
  id: string;
  status: string;
  createdAt: string;
}

/** Every page from the first to the last. */
async function pages(path: string, between: () => Promise<void> = async () => {}): Promise<Result[][]> {
  const all: Result[][] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await client.get(`${path}${cursor ? `&cursor=${cursor}` : ""}`);
    expect(status).toBe(200);
    all.push(body.data);
    cursor = body.cursor;
    if (cursor !== null) expect(cursor).toBe(body.data.at(-1).id);
    await between();
  } while (cursor !== null);
  return all;
}

describe("behavior 7.44, 7.45: a result", () => {
  test("behavior 7.15: of a check has these fields", async () => {
    client = await server.organization();
    await using target = new HttpTarget(() => new Response("gone", { status: 410 }));
    const { id } = await createMonitor(client, "HTTP", { config: { url: target.url, interval: 86_400 } });
    const [result] = await eventually(async () => {
      const { body } = await client.get(`/api/v1/monitors/${id}/results`);
      return body.data.length > 0 && body.data;
    });
    expect(result).toEqual({
      id: expect.stringMatching(/^[\w-]+$/),
      monitorId: id,
      status: "up",
      latencyMs: expect.any(Number),
      detail: {
        statusCode: 410,
        address: "127.0.0.1",
        phases: { resolve: expect.any(Number), connect: expect.any(Number), firstByte: expect.any(Number) },
      },
      alertTriggered: false,
      alertOutcome: null,
      createdAt: TIME,
    });
    expect(result.latencyMs).toBeGreaterThan(0);
  });

  test("behavior 1.44, 7.47: also has a summary of its monitor in the events list", async () => {
    client = await server.organization();
    const { id, name } = await createMonitor(client, "SCHEDULED");
    await checkIn(client, id, "ok");
    const { body } = await client.get("/api/v1/events");
    const [own] = (await client.get(`/api/v1/monitors/${id}/results`)).body.data;
    expect(own).toMatchObject({ latencyMs: null, detail: null });
    expect(body).toEqual({ data: [{ ...own, monitor: { id, name, type: "SCHEDULED" } }], cursor: null });
  });
});

describe.each(["results", "events"])(
  "behavior 7.22, 7.23, 7.24, 7.25, 7.46: paging through the %s",
  (list) => {
    let id: string;
    const path = () => (list === "events" ? "/api/v1/events?" : `/api/v1/monitors/${id}/results?`);

    beforeAll(async () => {
      client = await server.organization();
      id = (await createMonitor(client, "SCHEDULED")).id;
      const words = Array.from({ length: 205 }, (_, at) => (at % 3 === 0 ? "fail" : "ok") as "ok" | "fail");
      await checkIn(client, id, ...words);
    });

    test("most recent first, 50 by default and at most 200", async () => {
      const size = async (query: string) => (await client.get(path() + query)).body.data.length;
      expect(await size("")).toBe(50);
      expect(await size("limit=1")).toBe(1);
      expect(await size("limit=200")).toBe(200);
      expect(await size("limit=100000")).toBe(200);
      const times = (await client.get(`${path()}limit=200`)).body.data.map(
        (result: Result) => result.createdAt,
      );
      expect(times).toEqual(times.toSorted().reverse());
    });

    test("has every result once, for any page size", async () => {
      for (const limit of [7, 41, 50, 200]) {
        const ids = (await pages(`${path()}limit=${limit}`)).flat().map((result) => result.id);
        expect(ids).toHaveLength(205);
        expect(new Set(ids).size).toBe(205);
      }
    });

    test("ends with a null cursor, also if the last page is full", async () => {
      expect((await pages(`${path()}limit=41`)).map((page) => page.length)).toEqual([41, 41, 41, 41, 41]);
    });

    test("neither skips nor repeats while new results arrive", async () => {
      const before = (await pages(`${path()}limit=200`)).flat().map((result) => result.id);
      const seen = (await pages(`${path()}limit=20`, () => checkIn(client, id, "ok", "fail"))).flat();
      expect(seen.map((result) => result.id)).toEqual(before);
    });

    test.each([
      ["limit=0", "limit must be a whole number of at least 1"],
      ["limit=-1", "limit must be a whole number of at least 1"],
      ["limit=1.5", "limit must be a whole number of at least 1"],
      ["limit=ten", "limit must be a whole number of at least 1"],
      ["limit=", "limit must be a whole number of at least 1"],
      ["cursor=", "cursor must be one that an earlier page gave"],
      ["cursor=nonsense!", "cursor must be one that an earlier page gave"],
    ])("rejects %s", async (query, error) => {
      const { status, body } = await client.get(path() + query);
      expect({ status, body }).toEqual({ status: 422, body: { error } });
    });
  },
);

test("a cursor whose result was deleted still works, and so does a cursor of another organization", async () => {
  const first = await server.organization();
  const { id } = await createMonitor(first, "SCHEDULED");
  await checkIn(first, id, "ok", "ok", "ok");
  const { body } = await first.get("/api/v1/events?limit=1");

  const second = await server.organization();
  const kept = await createMonitor(second, "SCHEDULED");
  await checkIn(second, kept.id, "ok");
  const foreign = await second.get(`/api/v1/events?cursor=${body.cursor}`);
  await first.delete(`/api/v1/monitors/${id}`);
  const missing = await second.get(`/api/v1/events?cursor=${body.cursor}`);
  expect(foreign).toMatchObject({ status: 200, body: { data: [], cursor: null } });
  expect(missing.body).toEqual(foreign.body);
});

describe("behavior 7.28: filters", () => {
  beforeAll(async () => {
    client = await server.organization();
    const job = await createMonitor(client, "SCHEDULED");
    await checkIn(client, job.id, "ok", "fail", "ok");
    const { id } = await createMonitor(client, "TCP");
    await eventually(async () => (await client.get(`/api/v1/monitors/${id}`)).body.data.status === "down");
  });

  test.each([
    ["", ["down", "ok", "failed", "ok"]],
    ["type=TCP", ["down"]],
    ["type=SCHEDULED", ["ok", "failed", "ok"]],
    ["status=ok", ["ok", "ok"]],
    ["type=SCHEDULED&status=failed", ["failed"]],
    ["type=TCP&status=failed", []],
    ["type=DNS", []],
    ["status=ok&limit=1", ["ok"]],
  ])("%s", async (query, statuses) => {
    const { body } = await client.get(`/api/v1/events?${query}`);
    expect(body.data.map((result: Result) => result.status)).toEqual(statuses);
  });

  test.each([
    ["type=PING", /^type must be one of HTTP, TCP, TLS, DNS, SCHEDULED$/],
    ["status=fine", /^status must be one of .*up.*degraded.*havent_heard/],
  ])("behavior 7.27: rejects %s", async (query, error) => {
    const { status, body } = await client.get(`/api/v1/events?${query}`);
    expect(status).toBe(422);
    expect(body.error).toMatch(error);
  });
});

describe("behavior 14.3, 14.57: the tag and the changes of events", () => {
  test("combine with the other filters", async () => {
    client = await server.organization();
    const web = await createMonitor(client, "SCHEDULED", { tags: ["web"] });
    const { id } = await createMonitor(client, "SCHEDULED");
    await checkIn(client, web.id, "ok", "ok", "fail");
    await checkIn(client, id, "ok");
    const found = async (query: string) =>
      (await client.get(`/api/v1/events?${query}`)).body.data.map(
        ({ status, previousStatus }: { status: string; previousStatus?: string }) =>
          previousStatus ? [previousStatus, status] : status,
      );
    expect(await found("tag=web")).toEqual(["failed", "ok", "ok"]);
    expect(await found("tag=web&status=ok")).toEqual(["ok", "ok"]);
    expect(await found("tag=none")).toEqual([]);
    expect(await found("changes=false&tag=web")).toHaveLength(3);
    expect(await found("changes=true&tag=web")).toEqual([
      ["ok", "failed"],
      ["unknown", "ok"],
    ]);
    expect(await found("changes=true&limit=1")).toEqual([["unknown", "ok"]]);
    const listed = (await client.get("/api/v1/monitors?tag=web")).body.data;
    expect(listed.map((monitor: { id: string }) => monitor.id)).toEqual([web.id]);
    expect((await client.get("/api/v1/monitors?tag=web&type=TCP")).body.data).toEqual([]);
  });

  test.each(["tag=Web", "tag=", "changes=yes"])("are refused: %s", async (query) => {
    const { status, body } = await client.get(`/api/v1/events?${query}`);
    expect(status).toBe(422);
    expect(body.error).toMatch(/^(tag must be 1 to 50 characters|changes must be one of true, false)/);
    if (query.startsWith("tag"))
      expect((await client.get(`/api/v1/monitors?${query}`)).body.error).toBe(body.error);
  });
});

describe("behavior 16.200, 16.201: a stretch of time, and only problems", () => {
  let paths: string[];

  beforeAll(async () => {
    client = await server.organization();
    const { id } = await createMonitor(client, "SCHEDULED");
    await checkIn(client, id, "ok", "fail", "ok", "fail");
    paths = [`/api/v1/monitors/${id}/results`, "/api/v1/events"];
  });

  test("choose results, page by page", async () => {
    for (const path of paths) {
      const [last, , second] = (await client.get(path)).body.data;
      const [from, to] = [second.createdAt, last.createdAt].map(encodeURIComponent);
      const found = async (query: string) =>
        (await pages(`${path}?${query}`)).flat().map(({ status }) => status);
      expect(await found(`from=${from}&to=${to}`)).toEqual(["ok", "failed"]);
      expect(await found(`from=${from}&problems=true&limit=1`)).toEqual(["failed", "failed"]);
      expect(await found("problems=false")).toHaveLength(4);
      const csv = await fetch(new URL(`${paths[0]}.csv?problems=true&to=${to}`, client.url), {
        headers: { authorization: `Bearer ${client.key}` },
      });
      expect((await csv.text()).match(/,failed,/g)).toHaveLength(1);
    }
  });

  test.each([
    ["from=yesterday", "from must be an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z"],
    ["to=2027-01-01T00:00:00", "to must be an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z"],
    ["from=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00Z", "to must be later than from"],
    ["problems=yes", "problems must be one of true, false"],
  ])("are refused: %s", async (query, error) => {
    for (const path of [...paths, `${paths[0]}.csv`])
      expect(await client.get(`${path}?${query}`)).toMatchObject({ status: 422, body: { error } });
  });
});

test("behavior 7.26: a poller that starts again gets the same results with the same times", async () => {
  const first = await client.get("/api/v1/events");
  expect((await client.get("/api/v1/events")).body).toEqual(first.body);
});
