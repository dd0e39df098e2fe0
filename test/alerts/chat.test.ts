import { describe, expect, test } from "bun:test";
import { deliver } from "../../src/alerts/deliver.ts";
import type { DeliveryAttempt } from "../../src/domain/alerts/delivery.ts";
import { down, notified, router } from "../support/alerts/transitions.ts";
import { ChatService } from "../support/servers/chat-service.ts";

const SLACK = {
  type: "SLACK",
  host: "hooks.slack.com",
  path: "/services/T0SECRET/B0SECRET/xSECRETx",
} as const;
const DISCORD = { type: "DISCORD", host: "discord.com", path: "/api/webhooks/1/xSECRETx" } as const;
const TEAMS = { type: "TEAMS", host: "prod-1.logic.azure.com", path: "/workflows/xSECRETx" } as const;
const services = [SLACK, DISCORD, TEAMS];

type Service = (typeof services)[number];

function send(chat: ChatService, { type, path }: Service): Promise<DeliveryAttempt> {
  return deliver({ type, config: { webhookUrl: chat.url(path) } }, notified(down), chat.settings);
}

describe.each(services)("$type", (service) => {
  test("receives JSON in UTF-8 at its webhook, over verified TLS", async () => {
    await using chat = await ChatService.start(service.host);
    expect(await send(chat, service)).toEqual({ outcome: "delivered", answer: "200" });
    expect(chat.received).toMatchObject([
      { path: service.path, contentType: "application/json; charset=utf-8" },
    ]);
  });

  test("behavior 23.54: gets the link that acknowledges, except for several outages at once", async () => {
    await using chat = await ChatService.start(service.host);
    const channel = { type: service.type, config: { webhookUrl: chat.url(service.path) } };
    const acknowledgeUrl = "https://up.example.com/acknowledge/a.b.c.d";
    await deliver(channel, { ...notified(down), acknowledgeUrl }, chat.settings);
    await deliver(channel, { ...notified(down), acknowledgeUrl, others: [router] }, chat.settings);
    const [one, several] = chat.received.map(({ body }) => JSON.stringify(body));
    expect(one).toContain(acknowledgeUrl);
    expect(several).not.toContain("/acknowledge/");
  });

  test("receives nothing if its certificate does not verify", async () => {
    await using chat = await ChatService.start("elsewhere.example");
    const settings = { ...chat.settings, resolve: async () => ["127.0.0.1"] };
    const port = new URL(chat.url("/")).port;
    const channel = {
      type: service.type,
      config: { webhookUrl: `https://${service.host}:${port}/xSECRETx` },
    };
    expect(await deliver(channel, notified(down), settings)).toMatchObject({
      outcome: "failed",
      final: false,
    });
    expect(chat.received).toEqual([]);
  });

  test.each([400, 403, 404, 410])("fails finally after %d", async (status) => {
    await using chat = await ChatService.start(service.host);
    chat.answers = [new Response(null, { status })];
    expect(await send(chat, service)).toMatchObject({ final: true, answer: String(status) });
  });

  test.each([302, 408, 429, 500, 503])("is retried after %d", async (status) => {
    await using chat = await ChatService.start(service.host);
    chat.answers = [new Response(null, { status, headers: { location: "/elsewhere" } })];
    expect(await send(chat, service)).toMatchObject({ outcome: "failed", final: false });
    expect(chat.received).toHaveLength(1);
  });

  test("never has its address in an outcome, whatever it answers", async () => {
    await using chat = await ChatService.start(service.host);
    const url = chat.url(service.path);
    const bodies = [
      url,
      service.path,
      JSON.stringify({ error: url, code: url, retry_after: url }),
      "xSECRETx",
    ];
    chat.answers = bodies.flatMap((body) => [404, 500].map((status) => new Response(body, { status })));
    for (const _ of [...chat.answers])
      expect(JSON.stringify(await send(chat, service))).not.toContain("SECRET");
  });

  test("that hangs in the middle of an answer is judged by its status code", async () => {
    await using chat = await ChatService.start(service.host);
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(5000)) });
    chat.answers = [new Response(endless, { status: 500 })];
    expect(await send(chat, service)).toMatchObject({ error: "the receiver answered 500", final: false });
  });
});

test("Slack's no_service is final, whatever its status code", async () => {
  await using chat = await ChatService.start(SLACK.host);
  chat.answers = [404, 500].map((status) => new Response("no_service", { status }));
  const final = { outcome: "failed", final: true } as const;
  expect(await send(chat, SLACK)).toEqual({
    ...final,
    error: "the receiver answered 404 no_service",
    answer: "404 no_service",
  });
  expect(await send(chat, SLACK)).toMatchObject(final);
});

test("Discord's retry_after is honored, with its fraction of a second", async () => {
  await using chat = await ChatService.start(DISCORD.host);
  chat.answers = [
    Response.json(
      { message: "You are being rate limited.", retry_after: 64.57, global: false },
      { status: 429 },
    ),
    Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 }),
  ];
  expect(await send(chat, DISCORD)).toMatchObject({ final: false, retryAfterMs: 64_570 });
  expect(await send(chat, DISCORD)).toMatchObject({ final: true, answer: "404 code 10015" });
});

test("an older connector that answers 200 although Teams refused the message has failed", async () => {
  await using chat = await ChatService.start(TEAMS.host);
  const text =
    "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId …";
  chat.answers = [new Response(text), new Response("1")];
  expect(await send(chat, TEAMS)).toEqual({
    outcome: "failed",
    error: "the receiver answered 200, but Teams refused the message with 429",
    final: false,
    answer: "200 HTTP error 429",
  });
  expect(await send(chat, TEAMS)).toMatchObject({ outcome: "delivered" });
});
