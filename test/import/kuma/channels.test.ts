import { expect, test } from "bun:test";
import { NO_DATA, type Row } from "../../../src/import/kuma/fields.ts";
import { importKuma } from "../../../src/import/kuma/import-kuma.ts";
import { importedFrom, NOW } from "../../support/import/kuma.ts";
import { examples } from "../../support/servers/services/service-server.ts";

function notification(config: Row, fields: Row = {}): Row {
  return {
    id: 1,
    name: "Ops",
    active: 1,
    is_default: 0,
    config: JSON.stringify({ name: "Ops", ...config }),
    ...fields,
  };
}

/** The channels that a notification gives, or why it gives none. */
function channelsOf(config: Row): unknown {
  const { document, omitted } = importedFrom({ notifications: [notification(config)] });
  return Object.values(document.channels ?? { none: omitted.map(({ why }) => why).join("\n") });
}

function webhook(config: object): unknown {
  return [{ name: "Ops", type: "WEBHOOK", config }];
}

test("behavior 16.98: chat services and e-mail are channels of their types", () => {
  const slack = "https://hooks.slack.com/services/T/B/x";
  expect(channelsOf({ type: "slack", slackwebhookURL: slack })).toEqual([
    { name: "Ops", type: "SLACK", config: { webhookUrl: slack } },
  ]);
  const discord = "https://discord.com/api/webhooks/1/x";
  expect(channelsOf({ type: "discord", discordWebhookUrl: discord })).toEqual([
    { name: "Ops", type: "DISCORD", config: { webhookUrl: discord } },
  ]);
  const thread = { discordChannelType: "postToThread", threadId: "77" };
  expect(channelsOf({ type: "discord", discordWebhookUrl: discord, ...thread })).toMatchObject([
    { config: { webhookUrl: `${discord}?thread_id=77` } },
  ]);
  const teams = "https://prod-1.westeurope.logic.azure.com/workflows/x";
  expect(channelsOf({ type: "teams", webhookUrl: teams })).toMatchObject([{ type: "TEAMS" }]);
});

test("behavior 16.98: a notification by e-mail is a channel for each recipient", () => {
  const mail = { type: "smtp", smtpTo: "Ops <ops@example.com>, dev@example.com", smtpCC: "ops@example.com" };
  expect(channelsOf({ ...mail, smtpHost: "mail", smtpPort: 587, smtpFrom: "kuma@example.com" })).toEqual([
    { name: "Ops ops@example.com", type: "EMAIL", config: { to: "ops@example.com" } },
    { name: "Ops dev@example.com", type: "EMAIL", config: { to: "dev@example.com" } },
  ]);
  const { notes, document } = importedFrom({
    notifications: [notification({ ...mail, smtpHost: "mail", smtpPort: 587, smtpPassword: "geheim" })],
    monitorNotifications: [],
  });
  expect(Object.keys(document.channels ?? {})).toEqual(["ops-ops-example.com", "ops-dev-example.com"]);
  expect(notes.join()).toContain("mail:587");
  expect(notes.join()).not.toContain("geheim");
});

test("behavior 16.98: push services are formats of WEBHOOK channels", () => {
  const services: [Row, object][] = [
    [
      {
        type: "ntfy",
        ntfyserverurl: "https://ntfy.sh",
        ntfytopic: "up",
        ntfyPriority: 5,
        ntfyAuthenticationMethod: "none",
      },
      { format: "ntfy", url: "https://ntfy.sh", options: { topic: "up", priority: 5 } },
    ],
    [
      {
        type: "gotify",
        gotifyserverurl: "https://push.example.com/",
        gotifyapplicationToken: "t",
        gotifyPriority: 8,
      },
      { format: "gotify", url: "https://push.example.com/", options: { token: "t", priority: 8 } },
    ],
    [
      { type: "telegram", telegramBotToken: "1:a", telegramChatID: "-100", telegramMessageThreadID: "7" },
      {
        format: "telegram",
        url: "https://api.telegram.org",
        options: { token: "1:a", chatId: "-100", threadId: 7 },
      },
    ],
    [
      {
        type: "pushover",
        pushoverapptoken: "a",
        pushoveruserkey: "u",
        pushoverpriority: "2",
        pushoverdevice: "d",
      },
      {
        format: "pushover",
        url: "https://api.pushover.net",
        options: { token: "a", user: "u", device: "d", priority: 1 },
      },
    ],
    [
      {
        type: "PagerDuty",
        pagerdutyIntegrationKey: "k",
        pagerdutyIntegrationUrl: "https://events.eu.pagerduty.com/v2/enqueue",
      },
      { format: "pagerduty", url: "https://events.eu.pagerduty.com", options: { routingKey: "k" } },
    ],
    [
      { type: "matrix", homeserverUrl: "https://matrix.org", internalRoomId: "!a:b", accessToken: "t" },
      { format: "matrix", url: "https://matrix.org", options: { token: "t", roomId: "!a:b" } },
    ],
    [
      {
        type: "signal",
        signalURL: "http://signal:8080/v2/send/",
        signalNumber: "+491511",
        signalRecipients: "+491512, +491513",
      },
      {
        format: "signal",
        url: "http://signal:8080",
        options: { number: "+491511", recipients: ["+491512", "+491513"] },
      },
    ],
    [
      { type: "GoogleChat", googleChatWebhookURL: "https://chat.googleapis.com/v1/spaces/x" },
      { format: "googlechat", url: "https://chat.googleapis.com/v1/spaces/x" },
    ],
    [
      { type: "rocket.chat", rocketwebhookURL: "https://chat.example.com/hooks/x" },
      { format: "custom", url: "https://chat.example.com/hooks/x", options: { body: '{"text":"{{text}}"}' } },
    ],
  ];
  services.push(...Object.values(examples).flatMap(({ imports }) => (imports.kuma ? [imports.kuma] : [])));
  for (const [settings, config] of services) expect(channelsOf(settings)).toEqual(webhook(config));
  const signal = { type: "signal", signalURL: "http://signal:8080/v2/send", signalNumber: "+491511" };
  expect(channelsOf({ ...signal, signalRecipients: "group.x,+491512,group.y" })).toMatchObject([
    { name: "Ops +491512", config: { options: { recipients: ["+491512"] } } },
    { name: "Ops group.x", config: { options: { recipients: ["group.x"] } } },
    { name: "Ops group.y", config: { options: { recipients: ["group.y"] } } },
  ]);
  expect(
    channelsOf({
      ...{ type: "ntfy", ntfyserverurl: "https://ntfy.sh", ntfytopic: "up" },
      ...{ ntfyAuthenticationMethod: "usernamePassword", ntfyusername: "é", ntfypassword: "p" },
    }),
  ).toMatchObject([{ config: { headers: { Authorization: "Basic w6k6cA==" } } }]);
});

test("behavior 16.98: a webhook keeps its headers, and its template if stillup has the values", () => {
  const url = "https://hook.example.com/a?b=1";
  const headers = { webhookAdditionalHeaders: '{"X-Key": "k", "content-type": "text/plain"}' };
  expect(channelsOf({ type: "webhook", webhookURL: url, webhookContentType: "json", ...headers })).toEqual(
    webhook({ url, headers: { "X-Key": "k" } }),
  );
  const custom = {
    webhookContentType: "custom",
    webhookCustomBody: "{{ monitorJSON['name'] }} {{status}}: {{- msg -}}",
  };
  expect(channelsOf({ type: "webhook", webhookURL: url, ...custom, ...headers })).toEqual(
    webhook({
      ...{ format: "custom", url, headers: { "X-Key": "k" } },
      options: { contentType: "text/plain", body: "{{monitor.name}} {{status}}: {{text}}" },
    }),
  );
  expect(channelsOf({ type: "webhook", webhookURL: url, httpMethod: "get" })).toEqual(
    webhook({ format: "custom", url: `${url}&msg={{text}}`, options: { method: "GET" } }),
  );
  for (const body of ["{% if a %}x{% endif %}", "{{ hostnameOrURL }}", "{{ msg | upcase }}", ""])
    expect(
      channelsOf({ type: "webhook", webhookURL: url, webhookContentType: "custom", webhookCustomBody: body }),
    ).toEqual([expect.stringContaining("template")]);
});

test("behavior 16.98: what has no channel is left out, with the reason and without its secrets", () => {
  const reasons: [Row, string][] = [
    [{ type: "Webpush", subscription: { endpoint: "https://push.example.com/x" } }, "Notify this device"],
    [{ type: "apprise", appriseURL: "x" }, 'stillup has no channels of the type "apprise"'],
    [{ type: "telegram", telegramBotToken: "geheim geheim", telegramChatID: "1" }, "options.token must be"],
    [
      { type: "discord", discordWebhookUrl: "https://evil.example.com/geheim" },
      "config.webhookUrl must begin with",
    ],
    [{ type: "smtp" }, "no recipient"],
    [{ type: "webhook", webhookURL: "https://a.example.com", webhookContentType: "form-data" }, "form"],
  ];
  for (const [settings, why] of reasons) {
    expect(channelsOf(settings)).toEqual([expect.stringContaining(why)]);
    expect(JSON.stringify(channelsOf(settings))).not.toContain("geheim");
  }
});

test("behavior 16.93: secrets of a document are placeholders, whose variables are named", () => {
  const taken = importKuma(
    {
      ...NO_DATA,
      notifications: [
        notification({ type: "slack", slackwebhookURL: "https://hooks.slack.com/services/geheim" }),
        notification({ type: "telegram", telegramBotToken: "geheim", telegramChatID: "1" }, { name: "Büro" }),
        notification({
          type: "webhook",
          webhookURL: "https://a/geheim",
          webhookAdditionalHeaders: '{"X-Key": "geheim"}',
        }),
      ],
    },
    { withSecrets: false, now: NOW },
  );
  expect(JSON.stringify(taken)).not.toContain("geheim");
  expect(taken.document.channels).toMatchObject({
    ops: { config: { webhookUrl: "${SLACK_OPS_WEBHOOK_URL}" } },
    buro: {
      config: { url: "https://api.telegram.org", options: { token: "${TELEGRAM_BURO_TOKEN}", chatId: "1" } },
    },
    "ops-2": { config: { url: "${WEBHOOK_OPS_2_URL}", headers: { "X-Key": "${WEBHOOK_OPS_2_X_KEY}" } } },
  });
  expect(taken.secrets).toEqual([
    ...["SLACK_OPS_WEBHOOK_URL", "TELEGRAM_BURO_TOKEN", "WEBHOOK_OPS_2_URL", "WEBHOOK_OPS_2_X_KEY"],
  ]);
});

test("behavior 16.98: a paused notification is a channel that is not enabled, and defaults are reported", () => {
  const teams = { type: "teams", webhookUrl: "https://x.webhook.office.com/a" };
  const { document, omitted } = importedFrom({
    notifications: [notification(teams, { active: 0, is_default: 1 })],
  });
  expect(document.channels?.ops).toMatchObject({ enabled: false });
  expect(omitted).toEqual([
    { what: 'notification "Ops", default for new monitors', why: expect.stringContaining("stillup") },
  ]);
});
