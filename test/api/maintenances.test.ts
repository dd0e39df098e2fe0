import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const MAINTENANCES = "/api/v1/maintenances";
const HOUR = 60 * 60 * 1000;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

setDefaultTimeout(300_000);

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const iso = (time: number) => new Date(time).toISOString();
const fromNow = (hours: number) => iso(server.now() + hours * HOUR);
const open = () => ({ title: "Move", selector: { all: true }, startsAt: fromNow(-1), endsAt: fromNow(1) });

/** Its next window is not open yet, except on a leap day. */
const rare = { title: "Restart", selector: { tags: ["nightly"] }, cron: "30 2 29 2 *", duration: 1800 };

/** A time that is not past yet, for tables of tests, which are written before the server starts. */
const later = (hours: number) => iso(Date.UTC(2990, 0, 1) + hours * HOUR);

async function create(values: object, client = owner) {
  const { status, body } = await client.post(MAINTENANCES, values);
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data;
}

describe("behavior 14.40: a maintenance", () => {
  test("with one window has the fields of that form", async () => {
    const [startsAt, endsAt] = [fromNow(1), fromNow(2)];
    const created = await create({ title: " Move ", selector: { all: true }, startsAt, endsAt });
    expect(created).toEqual({
      id: expect.any(String),
      title: "Move",
      message: null,
      selector: { all: true },
      ...{ startsAt, endsAt, cron: null, timezone: null, duration: null, until: null },
      notifyChannelIds: [],
      notifySubscribers: false,
      ref: null,
      ...{ state: "scheduled", nextStartsAt: startsAt, nextEndsAt: endsAt },
      ...{ createdAt: TIME, updatedAt: TIME },
    });
    const { status, body } = await owner.get(`${MAINTENANCES}/${created.id}`);
    expect([status, body.data]).toEqual([200, created]);
    expect((await owner.get(MAINTENANCES)).body.data).toContainEqual(created);
  });

  test("behavior 14.41, 15.110: notifies subscribers of one window, never of windows that repeat", async () => {
    const times = { startsAt: fromNow(1), endsAt: fromNow(2) };
    const told = await create({ title: "Move", selector: { all: true }, ...times, notifySubscribers: true });
    expect(told).toMatchObject({ notifySubscribers: true });
    const refused = await owner.post(MAINTENANCES, { ...rare, notifySubscribers: true });
    expect(refused.body).toEqual({ error: "notifySubscribers must not be true with cron" });
    const { cron, duration } = rare;
    const path = `${MAINTENANCES}/${told.id}`;
    expect((await owner.patch(path, { cron, duration, notifySubscribers: true })).status).toBe(422);
    expect((await owner.patch(path, { cron, duration })).body.data).toMatchObject({
      notifySubscribers: false,
    });
  });

  test("with a cron expression has the fields of that form, and UTC without a time zone", async () => {
    const created = await create({ ...rare, message: "Lights off", until: "2999-01-01T00:00:00+01:00" });
    expect(created).toMatchObject({
      ...rare,
      message: "Lights off",
      ...{ startsAt: null, endsAt: null, timezone: "UTC", until: "2998-12-31T23:00:00.000Z" },
      state: expect.stringMatching(/^(scheduled|active)$/),
      nextStartsAt: expect.stringMatching(/T02:30:00.000Z$/),
      nextEndsAt: expect.stringMatching(/T03:00:00.000Z$/),
    });
  });

  test("names each monitor, tag and channel once", async () => {
    const [monitor, channel] = [await createMonitor(owner, "TCP"), (await createChannel(owner)).id];
    const selector = { monitorIds: [monitor.id, monitor.id], tags: ["b", "a", "b"] };
    const { selector: stored, notifyChannelIds } = await create({
      ...rare,
      selector,
      notifyChannelIds: [channel, channel],
    });
    expect(stored).toEqual({ monitorIds: [monitor.id], tags: ["b", "a"] });
    expect(notifyChannelIds).toEqual([channel]);
  });

  test("does not show monitors and channels that were deleted", async () => {
    const [one, other, channel] = [
      await createMonitor(owner, "TCP"),
      await createMonitor(owner, "TCP"),
      (await createChannel(owner)).id,
    ];
    const selector = { monitorIds: [one.id, other.id] };
    const { id } = await create({ ...rare, selector, notifyChannelIds: [channel] });
    await owner.delete(`/api/v1/monitors/${one.id}`);
    await owner.delete(`/api/v1/alerts/${channel}`);
    const { body } = await owner.get(`${MAINTENANCES}/${id}`);
    expect(body.data).toMatchObject({ selector: { monitorIds: [other.id] }, notifyChannelIds: [] });
    expect((await owner.patch(`${MAINTENANCES}/${id}`, { title: "x" })).status).toBe(200);
  });

  test("is read by every role and written by an admin, in its organization only", async () => {
    const { id } = await create(rare);
    const viewer = owner.as(await server.keyWith("viewer"));
    const admin = owner.as(await server.keyWith("admin"));
    expect((await viewer.get(MAINTENANCES)).status).toBe(200);
    expect((await viewer.get(`${MAINTENANCES}/${id}`)).status).toBe(200);
    const writes = (client: Client) => [
      client.post(MAINTENANCES, rare),
      client.patch(`${MAINTENANCES}/${id}`, { title: "x" }),
      client.post(`${MAINTENANCES}/${id}/end`),
      client.delete(`${MAINTENANCES}/${id}`),
    ];
    const statuses = async (client: Client) =>
      (await Promise.all(writes(client))).map(({ status }) => status);
    expect(await statuses(viewer)).toEqual([403, 403, 403, 403]);
    const other = await server.organization();
    expect((await statuses(other)).slice(1)).toEqual([404, 404, 404]);
    expect((await other.get(`${MAINTENANCES}/${id}`)).status).toBe(404);
    expect((await other.get(MAINTENANCES)).body.data).toHaveLength(1);
    expect((await admin.delete(`${MAINTENANCES}/${id}`)).body).toEqual({ data: { id } });
  });
});

describe("behavior 14.41: 422 for a maintenance", () => {
  const once = { title: "t", selector: { all: true }, startsAt: later(1), endsAt: later(2) };
  const { title: _, ...untitled } = once;
  const { selector: __, ...unselected } = once;
  const { duration: ___, ...endless } = rare;
  const UNKNOWN = "Zc2pGqYt8KXbW4m1rVnD5s";

  test.each<[string, object, string]>([
    ["without a title", untitled, "title is required"],
    ["with an empty title", { ...once, title: " " }, "title must be 1 to 200 characters"],
    ["with a long title", { ...once, title: "a".repeat(201) }, "title must be"],
    [
      "with a long message",
      { ...once, message: "a".repeat(2001) },
      "message must be a string of at most 2000 characters",
    ],
    ["without a selector", unselected, "selector is required"],
    [
      "with a selector without a part",
      { ...once, selector: {} },
      "selector must be an object with at least one of monitorIds, tags, all",
    ],
    ["with `all: false`", { ...once, selector: { all: false } }, "selector.all must be true"],
    [
      "with no IDs of monitors",
      { ...once, selector: { monitorIds: [] } },
      "selector.monitorIds must be an array of at least 1 entry",
    ],
    [
      "with no tags",
      { ...once, selector: { tags: [] } },
      "selector.tags must be an array of at least 1 entry",
    ],
    ["with an invalid tag", { ...once, selector: { tags: ["A b"] } }, "selector.tags.0 must be"],
    [
      "with another part",
      { ...once, selector: { all: true, names: ["a"] } },
      "selector.names is not a known",
    ],
    [
      "with an unknown monitor",
      { ...once, selector: { monitorIds: [UNKNOWN] } },
      "selector.monitorIds.0 is not",
    ],
    ["with an unknown channel", { ...once, notifyChannelIds: [UNKNOWN] }, "notifyChannelIds.0 is not"],
    ["without times", { title: "t", selector: { all: true } }, "startsAt and endsAt, or cron and duration"],
    ["without a start", { ...once, startsAt: undefined }, "startsAt is required"],
    ["without an end", { ...once, endsAt: undefined }, "endsAt is required"],
    ["with an end at the start", { ...once, endsAt: once.startsAt }, "endsAt must be later than startsAt"],
    [
      "wholly in the past",
      { ...once, startsAt: "2020-01-01T00:00:00Z", endsAt: "2020-01-01T01:00:00Z" },
      "endsAt must be in the future",
    ],
    ["with a start that is no time", { ...once, startsAt: "tomorrow" }, "startsAt must be"],
    ["with both forms", { ...rare, startsAt: later(1), endsAt: later(2) }, "startsAt and cron must not"],
    ["with a mix of forms", { ...once, duration: 60 }, "startsAt and duration must not be given together"],
    ["without a duration", endless, "duration is required"],
    ["with a duration only", { ...rare, cron: undefined }, "cron is required"],
    ["with a short duration", { ...rare, duration: 59 }, "duration must be a whole number from 60 to 604800"],
    ["with a long duration", { ...rare, duration: 604_801 }, "duration must be a whole number"],
    ["with six fields of cron", { ...rare, cron: "0 30 2 * * *" }, "cron must be"],
    ["with a cron that never runs", { ...rare, cron: "0 0 30 2 *" }, "cron must be"],
    ["with an unknown time zone", { ...rare, timezone: "Berlin" }, "timezone must be"],
    ["with an `until` that leaves none", { ...rare, until: "2020-01-01T00:00:00Z" }, "until must be"],
    ["with a field that is read-only", { ...once, state: "active" }, "state is not a known field"],
    ["with null for a message", { ...once, message: null }, "message must be"],
    ["with null for a field of the other form", { ...once, cron: null }, "cron must be"],
    [
      "with null for a selector part",
      { ...once, selector: { all: true, tags: null } },
      "selector.tags must be",
    ],
  ])("%s", async (_, values, sentence) => {
    const { status, body } = await owner.post(MAINTENANCES, values);
    expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test.each<[string, object, string]>([
    ["with half of the other form", { startsAt: later(1) }, "endsAt is required with startsAt"],
    ["with a mix of forms", { endsAt: later(2), duration: 60 }, "endsAt and duration must not be given"],
    ["with null", { until: null }, "until must be"],
    ["with an `until` that leaves none", { until: "2020-01-01T00:00:00Z" }, "until must be"],
    ["with an empty selector", { selector: {} }, "selector must be"],
  ])("that is updated %s", async (_, changes, sentence) => {
    const { id } = await create(rare);
    const { status, body } = await owner.patch(`${MAINTENANCES}/${id}`, changes);
    expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
  });
});

describe("behavior 14.42: an update", () => {
  test("changes the fields that are sent", async () => {
    const { id, ...before } = await create(rare);
    const { status, body } = await owner.patch(`${MAINTENANCES}/${id}`, { title: "Later", duration: 60 });
    expect([status, body.data]).toEqual([
      200,
      { ...before, id, title: "Later", duration: 60, nextEndsAt: TIME, updatedAt: TIME },
    ]);
  });

  test("with all fields of the other form replaces the form", async () => {
    const { id } = await create(rare);
    const [startsAt, endsAt] = [fromNow(1), fromNow(2)];
    const { body } = await owner.patch(`${MAINTENANCES}/${id}`, { startsAt, endsAt });
    expect(body.data).toMatchObject({ startsAt, endsAt, cron: null, timezone: null, duration: null });
    const again = await owner.patch(`${MAINTENANCES}/${id}`, { cron: "0 3 * * *", duration: 60 });
    expect(again.body.data).toMatchObject({
      startsAt: null,
      endsAt: null,
      cron: "0 3 * * *",
      timezone: "UTC",
    });
  });

  test("of a maintenance that has ended may change its title", async () => {
    const { id } = await create(open());
    await owner.post(`${MAINTENANCES}/${id}/end`);
    const { status, body } = await owner.patch(`${MAINTENANCES}/${id}`, { title: "Done" });
    expect([status, body.data.state]).toEqual([200, "ended"]);
  });
});

describe("behavior 14.43: the end of a window", () => {
  test("is now, and a second one is a 422", async () => {
    const { id } = await create(open());
    const { status, body } = await owner.post(`${MAINTENANCES}/${id}/end`);
    expect([status, body.data]).toMatchObject([
      200,
      { id, state: "ended", nextStartsAt: null, nextEndsAt: null },
    ]);
    expect(Date.parse(body.data.endsAt)).toBeLessThanOrEqual(server.now());
    const again = await owner.post(`${MAINTENANCES}/${id}/end`);
    expect([again.status, again.body.error]).toEqual([422, "no window of this maintenance is open"]);
  });

  test("with cron leaves the next one", async () => {
    const { id, nextEndsAt } = await create({ ...rare, cron: "* * * * *", duration: 7200 });
    const { status, body } = await owner.post(`${MAINTENANCES}/${id}/end`);
    expect(status).toBe(200);
    expect(Date.parse(body.data.nextEndsAt)).toBeGreaterThan(Date.parse(nextEndsAt));
  });

  test("that is not open yet is a 422", async () => {
    const { id } = await create({ ...open(), startsAt: fromNow(0.5) });
    expect((await owner.post(`${MAINTENANCES}/${id}/end`)).status).toBe(422);
  });
});

describe("behavior 14.47: the monitor of an open window", () => {
  test("has it in every response, until it ends", async () => {
    const tag = "in-a-window";
    const { id } = await createMonitor(owner, "SCHEDULED", { tags: [tag] });
    const before = await everyResponse(id);
    const { id: window, endsAt } = await create({ ...open(), title: "Rack", selector: { tags: [tag] } });
    const during = await everyResponse(id);
    const created = await createMonitor(owner, "SCHEDULED", { tags: [tag] });
    await owner.post(`${MAINTENANCES}/${window}/end`);
    const after = await everyResponse(id);
    const shown = { id: window, title: "Rack", endsAt };
    expect({ before, during, created: created.maintenance, after }).toEqual({
      before: [null, null, null, null, null],
      during: [shown, shown, shown, shown, shown],
      created: shown,
      after: [null, null, null, null, null],
    });
  });

  /** All responses that contain a monitor. */
  async function everyResponse(id: string) {
    const monitors = "/api/v1/monitors";
    const isThis = (monitor: { id: string }) => monitor.id === id;
    const lists = [
      (await owner.get(monitors)).body.data,
      (await owner.get("/api/v1/overview")).body.data.monitors,
      (await owner.get("/api/v1/overview?first=200")).body.data.monitors,
    ];
    const items = [
      (await owner.get(`${monitors}/${id}`)).body.data,
      (await owner.patch(`${monitors}/${id}`, { name: "job" })).body.data,
      ...lists.map((list) => list.find(isThis)),
    ];
    return items.map(({ maintenance }) => maintenance);
  }
});
