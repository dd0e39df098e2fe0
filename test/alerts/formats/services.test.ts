import { describe, expect, test } from "bun:test";
import { deliver } from "../../../src/alerts/deliver.ts";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import type { AlertEvent } from "../../../src/domain/alerts/alert-event.ts";
import type { ChannelConfig } from "../../../src/domain/alerts/channel.ts";
import { declarationOf, type WebhookConfig } from "../../../src/domain/alerts/webhook-format.ts";
import { notices } from "../../support/alerts/notices.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import {
  AT,
  degraded,
  down,
  examples,
  HOSTILE,
  hostile,
  recovery,
} from "../../support/alerts/transitions.ts";
import type { ServiceExample } from "../../support/servers/services/service-call.ts";
import {
  goodConfigs,
  mapped,
  examples as ofServices,
  SERVICES,
  type ServiceName,
  ServiceServer,
  services,
} from "../../support/servers/services/service-server.ts";

const settings: DeliverySettings = { ...reachWith(), baseUrl: () => "https://up.example.com" };
const delivered = { outcome: "delivered" } as const;

function send(
  config: ChannelConfig<"WEBHOOK">,
  event: AlertEvent,
  { id = "d1", others = [] as AlertEvent[] } = {},
) {
  return deliver({ type: "WEBHOOK", config }, { id, event, others, now: AT }, settings);
}

describe.each(SERVICES)("%s", (name) => {
  const configOf = goodConfigs[name];

  test("behavior 16.145, 16.149: accepts every message, with the name and the link", async () => {
    await using server = new ServiceServer(services[name]);
    const events = { ...examples, ...notices };
    for (const [id, event] of Object.entries(events))
      expect(await send(configOf(server.url), event, { id })).toMatchObject(delivered);
    const bodies = server.accepted.map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(Object.keys(events).length);
    expect(bodies[0]).toContain("Shop front is down");
    expect(bodies[0]).toContain("https://up.example.com/outages/a1");
    expect(bodies.at(-1)).toContain("New disks");
  });

  test.each(HOSTILE.map((text, at) => [at, text] as const))(
    "behavior 5.28, 16.149: accepts hostile text %d, and the link is whole",
    async (_, text) => {
      await using server = new ServiceServer(services[name]);
      expect(await send(configOf(server.url), hostile(text))).toMatchObject(delivered);
      const body = JSON.stringify(server.accepted[0]?.body);
      expect(body).toContain("https://up.example.com/outages/a1");
    },
  );

  test("behavior 16.148: a message about many notifications is accepted, unless each is sent", async () => {
    await using server = new ServiceServer(services[name]);
    const others = Array.from({ length: 30 }, (_, at) => ({
      ...down,
      monitor: { ...down.monitor, id: `m${at}`, name: `Monitor ${at} ${"é".repeat(150)}` },
    }));
    expect(await send(configOf(server.url), recovery, { others })).toMatchObject(delivered);
    const isDigest = JSON.stringify(server.accepted[0]?.body).includes("31 notifications in one message");
    expect(isDigest).toBe(declarationOf[name].readBy === "people");
  });

  test("behavior 16.143: headers of the channel are sent, also the host", async () => {
    await using server = new ServiceServer(services[name]);
    const headers = { "X-Proxy-Key": "k1", "User-Agent": "probe", Host: "service.example.com" };
    expect(await send({ ...configOf(server.url), headers }, down)).toMatchObject(delivered);
    expect(server.accepted[0]?.headers).toMatchObject({
      "x-proxy-key": "k1",
      "user-agent": "probe",
      host: "service.example.com",
    });
  });

  test("behavior 16.142, 16.146: no failure has a secret or a text of the service", async () => {
    await using server = new ServiceServer(services[name]);
    const config = JSON.parse(
      JSON.stringify(configOf(server.url)).replaceAll(/good|tk_good|"app"/g, (text) =>
        text === '"app"' ? '"xSECRETx"' : "xSECRETx",
      ),
    );
    const echo = JSON.stringify({
      errcode: "xSECRETx",
      error: "xSECRETx",
      description: "xSECRETx",
      code: "xSECRETx",
    });
    server.answers = [400, 403, 500].map((status) => new Response(echo, { status }));
    for (let at = 0; at < 4; at++) expect(JSON.stringify(await send(config, down))).not.toContain("SECRET");
  });

  test("behavior 1.22, 16.145: gets nothing at a private address if those are denied", async () => {
    await using server = new ServiceServer(services[name]);
    const denied = { ...settings, ...reachWith({ privateTargets: "deny" }) };
    const notification = { id: "d1", event: down, now: AT };
    expect(
      await deliver({ type: "WEBHOOK", config: configOf(server.url) }, notification, denied),
    ).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("private"),
    });
    expect(server.calls).toEqual([]);
  });
});

const final = true;
const retried = false;

/** By service and failure: whether it is final, the answer that is recorded, and the delay. */
const failures: Record<string, ServiceExample["failures"]> = {
  ...mapped((example) => example.failures),
  ntfy: {
    unauthorized: [final, "401 code 40101"],
    forbidden: [final, "403 code 40301"],
    tooMany: [retried, "429 code 42901"],
    daily: [retried, "429 code 42908"],
    storage: [retried, "507 code 50701"],
    fault: [retried, "500 code 50001"],
  },
  gotify: { token: [final, "401"], forbidden: [final, "403"], fault: [retried, "500"] },
  telegram: {
    token: [final, "401"],
    unknownBot: [final, "404"],
    chat: [final, "400 chat_not_found"],
    thread: [final, "400 thread_not_found"],
    blocked: [final, "403 bot_blocked"],
    kicked: [final, "403 bot_not_in_chat"],
    rateLimit: [retried, "429", 35_000],
    fault: [retried, "502"],
  },
  pushover: {
    token: [final, "400 token_invalid"],
    user: [final, "400 user_invalid"],
    device: [final, "400 device_invalid"],
    fault: [retried, "500"],
  },
  pagerduty: {
    invalid: [final, "400 invalid_event"],
    rateLimit: [retried, "429", 120_000],
    fault: [retried, "500"],
  },
  matrix: {
    token: [final, "401 M_UNKNOWN_TOKEN"],
    forbidden: [final, "403 M_FORBIDDEN"],
    unknown: [final, "404 M_UNRECOGNIZED"],
    rateLimit: [retried, "429 M_LIMIT_EXCEEDED", 12_345],
    rateLimitByHeader: [retried, "429 M_LIMIT_EXCEEDED", 20_000],
    fault: [retried, "500 M_UNKNOWN"],
    otherWord: [final, "403"],
  },
  googlechat: {
    invalid: [final, "400 INVALID_ARGUMENT"],
    token: [final, "403 PERMISSION_DENIED"],
    space: [final, "404 NOT_FOUND"],
    rateLimit: [retried, "429 RESOURCE_EXHAUSTED", 60_000],
    fault: [retried, "503 UNAVAILABLE"],
  },
  signal: {
    number: [final, "400 no_such_number"],
    unregistered: [final, "400 not_registered"],
    network: [retried, "400"],
    rateLimit: [retried, "429 rate_limit"],
    fault: [retried, "500"],
  },
  alertmanager: { invalid: [final, "400"], fault: [retried, "500"] },
};

const cases = SERVICES.flatMap((name) =>
  Object.entries(failures[name] ?? {}).map(([failure, expected]) => [name, failure, expected] as const),
);

test("behavior 16.149: names mention nobody in Telegram, Matrix and Google Chat", async () => {
  const bodyOf = async (name: ServiceName, text: string) => {
    await using server = new ServiceServer(services[name]);
    await send(goodConfigs[name](server.url), hostile(text));
    return server.accepted[0]?.body;
  };
  expect((await bodyOf("telegram", "@operator")).text).not.toMatch(/@\w/);
  expect((await bodyOf("googlechat", "<users/all>")).text).not.toContain("<users");
  expect(await bodyOf("matrix", "@room <b>")).toMatchObject({
    "m.mentions": {},
    formatted_body: expect.not.stringContaining("<b>"),
  });
});

test.each(cases)("behavior 16.146: %s: %s", async (name, failure, [isFinal, answer, retryAfterMs]) => {
  await using server = new ServiceServer(services[name]);
  const respond = services[name].failures[failure];
  if (respond) server.answers = [respond()];
  expect(await send(goodConfigs[name](server.url), down)).toEqual({
    outcome: "failed",
    error: `the receiver answered ${answer}`,
    final: isFinal,
    answer,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
});

test.each(Object.entries(ofServices))(
  "behavior 16.149: the message of %s for a monitor that is down",
  async (_, example) => {
    await using server = new ServiceServer(example.service);
    expect(await send(example.config(server.url) as WebhookConfig, down)).toMatchObject(delivered);
    expect(server.accepted[0]?.body).toEqual(example.sent);
  },
);

test("behavior 16.146: Pushover says when there are messages again", async () => {
  await using server = new ServiceServer(services.pushover);
  server.answers = [services.pushover.failures.quota?.() ?? new Response()];
  const attempt = await send(goodConfigs.pushover(server.url), down);
  expect(attempt).toMatchObject({ final: false, answer: "429" });
  const { retryAfterMs = 0 } = attempt as { retryAfterMs?: number };
  expect(Math.round(retryAfterMs / 60_000)).toBe(10);
});

test.each([40, 4_290_801, 1e30, 50_001])(
  "behavior 16.146: code %p of another server is in no outcome",
  async (code) => {
    await using server = new ServiceServer(services.ntfy);
    server.answers = [Response.json({ code }, { status: 429 })];
    expect(await send(goodConfigs.ntfy(server.url), down)).toMatchObject({ answer: "429" });
  },
);

test("behavior 16.147: a priority follows the group of the status, or is that of the channel", async () => {
  const priorities = async (name: "ntfy" | "gotify" | "pushover", priority?: number) => {
    await using server = new ServiceServer(services[name]);
    const config = goodConfigs[name](server.url) as WebhookConfig<"ntfy">;
    const options = { ...config.options, ...(priority !== undefined && { priority }) };
    for (const event of [down, degraded, recovery]) await send({ ...config, options }, event);
    return server.accepted.map(({ body }) => body.priority);
  };
  expect(await priorities("ntfy")).toEqual([4, 3, 3]);
  expect(await priorities("gotify")).toEqual([8, 5, 3]);
  expect(await priorities("pushover")).toEqual([1, 0, 0]);
  expect(await priorities("gotify", 0)).toEqual([0, 0, 0]);
});

function moved(): Response {
  return services.telegram.failures.moved?.() ?? new Response();
}

test("behavior 16.154: a group of Telegram that got another ID gets the message there", async () => {
  await using server = new ServiceServer(services.telegram);
  server.answers = [moved()];
  expect(await send(goodConfigs.telegram(server.url), down)).toEqual({ outcome: "delivered", answer: "200" });
  expect(server.calls.map(({ body }) => body.chat_id)).toEqual(["-1001", "-1001234567890"]);
});

test("behavior 16.154: the second request is the last one", async () => {
  await using server = new ServiceServer(services.telegram);
  server.answers = [moved(), moved()];
  expect(await send(goodConfigs.telegram(server.url), down)).toMatchObject({
    final: true,
    answer: "400 chat_moved",
  });
  expect(server.calls).toHaveLength(2);
});

test.each(["pagerduty", "googlechat", "matrix", "pushover", "telegram"] as const)(
  "behavior 16.146: %s: a Retry-After is honored, whatever the usual delay of the service is",
  async (name) => {
    await using server = new ServiceServer(services[name]);
    const usual = { retry_after_ms: 12_345, parameters: { retry_after: 35 } };
    const headers = { "retry-after": "9", "x-limit-app-reset": String(AT) };
    server.answers = [Response.json(usual, { status: 429, headers })];
    expect(await send(goodConfigs[name](server.url), down)).toMatchObject({ retryAfterMs: 9000 });
  },
);
