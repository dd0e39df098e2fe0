import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

const REPLAY = "/api/v1/replay";
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const replay = (client: Client, changes: object, others: object = {}) =>
  client.post(REPLAY, { selector: { all: true }, changes, ...others });

/** An organization with a job that failed once alone, and then twice in a row, and a channel that was notified of it. */
async function withHistory() {
  const owner = await server.organization();
  const channel = await createChannel(owner);
  const job = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channel.id], tags: ["shop"] });
  await checkIn(owner, job.id, "ok", "fail", "ok", "fail", "fail", "ok");
  return { owner, channel, job };
}

const shared = await withHistory();

describe("behavior 25.1, 25.2: a replay", () => {
  test("behavior 25.4: without changes answers what was recorded", async () => {
    const { status, body } = await replay(shared.owner, {}, { days: 7 });
    const { from, to } = body.data;
    const counts = { outages: 2, notifications: 4, downSeconds: expect.any(Number) };
    expect([status, body.data]).toEqual([
      200,
      {
        ...{ from: TIME, to: TIME, monitorCount: 1, present: counts, changed: counts },
        ...{ later: { medianSeconds: 0, maxSeconds: 0 }, missed: [], gone: [], exact: true },
      },
    ]);
    expect(Date.parse(to) - Date.parse(from)).toBe(7 * 86_400_000);
    const { data: outages } = (await shared.owner.get("/api/v1/outages")).body;
    expect(outages).toHaveLength(2);
  });

  test("with a confirmation leaves out the failure that the next report did not confirm", async () => {
    const { body } = await replay(shared.owner, { confirmations: 1 }, { selector: { tags: ["shop"] } });
    const [, first] = (await shared.owner.get("/api/v1/outages")).body.data;
    expect(body.data).toMatchObject({
      exact: true,
      present: { outages: 2, notifications: 4 },
      changed: { outages: 1, notifications: 2 },
      gone: [
        { monitorId: shared.job.id, startedAt: first.startedAt, endedAt: first.endedAt, status: "failed" },
      ],
      missed: [],
    });
  });

  test("with a delay notifies nobody, and lists the outages that would be missed", async () => {
    const { body } = await replay(shared.owner, { after: 3600 });
    expect(body.data).toMatchObject({ exact: true, changed: { outages: 2, notifications: 0 }, gone: [] });
    expect(body.data.missed.map(({ monitorId }: { monitorId: string }) => monitorId)).toEqual(
      Array(2).fill(shared.job.id),
    );
  });

  test("with other groups leaves out recoveries", async () => {
    expect((await replay(shared.owner, { notifyOn: ["down"] })).body.data.changed.notifications).toBe(2);
  });

  test("is for every role, and changes nothing", async () => {
    const owner = await server.organization();
    const key = await server.keyWith("viewer");
    expect((await owner.as(key).post(REPLAY, { selector: { all: true }, changes: {} })).status).toBe(200);
    expect((await owner.get("/api/v1/audit")).body.data).toEqual([]);
    expect((await owner.as(undefined).post(REPLAY, { selector: { all: true }, changes: {} })).status).toBe(
      401,
    );
  });

  test("of no monitor counts nothing", async () => {
    const { body } = await replay(shared.owner, {}, { selector: { tags: ["none"] } });
    expect(body.data).toMatchObject({
      monitorCount: 0,
      present: { outages: 0 },
      changed: { notifications: 0 },
    });
  });
});

describe("behavior 25.8: refused are", () => {
  test.each([
    [{ selector: {}, changes: {} }, "selector must be an object with at least one of monitorIds, tags, all"],
    [{ selector: { all: true } }, "changes is required"],
    [{ selector: { all: true }, changes: {}, days: 91 }, "days must be a whole number from 1 to 90, got 91"],
    [{ selector: { all: true }, changes: { interval: 60 } }, "changes.interval is not a known field"],
    [
      { selector: { all: true }, changes: { every: 60 } },
      "changes.every must be 0 or a whole number from 300 to 604800, got 60",
    ],
    [
      { selector: { all: true }, changes: { downWhen: "any" } },
      "changes.downWhen is a field that none of the selected monitors has",
    ],
    [
      { selector: { all: true }, changes: { warnDays: 7 } },
      "changes.warnDays is a field that none of the selected monitors has",
    ],
    [
      { selector: { all: true }, changes: { "expect.within": 70 } },
      "changes.expect.within is a field that none of the selected monitors has",
    ],
    [
      { selector: { all: true }, changes: { maintenance: { cron: "0 3 * * *" } } },
      "changes.maintenance.duration is required",
    ],
    [
      { selector: { monitorIds: ["x"] }, changes: {} },
      "selector.monitorIds.0 is not a monitor of this organization",
    ],
  ])("%j", async (body, error) => {
    expect(await shared.owner.post(REPLAY, body)).toMatchObject({ status: 422, body: { error } });
  });
});

test("behavior 25.9: one runs at a time for an organization, and another organization has its own", async () => {
  const { owner } = await withHistory();
  const [other, ...answers] = await Promise.all([
    replay(shared.owner, { confirmations: 1 }),
    ...Array.from({ length: 8 }, () => replay(owner, { confirmations: 1 })),
  ]);
  const refused = answers.filter(({ status }) => status === 429);
  expect(other?.status).toBe(200);
  expect(answers.filter(({ status }) => status === 200).length).toBe(answers.length - refused.length);
  expect(refused[0]?.body.error).toBe("Too many replays: try again in 1 s");
  expect((await replay(owner, { confirmations: 2 })).status).toBe(200);
});

// A past that was loaded is used again, but not after a report of a job.
test("behavior 25.5: the other settings are the ones that were in force", async () => {
  const { owner, job } = await withHistory();
  await owner.patch(`/api/v1/monitors/${job.id}`, { recoveries: 1 });
  await checkIn(owner, job.id, "fail", "ok", "ok");
  const { present, changed } = (await replay(owner, { confirmations: 1 })).body.data;
  expect([present.outages, changed.outages]).toEqual([3, 1]);
  expect((await replay(owner, { notifyOn: ["down"] })).body.data.changed).toMatchObject({
    outages: 3,
    notifications: 3,
  });
});
