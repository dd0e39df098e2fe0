import { describe, expect, test } from "bun:test";
import type { Status } from "../../src/domain/monitors/status.ts";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor, type Type } from "../support/requests/monitors.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { setStatus } from "../support/store/states.ts";
import { untilEndOfFile } from "../support/until-end.ts";

let client: Client;

const server = await untilEndOfFile(TestServer.start());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Item {
  status: string;
  label: string;
}

async function enriched(range = "90d") {
  const { status, body } = await client.get(`/api/v1/monitors?range=${range}`);
  expect(status).toBe(200);
  return body.data[0];
}

/** A SCHEDULED monitor with a period of a year, which never misses a run during the test. */
async function createJob(): Promise<string> {
  client = await server.organization();
  return (await createMonitor(client, "SCHEDULED", { config: { period: 31_536_000 } })).id;
}

/** Records check-ins at times in the past. */
async function recordAt(monitorId: string, ...checkins: [word: "ok" | "fail", at: number][]): Promise<void> {
  await server.store.recording.record(
    checkins.map(([status, at]) => ({ kind: "checkin", monitorId, status, at })),
  );
}

function positionsOf(history: Item[], status: string): number[] {
  return history.flatMap((item, index) => (item.status === status ? [index - history.length] : []));
}

describe("behavior 6.1: uptime", () => {
  test("behavior 6.2: is null without results", async () => {
    await createJob();
    expect((await enriched()).uptime).toBeNull();
  });

  test("behavior 6.1, 6.2: is the share of good results, rounded down, so that 100.00% means that none was bad", async () => {
    const id = await createJob();
    await checkIn(client, id, "ok");
    expect((await enriched()).uptime).toBe("100.00%");
    await checkIn(client, id, "ok", "fail");
    expect((await enriched()).uptime).toBe("66.66%");
    await checkIn(client, id, "fail", "fail");
    expect((await enriched()).uptime).toBe("40.00%");
  });

  test("behavior 6.3: is over the trailing 90 days for every range", async () => {
    const id = await createJob();
    const now = server.now();
    await recordAt(
      id,
      ["fail", now - 92 * DAY],
      ["fail", now - 90 * DAY - 2 * HOUR],
      ["ok", now - 90 * DAY + 2 * HOUR],
      ["fail", now - 45 * DAY],
      ["ok", now - 3 * DAY],
      ["ok", now - HOUR],
    );
    for (const range of ["1d", "7d", "30d", "90d"]) expect((await enriched(range)).uptime).toBe("75.00%");
  });

  test("behavior 3.18, 6.1: does not change while the monitor is paused", async () => {
    const id = await createJob();
    await checkIn(client, id, "ok");
    await client.patch(`/api/v1/monitors/${id}`, { enabled: false });
    expect((await enriched()).uptime).toBe("100.00%");
  });
});

describe("behavior 6.4: history", () => {
  test.each([
    ["1d", 24, /^[A-Z][a-z]{2} \d{1,2}, \d\d:00$/],
    ["7d", 28, /^[A-Z][a-z]{2} \d{1,2}, (00|06|12|18):00$/],
    ["30d", 30, /^[A-Z][a-z]{2} \d{1,2}$/],
    ["90d", 90, /^[A-Z][a-z]{2} \d{1,2}$/],
  ] as const)(
    "behavior 6.4: of %s has %d buckets, the last of which contains now",
    async (range, count, label) => {
      const id = await createJob();
      expect(positionsOf((await enriched(range)).history, "unknown")).toHaveLength(count);
      await checkIn(client, id, "ok");
      const { history } = await enriched(range);
      expect(history).toHaveLength(count);
      expect(positionsOf(history, "ok")).toEqual([-1]);
      for (const item of history) {
        expect(Object.keys(item).toSorted()).toEqual(["label", "status"]);
        expect(item.label).toMatch(label);
      }
    },
  );

  test("behavior 6.4: the default range is 90d", async () => {
    await createJob();
    expect((await client.get("/api/v1/monitors")).body.data[0].history).toHaveLength(90);
  });

  test("behavior 6.5: has the most severe status of each bucket, and unknown without results", async () => {
    const id = await createJob();
    const now = server.now();
    const noon = (days: number) => Math.floor(now / DAY) * DAY - days * DAY + DAY / 2;
    await recordAt(
      id,
      ["ok", noon(20)],
      ["fail", noon(20) + 1],
      ["ok", noon(20) + 2],
      ["ok", noon(5)],
      ["fail", noon(2)],
    );
    for (const range of ["30d", "90d"]) {
      const { history } = await enriched(range);
      expect(positionsOf(history, "failed")).toEqual([-21, -3]);
      expect(positionsOf(history, "ok")).toEqual([-6]);
      expect(positionsOf(history, "unknown")).toHaveLength(history.length - 3);
    }
    expect(positionsOf((await enriched("1d")).history, "ok")).toEqual([]);
  });
});

describe("behavior 1.2: the status of a monitor, and its group in the summary", () => {
  const summary = async () => (await client.get("/api/v1/status")).body.data;

  test.each([
    ["HTTP", "up", "healthy"],
    ["HTTP", "down", "down"],
    ["TCP", "down", "down"],
    ["TLS", "no_cert", "down"],
    ["SCHEDULED", "ok", "healthy"],
    ["SCHEDULED", "failed", "down"],
  ] as [Type, string, string][])("behavior 1.2: %s %s counts as %s", async (type, status, group) => {
    client = await server.organization();
    await using target = new HttpTarget(() => new Response("no", { status: 500 }));
    const config = status === "up" ? { config: { url: target.url, interval: 86_400 } } : {};
    const { id } = await createMonitor(client, type, config);
    if (type === "SCHEDULED") await checkIn(client, id, status === "ok" ? "ok" : "fail");
    await becomes(client, id, status);
    const counts = { healthy: 0, warning: 0, down: 0, [group]: 1 };
    const overall = group === "down" ? "incident" : "operational";
    expect(await summary()).toEqual({ total: 1, ...counts, overall });
  });

  test.each([
    ["up", "healthy", "operational"],
    ["ok", "healthy", "operational"],
    ["active", "healthy", "operational"],
    ["present", "healthy", "operational"],
    ["degraded", "warning", "degraded"],
    ["expiring_soon", "warning", "degraded"],
    ["havent_heard", "warning", "degraded"],
    ["changed", "warning", "degraded"],
    ["down", "down", "incident"],
    ["failed", "down", "incident"],
    ["expired", "down", "incident"],
    ["missing", "down", "incident"],
    ["no_cert", "down", "incident"],
    ["unknown", "down", "incident"],
  ])("behavior 7.48, 7.49: %s counts as %s, and overall is %s", async (status, group, overall) => {
    client = await server.organization();
    const { id } = await createMonitor(client, "SCHEDULED");
    await setStatus(server.db, id, status as Status);
    expect(await summary()).toEqual({
      total: 1,
      ...{ healthy: 0, warning: 0, down: 0, [group]: 1 },
      overall,
    });
  });

  test("behavior 1.3, 1.4: a new monitor is unknown, which counts as down", async () => {
    client = await server.organization();
    expect((await createMonitor(client, "SCHEDULED")).status).toBe("unknown");
    expect(await summary()).toEqual({ total: 1, healthy: 0, warning: 0, down: 1, overall: "incident" });
  });
});

describe("behavior 3.17: a heartbeat", () => {
  test("behavior 1.42, 3.17: without a check-in in its window is havent_heard, a warning, and lowers the uptime", async () => {
    client = await server.organization();
    const { id } = await createMonitor(client, "SCHEDULED", { config: { period: 10, grace: 0 } });
    await recordAt(id, ["ok", server.now() - 5000]);
    const monitor = async () => (await client.get(`/api/v1/monitors/${id}`)).body.data;
    expect((await monitor()).status).toBe("ok");
    await becomes(client, id, "havent_heard");
    expect((await client.get("/api/v1/status")).body.data).toEqual({
      total: 1,
      healthy: 0,
      warning: 1,
      down: 0,
      overall: "degraded",
    });
    expect(await enriched()).toMatchObject({
      uptime: "50.00%",
      latestResult: { status: "havent_heard", latencyMs: null },
    });
    expect((await client.get("/api/v1/events?status=havent_heard")).body.data).toHaveLength(1);
    await checkIn(client, id, "ok");
    expect((await monitor()).status).toBe("ok");
  });

  test("behavior 3.1: without any check-in stays unknown", async () => {
    client = await server.organization();
    const config = { period: 10, grace: 0 };
    const { id } = await createMonitor(client, "SCHEDULED", { config });
    const { id: late } = await createMonitor(client, "SCHEDULED", { config });
    await recordAt(late, ["ok", server.now() - 9500]);
    await becomes(client, late, "havent_heard");
    expect((await client.get(`/api/v1/monitors/${id}`)).body.data.status).toBe("unknown");
  });
});

test("behavior 1.26, 1.30: an HTTP monitor is up with any response, and down without one", async () => {
  client = await server.organization();
  await using target = new HttpTarget(() => new Response("broken", { status: 503 }));
  const { id } = await createMonitor(client, "HTTP", { config: { url: target.url, interval: 86_400 } });
  await becomes(client, id, "up");
  const { port } = new URL(target.url);
  await target.break();
  await client.patch(`/api/v1/monitors/${id}`, {
    config: { url: `http://127.0.0.1:${port}/again`, interval: 86_400 },
  });
  await becomes(client, id, "down");
});
