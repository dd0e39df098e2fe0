import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { FlappingLocation } from "../support/store/flapping-location.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("behavior 5.29, 7.58: a test of a channel", () => {
  test("sends one sample immediately and answers with the outcome", async () => {
    await using receiver = new Receiver();
    const { id } = await createChannel(owner, { config: { url: receiver.url }, enabled: false });
    const { status, body } = await owner.post(`/api/v1/alerts/${id}/test`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status: "delivered",
      channels: [
        { channelId: id, type: "WEBHOOK", status: "delivered", attempts: 1, error: null, deliveredAt: TIME },
      ],
    });
    expect(receiver.only().payload.type).toBe("monitor.status_changed");
  });

  test("answers with the error if it fails", async () => {
    const { id } = await createChannel(owner, { config: { url: "http://127.0.0.1:1/secret" } });
    const { status, body } = await owner.post(`/api/v1/alerts/${id}/test`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: "failed",
      channels: [
        { status: "failed", error: "the receiver could not be reached: the connection was refused" },
      ],
    });
  });

  test("needs role admin and a channel of the organization", async () => {
    const { id } = await createChannel(owner);
    const viewer = owner.as(await server.keyWith("viewer"));
    expect((await viewer.post(`/api/v1/alerts/${id}/test`)).status).toBe(403);
    expect((await owner.as(undefined).post(`/api/v1/alerts/${id}/test`)).status).toBe(401);
    expect((await (await server.organization()).post(`/api/v1/alerts/${id}/test`)).status).toBe(404);
  });
});

test("behavior 1.22: with private targets denied, checks and deliveries are, but not the mail server of the operator", async () => {
  await using mail = await MailServer.start({ startTls: false });
  const { smtp } = mail.settings({ host: "127.0.0.1" });
  await using denying = await TestServer.start({
    probes: { privateTargets: "deny" },
    ...(smtp && { smtp }),
  });
  const { client } = denying;
  const test = async (values: object) => {
    const { id } = await createChannel(client, values);
    return (await client.post(`/api/v1/alerts/${id}/test`)).body.data;
  };
  expect(await test({})).toMatchObject({
    channels: [{ status: "failed", error: expect.stringContaining("private address") }],
  });
  expect(await test({ type: "EMAIL", config: { to: "ops@example.com" } })).toMatchObject({
    status: "delivered",
  });
  expect(mail.received).toHaveLength(1);
  const target = { type: "TCP", config: { host: "127.0.0.1", port: 1, interval: 60 } };
  expect((await client.post("/api/v1/probe", target)).body.data).toMatchObject({
    status: "down",
    detail: { reason: "private_target" },
  });
});

describe("behavior 7.58: the notifications of a channel", () => {
  test("are listed with their attempts and answers, most recent first, in pages", async () => {
    await using receiver = new Receiver();
    const channel = await createChannel(owner, { config: { url: receiver.url } });
    const { id, name } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channel.id] });
    await checkIn(owner, id, "fail", "ok", "fail");
    const path = `/api/v1/alerts/${channel.id}/deliveries`;
    const all = await eventually(async () => {
      const { body } = await owner.get(path);
      return body.data.every(({ status }: { status: string }) => status === "delivered") && body.data;
    });
    expect(all).toHaveLength(3);
    expect(all[0]).toEqual({
      id: receiver.received[2]?.id,
      type: "monitor.status_changed",
      monitor: { id, name, type: "SCHEDULED" },
      resultId: receiver.received[2]?.payload.data.result.id,
      previousStatus: "ok",
      newStatus: "failed",
      location: null,
      maintenance: null,
      status: "delivered",
      attempts: 1,
      firstAttemptAt: TIME,
      lastAttemptAt: TIME,
      nextAttemptAt: null,
      deliveredAt: TIME,
      answer: "200",
      error: null,
      createdAt: TIME,
    });
    const first = (await owner.get(`${path}?limit=2`)).body;
    const second = (await owner.get(`${path}?limit=2&cursor=${first.cursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.cursor).toBeNull();
  });

  test("behavior 13.60, 13.63: have those of a silent location, for a default channel", async () => {
    await using receiver = new Receiver();
    const client = await server.organization();
    const channel = await createChannel(client, { config: { url: receiver.url } });
    await client.patch("/api/v1/organization", { defaultAlertChannelIds: [channel.id] });
    const { id } = (await client.get("/api/v1/organization")).body.data;
    await new FlappingLocation(() => server.store, id).turn(server.now());
    const path = `/api/v1/alerts/${channel.id}/deliveries`;
    const listed = await eventually(async () => {
      const { data } = (await client.get(path)).body;
      return data.at(-1)?.status === "delivered" && data.at(-1);
    });
    expect(listed).toEqual({
      id: receiver.received[0]?.id,
      type: "location.silent",
      ...{ monitor: null, resultId: null, previousStatus: null, newStatus: null },
      location: { id: expect.any(String), name: "fra" },
      maintenance: null,
      ...{ status: "delivered", attempts: 1, answer: "200", error: null },
      ...{
        firstAttemptAt: TIME,
        lastAttemptAt: TIME,
        nextAttemptAt: null,
        deliveredAt: TIME,
        createdAt: TIME,
      },
    });
    expect(receiver.received[0]?.payload).toMatchObject({
      type: "location.silent",
      data: { organization: { id }, location: { ...listed.location, lastSeenAt: TIME } },
    });
  });

  test("behavior 14.69: have those of a maintenance", async () => {
    await using receiver = new Receiver();
    const client = await server.organization();
    const channel = await createChannel(client, { config: { url: receiver.url } });
    const [startsAt, endsAt] = [0, 3_600_000].map((ms) => new Date(server.now() + ms).toISOString());
    const maintenance = { title: "New disks", selector: { all: true }, startsAt, endsAt };
    const body = { ...maintenance, notifyChannelIds: [channel.id] };
    const { id } = (await client.post("/api/v1/maintenances", body)).body.data;
    const path = `/api/v1/alerts/${channel.id}/deliveries`;
    const [listed] = await eventually(async () => {
      const { data } = (await client.get(path)).body;
      return data[0]?.status === "delivered" && data;
    });
    expect(listed).toMatchObject({
      type: "maintenance.started",
      maintenance: { id, title: "New disks" },
      ...{ monitor: null, resultId: null, previousStatus: null, newStatus: null, location: null },
    });
    expect(receiver.only().payload).toMatchObject({
      type: "maintenance.started",
      data: { maintenance: { id } },
    });
  });

  test.each([
    ["limit=0", 422],
    ["cursor=nonsense!", 422],
    ["", 404],
  ])("%s is rejected with %d", async (query, status) => {
    expect((await owner.get(`/api/v1/alerts/nope/deliveries?${query}`)).status).toBe(status);
  });
});

describe("behavior 5.7, 5.8, 5.9: notifyOn", () => {
  test("is every group by default, and always returned", async () => {
    const { id, notifyOn } = await createChannel(owner);
    expect(notifyOn).toEqual(["down", "warning", "healthy"]);
    expect((await owner.get(`/api/v1/alerts/${id}`)).body.data.notifyOn).toEqual(notifyOn);
    const { body } = await owner.patch(`/api/v1/alerts/${id}`, { notifyOn: ["healthy", "down", "down"] });
    expect(body.data.notifyOn).toEqual(["down", "healthy"]);
  });

  test.each([[[]], [["healthy"]], [["up"]], ["down"], [null]])("%p is rejected", async (notifyOn) => {
    const { id } = await createChannel(owner);
    const { status, body } = await owner.patch(`/api/v1/alerts/${id}`, { notifyOn });
    expect(status).toBe(422);
    expect(body.error).toStartWith("notifyOn");
  });
});
