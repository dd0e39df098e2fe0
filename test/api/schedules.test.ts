import { describe, expect, test } from "bun:test";
import ICAL from "ical.js";
import { sync as nodeIcal } from "node-ical";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Answer } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const SCHEDULES = "/api/v1/schedules";
const DAY = 24 * 60 * 60 * 1000;
const PASSWORD = "a password of Ana";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const FORBIDDEN = { status: 403, body: { error: "Forbidden" } };

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const anyone = owner.as(undefined);

let people = 0;

const cookieOf = ({ headers }: Answer) => ({
  cookie: headers.get("set-cookie")?.split(";")[0] ?? "",
  ...OWN_PAGE,
});

async function join(name: string, role = "viewer") {
  const email = `${name.toLowerCase()}${++people}@example.com`;
  const { body } = await owner.post("/api/v1/people", { email, role });
  const token = body.data.inviteUrl.split("/invite/")[1];
  const answer = await anyone.send(
    "POST",
    `/api/v1/invites/${token}`,
    { name, password: PASSWORD },
    OWN_PAGE,
  );
  const headers = cookieOf(answer);
  const send = (method: string, path: string, sent?: object) => anyone.send(method, path, sent, headers);
  return { id: body.data.id as string, email, send };
}

const [ana, ben] = [await join("Ana"), await join("Ben")];
const WEEK = { personIds: [ana.id, ben.id], every: "week", startsAt: "2026-03-02T08:00:00.000Z" };

async function create(values: object = {}) {
  const { status, body } = await owner.post(SCHEDULES, { name: "Operations", layers: [WEEK], ...values });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data;
}

const onCall = async (id: string, query = "") => (await owner.get(`${SCHEDULES}/${id}/on-call${query}`)).body;

describe("behavior 23.26: a schedule", () => {
  test("has its values in every response, and those that are sent change", async () => {
    const hours = { windows: [{ days: ["mon", "tue"], from: "18:00", to: "08:00" }] };
    const nights = { personIds: [ben.id], every: 7200, startsAt: "2026-03-02T08:00:00.000Z", hours };
    const created = await create({ name: " Nights ", timezone: "Europe/Berlin", layers: [nights, WEEK] });
    expect(created).toEqual({
      id: expect.any(String),
      name: "Nights",
      timezone: "Europe/Berlin",
      layers: [nights, WEEK],
      overrides: [],
      ref: null,
      ...{ createdAt: TIME, updatedAt: TIME },
    });
    const path = `${SCHEDULES}/${created.id}`;
    expect((await owner.get(path)).body.data).toEqual(created);
    expect((await owner.get(SCHEDULES)).body.data).toContainEqual(created);
    const changes = { layers: [{ ...WEEK, startsAt: "2026-03-02T09:00:00+01:00" }] };
    const { status, body } = await owner.patch(path, changes);
    expect([status, body.data]).toEqual([200, { ...created, layers: [WEEK], updatedAt: TIME }]);
    expect((await owner.delete(path)).body.data).toEqual({ id: created.id });
    expect(await owner.get(path)).toMatchObject({ status: 404 });
    expect((await create()).timezone).toBe("UTC");
  });

  test.each([
    [{ layers: [] }, "layers must be an array of 1 to 8 entries"],
    [{ layers: Array(9).fill(WEEK) }, "layers must be an array of 1 to 8 entries"],
    [{ layers: [{ ...WEEK, every: 3599 }] }, "layers.0.every must be"],
    [{ layers: [{ ...WEEK, every: 31_536_001 }] }, "layers.0.every must be"],
    [{ layers: [{ ...WEEK, every: "month" }] }, "layers.0.every must be"],
    [{ layers: [{ ...WEEK, personIds: [] }] }, "layers.0.personIds must be an array of 1 to 100 entries"],
    [
      { layers: [WEEK, { ...WEEK, personIds: [ana.id, "nobody"] }] },
      "layers.1.personIds.1 is not a person of this organization",
    ],
    [{ timezone: "Mars/Base" }, "timezone must be"],
    [{ name: " " }, "name must be"],
    [{ other: 1 }, "other is not a known field"],
  ])("behavior 23.27: with %j is a 422", async (values, error) => {
    const { status, body } = await owner.post(SCHEDULES, { name: "X", layers: [WEEK], ...values });
    expect([status, body.error]).toEqual([422, expect.stringContaining(error)]);
  });

  test("behavior 23.27: every role reads, role admin writes", async () => {
    const { id } = await create();
    expect(await ana.send("GET", SCHEDULES)).toMatchObject({ status: 200 });
    const values = { name: "X", layers: [WEEK] };
    expect(await ana.send("POST", SCHEDULES, values)).toMatchObject(FORBIDDEN);
    expect(await ana.send("PATCH", `${SCHEDULES}/${id}`, values)).toMatchObject(FORBIDDEN);
    expect(await ana.send("DELETE", `${SCHEDULES}/${id}`)).toMatchObject(FORBIDDEN);
    expect(await ana.send("POST", `${SCHEDULES}/${id}/calendar`)).toMatchObject(FORBIDDEN);
  });

  test("behavior 23.26: a ref creates it, or replaces it without its overrides", async () => {
    const path = `${SCHEDULES}/by-ref/nights`;
    const created = await owner.put(path, { name: "Nights", timezone: "Europe/Berlin", layers: [WEEK] });
    expect([created.status, created.body.data.ref]).toEqual([201, "nights"]);
    const { id } = created.body.data;
    const override = { personId: ben.id, startsAt: "2026-03-02T09:00:00Z", endsAt: "2026-03-03T09:00:00Z" };
    await owner.post(`${SCHEDULES}/${id}/overrides`, override);
    const replaced = await owner.put(path, { name: "Later", layers: [WEEK] });
    expect([replaced.status, replaced.body.data]).toEqual([
      200,
      {
        ...created.body.data,
        ...{ name: "Later", timezone: "UTC", updatedAt: TIME },
        overrides: [expect.objectContaining({ personId: ben.id })],
      },
    ]);
    expect(await owner.post(SCHEDULES, { name: "X", layers: [WEEK], ref: "nights" })).toMatchObject({
      status: 422,
    });
  });

  test("behavior 23.23: loses a person who is deleted, and skips one who is disabled", async () => {
    const eva = await join("Eva");
    const { id } = await create({ layers: [{ ...WEEK, personIds: [eva.id, ana.id] }] });
    const times = { startsAt: "2026-03-10T08:00:00Z", endsAt: "2026-03-11T08:00:00Z" };
    await owner.post(`${SCHEDULES}/${id}/overrides`, { personId: eva.id, ...times });
    const person = `/api/v1/people/${eva.id}`;
    const who = async () => [
      (await onCall(id, "?at=2026-03-02T08:00:00Z")).data?.personId,
      (await onCall(id, "?at=2026-03-10T09:00:00Z")).data?.personId,
    ];
    expect(await who()).toEqual([eva.id, eva.id]);
    await owner.patch(person, { state: "disabled" });
    expect(await who()).toEqual([ana.id, ana.id]);
    await owner.delete(person);
    const { layers, overrides } = (await owner.get(`${SCHEDULES}/${id}`)).body.data;
    expect([layers[0].personIds, overrides]).toEqual([[ana.id], []]);
  });

  test("behavior 23.27: keeps a layer all of whose people were deleted, if a request has it unchanged", async () => {
    const eva = await join("Eva");
    const { id } = await create({ ref: "empty", layers: [{ ...WEEK, personIds: [eva.id] }, WEEK] });
    await owner.delete(`/api/v1/people/${eva.id}`);
    const { layers } = (await owner.get(`${SCHEDULES}/${id}`)).body.data;
    expect(layers[0].personIds).toEqual([]);
    const answer = (values: object) => owner.patch(`${SCHEDULES}/${id}`, values);
    expect(await answer({ name: "Renamed", layers })).toMatchObject({
      status: 200,
      body: { data: { layers } },
    });
    const moved = layers.toReversed();
    const byRef = await owner.put(`${SCHEDULES}/by-ref/empty`, { name: "Renamed", layers: moved });
    expect(byRef).toMatchObject({ status: 200, body: { data: { layers: moved } } });
    const error = "layers.1.personIds must be an array of 1 to 100 entries";
    const refusal = { status: 422, body: { error } };
    expect(await answer({ layers: moved.with(1, { ...moved[1], every: "day" }) })).toMatchObject(refusal);
    expect(await answer({ layers: [WEEK] })).toMatchObject({ status: 200 });
    expect(await answer({ layers: moved })).toMatchObject(refusal);
    await owner.delete(`${SCHEDULES}/${id}`);
  });
});

describe("behavior 23.28: who is on call", () => {
  test("is answered for a moment, with the name and until when", async () => {
    const { id } = await create();
    expect(await onCall(id, "?at=2026-03-03T00:00:00Z")).toEqual({
      data: { personId: ana.id, name: "Ana", until: "2026-03-09T08:00:00.000Z" },
    });
    expect(await onCall(id, "?at=2026-03-02T07:59:59Z")).toEqual({ data: null });
    expect((await onCall(id)).data).toMatchObject({ name: expect.stringMatching(/^(Ana|Ben)$/) });
  });

  test("is answered for a range, with gaps", async () => {
    const { id } = await create();
    expect(await onCall(id, "?from=2026-03-01T00:00:00Z&to=2026-03-10T00:00:00Z")).toEqual({
      data: [
        { personId: null, from: "2026-03-01T00:00:00.000Z", to: "2026-03-02T08:00:00.000Z" },
        { personId: ana.id, from: "2026-03-02T08:00:00.000Z", to: "2026-03-09T08:00:00.000Z" },
        { personId: ben.id, from: "2026-03-09T08:00:00.000Z", to: "2026-03-10T00:00:00.000Z" },
      ],
    });
  });

  test.each([
    ["?from=2026-03-01T00:00:00Z", "from and to must be given together, without at"],
    ["?from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z", "to must be after from"],
    ["?from=2026-03-01T00:00:00Z&to=2026-06-01T00:00:00.001Z", "to must be at most 92 days after from"],
    ["?at=yesterday", "at must be"],
  ])("is a 422 with %s", async (query, error) => {
    const { id } = await create();
    const { status, body } = await owner.get(`${SCHEDULES}/${id}/on-call${query}`);
    expect([status, body.error]).toEqual([422, expect.stringContaining(error)]);
  });
});

describe("behavior 23.29: an override", () => {
  const times = { startsAt: "2026-03-03T08:00:00.000Z", endsAt: "2026-03-04T08:00:00.000Z" };

  test("is answered, counts at once, and is deleted", async () => {
    const { id } = await create();
    const path = `${SCHEDULES}/${id}/overrides`;
    const created = await owner.post(path, { personId: ben.id, ...times });
    expect([created.status, created.body]).toEqual([
      201,
      { data: { id: expect.any(String), personId: ben.id, ...times } },
    ]);
    expect((await owner.get(`${SCHEDULES}/${id}`)).body.data.overrides).toEqual([created.body.data]);
    expect(await onCall(id, "?at=2026-03-03T09:00:00Z")).toEqual({
      data: { personId: ben.id, name: "Ben", until: "2026-03-04T08:00:00.000Z" },
    });
    const own = `${path}/${created.body.data.id}`;
    expect((await owner.delete(own)).body).toEqual({ data: { id: created.body.data.id } });
    expect((await owner.delete(own)).status).toBe(404);
    expect((await onCall(id, "?at=2026-03-03T09:00:00Z")).data.personId).toBe(ana.id);
  });

  test("is made and deleted by any person for themselves, for others by an admin", async () => {
    const { id } = await create();
    const path = `${SCHEDULES}/${id}/overrides`;
    const own = await ana.send("POST", path, { personId: ana.id, ...times });
    expect(own.status).toBe(201);
    expect(await ana.send("POST", path, { personId: ben.id, ...times })).toMatchObject(FORBIDDEN);
    expect(await ben.send("DELETE", `${path}/${own.body.data.id}`)).toMatchObject(FORBIDDEN);
    expect((await ana.send("DELETE", `${path}/${own.body.data.id}`)).status).toBe(200);
  });

  test("behavior 7.1: is refused to the key of a viewer before its body and its IDs are looked at", async () => {
    const viewer = owner.as(await server.keyWith("viewer"));
    const path = `${SCHEDULES}/${(await create()).id}/overrides`;
    expect(await viewer.post(path, {})).toMatchObject(FORBIDDEN);
    expect(await viewer.delete(`${path}/unknown`)).toMatchObject(FORBIDDEN);
    expect(await viewer.post(`${SCHEDULES}/unknown/overrides`, {})).toMatchObject(FORBIDDEN);
  });

  test.each([
    [{ endsAt: times.startsAt }, "endsAt must be after startsAt"],
    [{ personId: "nobody" }, "personId is not a person of this organization"],
  ])("with %j is a 422", async (values, error) => {
    const { id } = await create();
    const given = { personId: ben.id, ...times, ...values };
    const { status, body } = await owner.post(`${SCHEDULES}/${id}/overrides`, given);
    expect([status, body.error]).toEqual([422, error]);
  });
});

describe("behavior 23.30: the audit log", () => {
  test("has changes of a schedule, its overrides and its calendar, and the first can be undone", async () => {
    const { id } = await create();
    const path = `${SCHEDULES}/${id}`;
    await owner.patch(path, { layers: [{ ...WEEK, every: "day" }] });
    const log = async () =>
      (await owner.get("/api/v1/audit")).body.data.filter(
        (entry: { resource: { id: string } }) => entry.resource.id === id,
      );
    const [changed] = await log();
    expect(changed).toMatchObject({ action: "schedule.updated", before: { layers: [WEEK] } });
    const undone = await owner.post(`/api/v1/audit/${changed.id}/undo`, {});
    expect([undone.status, undone.body.data.layers]).toEqual([200, [WEEK]]);
    const times = { startsAt: "2026-03-03T08:00:00Z", endsAt: "2026-03-04T08:00:00Z" };
    await owner.post(`${path}/overrides`, { personId: ben.id, ...times });
    await owner.post(`${path}/calendar`, {});
    await owner.delete(path);
    expect(
      (await log()).map(({ action, changed }: { action: string; changed: string[] }) => [action, changed]),
    ).toEqual([
      ["schedule.deleted", []],
      ["schedule.updated", ["calendar"]],
      ["schedule.updated", ["overrides"]],
      ["schedule.updated", ["layers"]],
      ["schedule.updated", ["layers"]],
      ["schedule.created", ["name", "layers"]],
    ]);
  });
});

describe("behavior 23.33: the calendar", () => {
  const tokenPath = (url: string) => new URL(url).pathname;

  test("is read by two calendar libraries, and has the turns of 92 days", async () => {
    const long = "Ä".repeat(60);
    const { id } = await create({ name: `Ops; "nights", \\ ${long}`, layers: [{ ...WEEK, every: "day" }] });
    const { status, body } = await owner.post(`${SCHEDULES}/${id}/calendar`, {});
    expect([status, Object.keys(body.data)]).toEqual([201, ["url"]]);
    const answer = await fetch(new URL(tokenPath(body.data.url), owner.url));
    expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    const text = await answer.text();
    const now = server.now();
    const query = `?from=${new Date(now).toISOString()}&to=${new Date(now + 92 * DAY).toISOString()}`;
    const turns: { personId: string; from: string; to: string }[] = (await onCall(id, query)).data;
    const expected = turns.slice(1, -1).map(({ personId, from, to }) => ({
      name: `${personId === ana.id ? "Ana" : "Ben"}: Ops; "nights", \\ ${long}`,
      from,
      to,
    }));
    expect(expected.length).toBeGreaterThanOrEqual(90);
    const component = new ICAL.Component(ICAL.parse(text));
    const events = component.getAllSubcomponents("vevent").map((event) => new ICAL.Event(event));
    const byLibrary = events.map(({ summary, startDate, endDate }) => ({
      name: summary,
      from: startDate.toJSDate().toISOString(),
      to: endDate.toJSDate().toISOString(),
    }));
    expect(byLibrary.slice(1, -1)).toEqual(expected);
    const byOther = Object.values(nodeIcal.parseICS(text)).flatMap((event) =>
      event?.type === "VEVENT"
        ? [
            {
              name: String(event.summary),
              from: event.start.toISOString(),
              to: event.end?.toISOString() ?? "",
            },
          ]
        : [],
    );
    expect(byOther.slice(1, -1)).toEqual(expected);
  });

  test("has the present turn since its start, and with the same UID in each answer", async () => {
    const { id } = await create();
    const { body } = await owner.post(`${SCHEDULES}/${id}/calendar`, {});
    const [from, to] = [server.now() - 8 * DAY, server.now() + 8 * DAY].map((at) =>
      new Date(at).toISOString(),
    );
    const now = new Date(server.now()).toISOString();
    const turns: { from: string; to: string }[] = (await onCall(id, `?from=${from}&to=${to}`)).data;
    const present = turns.find((turn) => turn.from <= now && now < turn.to);
    const read = async () => {
      const text = await (await fetch(new URL(tokenPath(body.data.url), owner.url))).text();
      const [first] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent");
      return first && new ICAL.Event(first);
    };
    const [one, again] = [await read(), await read()];
    expect(one?.startDate.toJSDate().toISOString()).toBe(present?.from ?? "nobody's turn");
    expect(one?.uid).toBe(again?.uid);
  });

  test("has the present turn since its start also if the same person is on call for longer than 92 days", async () => {
    const startsAt = new Date(server.now() - 400 * DAY).toISOString();
    const { id } = await create({ layers: [{ personIds: [ana.id], every: "day", startsAt }] });
    const { body } = await owner.post(`${SCHEDULES}/${id}/calendar`, {});
    const text = await (await fetch(new URL(tokenPath(body.data.url), owner.url))).text();
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent");
    const starts = events.map((event) => new ICAL.Event(event).startDate.toJSDate().getTime());
    expect(starts).toEqual([Math.floor(Date.parse(startsAt) / 1000) * 1000]);
    expect(text).toContain(`UID:${id}-${ana.id}-${Date.parse(startsAt).toString(36)}@`);
  });

  test("needs its token, and a new one ends the old", async () => {
    const { id } = await create();
    const url = async () => tokenPath((await owner.post(`${SCHEDULES}/${id}/calendar`, {})).body.data.url);
    const [first, second] = [await url(), await url()];
    const statusOf = async (path: string) => (await fetch(new URL(path, owner.url))).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    expect(await statusOf(second.replace(".ics", ""))).toBe(404);
    await owner.delete(`${SCHEDULES}/${id}`);
    expect(await statusOf(second)).toBe(404);
  });
});

describe("behavior 23.34: the own channels of a person", () => {
  test("are set by themselves, and by an owner", async () => {
    const [one, other] = [await createChannel(owner), await createChannel(owner)];
    const set = await ana.send("PATCH", "/api/v1/me", { alertChannelIds: [other.id, one.id, one.id] });
    expect([set.status, set.body.data.alertChannelIds]).toEqual([200, [one.id, other.id]]);
    expect((await ana.send("GET", "/api/v1/me")).body.data.alertChannelIds).toEqual([one.id, other.id]);
    const path = `/api/v1/people/${ana.id}`;
    const byOwner = await owner.patch(path, { alertChannelIds: [other.id] });
    expect([byOwner.status, byOwner.body.data.alertChannelIds]).toEqual([200, [other.id]]);
    expect(await ben.send("PATCH", path, { alertChannelIds: [] })).toMatchObject(FORBIDDEN);
    await owner.delete(`/api/v1/alerts/${other.id}`);
    expect((await ana.send("GET", "/api/v1/me")).body.data.alertChannelIds).toEqual([]);
  });

  test("are in each response, also if there are none", async () => {
    const { id } = await createChannel(owner);
    const invited = await owner.post("/api/v1/people", { email: "cleo@example.com", role: "viewer" });
    expect(invited.body.data.alertChannelIds).toEqual([]);
    const people = async () =>
      (await owner.get("/api/v1/people")).body.data as { alertChannelIds: string[] }[];
    expect((await people()).map((one) => one.alertChannelIds)).toEqual([[], [], []]);
    const path = `/api/v1/people/${invited.body.data.id}`;
    await owner.patch(path, { alertChannelIds: [id] });
    expect((await owner.patch(path, { name: "Cleo" })).body.data.alertChannelIds).toEqual([id]);
    expect((await owner.post(`${path}/invite`)).body.data.alertChannelIds).toEqual([id]);
  });

  test("are channels of the organization, and of no key", async () => {
    const wrong = await ana.send("PATCH", "/api/v1/me", { alertChannelIds: ["nothing"] });
    expect([wrong.status, wrong.body.error]).toEqual([
      422,
      "alertChannelIds.0 is not an alert channel of this organization",
    ]);
    const { id } = await create();
    const schedule = await ana.send("PATCH", "/api/v1/me", { alertChannelIds: [id] });
    expect(schedule.status).toBe(422);
    expect((await owner.patch("/api/v1/me", { alertChannelIds: [] })).status).toBe(404);
  });
});

test("behavior 23.35: a schedule is no channel", async () => {
  const { id } = await create();
  expect((await owner.get(`/api/v1/alerts/${id}`)).status).toBe(404);
  expect((await owner.delete(`/api/v1/alerts/${id}`)).status).toBe(404);
  expect((await owner.get(`/api/v1/alerts/${id}/deliveries`)).status).toBe(404);
  const ids = (await owner.get("/api/v1/alerts")).body.data.map((channel: { id: string }) => channel.id);
  expect(ids).not.toContain(id);
});

describe("behavior 23.31: a configuration document", () => {
  const nights = { windows: [{ days: ["sat", "sun"], from: "20:00", to: "08:00" }] };
  const layerOf = (...emails: string[]) => ({
    personIds: emails,
    every: "week",
    startsAt: "2026-03-02T09:00:00+01:00",
    hours: nights,
  });
  const apply = (document: object, query = "") => owner.post(`/api/v1/apply${query}`, document);
  const stored = async () =>
    (await owner.get(SCHEDULES)).body.data.find(({ ref }: { ref: string | null }) => ref === "ops");

  test("behavior 23.35: which a monitor without a ref uses can't be pruned, as a dry run says too", async () => {
    const ref = `used-${++people}`;
    const { id } = (await owner.put(`${SCHEDULES}/by-ref/${ref}`, { name: "Used", layers: [WEEK] })).body
      .data;
    const monitor = await createMonitor(owner, "SCHEDULED", { alertBindings: [{ scheduleId: id }] });
    const faults = [
      { path: `schedules.${ref}`, message: "can't be deleted: a monitor without a ref uses it" },
    ];
    for (const query of ["?prune=all&dryRun=true", "?prune=all"])
      expect(await apply({}, query)).toMatchObject({ status: 422, body: { faults } });
    await owner.delete(`/api/v1/monitors/${monitor.id}`);
    expect(await owner.delete(`${SCHEDULES}/${id}`)).toMatchObject({ status: 200 });
  });

  test("names people by e-mail address, is applied once, exported, and pruned", async () => {
    const document = {
      schedules: {
        ops: { timezone: "Europe/Berlin", layers: [layerOf(ana.email, ben.email.toUpperCase())] },
      },
    };
    const created = { action: "create", kind: "schedule", ref: "ops", fields: ["timezone", "layers"] };
    expect((await apply(document, "?dryRun=true")).body.data.changes).toEqual([created]);
    expect((await apply(document)).body.data.changes).toEqual([created]);
    expect((await apply(document)).body.data.changes).toEqual([]);
    const { id, layers } = await stored();
    expect(layers).toEqual([{ ...layerOf(ana.id, ben.id), startsAt: "2026-03-02T08:00:00.000Z" }]);
    const override = { personId: ben.id, startsAt: "2026-03-02T09:00:00Z", endsAt: "2026-03-03T09:00:00Z" };
    await owner.post(`${SCHEDULES}/${id}/overrides`, override);
    const changed = { schedules: { ops: { ...document.schedules.ops, layers: [layerOf(ben.email)] } } };
    expect((await apply(changed)).body.data.changes).toEqual([
      { action: "update", kind: "schedule", ref: "ops", fields: ["layers"] },
    ]);
    expect(await stored()).toMatchObject({ id, layers: [{ personIds: [ben.id] }], overrides: [{}] });
    const exported = (await owner.get("/api/v1/export")).body.data.document;
    expect(exported.schedules.ops).toEqual({
      timezone: "Europe/Berlin",
      layers: [{ ...layerOf(ben.email), startsAt: "2026-03-02T08:00:00.000Z" }],
    });
    const { ops, nights: kept } = exported.schedules;
    expect((await apply({ schedules: { ops } })).body.data.changes).toEqual([]);
    const { changes } = (await apply({ schedules: { nights: kept } }, "?prune=all")).body.data;
    expect(changes).toEqual([{ action: "delete", kind: "schedule", ref: "ops", fields: [] }]);
    expect(await stored()).toBeUndefined();
    const log = (await owner.get("/api/v1/audit")).body.data;
    expect(log[0]).toMatchObject({ action: "schedule.deleted", resource: { id } });
  });

  test("is exported without layers whose people were deleted, so that it can be applied", async () => {
    const [eva, max] = [await join("Eva"), await join("Max")];
    const layers = [
      { ...WEEK, personIds: [eva.id] },
      { ...WEEK, personIds: [ana.id] },
    ];
    await owner.put(`${SCHEDULES}/by-ref/partly`, { name: "Partly", layers });
    const gone = await create({ name: "Left by all", layers: [{ ...WEEK, personIds: [max.id] }] });
    const { id: alertChannelId } = await createChannel(owner, { name: "kept", ref: "kept" });
    const alertBindings = [{ scheduleId: gone.id }, { alertChannelId, after: 600 }];
    const monitor = await createMonitor(owner, "SCHEDULED", { name: "bound", ref: "bound", alertBindings });
    for (const { id } of [eva, max]) await owner.delete(`/api/v1/people/${id}`);
    const { document } = (await owner.get("/api/v1/export")).body.data;
    const { partly } = document.schedules;
    expect(partly.layers).toEqual([{ ...WEEK, personIds: [ana.email] }]);
    expect(document.schedules).not.toHaveProperty("left-by-all");
    expect(document.monitors.bound.alertBindings).toEqual([{ alertChannelId: "kept", after: 600 }]);
    expect(await apply(document, "?dryRun=true")).toMatchObject({ status: 200 });
    expect((await apply({ schedules: { partly } }, "?dryRun=true")).body.data.changes).toEqual([]);
    await owner.put(`${SCHEDULES}/by-ref/left`, { name: "Left by all", layers: [WEEK] });
    await owner.delete(`/api/v1/monitors/${monitor.id}`);
  });

  test("has a fault for each address of nobody", async () => {
    const { status, body } = await apply({
      schedules: { ops: { layers: [layerOf(ana.email, "nobody@example.com")] } },
    });
    expect([status, body.faults]).toEqual([
      422,
      [
        {
          path: "schedules.ops.layers.0.personIds.1",
          message: "is not the e-mail address of a person of the organization",
          got: "nobody@example.com",
        },
      ],
    ]);
  });
});

test("behavior 23.39: /healthz says which bound schedules reach nobody, to an owner, and others how many", async () => {
  const { id: scheduleId } = await create({ name: "Unreached", layers: [{ ...WEEK, personIds: [ben.id] }] });
  for (const one of [owner, anyone]) expect((await one.get("/healthz")).body).not.toHaveProperty("warnings");
  await createMonitor(owner, "SCHEDULED", { alertBindings: [{ scheduleId }] });
  expect((await owner.get("/healthz")).body.warnings).toEqual([
    "Unreached: Ben is on call, without a channel that is enabled; its notifications go to nobody, because no default channel is enabled",
  ]);
  // The server counts at most four times a second.
  await eventually(async () => (await ben.send("GET", "/healthz")).body.warnings === 1, 4000);
  expect((await anyone.get("/healthz")).body.warnings).toBe(1);
});

describe("behavior 23.45: the forecast of a monitor", () => {
  test("says who is notified if it fails now, and when, to every role", async () => {
    const [team, phone, off] = [
      await createChannel(owner, { name: "Team" }),
      await createChannel(owner, { name: "Phone" }),
      await createChannel(owner, { name: "Off", enabled: false }),
    ];
    await owner.patch(`/api/v1/people/${ana.id}`, { alertChannelIds: [phone.id] });
    const schedule = await create({ layers: [{ ...WEEK, personIds: [ana.id] }] });
    const alertBindings = [
      { scheduleId: schedule.id, after: 600 },
      { alertChannelId: team.id },
      { alertChannelId: off.id },
    ];
    const { id } = await createMonitor(owner, "SCHEDULED", { alertBindings });
    const { status, body } = await ben.send("GET", `/api/v1/monitors/${id}/forecast`);
    const { at } = body.data;
    expect([status, body.data]).toEqual([
      200,
      {
        at: TIME,
        outageId: null,
        receivers: [
          { alertChannelId: team.id, name: "Team", at, why: null },
          {
            ...{ scheduleId: schedule.id, name: "Operations", why: "delay" },
            at: new Date(Date.parse(at) + 600_000).toISOString(),
            ...{ person: "Ana", channels: ["Phone"], areDefaults: false },
          },
          { alertChannelId: off.id, name: "Off", at: null, why: "disabled" },
        ],
      },
    ]);
    expect(await owner.get("/api/v1/monitors/nothing/forecast")).toMatchObject({ status: 404 });
    await owner.patch(`/api/v1/people/${ana.id}`, { alertChannelIds: [] });
    await owner.delete(`/api/v1/monitors/${id}`);
  });
});

test("behavior 23.47: a schedule that reaches nobody is named where monitors are that notify nobody", async () => {
  const own = await untilEndOfFile(TestServer.start());
  const { body } = await own.client.post("/api/v1/people", { email: "ana@example.com", role: "viewer" });
  const layers = [{ ...WEEK, personIds: [body.data.id] }];
  const schedule = await own.client.post(SCHEDULES, { name: "Nights", layers });
  const unnotified = async () => (await own.client.get("/api/v1/alerts/unnotified")).body.data;
  expect(await unnotified()).toEqual({ monitors: 0 });
  const alertBindings = [{ scheduleId: schedule.body.data.id }];
  await createMonitor(own.client, "SCHEDULED", { alertBindings });
  expect(await unnotified()).toEqual({ monitors: 0, schedules: ["Nights"] });
});
