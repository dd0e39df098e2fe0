import { describe, expect, test } from "bun:test";
import { parseChannelConfig } from "../../../src/domain/alerts/channel.ts";

const TEAMS =
  "https://default0.11.environment.api.powerplatform.com:443/powerautomate/automations/direct?sig=x";

describe("a config that fits its type is accepted unchanged", () => {
  test.each([
    ["SLACK", { webhookUrl: "https://hooks.slack.com/services/T0/B0/x" }],
    ["SLACK", { webhookUrl: "https://hooks.slack.com:443/services/T0/B0/x" }],
    ["DISCORD", { webhookUrl: "https://discord.com/api/webhooks/1/x" }],
    ["DISCORD", { webhookUrl: "https://discordapp.com/api/webhooks/1/x?thread_id=2" }],
    ["SLACK", { webhookUrl: "HTTPS://HOOKS.SLACK.COM/services/T0/B0/x" }],
    ["TEAMS", { webhookUrl: TEAMS }],
    ["TEAMS", { webhookUrl: "https://prod-1.westeurope.logic.azure.com:443/workflows/x" }],
    ["TEAMS", { webhookUrl: "https://example.webhook.office.com/webhookb2/x" }],
    ["TEAMS", { webhookUrl: "https://outlook.office.com/webhook/x" }],
    ["TEAMS", { webhookUrl: "https://outlook.office365.com/webhook/x" }],
    ["EMAIL", { to: "ops+alerts@example.com" }],
    ["EMAIL", { to: "root@localhost" }],
    ["EMAIL", { to: "jörg@bücher.example" }],
    ["WEBHOOK", { url: "http://127.0.0.1:9000/hook" }],
    ["WEBHOOK", { url: "https://example.com/", secret: "s3cret" }],
    ["WEBHOOK", { url: "https://example.com/", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }],
  ] as const)("%s %p", (type, config) => {
    expect(parseChannelConfig(type, config)).toEqual(config);
  });
});

describe("behavior 5.37: the address of a chat service is judged as a parsed URL", () => {
  test.each([
    ["SLACK", "http://hooks.slack.com/services/x"],
    ["SLACK", "https://hooks.slack.com.evil.example/services/x"],
    ["SLACK", "https://hooks.slack.com@evil.example/services/x"],
    ["SLACK", "https://me:secret@hooks.slack.com/services/x"],
    ["SLACK", "https://hooks.slack.com:8443/services/x"],
    ["SLACK", "https://evil.example/https://hooks.slack.com/"],
    ["SLACK", "https:\\\\hooks.slack.com\\x"],
    ["SLACK", " https://hooks.slack.com/x"],
    ["SLACK", "https://hooks.sl\tack.com/x"],
    ["DISCORD", "https://discord.com/api/webhooks"],
    ["DISCORD", "https://discord.com/api/webhooks/../users/@me"],
    ["DISCORD", "https://discord.com/api/webhooks/%2e%2e/users"],
    ["DISCORD", "https://discord.com.evil.example/api/webhooks/1"],
    ["TEAMS", "https://webhook.office.com.evil.example/webhookb2/x"],
    ["TEAMS", "https://evilwebhook.office.com/webhookb2/x"],
    ["TEAMS", "https://webhook.office.com/webhookb2/x"],
    ["TEAMS", "https://outlook.office.com/owa"],
    ["TEAMS", "http://a.webhook.office.com/webhookb2/x"],
    ["TEAMS", "https://me@a.webhook.office.com/webhookb2/x"],
    ["TEAMS", "https://me:secret@outlook.office.com/webhook/x"],
    ["TEAMS", "https://a.webhook.office.com:8443/webhookb2/x"],
    ["TEAMS", "https://prod-1.westeurope.logic.azure.com:444/workflows/x"],
    ["TEAMS", "https://outlook.office.com:80/webhook/x"],
    ["DISCORD", "https://discord.com:8443/api/webhooks/1/x"],
    ["DISCORD", "https://me:secret@discord.com/api/webhooks/1/x"],
  ] as const)("%s refuses %s", (type, webhookUrl) => {
    expect(() => parseChannelConfig(type, { webhookUrl })).toThrow(
      /^config\.webhookUrl must begin with https:/,
    );
  });

  test("and the error says what is expected", () => {
    expect(() => parseChannelConfig("SLACK", { webhookUrl: "https://example.com/" })).toThrow(
      /^config\.webhookUrl must begin with https:\/\/hooks\.slack\.com\/$/,
    );
    expect(() => parseChannelConfig("SLACK", {})).toThrow("config.webhookUrl is required");
    expect(() => parseChannelConfig("SLACK", { url: "https://hooks.slack.com/x" })).toThrow();
  });
});

test.each([
  "",
  "ops",
  "@example.com",
  "ops@",
  "a@b@example.com",
  "ops@example.com, more@example.com",
  "Ops <ops@example.com>",
  "ops@example.com\r\nBcc: x@example.com",
  "ops@example.com\n",
  "o ps@example.com",
  '"ops"@example.com',
  "ops@exa mple.com",
  "ops@-example.com",
  ".ops@example.com",
  `${"x".repeat(65)}@example.com`,
])("behavior 5.38: %j is no e-mail address", (to) => {
  expect(() => parseChannelConfig("EMAIL", { to })).toThrow(
    "config.to must be one e-mail address, such as ops@example.com",
  );
});

test("behavior 5.36: the error for a secret that is only too long has the maximum length", () => {
  const config = { url: "https://example.com/", secret: "x".repeat(513) };
  expect(() => parseChannelConfig("WEBHOOK", config)).toThrow(
    "config.secret must be at most 512 characters long",
  );
  expect(() => parseChannelConfig("EMAIL", { to: `ops@${"x.".repeat(130)}com` })).toThrow(
    "config.to must be at most 254 characters long",
  );
});

test.each(["", "whsec_", "whsec_not base64", "whsec_abc"])("behavior 5.36: %j is no secret", (secret) => {
  expect(() => parseChannelConfig("WEBHOOK", { url: "https://example.com/", secret })).toThrow(
    "config.secret must be 1 to 512 characters and, if it begins with whsec_, base64 after that",
  );
});
