import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { PushService } from "../support/servers/push-service.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const channelOf = async (id: string) => (await owner.get(`/api/v1/alerts/${id}`)).body.data;
const deliveriesOf = async (id: string) => (await owner.get(`/api/v1/alerts/${id}/deliveries`)).body.data;

/** A job that has failed, for which a channel of a push service was notified. */
async function failingJob(channelId: string) {
  const monitor = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channelId] });
  await checkIn(owner, monitor.id, "fail");
  return monitor;
}

async function outcomeOf(channelId: string, at = 0) {
  const ended = async () => {
    const all = await deliveriesOf(channelId);
    return all.length > at && all[0].status !== "pending" ? all[0] : undefined;
  };
  return eventually(ended);
}

test("behavior 21.53: no key pair exists before its first use, and then it stays", async () => {
  await using own = await TestServer.start();
  expect(await own.store.pushKeys.find()).toBeUndefined();
  expect((await own.client.as(undefined).get("/api/v1/webpush")).status).toBe(401);
  const { status, body } = await own.client.get("/api/v1/webpush");
  expect(status).toBe(200);
  expect(body).toEqual({ data: { publicKey: expect.stringMatching(/^B[\w-]{86}$/) } });
  expect((await own.client.get("/api/v1/webpush")).body).toEqual(body);
  const stored = await own.store.pushKeys.find();
  expect(Buffer.from(stored?.publicKey ?? []).toString("base64url")).toBe(body.data.publicKey);
});

test("behavior 21.51, 21.53, 21.54: a failed job is pushed, signed by the key of the route", async () => {
  await using service = new PushService();
  const channel = await createChannel(owner, { config: service.subscribe() });
  expect(channel.config.options).toEqual({ p256dh: expect.any(String), auth: "•••" });
  const monitor = await failingJob(channel.id);
  expect(await outcomeOf(channel.id)).toMatchObject({ status: "delivered", answer: "201" });
  const { publicKey } = (await owner.get("/api/v1/webpush")).body.data;
  const [{ headers, claims, payload }] = service.accepted as [(typeof service.accepted)[0]];
  expect(headers.authorization).toEndWith(`, k=${publicKey}`);
  expect(claims).toMatchObject({ aud: service.url, sub: "mailto:stillup@example.com" });
  expect(payload.title).toContain(monitor.name);
  expect(payload.link).toContain("/outages/");
});

test("behavior 5.29: a click on a test opens the page of its channel, since its monitor does not exist", async () => {
  await using service = new PushService();
  const { id } = await createChannel(owner, { config: service.subscribe() });
  await owner.post(`/api/v1/alerts/${id}/test`);
  expect(new URL(service.accepted[0]?.payload.link ?? "").pathname).toBe(`/channels/${id}`);
});

test("behavior 14.16, 21.55: a delayed notification and the recovery after it have the topic of their outage", async () => {
  await using service = new PushService();
  const { id: alertChannelId } = await createChannel(owner, { config: service.subscribe() });
  const alertBindings = [{ alertChannelId, after: 1 }];
  const { id } = await createMonitor(owner, "SCHEDULED", { alertBindings });
  await checkIn(owner, id, "fail");
  await eventually(() => service.accepted.length === 1);
  await checkIn(owner, id, "ok");
  await eventually(() => service.accepted.length === 2);
  const [outage] = (await owner.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  expect(service.accepted.map(({ headers: { topic, urgency } }) => [topic, urgency])).toEqual([
    [outage.id, "high"],
    [outage.id, "normal"],
  ]);
});

test("behavior 21.51: a PATCH that sends ••• keeps the secret of the subscription, but not at another origin", async () => {
  await using service = new PushService();
  const { id, config } = await createChannel(owner, { config: service.subscribe() });
  const path = `/api/v1/alerts/${id}`;
  expect((await owner.patch(path, { config })).status).toBe(200);
  expect((await owner.post(`${path}/test`)).body.data).toMatchObject({ status: "delivered" });
  const moved = await owner.patch(path, { config: { ...config, url: "http://127.0.0.1:9/push" } });
  expect([moved.status, moved.body.error]).toEqual([
    422,
    "config.options.auth must be sent with its value: the origin of config.url changes",
  ]);
});

test("behavior 21.51, 21.56, 16.52: an exported device is the same channel after it is applied, and stays ended only in a file that says so", async () => {
  await using service = new PushService();
  const [own, other] = [await server.organization(), await server.organization()];
  const config = service.subscribe();
  const { id } = await createChannel(own, { name: "My phone", config });
  await own.post("/api/v1/export/refs");
  const { document, secrets } = (await own.get("/api/v1/export")).body.data;
  expect(secrets).toEqual(["WEBHOOK_MY_PHONE_AUTH"]);
  const withAuth = (auth: string) =>
    JSON.parse(JSON.stringify(document).replace("${WEBHOOK_MY_PHONE_AUTH}", auth));
  const apply = async (by: Client, given: object) =>
    (await by.post("/api/v1/apply", given)).body.data?.changes;

  expect(await apply(own, withAuth("•••"))).toEqual([]);
  expect(await apply(own, withAuth(config.options.auth))).toEqual([]);
  expect(await apply(other, withAuth("•••"))).toBeUndefined();
  expect(await apply(other, withAuth(config.options.auth))).toHaveLength(1);
  const [copied] = (await other.get("/api/v1/alerts")).body.data;
  const tested = await other.post(`/api/v1/alerts/${copied.id}/test`);
  expect(tested.body.data).toMatchObject({ status: "delivered" });

  service.answers = [new Response("", { status: 410 })];
  await own.post(`/api/v1/alerts/${id}/test`);
  const ended = (await own.get("/api/v1/export")).body.data.document;
  expect(ended.channels["my-phone"]).toMatchObject({ enabled: false });
  expect(await apply(own, withAuth("•••"))).toMatchObject([{ ref: "my-phone", fields: ["enabled"] }]);
});

describe("behavior 21.56: a push service that says that the subscription has ended", () => {
  test.each([404, 410])("disables the channel after one attempt with %d, until a PATCH", async (status) => {
    await using service = new PushService();
    const { id } = await createChannel(owner, { config: service.subscribe() });
    service.answers = [new Response("", { status })];
    await failingJob(id);
    const error = `the receiver answered ${status}: the device has ended its subscription, and the channel is disabled`;
    expect(await outcomeOf(id)).toMatchObject({ status: "failed", attempts: 1, nextAttemptAt: null, error });
    expect((await channelOf(id)).enabled).toBe(false);
    const enabled = await owner.patch(`/api/v1/alerts/${id}`, { enabled: true });
    expect(enabled.body.data.enabled).toBe(true);
    await failingJob(id);
    expect(await outcomeOf(id, 1)).toMatchObject({ status: "delivered" });
    expect(service.calls).toBe(2);
  });

  test("disables it after a test", async () => {
    await using service = new PushService();
    const { id } = await createChannel(owner, { config: service.subscribe() });
    service.answers = [new Response("", { status: 410 })];
    const { body } = await owner.post(`/api/v1/alerts/${id}/test`);
    expect(body.data.channels[0]).toMatchObject({
      status: "failed",
      error: expect.stringContaining("is disabled"),
    });
    expect((await channelOf(id)).enabled).toBe(false);
  });

  test("does not disable a channel that got another subscription while a test was under way", async () => {
    await using service = new PushService();
    let path = "";
    await using ended = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch() {
        await owner.patch(path, { config: service.subscribe() });
        return new Response("", { status: 410 });
      },
    });
    const { id } = await createChannel(owner, { config: { ...service.subscribe(), url: ended.url.href } });
    path = `/api/v1/alerts/${id}`;
    expect((await owner.post(`${path}/test`)).body.data.channels[0]).toMatchObject({ status: "failed" });
    const { enabled, config } = await channelOf(id);
    expect([enabled, config.url]).toEqual([true, expect.stringContaining(service.url)]);
  });

  test("ends the other notifications that wait", async () => {
    await using service = new PushService();
    const { id } = await createChannel(owner, { config: service.subscribe() });
    service.answers = [new Response("", { status: 503 }), new Response("", { status: 410 })];
    const monitor = await failingJob(id);
    await eventually(async () => (await deliveriesOf(id))[0]?.attempts === 1);
    await checkIn(owner, monitor.id, "ok");
    await owner.patch(`/api/v1/alerts/${id}`, { config: { ...service.subscribe(), headers: { A: "b" } } });
    await eventually(async () =>
      (await deliveriesOf(id)).every((one: { status: string }) => one.status === "failed"),
    );
    const errors = (await deliveriesOf(id)).map(({ error }: { error: string }) => error);
    expect(errors[0]).toBe("the channel is disabled: the device has ended its subscription");
    expect(errors[1]).toStartWith("the receiver answered 410");
    expect((await channelOf(id)).enabled).toBe(false);
  });

  test.each([400, 403, 413])("an answer %d leaves it enabled", async (status) => {
    await using service = new PushService();
    const { id } = await createChannel(owner, { config: service.subscribe() });
    service.answers = [new Response("", { status })];
    await failingJob(id);
    expect(await outcomeOf(id)).toMatchObject({ status: "failed", attempts: 1 });
    expect((await channelOf(id)).enabled).toBe(true);
  });
});

describe("behavior 21.60: the files with which a browser installs the page", () => {
  const get = (path: string) => fetch(server.client.url + path);

  test("are revalidated each time, and the manifest names icons that exist", async () => {
    const manifest = await get("/manifest.webmanifest");
    expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
    expect(manifest.headers.get("cache-control")).toBe("no-cache");
    const { icons, start_url } = (await manifest.json()) as { icons: { src: string }[]; start_url: string };
    expect([icons.length, start_url]).toEqual([3, "/"]);
    for (const { src } of icons) expect((await get(src)).headers.get("content-type")).toBe("image/png");
  });

  test("behavior 21.61: the service worker is revalidated too, and knows the script that the page loads first", async () => {
    const worker = await get("/service-worker.js");
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    const code = await worker.text();
    const html = await (await get("/")).text();
    const [, script = ""] = /src="([^"]+\.js)"/.exec(html) ?? [];
    expect(code).toContain(script);
    expect(html).toContain('href="/manifest.webmanifest"');
  });

  test("the manifest is fetched with cookies, because a proxy may let only its own sessions pass", async () => {
    const html = await (await get("/")).text();
    expect(/<link rel="manifest"[^>]*>/.exec(html)?.[0]).toContain('crossorigin="use-credentials"');
  });
});
