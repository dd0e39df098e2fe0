import { describe, expect, test } from "bun:test";
import {
  type ChannelConfig,
  maskChannelSecrets,
  parseChannelConfig,
} from "../../../src/domain/alerts/channel.ts";
import { takesDigests } from "../../../src/domain/alerts/notify.ts";
import { secretOptions, WEBHOOK_FORMATS } from "../../../src/domain/alerts/webhook-format.ts";
import { AppError } from "../../../src/errors.ts";
import { examples, mapped } from "../../support/servers/services/service-server.ts";

const url = "https://service.example.com/base/";
const parse = (config: unknown, stored?: unknown) =>
  parseChannelConfig("WEBHOOK", config, stored as ChannelConfig | undefined);

function errorOf(config: unknown, stored?: unknown): string {
  try {
    parse(config, stored);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return "accepted";
}

/** RFC 8291, appendix A. */
const subscription = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

const POINT = "config.options.p256dh must be a point of P-256, 65 bytes in base64url";
const AUTH = "config.options.auth must be 16 bytes in base64url";
const COMPRESSED = "A1iwQoXiVbUv1D5pYGKbPQZlPRy6_KuNoUXOgSpsNTDN";
const OVERFLOWN = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 255)]).toString("base64url");

function otherPoint(digit: string): string {
  return subscription.p256dh.slice(0, -2) + digit + subscription.p256dh.slice(-1);
}

const body = '{ "text": "{{monitor.name}} is {{status}}" }';

describe("behavior 16.140, 16.141: a config is accepted and stored as it is sent", () => {
  test.each([
    { url, format: "standard", secret: "s3cret" },
    { url, headers: { "X-Key": "1" } },
    { url, format: "ntfy", options: { topic: "alerts" } },
    {
      url,
      format: "ntfy",
      options: { topic: "alerts", token: "tk_1", priority: 5 },
      headers: { "X-Key": "1" },
    },
    { url, format: "ntfy", options: { topic: "alerts" }, headers: { Authorization: "Basic eA==" } },
    { url, format: "gotify", options: { token: "A1", priority: 0 } },
    { url, format: "telegram", options: { token: "1:a-b_c", chatId: "@alerts", threadId: 7 } },
    { url, format: "pushover", options: { token: "a", user: "u", device: "phone,tablet", priority: -2 } },
    { url, format: "pagerduty", options: { routingKey: "k" } },
    { url, format: "matrix", options: { token: "syt_a", roomId: "!abc" } },
    { url, format: "googlechat" },
    { url, format: "googlechat", options: {} },
    { url, format: "signal", options: { number: "+49151", recipients: ["+49152", "name.01"] } },
    { url, format: "signal", options: { number: "+49151", recipients: ["group.abc="] } },
    { url, format: "alertmanager" },
    { url, format: "webpush", options: subscription },
    { url, format: "webpush", options: subscription, headers: { Urgency: "low" } },
    { url, format: "custom", options: { body } },
    { url: `${url}{{id}}?t={{text}}`, format: "custom", options: { method: "GET" } },
    { url, format: "custom", options: { contentType: "text/plain; charset=utf-8", body: "{ {{text}} }" } },
    { url, format: "custom", options: { body: "é".repeat(8192) } },
    ...Object.values(examples).map(({ config }) => config(url)),
  ])("%j", (config) => {
    expect(parse(config)).toEqual(config as ChannelConfig);
  });
});

describe("behavior 16.140, 16.141, 16.143, 16.144, 16.155: a config is refused", () => {
  const telegram = { token: "1:a", chatId: "1" };
  test.each([
    [{ url, format: "slack" }, "config.format must be one of standard, ntfy, gotify"],
    [{ url, format: null }, "config.format must be one of"],
    [{ url, format: "nfty", options: { topic: "a" } }, "config.format must be one of"],
    [{ url, options: {} }, "config.options must be left out with the format standard"],
    [
      { url, format: "alertmanager", secret: "x" },
      "config.secret must be left out with the format alertmanager",
    ],
    [{ url, format: "gotify" }, "config.options is required"],
    [{ url, format: "gotify", options: {} }, "config.options.token is required"],
    [{ url, format: "googlechat", options: { key: "k" } }, "config.options.key is not a known field"],
    [
      { url, format: "gotify", options: { token: "a b" } },
      "config.options.token must be 1 to 512 visible ASCII characters",
    ],
    [
      { url, format: "gotify", options: { token: "a", priority: 11 } },
      "config.options.priority must be a whole number from 0 to 10, got 11",
    ],
    [{ url, format: "ntfy", options: { topic: "a/b" } }, "config.options.topic must be 1 to 64 letters"],
    [
      { url, format: "ntfy", options: { topic: "a", priority: 0 } },
      "config.options.priority must be a whole number from 1 to 5",
    ],
    [{ url, format: "telegram", options: { ...telegram, chatId: 5 } }, "config.options.chatId must be"],
    [
      { url, format: "telegram", options: { ...telegram, chatId: "alerts" } },
      "config.options.chatId must be the number of a chat",
    ],
    [
      { url, format: "telegram", options: { ...telegram, threadId: "7" } },
      "config.options.threadId must be a whole number",
    ],
    [
      { url, format: "pushover", options: { token: "a", user: "u", priority: 2 } },
      "config.options.priority must be a whole number from -2 to 1",
    ],
    [
      { url, format: "matrix", options: { token: "a", roomId: "#ops:example.org" } },
      "config.options.roomId must be the ID of a room",
    ],
    [
      { url, format: "signal", options: { number: "0151", recipients: ["+49152"] } },
      "config.options.number must be a phone number",
    ],
    [
      { url, format: "signal", options: { number: "+49151", recipients: [] } },
      "config.options.recipients must be an array of 1 to 50 entries",
    ],
    [
      { url, format: "signal", options: { number: "+49151", recipients: ["group.a", "+49152"] } },
      "config.options.recipients must be one group",
    ],
    [{ url, format: "webpush" }, "config.options is required"],
    [{ url, format: "webpush", options: { ...subscription, p256dh: "" } }, POINT],
    // Not on the curve: the last digit differs.
    [{ url, format: "webpush", options: { ...subscription, p256dh: otherPoint("x") } }, POINT],
    // The point at infinity, a compressed point, and a point with a coordinate that is not below the modulus.
    [{ url, format: "webpush", options: { ...subscription, p256dh: "AA" } }, POINT],
    [{ url, format: "webpush", options: { ...subscription, p256dh: COMPRESSED } }, POINT],
    [{ url, format: "webpush", options: { ...subscription, p256dh: OVERFLOWN } }, POINT],
    // The same bytes, with an unused bit that is set.
    [
      {
        url,
        format: "webpush",
        options: { ...subscription, p256dh: `${subscription.p256dh.slice(0, -1)}5` },
      },
      POINT,
    ],
    [
      { url, format: "webpush", options: { ...subscription, p256dh: `${subscription.p256dh}=` } },
      "config.options.p256dh must be",
    ],
    [{ url, format: "webpush", options: { ...subscription, p256dh: "•••" } }, POINT],
    [{ url, format: "webpush", options: { ...subscription, auth: "BTBZMqHH6r4Tts7J_aSI" } }, AUTH],
    [
      { url, format: "webpush", options: { ...subscription, auth: `${subscription.auth}A` } },
      "config.options.auth must",
    ],
    [{ url, format: "webpush", options: { ...subscription, auth: "BTBZMqHH6r4Tts7J_aSIgh" } }, AUTH],
    [
      { url, format: "webpush", options: { ...subscription, auth: "•••" } },
      "config.options.auth must be sent with its value",
    ],
    [
      { url, format: "webpush", options: subscription, headers: { Authorization: "Basic eA==" } },
      "config.headers.Authorization must be left out: the format webpush sends this header itself",
    ],
    [{ url: "mailto:a@example.com", format: "webpush", options: subscription }, "config.url must be"],
    [{ url, format: "custom", options: {} }, "config.options.body is required with POST"],
    [
      { url, format: "custom", options: { method: "GET", body } },
      "config.options.body must be left out with GET",
    ],
    [
      { url, format: "custom", options: { method: "DELETE", body } },
      "config.options.method must be one of POST, PUT, GET",
    ],
    [
      { url, format: "custom", options: { body: "é".repeat(8193) } },
      "config.options.body must be a text of 1 byte to 16 KiB",
    ],
    [
      { url, format: "custom", options: { body: "{{monitor.id}}" } },
      "config.options.body must have no other placeholders than {{monitor.name}}",
    ],
    [
      { url: `${url}{{}}`, format: "custom", options: { body } },
      "config.url must have no other placeholders",
    ],
    [
      { url: "https://{{status}}.example.com/", format: "custom", options: { body } },
      "config.url must have its placeholders after the host",
    ],
    [
      { url, format: "custom", options: { contentType: "text", body } },
      "config.options.contentType must be a media type",
    ],
    [
      { url, format: "custom", options: { contentType: "text/plain;\r\n charset=utf-8", body } },
      "config.options.contentType must be a media type",
    ],
    [
      { url, format: "custom", options: { contentType: "a/b", body }, headers: { "content-type": "c/d" } },
      "config.options.contentType must be left out",
    ],
    [{ url, headers: { "Webhook-Id": "1" } }, "config.headers.Webhook-Id must be left out"],
    [{ url, headers: { Connection: "close" } }, "config.headers.Connection must be left out"],
    [{ url, headers: { trailer: "X-Sum" } }, "config.headers.trailer must be left out"],
    [{ url, headers: { "X-Key": "1", "x-key": "2" } }, "config.headers.x-key must occur once"],
    [{ url, headers: { "X-Key": "1\n2" } }, "config.headers.X-Key must be visible ASCII"],
    [
      { url, format: "gotify", options: { token: "a" }, headers: { "x-gotify-key": "b" } },
      "config.headers.x-gotify-key must be left out",
    ],
    [
      { url, format: "matrix", options: { token: "a", roomId: "!a" }, headers: { Authorization: "b" } },
      "config.headers.Authorization must be left out",
    ],
    [
      { url, format: "ntfy", options: { topic: "a", token: "a" }, headers: { authorization: "b" } },
      "config.options.token must be left out",
    ],
    ...Object.values(examples).flatMap(({ refused }): [object, string][] => refused),
  ])("%j", (config, message) => {
    expect(errorOf(config)).toStartWith(message);
  });

  test("no message repeats a secret", () => {
    const config = { url, format: "pushover", options: { token: "xSECRET x", user: 77 } };
    expect(errorOf(config)).not.toMatch(/SECRET|77/);
  });
});

describe("behavior 16.142: secrets", () => {
  const stored = {
    url,
    format: "pushover",
    options: { token: "app", user: "me", device: "phone" },
    headers: { "X-Key": "1" },
  };
  const masked = {
    ...stored,
    options: { token: "•••", user: "•••", device: "phone" },
    headers: { "X-Key": "•••" },
  };

  test("are masked, and a config without any is the same one", () => {
    expect(maskChannelSecrets(stored as ChannelConfig)).toEqual(masked as ChannelConfig);
    const plain: ChannelConfig = { url, secret: "s3cret" };
    expect(maskChannelSecrets(plain)).toBe(plain);
    expect(maskChannelSecrets({ url, format: "googlechat", options: {} })).toEqual({
      ...{ url, format: "googlechat", options: {} },
    });
  });

  test("are kept by •••, also with another path and another case of a header", () => {
    const other = { ...masked, url: "https://service.example.com/", headers: { "x-key": "•••" } };
    expect(parse(other, stored)).toEqual({
      ...other,
      options: stored.options,
      headers: { "x-key": "1" },
    } as ChannelConfig);
    const changed = { ...masked, options: { ...masked.options, user: "you", device: "•••" } };
    expect(errorOf(changed, stored)).toStartWith("config.options.device must be the name of a device");
  });

  test("are asked for if none is stored, at another origin, and for another format", () => {
    const asked = "config.headers.X-Key must be sent with its value";
    expect(errorOf(masked)).toBe(`${asked}: none is stored`);
    expect(errorOf({ ...masked, url: "https://evil.example.com/" }, stored)).toBe(
      `${asked}: the origin of config.url changes`,
    );
    expect(errorOf({ ...masked, headers: { "X-Key": "•••", host: "evil.example.com" } }, stored)).toBe(
      `${asked}: the header Host changes`,
    );
    const gotify = { url, format: "gotify", options: { token: "•••" } };
    expect(errorOf(gotify, stored)).toBe("config.options.token must be sent with its value: none is stored");
    expect(errorOf(gotify, { webhookUrl: url })).toBe(
      "config.options.token must be sent with its value: none is stored",
    );
  });

  test("are those of the table", () => {
    expect(Object.fromEntries(WEBHOOK_FORMATS.map((format) => [format, secretOptions(format)]))).toEqual({
      ...mapped((example) => example.secrets),
      ...{
        standard: [],
        ntfy: ["token"],
        gotify: ["token"],
        telegram: ["token"],
        pushover: ["token", "user"],
      },
      ...{
        pagerduty: ["routingKey"],
        matrix: ["token"],
        googlechat: [],
        signal: [],
        alertmanager: [],
        webpush: ["auth"],
        custom: [],
      },
    });
  });
});

test("behavior 16.148: people read these formats", () => {
  const known = WEBHOOK_FORMATS.filter((format) => !(format in examples));
  const read = known.filter((format) => takesDigests({ type: "WEBHOOK", config: { format } }));
  expect(read).toEqual([
    "ntfy",
    "gotify",
    "telegram",
    "pushover",
    "matrix",
    "googlechat",
    "signal",
    "webpush",
  ]);
});
