import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const OUTAGES = "/api/v1/outages";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

interface Item {
  at: string;
  kind: string;
}

/** A job that has failed. @returns its ID, and its outage as later requests show it too */
async function failing(client = owner, changes: object = {}) {
  const { id } = await createMonitor(client, "SCHEDULED", changes);
  await checkIn(client, id, "ok", "fail");
  const { body } = await client.get(`${OUTAGES}?monitorId=${id}`);
  return { id, outage: { ...body.data[0], downSeconds: expect.any(Number) } };
}

describe("behavior 14.53: outages", () => {
  test("have these fields, in the list and alone", async () => {
    const { id, name } = await createMonitor(owner, "SCHEDULED");
    await checkIn(owner, id, "ok", "fail");
    const { status, body } = await owner.get(`${OUTAGES}?monitorId=${id}&open=true`);
    const [result] = (await owner.get(`/api/v1/monitors/${id}/results`)).body.data;
    expect([status, body.cursor]).toEqual([200, null]);
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^[\w-]+$/),
        monitor: { id, name, type: "SCHEDULED" },
        status: "failed",
        reason: null,
        startedAt: result.createdAt,
        endedAt: null,
        ...{ acknowledgedAt: null, acknowledgedBy: null, note: null, maintenanceId: null },
        ...{ downSince: result.createdAt, downSeconds: expect.any(Number), why: null, cause: null },
      },
    ]);
    const outage = { ...body.data[0], downSeconds: expect.any(Number) };
    expect((await owner.get(`${OUTAGES}/${outage.id}`)).body.data).toEqual(outage);
    await checkIn(owner, id, "ok");
    const [ended] = (await owner.get(`${OUTAGES}?monitorId=${id}&open=false`)).body.data;
    expect(ended).toEqual({ ...outage, endedAt: expect.any(String) });
    expect((await owner.get(`${OUTAGES}?monitorId=${id}&open=true`)).body.data).toEqual([]);
    expect((await owner.get(`${OUTAGES}?monitorId=none`)).body.data).toEqual([]);
  });

  test("have pages", async () => {
    const client = await server.organization();
    for (let count = 0; count < 3; count++) await failing(client);
    const first = (await client.get(`${OUTAGES}?limit=2`)).body;
    const second = (await client.get(`${OUTAGES}?limit=2&cursor=${first.cursor}`)).body;
    expect([first.data.length, second.data.length, second.cursor]).toEqual([2, 1, null]);
    const all = (await client.get(OUTAGES)).body.data;
    // The seconds of an open outage grow between two requests.
    const listed = ({ downSeconds, ...outage }: Record<string, unknown>) => outage;
    expect([...first.data, ...second.data].map(listed)).toEqual(all.map(listed));
  });

  test.each([
    ["open=yes", /^open must be one of true, false$/],
    ["limit=0", /^limit must be/],
    ["cursor=x", /^cursor must be one that an earlier page gave$/],
    ["tag=A%20b", /^tag must/],
    ["from=yesterday", /^from must/],
    ["from=2026-11-24T10:00:00Z&to=2026-11-24T10:00:00Z", /^to must be later than from$/],
    [`search=${"x".repeat(201)}`, /^search must/],
  ])("are refused for %s", async (query, error) => {
    const { status, body } = await owner.get(`${OUTAGES}?${query}`);
    expect(status).toBe(422);
    expect(body.error).toMatch(error);
  });

  test("behavior 14.53, 14.78: are chosen by tag, text and time, in the lists and as CSV", async () => {
    const client = await server.organization();
    const shop = (await failing(client, { name: "Shop front", tags: ["web"] })).outage;
    const blog = (await failing(client, { name: "Blog", tags: ["web", "eu"] })).outage;
    const now = encodeURIComponent(new Date(server.now() + 60_000).toISOString());
    for (const [query, expected] of [
      ["tag=eu", [blog]],
      ["search=sHop", [shop]],
      ["search=shop&tag=eu", []],
      [`tag=web&from=${now}`, [blog, shop]],
      ["tag=web&to=2020-01-01T00:00:00Z", []],
    ] as const) {
      const ids = (await client.get(`${OUTAGES}?${query}`)).body.data.map(
        ({ id }: Item & { id: string }) => id,
      );
      expect([query, ids]).toEqual([query, expected.map(({ id }) => id)]);
      const report = (await client.get(`${OUTAGES}/report?${query}`)).body.data;
      expect([query, report.map(({ id }: { id: string }) => id)]).toEqual([query, ids]);
      const csv = await fetch(new URL(`/api/v1/outages.csv?${query}`, server.client.url), {
        headers: { authorization: `Bearer ${client.key}` },
      });
      const lines = (await csv.text()).trim().split("\r\n").slice(1);
      expect([query, lines.length]).toEqual([query, ids.length]);
      for (const id of ids) expect(lines.join()).toContain(id);
    }
  });

  test("behavior 16.210, 16.211: have their causes for the page, and only there", async () => {
    const client = await server.organization();
    await using target = new HttpTarget(() => new Response("", { status: 500 }));
    const { id } = await createMonitor(client, "HTTP", {
      config: { url: target.url, interval: 86_400, expect: { status: ["2xx"] } },
    });
    const [listed] = await eventually(async () => {
      const { body } = await client.get(`${OUTAGES}/report?monitorId=${id}&open=true&limit=1`);
      return body.data.length > 0 && body.data;
    });
    const { detail, ...outage } = listed;
    expect(detail.message).toBe("500 Internal Server Error, expected 2xx");
    expect(outage).toEqual({
      ...(await client.get(OUTAGES)).body.data[0],
      downSeconds: expect.any(Number),
    });
    const report = (await client.get(`${OUTAGES}/${outage.id}/report`)).body.data;
    const check = { at: outage.startedAt, status: "down", latencyMs: expect.any(Number) };
    expect(report).toEqual({ detail, lastGood: null, lastFailing: { ...check, detail }, checks: [check] });
    expect((await client.get(`${OUTAGES}/report?open=yes`)).status).toBe(422);
  });

  test("of another organization are not found", async () => {
    const other = await server.organization();
    const { outage } = await failing();
    for (const path of ["", "/timeline", "/report"])
      expect((await other.get(`${OUTAGES}/${outage.id}${path}`)).status).toBe(404);
    expect((await other.post(`${OUTAGES}/${outage.id}/acknowledge`)).status).toBe(404);
    expect((await other.delete(`${OUTAGES}/${outage.id}/acknowledge`)).status).toBe(404);
    expect((await owner.get(`${OUTAGES}/${outage.id}`)).body.data).toEqual(outage);
  });
});

describe("behavior 14.55: an acknowledgement", () => {
  const path = (id: string) => `${OUTAGES}/${id}/acknowledge`;

  test("has the name of the key, and a note only if one is sent", async () => {
    const { outage } = await failing();
    const noted = await owner.post(path(outage.id), { note: "Called the provider 🦊" });
    expect(noted.status).toBe(200);
    expect(noted.body.data).toEqual({
      ...outage,
      ...{ acknowledgedAt: expect.any(String), acknowledgedBy: expect.any(String) },
      note: "Called the provider 🦊",
    });
    const { data } = (await owner.get(`${OUTAGES}/${outage.id}`)).body;
    expect(data).toEqual({ ...noted.body.data, downSeconds: expect.any(Number) });
    for (const body of [undefined, {}, { note: "" }]) {
      const again = await owner.post(path(outage.id), body);
      expect([again.status, again.body.data.note]).toEqual([200, null]);
    }
    const taken = await owner.delete(path(outage.id));
    expect([taken.status, taken.body.data]).toEqual([200, outage]);
    expect((await owner.delete(path(outage.id))).body.data).toEqual(outage);
  });

  test.each([
    [{ note: "a".repeat(501) }, "note must be at most 500 characters"],
    [{ note: null }, "note must be at most 500 characters, got null"],
    [{ by: "me" }, "by is not a known field"],
  ])("is refused with %j", async (body, error) => {
    const { outage } = await failing();
    const answer = await owner.post(path(outage.id), body);
    expect([answer.status, answer.body.error]).toEqual([422, error]);
    expect((await owner.post(path(outage.id), { note: "🦊".repeat(500) })).status).toBe(200);
  });

  test("is refused for an outage that has ended", async () => {
    const { id, outage } = await failing();
    await checkIn(owner, id, "ok");
    const error = "the outage has ended: it can't be acknowledged";
    expect((await owner.post(path(outage.id))).body).toEqual({ error });
    expect(await owner.delete(path(outage.id))).toMatchObject({ status: 422, body: { error } });
  });

  test("is never made by a GET", async () => {
    const { outage } = await failing();
    for (const method of ["GET", "HEAD"])
      for (const suffix of ["", "/timeline", "/acknowledge"])
        await fetch(`${owner.url}${OUTAGES}/${outage.id}${suffix}`, {
          method,
          headers: { authorization: `Bearer ${owner.key}` },
        });
    expect((await owner.get(`${OUTAGES}/${outage.id}`)).body.data.acknowledgedAt).toBeNull();
  });

  test("needs the role admin", async () => {
    await using api = await ApiServer.start();
    const members = await api.organization("roles", "enterprise");
    const { outage } = await failing(members.owner);
    expect((await members.viewer.get(`${OUTAGES}/${outage.id}`)).status).toBe(200);
    expect((await members.viewer.post(path(outage.id))).status).toBe(403);
    expect((await members.viewer.delete(path(outage.id))).status).toBe(403);
    expect((await members.admin.post(path(outage.id))).body.data.acknowledgedBy).toBe("admin");
  });

  test("withdraws what waits for its `after`, and taken back it is sent", async () => {
    await using receiver = new Receiver();
    const { id: alertChannelId } = await createChannel(owner, { config: { url: receiver.url } });
    const { id, outage } = await failing(owner, { alertBindings: [{ alertChannelId, after: 86_400 }] });
    const outcome = async () => {
      const [result] = (await owner.get(`/api/v1/monitors/${id}/results?limit=1`)).body.data;
      return result.alertOutcome.status;
    };
    expect(await outcome()).toBe("pending");
    await owner.post(path(outage.id));
    expect(await outcome()).toBe("withdrawn");
    expect((await owner.get(`${OUTAGES}/${outage.id}/timeline`)).body.data).toMatchObject([
      { kind: "seen", status: "failed" },
      { kind: "withdrawn", why: "acknowledged", channel: { id: alertChannelId } },
      { kind: "acknowledged" },
    ]);
    expect(receiver.received).toEqual([]);
  });
});

describe("behavior 14.56: the timeline", () => {
  test("has the notification that was sent, and the recovery", async () => {
    await using receiver = new Receiver();
    const { id: alertChannelId, name } = await createChannel(owner, { config: { url: receiver.url } });
    const { id, outage } = await failing(owner, { alertChannelIds: [alertChannelId] });
    await eventually(() => receiver.received.length === 1);
    await checkIn(owner, id, "ok");
    await eventually(() => receiver.received.length === 2);
    const channel = { id: alertChannelId, name, type: "WEBHOOK" };
    const items = await eventually(async () => {
      const { body } = await owner.get(`${OUTAGES}/${outage.id}/timeline`);
      return body.data.length === 4 && body.data;
    });
    const byKind = Map.groupBy<string, Item>(items, ({ kind }) => kind);
    expect([...byKind.keys()].toSorted()).toEqual(["notified", "recovered", "seen"]);
    expect<unknown>(byKind.get("seen")).toEqual([{ at: outage.startedAt, kind: "seen", status: "failed" }]);
    expect(byKind.get("notified")).toMatchObject([
      { status: "failed", channel },
      { status: "ok", channel },
    ]);
    const times = items.map(({ at }: Item) => at);
    expect(times).toEqual(times.toSorted());
  });
});
