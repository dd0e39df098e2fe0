import { describe, expect, test } from "bun:test";
import { deliver } from "../../../src/alerts/deliver.ts";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import { createAuthorize, generatePushKeys } from "../../../src/alerts/webpush/vapid.ts";
import type { AlertEvent } from "../../../src/domain/alerts/alert-event.ts";
import { testChannel } from "../../../src/runner/deliveries/channel-test.ts";
import { blind, connected, notices, silent } from "../../support/alerts/notices.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import {
  AT,
  degraded,
  down,
  examples,
  HOSTILE,
  heartbeat,
  hostile,
  recovery,
  reminder,
} from "../../support/alerts/transitions.ts";
import { PushService } from "../../support/servers/push-service.ts";

const authorize = await createAuthorize(await generatePushKeys(), "mailto:ops@example.com");
const settings: DeliverySettings = {
  ...reachWith(),
  baseUrl: () => "https://up.example.com",
  authorizePush: (endpoint) => authorize(endpoint, Date.now()),
};

/** @property others later events of the same message */
async function push(
  service: PushService,
  event: AlertEvent,
  { others = [] as AlertEvent[], headers = {}, via = settings } = {},
) {
  const config = { ...service.subscribe(), headers };
  return deliver({ type: "WEBHOOK", config }, { id: "d1", event, others, now: AT }, via);
}

test("behavior 21.52, 21.54: each kind of notification arrives encrypted, with its name and its link", async () => {
  await using service = new PushService();
  for (const event of Object.values({ ...examples, ...notices }))
    expect(await push(service, event)).toEqual({ outcome: "delivered", answer: "201" });
  expect(service.refusals).toEqual([]);
  expect(service.accepted[0]?.payload).toMatchObject({
    title: "🔴 Shop front is down",
    link: "https://up.example.com/outages/a1",
  });
  const titles = service.accepted.map(({ payload }) => payload.title).join();
  for (const name of [
    "Still down: Shop front",
    "Location fra is silent",
    "Maintenance New disks ended",
    "3 monitors are not checked",
  ])
    expect(titles).toContain(name);
});

test("behavior 21.55: a notification is kept for a day, and is urgent if a monitor is down; its topic is the outage, the monitor or the subject", async () => {
  await using service = new PushService();
  for (const event of [down, reminder, degraded, recovery, heartbeat, silent, connected, blind])
    await push(service, event);
  const sent = service.accepted.map(({ headers: { ttl, urgency, topic }, payload: { tag } }) => [
    ttl,
    urgency,
    topic,
    tag,
  ]);
  expect(sent).toEqual([
    ["86400", "high", "a1", "a1"],
    ["86400", "high", "a1", "a1"],
    ["86400", "normal", "a1", "a1"],
    ["86400", "normal", "a1", "a1"],
    ["86400", "normal", heartbeat.monitor.id, heartbeat.monitor.id],
    ["86400", "normal", "l1", "l1"],
    ["86400", "normal", "l1", "l1"],
    ["86400", "normal", "o1", "o1"],
  ]);
});

test("behavior 21.55: many notifications at once are one message, which replaces none", async () => {
  await using service = new PushService();
  const others = Array.from({ length: 30 }, (_, at) => ({
    ...down,
    monitor: { ...down.monitor, id: `m${at}`, name: `Monitor ${at} ${"é".repeat(150)}` },
  }));
  expect(await push(service, recovery, { others })).toMatchObject({ outcome: "delivered" });
  const [{ payload, headers } = { payload: undefined, headers: {} }] = service.accepted;
  expect(payload).toMatchObject({
    title: "🔴 30 monitors: 30 Down",
    body: expect.stringContaining("31 notifications in one message"),
    link: "https://up.example.com/outages",
  });
  expect(payload).not.toHaveProperty("tag");
  expect(headers).toMatchObject({ urgency: "high" });
  expect(headers).not.toHaveProperty("topic");
});

test.each(HOSTILE.map((text, at) => [at, text] as const))(
  "behavior 21.54: hostile text %d fits into one record, and the link is whole",
  async (_, text) => {
    await using service = new PushService();
    expect(await push(service, hostile(text))).toMatchObject({ outcome: "delivered" });
    expect(service.accepted[0]?.bytes).toBeLessThanOrEqual(4096);
    expect(service.accepted[0]?.payload.link).toBe("https://up.example.com/outages/a1");
  },
);

test("behavior 16.143, 21.52: headers of the channel are sent too, and replace those of the format", async () => {
  await using service = new PushService();
  await push(service, down);
  await push(service, down, {
    headers: { "X-Proxy-Key": "k1", Urgency: "low", "Content-Type": "text/plain" },
  });
  const [usual, own] = service.accepted;
  expect(usual?.headers).toMatchObject({ urgency: "high", "content-type": "application/octet-stream" });
  expect(own?.headers).toMatchObject({ "x-proxy-key": "k1", urgency: "low", "content-type": "text/plain" });
});

describe("behavior 16.146, 21.56: an answer of a push service", () => {
  const gone = "the device has ended its subscription, and the channel is disabled";
  test.each([404, 410])("%d ends the channel", async (status) => {
    await using service = new PushService();
    service.answers = [new Response("words of the service", { status })];
    const error = `the receiver answered ${status}: ${gone}`;
    expect(await push(service, down)).toEqual({
      ...{ outcome: "failed", error, final: true, isGone: true },
      answer: String(status),
    });
  });

  test.each([400, 401, 403, 413])("%d is final, and ends nothing", async (status) => {
    await using service = new PushService();
    service.answers = [new Response("words of the service", { status })];
    expect(await push(service, down)).toEqual({
      ...{ outcome: "failed", error: `the receiver answered ${status}`, final: true },
      answer: String(status),
    });
  });

  test.each([406, 429, 500, 503])("%d is retried", async (status) => {
    await using service = new PushService();
    service.answers = [new Response("", { status, headers: { "retry-after": "9" } })];
    expect(await push(service, down)).toMatchObject({ final: false, retryAfterMs: 9000 });
  });

  test("a redirect is not followed", async () => {
    await using service = new PushService();
    await using other = new PushService();
    service.answers = [new Response("", { status: 307, headers: { location: other.subscribe().url } })];
    expect(await push(service, down)).toMatchObject({ outcome: "failed", final: false });
    expect(other.calls).toBe(0);
  });

  test("a test of a channel says it too", async () => {
    await using service = new PushService();
    service.answers = [new Response("", { status: 410 })];
    const ended: string[] = [];
    const config = service.subscribe();
    const outcome = await testChannel(
      { id: "c1", type: "WEBHOOK", config, language: "en" },
      {
        ...{ organization: down.organization, settings, clock: { now: () => AT } },
        onGone: async () => ended.push("c1"),
      },
    );
    expect(outcome).toMatchObject({ status: "failed", error: expect.stringContaining(gone) });
    expect(ended).toEqual(["c1"]);
  });
});

test("behavior 1.22, 21.50: nothing is sent to a private address if those are denied", async () => {
  await using service = new PushService();
  const via = { ...settings, ...reachWith({ privateTargets: "deny" }) };
  expect(await push(service, down, { via })).toMatchObject({
    outcome: "failed",
    error: expect.stringContaining("private"),
  });
  expect(service.calls).toBe(0);
});
