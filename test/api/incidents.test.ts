import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { auditLog, createIncident, createPage, PAGES } from "../support/requests/pages.ts";

const UNKNOWN = "Zc2pGqYt8KXbW4m1rVnD5s";
const ID = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

setDefaultTimeout(300_000);

let server: TestServer;
let owner: Client;
let page: { id: string; components: { id: string; monitorId: string }[] };

beforeAll(async () => {
  server = await TestServer.start();
  owner = server.client;
  const monitors = [await createMonitor(owner, "SCHEDULED"), await createMonitor(owner, "SCHEDULED")];
  page = await createPage(owner, { components: monitors.map(({ id }) => ({ monitorId: id })) });
});

afterAll(() => server[Symbol.asyncDispose]());

const incidents = (id = page.id) => `${PAGES}/${id}/incidents`;

async function find(id: string) {
  const { status, body } = await owner.get(`${incidents()}/${id}`);
  expect(status).toBe(200);
  return body.data;
}

async function addUpdate(id: string, status: string, body = `It is ${status}.`) {
  const answer = await owner.post(`${incidents()}/${id}/updates`, { status, body });
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return answer.body.data;
}

describe("behavior 15.10: an incident", () => {
  test("is open, without components and updates, if none are sent", async () => {
    const created = await createIncident(owner, page.id, { title: " Payments fail ", impact: "major" });
    expect(created).toEqual({
      id: ID,
      title: "Payments fail",
      impact: "major",
      componentIds: [],
      startedAt: TIME,
      resolvedAt: null,
      updates: [],
    });
    expect(await find(created.id)).toEqual(created);
  });

  test("has each component once, and its updates in the opposite order of the request", async () => {
    const ids = page.components.map(({ id }) => id);
    const updates = [
      { status: "investigating", body: "**We look.**\n" },
      { status: "identified", body: "Found: <b>it</b>" },
    ];
    const created = await createIncident(owner, page.id, { componentIds: [...ids, ids[0]], updates });
    expect(created).toMatchObject({ componentIds: ids, resolvedAt: null });
    expect(created.updates).toEqual(
      updates
        .toReversed()
        .map((update) => ({ id: ID, ...update, createdAt: created.startedAt, editedAt: null })),
    );
    expect(await find(created.id)).toEqual(created);
  });

  test("is resolved if its last update says so", async () => {
    const updates = [
      { status: "resolved", body: "Over" },
      { status: "monitoring", body: "Not over" },
    ];
    expect((await createIncident(owner, page.id, { updates })).resolvedAt).toBeNull();
    const created = await createIncident(owner, page.id, { updates: updates.toReversed() });
    expect(created.resolvedAt).toBe(created.startedAt);
  });

  test("is listed, the latest first, on its page only", async () => {
    const { id } = await createPage(owner);
    const created = [await createIncident(owner, id), await createIncident(owner, id)];
    await owner.post(`${incidents(id)}/${created[0].id}/updates`, { status: "identified", body: "x" });
    const { status, body } = await owner.get(incidents(id));
    expect([status, body.data.map((incident: { id: string }) => incident.id)]).toEqual([
      200,
      created.map((incident) => incident.id).toReversed(),
    ]);
    expect(body.data[1].updates).toHaveLength(1);
    expect((await owner.get(`${incidents()}/${created[0].id}`)).status).toBe(404);
    expect((await owner.delete(`${incidents()}/${created[0].id}`)).status).toBe(404);
  });

  test("does not show components that were deleted", async () => {
    const monitorId = page.components[0]?.monitorId;
    const own = await createPage(owner, { components: [{ monitorId }, { monitorId }] });
    const [first, second] = own.components;
    const { id } = await createIncident(owner, own.id, { componentIds: [first.id, second.id] });
    await owner.patch(`${PAGES}/${own.id}`, { components: [{ id: second.id, monitorId }] });
    const { body } = await owner.get(`${incidents(own.id)}/${id}`);
    expect(body.data.componentIds).toEqual([second.id]);
    expect((await owner.patch(`${incidents(own.id)}/${id}`, { title: "x" })).status).toBe(200);
  });

  test("takes 100 updates, and an update of 10,000 characters", async () => {
    const updates = Array.from({ length: 100 }, () => ({ status: "identified", body: "😀".repeat(10_000) }));
    expect((await createIncident(owner, page.id, { updates: updates.slice(0, 2) })).updates).toHaveLength(2);
    const short = updates.map(({ status }, at) => ({ status, body: `${at}` }));
    const { id, updates: created } = await createIncident(owner, page.id, { updates: short });
    expect(created.map(({ body }: { body: string }) => body)).toEqual(
      short.map(({ body }) => body).toReversed(),
    );
    const { status, body } = await owner.post(`${incidents()}/${id}/updates`, {
      status: "resolved",
      body: "x",
    });
    expect([status, body.error]).toEqual([422, "an incident must have at most 100 updates"]);
    expect((await find(id)).resolvedAt).toBeNull();
  });
});

describe("behavior 15.11: 422 for an incident", () => {
  const valid = { title: "t", impact: "none" };
  const update = { status: "resolved", body: "b" };

  test.each<[string, object, string]>([
    ["without a title", { title: undefined }, "title is required"],
    ["with a blank title", { title: " " }, "title must be 1 to 200 characters"],
    ["with a long title", { title: "a".repeat(201) }, "title must be"],
    ["without an impact", { impact: undefined }, "impact is required"],
    ["with an unknown impact", { impact: "huge" }, "impact must be one of none, minor, major, critical"],
    [
      "with an unknown component",
      { componentIds: [UNKNOWN] },
      "componentIds.0 is not a component of this page",
    ],
    ["with null for components", { componentIds: null }, "componentIds must be an array"],
    ["with many components", { componentIds: Array(501).fill("a") }, "componentIds must be"],
    ["with an update without a status", { updates: [{ body: "b" }] }, "updates.0.status is required"],
    ["with an update without a body", { updates: [{ status: "resolved" }] }, "updates.0.body is required"],
    [
      "with an unknown status",
      { updates: [{ ...update, status: "postmortem" }] },
      "updates.0.status must be one of investigating, identified, monitoring, resolved",
    ],
    [
      "with a blank body",
      { updates: [update, { ...update, body: " \n" }] },
      "updates.1.body must be a text of 1 to 10000 characters",
    ],
    ["with a long body", { updates: [{ ...update, body: "a".repeat(10_001) }] }, "updates.0.body must be"],
    [
      "with a time of an update",
      { updates: [{ ...update, createdAt: "2026-01-01T00:00:00Z" }] },
      "createdAt",
    ],
    ["with many updates", { updates: Array(101).fill(update) }, "updates must be an array of at most 100"],
    [
      "with an unknown outage",
      { outageId: UNKNOWN },
      "outageId is not an outage of a component of this page",
    ],
    ["with a field that is read-only", { resolvedAt: null }, "resolvedAt is not a known field"],
  ])("%s", async (_, values, sentence) => {
    const { status, body } = await owner.post(incidents(), { ...valid, ...values });
    expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test.each<[string, object, string]>([
    ["with null for a title", { title: null }, "title must be"],
    ["with an unknown component", { componentIds: [UNKNOWN] }, "componentIds.0 is not"],
    ["with updates", { updates: [] }, "updates is not a known field"],
    ["with an outage", { outageId: UNKNOWN }, "outageId is not a known field"],
  ])("that is updated %s", async (_, changes, sentence) => {
    const created = await createIncident(owner, page.id);
    const { status, body } = await owner.patch(`${incidents()}/${created.id}`, {
      impact: "none",
      ...changes,
    });
    expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await find(created.id)).toEqual(created);
  });

  test.each<[string, object]>([
    ["without a body", { status: "resolved" }],
    ["without a status", { body: "b" }],
    ["with a blank body", { status: "resolved", body: "\t" }],
    ["with null for a status", { status: null, body: "b" }],
    ["with another field", { ...update, id: UNKNOWN }],
  ])("to which an update is added %s", async (_, values) => {
    const { id } = await createIncident(owner, page.id);
    expect((await owner.post(`${incidents()}/${id}/updates`, values)).status).toBe(422);
    expect((await find(id)).updates).toEqual([]);
  });
});

describe("behavior 15.12: the latest update", () => {
  test("resolves the incident, or opens it again", async () => {
    const { id } = await createIncident(owner, page.id);
    const open = await addUpdate(id, "investigating");
    expect(open).toMatchObject({ resolvedAt: null, updates: [{ status: "investigating" }] });
    const resolved = await addUpdate(id, "resolved", "All works.");
    expect(resolved.updates[0]).toEqual({
      ...{ id: ID, status: "resolved", body: "All works." },
      ...{ createdAt: TIME, editedAt: null },
    });
    expect(resolved.resolvedAt).toBe(resolved.updates[0].createdAt);
    expect(await find(id)).toEqual(resolved);
    const again = await addUpdate(id, "identified");
    expect([again.resolvedAt, again.updates.length]).toEqual([null, 3]);
  });

  test("does not change when it was resolved, if it was before", async () => {
    const { id } = await createIncident(owner, page.id);
    const { resolvedAt } = await addUpdate(id, "resolved");
    const cause = await addUpdate(id, "resolved", "The cause was a cable.");
    expect([cause.resolvedAt, cause.updates.length]).toEqual([resolvedAt, 2]);
  });
});

test("behavior 15.13: an update of an incident itself changes the fields that are sent", async () => {
  const [component] = page.components;
  const updates = [{ status: "resolved", body: "x" }];
  const before = await createIncident(owner, page.id, { componentIds: [component?.id], updates });
  for (const changes of [{ title: "Later" }, { impact: "critical" }, { componentIds: [] }]) {
    const { status, body } = await owner.patch(`${incidents()}/${before.id}`, changes);
    expect([status, body.data]).toMatchObject([200, changes]);
  }
  expect(await find(before.id)).toEqual({ ...before, title: "Later", impact: "critical", componentIds: [] });
  expect((await owner.delete(`${incidents()}/${before.id}`)).body).toEqual({ data: { id: before.id } });
  expect((await owner.get(`${incidents()}/${before.id}`)).status).toBe(404);
});

describe("an outage of a component", () => {
  /** A page on which every outage is long, with two components that show a job which has failed. */
  async function failing() {
    const { id: monitorId } = await createMonitor(owner, "SCHEDULED");
    const components = [
      { monitorId: page.components[0]?.monitorId },
      { monitorId },
      { monitorId, name: "b" },
    ];
    const own = await createPage(owner, { minOutage: 0, components });
    await checkIn(owner, monitorId, "ok", "fail");
    const componentIds = own.components.slice(1).map(({ id }: { id: string }) => id);
    return { id: own.id as string, monitorId: monitorId as string, componentIds: componentIds as string[] };
  }

  const listOutages = async (id: string) => (await owner.get(`${PAGES}/${id}/outages`)).body.data;

  /** The only outage of a page. */
  const outageOf = (id: string) => eventually(async () => (await listOutages(id))[0]);

  test("behavior 15.15: is listed", async () => {
    const { id, monitorId, componentIds } = await failing();
    const outage = await outageOf(id);
    const [stored] = (await owner.get(`/api/v1/outages?monitorId=${monitorId}`)).body.data;
    expect(outage).toEqual({
      id: stored.id,
      componentIds,
      status: "failed",
      isDown: true,
      startedAt: stored.startedAt,
      endedAt: null,
      incidentId: null,
    });
    await owner.patch(`${PAGES}/${id}`, { minOutage: 86_400 });
    expect(await listOutages(id)).toEqual([]);
  });

  test("behavior 15.14: becomes an incident that began with it", async () => {
    const { id, componentIds } = await failing();
    const { id: outageId, startedAt } = await outageOf(id);
    const values = { title: "Backups fail", impact: "major", outageId };
    const created = await createIncident(owner, id, values);
    expect(created).toEqual({
      ...{ id: ID, title: "Backups fail", impact: "major", componentIds, startedAt },
      ...{ resolvedAt: null, updates: [] },
    });
    expect(await outageOf(id)).toMatchObject({ id: outageId, incidentId: created.id });
    const again = await owner.post(incidents(id), values);
    expect([again.status, again.body.error]).toEqual([
      422,
      expect.stringContaining("an incident of this page"),
    ]);
    await owner.delete(`${incidents(id)}/${created.id}`);
    expect(await outageOf(id)).toMatchObject({ incidentId: null });
    expect((await createIncident(owner, id, { ...values, componentIds: [] })).componentIds).toEqual([]);
  });

  test("behavior 15.14: that has ended becomes an incident that was resolved then", async () => {
    const { id, monitorId } = await failing();
    // It is longer than 0 ms before it ends.
    const { id: outageId } = await outageOf(id);
    await checkIn(owner, monitorId, "ok");
    const { endedAt } = await outageOf(id);
    expect(endedAt).toEqual(TIME);
    const values = { outageId, updates: [{ status: "resolved", body: "Over" }] };
    const resolved = await createIncident(owner, id, values);
    expect(resolved.resolvedAt).toBe(endedAt);
    await owner.delete(`${incidents(id)}/${resolved.id}`);
    const updates = [{ status: "monitoring", body: "We watch it." }];
    const open = await createIncident(owner, id, { outageId, updates });
    expect(open.resolvedAt).toBeNull();
    await owner.delete(`${incidents(id)}/${open.id}`);
    expect((await createIncident(owner, id, { outageId })).resolvedAt).toBe(endedAt);
  });

  test("behavior 15.14: of a monitor that is not on the page is a 422", async () => {
    const { id } = await failing();
    const { id: outageId } = await outageOf(id);
    const { status, body } = await owner.post(incidents(), { title: "t", impact: "none", outageId });
    expect([status, body.error]).toEqual([422, expect.stringContaining("outageId is not an outage")]);
  });
});

test("behavior 15.16: changes of an incident are in the audit log", async () => {
  const other = await server.organization();
  const { id: pageId } = await createPage(other);
  const { id } = await createIncident(other, pageId, { title: "Slow", impact: "minor" });
  await other.patch(`${incidents(pageId)}/${id}`, { title: "Very slow", impact: "minor" });
  await other.post(`${incidents(pageId)}/${id}/updates`, { status: "resolved", body: "hidden" });
  await other.delete(`${incidents(pageId)}/${id}`);
  const resource = { type: "incident", id, name: "Very slow" };
  expect((await auditLog(other)).slice(0, -1)).toEqual([
    ["incident.deleted", resource, []],
    ["incident.updated", resource, ["updates"]],
    ["incident.updated", resource, ["title"]],
    ["incident.created", { ...resource, name: "Slow" }, ["title", "impact"]],
  ]);
});

describe("an update that is posted already", () => {
  const pathOf = (incident: { id: string }, update: { id: string }) =>
    `${incidents()}/${incident.id}/updates/${update.id}`;
  const posted = (...statuses: string[]) =>
    createIncident(owner, page.id, { updates: statuses.map((status) => ({ status, body: `${status}.` })) });

  test("behavior 17.40: is edited, says when, and keeps its time and its ID", async () => {
    const incident = await posted("investigating");
    const [update] = incident.updates;
    const { status, body } = await owner.patch(pathOf(incident, update), { body: "Payments **fail**." });
    expect([status, body.data]).toEqual([
      200,
      { ...incident, updates: [{ ...update, body: "Payments **fail**.", editedAt: TIME }] },
    ]);
    expect(await find(incident.id)).toEqual(body.data);
    const same = await owner.patch(pathOf(incident, update), { body: "Payments **fail**." });
    expect(same.body.data).toEqual(body.data);
    const [entry] = await auditLog(owner);
    expect(entry).toEqual(["incident.updated", expect.objectContaining({ id: incident.id }), ["updates"]]);
  });

  test("behavior 17.41: decides whether the incident is resolved, if it is the latest", async () => {
    const incident = await posted("investigating", "monitoring");
    const [latest, first] = incident.updates;
    const resolved = await owner.patch(pathOf(incident, latest), { status: "resolved" });
    expect(resolved.body.data.resolvedAt).toBe(latest.createdAt);
    const earlier = await owner.patch(pathOf(incident, first), { status: "identified" });
    expect(earlier.body.data.resolvedAt).toBe(latest.createdAt);
    expect(await owner.delete(pathOf(incident, latest))).toMatchObject({
      status: 200,
      body: { data: { id: latest.id } },
    });
    expect(await find(incident.id)).toMatchObject({ resolvedAt: null, updates: [{ status: "identified" }] });
  });

  test("behavior 17.42: can't be deleted if it is the only one, and is of this incident", async () => {
    const [incident, other] = [await posted("investigating"), await posted("resolved", "identified")];
    const only = await owner.delete(pathOf(incident, incident.updates[0]));
    expect([only.status, only.body.error]).toEqual([
      422,
      "the only update of an incident can't be deleted: edit it, or delete the incident",
    ]);
    const [foreign] = other.updates;
    expect((await owner.patch(pathOf(incident, foreign), { body: "x" })).status).toBe(404);
    expect((await owner.delete(pathOf(incident, foreign))).status).toBe(404);
    for (const changes of [{ body: "" }, { status: "over" }, { createdAt: foreign.createdAt }])
      expect((await owner.patch(pathOf(other, foreign), changes)).status).toBe(422);
  });
});
