import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { Receiver, verifySignature } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const PATH = "/api/v1/alerts";
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const config = { url: "https://hooks.example.com/stillup", secret: "s3cret" };
const newChannel = { name: " On call ", type: "WEBHOOK", config };

async function get(id: string, client = owner) {
  return (await client.get(`${PATH}/${id}`)).body.data;
}

async function listed(id: string, client = owner) {
  const { body } = await client.get(PATH);
  return body.data.find((channel: { id: string }) => channel.id === id);
}

describe("behavior 7.51: an alert channel", () => {
  test("behavior 7.53: has these fields when it is created, its config in full and no bindings", async () => {
    const { status, body } = await owner.post(PATH, newChannel);
    expect(status).toBe(201);
    expect(body.data).not.toHaveProperty("bindings");
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^[\w-]+$/),
      name: "On call",
      type: "WEBHOOK",
      config,
      enabled: true,
      createdAt: TIME,
      updatedAt: TIME,
    });
  });

  test("is enabled by default", async () => {
    expect((await createChannel(owner, { enabled: false })).enabled).toBe(false);
    expect((await createChannel(owner, { enabled: true })).enabled).toBe(true);
  });

  test("behavior 7.51: has its bindings in the list and when it is read", async () => {
    const created = await createChannel(owner);
    const { id } = created;
    expect(await get(id)).toEqual({ ...created, bindings: [] });
    const bindings = [];
    for (const type of ["SCHEDULED", "TCP"] as const) {
      const monitor = await createMonitor(owner, type, { alertChannelIds: [id] });
      bindings.push({ monitorId: monitor.id, alertChannelId: id });
    }
    expect(await get(id)).toEqual({ ...created, bindings });
    expect(await listed(id)).toEqual({ ...created, bindings });
    const reports: { id: string }[] = (await owner.get(`${PATH}/report`)).body.data;
    expect(reports.find((one) => one.id === id)).toEqual({ ...created, boundMonitors: bindings.length });
  });

  test.each([
    [{ name: "c" }, "type is required"],
    [{ name: "c", type: "WEBHOOK" }, "config is required"],
    [{ type: "WEBHOOK", config }, "name is required"],
    [{ ...newChannel, name: " " }, "name must be 1 to 200 characters"],
    [
      { ...newChannel, type: "TELEGRAM" },
      "type must be one of SLACK, DISCORD, TEAMS, EMAIL, WEBHOOK: " +
        "for telegram, give the type WEBHOOK and telegram as config.format",
    ],
    [{ ...newChannel, enabled: "yes" }, "enabled must be true or false"],
    [{ ...newChannel, config: {} }, "config.url is required"],
    [{ ...newChannel, config: { url: "example.com" } }, "config.url must be a full URL"],
    [{ ...newChannel, config: { ...config, secret: "" } }, "config.secret must be 1 to 512"],
    [{ ...newChannel, config: { ...config, method: "PUT" } }, "config.method is not a known field"],
    [{ ...newChannel, bindings: [] }, "bindings is not a known field"],
    [{ ...newChannel, monitorIds: [] }, "monitorIds is not a known field"],
  ])("behavior 5.36, 5.37, 5.38, 7.16, 7.52, 7.76: %p is rejected", async (body, error) => {
    const answer = await owner.post(PATH, body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body)).toEqual(["error"]);
    expect(answer.body.error).toStartWith(error);
  });
});

describe("behavior 7.54: updates of a channel", () => {
  test("PATCH changes only the fields that are sent", async () => {
    const { id, ...created } = await createChannel(owner, { config });
    const patch = async (changes: object) => (await owner.patch(`${PATH}/${id}`, changes)).body.data;
    expect(await patch({})).toEqual({ id, ...created, updatedAt: TIME });
    expect(await patch({ name: " new " })).toMatchObject({ name: "new", config, enabled: true });
    expect(await patch({ enabled: false })).toMatchObject({ name: "new", config, enabled: false });
    const other = { url: "http://127.0.0.1:1/other" };
    expect(await patch({ config: other })).toMatchObject({ config: other, enabled: false });
    expect(await get(id)).toMatchObject({ name: "new", config: other, enabled: false, bindings: [] });
  });

  test("behavior 7.56: a disabled channel keeps its config and bindings", async () => {
    const { id } = await createChannel(owner, { config });
    await createMonitor(owner, "SCHEDULED", { alertChannelIds: [id] });
    await owner.patch(`${PATH}/${id}`, { enabled: false });
    expect(await get(id)).toMatchObject({ enabled: false, config, bindings: [{ alertChannelId: id }] });
  });

  test.each([
    [{ type: "WEBHOOK" }, "type is not a known field"],
    [{ config: { to: "me@example.com" } }, "config."],
    [{ config: null }, "config must be an object, got null"],
    [{ name: 7 }, "name must be 1 to 200 characters, got 7"],
  ])("PATCH %p is rejected and changes nothing", async (change, error) => {
    const { id } = await createChannel(owner);
    const before = await get(id);
    const { status, body } = await owner.patch(`${PATH}/${id}`, { enabled: false, ...change });
    expect(status).toBe(422);
    expect(body.error).toStartWith(error);
    expect(await get(id)).toEqual(before);
  });

  test("behavior 7.55: DELETE also deletes the bindings and the entry in the default channels", async () => {
    const { id } = await createChannel(owner);
    const kept = await createChannel(owner);
    const monitor = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [id, kept.id] });
    await owner.patch("/api/v1/organization", { defaultAlertChannelIds: [id] });
    const { status, body } = await owner.delete(`${PATH}/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { data: { id } } });
    const bound = (await owner.get(`/api/v1/monitors/${monitor.id}`)).body.data.alertBindings;
    expect(bound).toEqual([{ monitorId: monitor.id, alertChannelId: kept.id }]);
    expect((await owner.get("/api/v1/organization")).body.data.defaultAlertChannelIds).toEqual([]);
    expect(await listed(id)).toBeUndefined();
    for (const method of ["GET", "DELETE"]) {
      expect(await owner.send(method, `${PATH}/${id}`)).toMatchObject({ status: 404 });
    }
    expect((await owner.patch(`${PATH}/${id}`, { name: "x" })).status).toBe(404);
  });

  test("behavior 7.57: POST, PATCH and DELETE are allowed for admin and owner, not for a viewer", async () => {
    const [admin, viewer] = [
      owner.as(await server.keyWith("admin")),
      owner.as(await server.keyWith("viewer")),
    ];
    const { id } = await createChannel(admin);
    expect((await viewer.post(PATH, newChannel)).status).toBe(403);
    expect((await viewer.patch(`${PATH}/${id}`, { name: "a" })).status).toBe(403);
    expect((await viewer.delete(`${PATH}/${id}`)).status).toBe(403);
    expect((await admin.patch(`${PATH}/${id}`, { name: "a" })).status).toBe(200);
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(200);
  });
});

describe("behavior 7.29: channels by plan", () => {
  test("behavior 7.6: 402 without a subscription, on POST only", async () => {
    const client = await server.organization({ subscription: "inactive" });
    const { status, body } = await client.post(PATH, newChannel);
    expect({ status, body }).toEqual({
      status: 402,
      body: { error: "No active subscription", code: "no_subscription" },
    });
    expect((await client.get(PATH)).status).toBe(200);
    expect((await client.patch(`${PATH}/x`, { name: "a" })).status).toBe(404);
    expect((await client.delete(`${PATH}/x`)).status).toBe(404);
  });

  test.each([
    ["starter", 1],
    ["pro", 5],
  ] as const)("behavior 7.9, 7.29: %s has at most %d, also for concurrent requests", async (plan, limit) => {
    const client = await server.organization({ plan });
    const answers = await Promise.all(Array.from({ length: limit + 5 }, () => client.post(PATH, newChannel)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect({ status, body }).toEqual({
        status: 422,
        body: { error: "Alert channel limit reached", upgrade: true },
      });
    }
    const channels = (await client.get(PATH)).body.data;
    expect(channels).toHaveLength(limit);
    await client.delete(`${PATH}/${channels[0].id}`);
    expect((await client.post(PATH, newChannel)).status).toBe(201);
  });

  test("behavior 7.29: enterprise has no limit", async () => {
    const client = await server.organization({ plan: "enterprise" });
    for (let at = 0; at < 12; at++) expect((await client.post(PATH, newChannel)).status).toBe(201);
  });

  test("behavior 7.1: an invalid body is reported before the limit", async () => {
    const client = await server.organization({ plan: "starter" });
    await client.post(PATH, newChannel);
    expect((await client.post(PATH, { ...newChannel, config: {} })).body).toEqual({
      error: "config.url is required",
    });
  });
});

test("behavior 7.56: bindings are set on monitors, never on channels", async () => {
  const { id } = await createChannel(owner);
  const monitor = await createMonitor(owner, "SCHEDULED");
  const bindings = [{ monitorId: monitor.id, alertChannelId: id }];
  expect((await owner.patch(`${PATH}/${id}`, { bindings })).status).toBe(422);
  expect((await get(id)).bindings).toEqual([]);
  await owner.patch(`/api/v1/monitors/${monitor.id}`, { alertChannelIds: [id] });
  expect((await get(id)).bindings).toEqual(bindings);
});

test.each(["PAGERDUTY", "SMS", "webhook", "", "the service"])(
  "behavior 7.52: the unsupported type %p is a 422 that lists the allowed ones",
  async (type) => {
    const { status, body } = await owner.post(PATH, { ...newChannel, type });
    expect(status).toBe(422);
    expect(Object.keys(body)).toEqual(["error"]);
    expect(body.error).toMatch(/^type must be .*WEBHOOK/);
  },
);

test("behavior 7.5, 8.5: the answer for a channel of another organization is the same as for an unknown ID", async () => {
  const other = await server.organization();
  const { id } = await createChannel(owner);
  const attempts = (channel: string) =>
    Promise.all([
      other.get(`${PATH}/${channel}`),
      other.patch(`${PATH}/${channel}`, { name: "mine" }),
      other.delete(`${PATH}/${channel}`),
      other.patch("/api/v1/organization", { defaultAlertChannelIds: [channel] }),
    ]);
  const answersFor = async (channel: string) =>
    (await attempts(channel)).map(({ status, body }) => ({ status, body }));
  expect(await answersFor(id)).toEqual(await answersFor("missing"));
  expect((await attempts(id)).map(({ status }) => status)).toEqual([404, 404, 404, 422]);
  expect((await other.get(PATH)).body.data).toEqual([]);
  expect(await get(id)).toMatchObject({ name: "a channel" });
});

describe("behavior 5.1: notifications", () => {
  test("behavior 5.1: a bound channel is notified once per transition, not once per check", async () => {
    await using receiver = new Receiver();
    const { id: channelId } = await createChannel(owner, { config: { url: receiver.url, secret: "s3cret" } });
    const { id } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channelId] });
    // A channel gets its notifications in order, so that the last one shows that there were no others.
    await checkIn(owner, id, "ok", "ok", "fail", "fail", "fail", "ok", "ok", "fail");
    await eventually(() => receiver.received.length >= 3);
    expect(receiver.statuses()).toEqual(["failed", "ok", "failed"]);
    for (const received of receiver.received) verifySignature("s3cret", received);
  });

  test("behavior 5.4: a channel that is disabled or not bound is not notified", async () => {
    await using receiver = new Receiver();
    const channels = [];
    for (const enabled of [true, false])
      channels.push(await createChannel(owner, { enabled, config: { url: receiver.url } }));
    const { id } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channels[1].id] });
    await checkIn(owner, id, "fail");
    // A later notification has been delivered, so an earlier one would have been, too.
    await using later = new Receiver();
    const { id: laterChannel } = await createChannel(owner, { config: { url: later.url } });
    const { id: laterMonitor } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [laterChannel] });
    await checkIn(owner, laterMonitor, "fail");
    await eventually(() => later.received.length > 0);
    expect(receiver.received).toEqual([]);
    const [result] = (await owner.get(`/api/v1/monitors/${id}/results`)).body.data;
    expect(result).toMatchObject({ alertTriggered: false, alertOutcome: null });
  });

  test("behavior 5.23, 5.24, 5.25: only the result of the transition has the outcome of the alert", async () => {
    await using receiver = new Receiver();
    const { id: channelId } = await createChannel(owner, { config: { url: receiver.url } });
    const { id } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channelId] });
    await checkIn(owner, id, "fail", "fail");
    const results = await eventually(async () => {
      const { data } = (await owner.get(`/api/v1/monitors/${id}/results`)).body;
      return data[1].alertOutcome?.status === "delivered" && data;
    });
    expect(results[0]).toMatchObject({ alertTriggered: false, alertOutcome: null });
    expect(results[1].alertTriggered).toBe(true);
    expect(results[1].alertOutcome).toEqual({
      status: "delivered",
      channels: [
        { channelId, type: "WEBHOOK", status: "delivered", attempts: 1, error: null, deliveredAt: TIME },
      ],
    });
  });

  test("behavior 7.2: there are no subscriptions to events", async () => {
    for (const path of ["/api/v1/webhooks", "/api/v1/subscriptions", "/api/v1/events"]) {
      expect((await owner.post(path, {})).status).toBe(404);
    }
  });
});
