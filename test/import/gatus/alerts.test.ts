import { expect, test } from "bun:test";
import { readYaml } from "../../../src/configuration-file/yaml.ts";
import { importGatus } from "../../../src/import/gatus/gatus.ts";
import { fromGatus } from "../../support/import/gatus.ts";
import { examples } from "../../support/servers/services/service-server.ts";

/** The file of one endpoint with some providers and alerts. */
function fileOf(alerting: string, alerts: string): string {
  return `
alerting: ${alerting}
endpoints:
  - {name: shop, group: core, url: "https://a.example.com", interval: 30s, conditions: ["[STATUS] == 200"], alerts: ${alerts}}
`;
}

const SLACK = 'slack: {webhook-url: "https://hooks.slack.com/services/a"}';
const KEY = "0123456789abcdef0123456789abcdef";

test("behavior 16.115: the thresholds of an alert are confirmations and recoveries, by default 3 and 2 checks", () => {
  const { document } = fromGatus(fileOf(`{${SLACK}}`, "[{type: slack}]"));
  expect(document.monitors?.["core-shop"]).toMatchObject({
    alertChannelIds: ["slack"],
    confirmations: 2,
    recoveries: 1,
  });
});

test("behavior 16.115: an alert with a higher threshold waits, and a reminder repeats it", () => {
  const { document } = fromGatus(
    fileOf(
      `{${SLACK}, pagerduty: {integration-key: ${KEY}, default-alert: {failure-threshold: 10, send-on-resolved: true}}}`,
      "[{type: pagerduty, minimum-reminder-interval: 1h}, {type: slack, failure-threshold: 1, success-threshold: 1}]",
    ),
  );
  expect(document.monitors?.["core-shop"]?.alertBindings).toEqual([
    { alertChannelId: "slack" },
    { alertChannelId: "pagerduty", after: 270, every: 3600 },
  ]);
  expect(document.monitors?.["core-shop"]).not.toContainKeys(["confirmations", "alertChannelIds"]);
});

test("behavior 16.115: a disabled alert and one without a provider notify nobody", () => {
  const { document, omitted } = fromGatus(
    fileOf(`{${SLACK}}`, "[{type: slack, enabled: false}, {type: ntfy}]"),
  );
  expect(document.monitors?.["core-shop"]).toMatchObject({ alertChannelIds: [] });
  expect(omitted).toEqual([
    {
      what: "alerts of the type ntfy",
      why: "alerting has no such provider, so that Gatus sends none either",
    },
  ]);
});

test("behavior 16.114: the settings of a group and of an alert are channels of their own", () => {
  const overrides = 'overrides: [{group: core, webhook-url: "https://hooks.slack.com/services/core"}]';
  const { document } = fromGatus(
    fileOf(
      `{slack: {webhook-url: "https://hooks.slack.com/services/a", ${overrides}}}`,
      '[{type: slack, send-on-resolved: true}, {type: slack, provider-override: {webhook-url: "https://hooks.slack.com/services/own"}}]',
    ),
  );
  expect(document.channels).toEqual({
    "slack-core": { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/services/core" } },
    "slack-core-2": {
      type: "SLACK",
      config: { webhookUrl: "https://hooks.slack.com/services/own" },
      notifyOn: ["down", "warning"],
    },
  });
  expect(document.monitors?.["core-shop"]?.alertChannelIds).toEqual(["slack-core", "slack-core-2"]);
});

test.each<[string, Record<string, unknown>[]]>([
  ...Object.values(examples).flatMap(({ imports: { gatus } }): [string, Record<string, unknown>[]][] =>
    gatus ? [[gatus[0], [{ type: "WEBHOOK", config: gatus[1] }]]] : [],
  ),
  [
    'discord: {webhook-url: "https://discord.com/api/webhooks/1/a", title: x}',
    [{ type: "DISCORD", config: { webhookUrl: "https://discord.com/api/webhooks/1/a" } }],
  ],
  [
    'teams-workflows: {webhook-url: "https://a.logic.azure.com/x"}',
    [{ type: "TEAMS", config: { webhookUrl: "https://a.logic.azure.com/x" } }],
  ],
  [
    'email: {from: a@example.com, host: smtp, port: 25, to: "x@example.com,y@example.com"}',
    [
      { type: "EMAIL", config: { to: "x@example.com" } },
      { type: "EMAIL", config: { to: "y@example.com" } },
    ],
  ],
  [
    'rocketchat: {webhook-url: "https://chat.example.com/hooks/a"}',
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://chat.example.com/hooks/a",
          format: "custom",
          options: { body: '{"text":"{{text}}"}' },
        },
      },
    ],
  ],
  [
    'slack: {webhook-url: "https://chat.example.com/hooks/a"}',
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://chat.example.com/hooks/a",
          format: "custom",
          options: { body: '{"text":"{{text}}"}' },
        },
      },
    ],
  ],
  [
    "ntfy: {topic: alerts, token: tk_a, priority: 4}",
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://ntfy.sh",
          format: "ntfy",
          options: { topic: "alerts", token: "tk_a", priority: 4 },
        },
      },
    ],
  ],
  [
    'gotify: {server-url: "https://g.example.com", token: a}',
    [
      {
        type: "WEBHOOK",
        config: { url: "https://g.example.com", format: "gotify", options: { token: "a" } },
      },
    ],
  ],
  [
    'telegram: {token: "1:a", id: "-100", topic-id: "7"}',
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://api.telegram.org",
          format: "telegram",
          options: { token: "1:a", chatId: "-100", threadId: 7 },
        },
      },
    ],
  ],
  [
    "pushover: {application-token: a, user-key: b, priority: 2}",
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://api.pushover.net",
          format: "pushover",
          options: { token: "a", user: "b", priority: 1 },
        },
      },
    ],
  ],
  [
    `pagerduty: {integration-key: ${KEY}}`,
    [
      {
        type: "WEBHOOK",
        config: { url: "https://events.pagerduty.com", format: "pagerduty", options: { routingKey: KEY } },
      },
    ],
  ],
  [
    'matrix: {access-token: a, internal-room-id: "!a:example.com"}',
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://matrix-client.matrix.org",
          format: "matrix",
          options: { token: "a", roomId: "!a:example.com" },
        },
      },
    ],
  ],
  [
    'googlechat: {webhook-url: "https://chat.googleapis.com/v1/a"}',
    [{ type: "WEBHOOK", config: { url: "https://chat.googleapis.com/v1/a", format: "googlechat" } }],
  ],
  [
    'signal: {api-url: "http://signal:8080/v2/send", number: "+491511234", recipients: ["+491512345"]}',
    [
      {
        type: "WEBHOOK",
        config: {
          url: "http://signal:8080",
          format: "signal",
          options: { number: "+491511234", recipients: ["+491512345"] },
        },
      },
    ],
  ],
  [
    'custom: {url: "https://a.example.com/[ENDPOINT_NAME]", method: PUT, headers: {X-Key: k}, body: "[ALERT_TRIGGERED_OR_RESOLVED]: [RESULT_ERRORS]"}',
    [
      {
        type: "WEBHOOK",
        config: {
          url: "https://a.example.com/{{monitor.name}}",
          format: "custom",
          headers: { "X-Key": "k" },
          options: { method: "PUT", body: "{{status}}: {{reason}}", contentType: "text/plain" },
        },
      },
    ],
  ],
  [
    'custom: {url: "https://a.example.com/x"}',
    [
      {
        type: "WEBHOOK",
        config: { url: "https://a.example.com/x", format: "custom", options: { method: "GET" } },
      },
    ],
  ],
  ["twilio: {sid: a}", []],
  ["slack: {title: x}", []],
])("behavior 16.114: the provider %p is a channel, also if no alert uses it", (provider, wanted) => {
  const { document, omitted } = fromGatus(`alerting: {${provider}}\nendpoints: []\n`);
  expect(Object.values(document.channels ?? {})).toEqual(wanted);
  if (wanted.length === 0)
    expect(omitted.map(({ what }) => what)).toContain(`alerting.${provider.split(":")[0]}`);
});

test("behavior 16.93: secrets become placeholders, except those that are variables already", () => {
  const yaml = `
alerting: {slack: {webhook-url: "https://hooks.slack.com/services/secret"}, ntfy: {topic: a, token: "$SLACK_WEBHOOK_URL"}}
endpoints:
  - {name: shop, url: "https://u:secret@a.example.com", headers: {X-Key: secret, Accept: text/plain}, conditions: ["[STATUS] == 200"]}
`;
  const { document, secrets } = importGatus(readYaml(yaml).value, { env: {}, withSecrets: false });
  expect(JSON.stringify(document)).not.toContain("secret");
  expect(document.channels).toMatchObject({
    slack: { config: { webhookUrl: "${SLACK_WEBHOOK_URL_2}" } },
    ntfy: { config: { options: { token: "${SLACK_WEBHOOK_URL}" } } },
  });
  expect(document.monitors?.shop?.config).toMatchObject({
    headers: { "X-Key": "${SHOP_X_KEY}", Accept: "text/plain" },
    basicAuth: { user: "u", password: "${SHOP_PASSWORD}" },
  });
  expect(secrets).toEqual(["SHOP_X_KEY", "SHOP_PASSWORD", "SLACK_WEBHOOK_URL_2"]);
});

test("behavior 16.116: equal windows of endpoints are one maintenance, and that of the file is for all monitors", () => {
  const window = "{start: '23:30', duration: 1h30m, timezone: Europe/Berlin, every: [Monday, Sunday]}";
  const { document, omitted } = fromGatus(`
maintenance: {start: "01:00", duration: 10m}
endpoints:
  - {name: a, url: "tcp://a:1", maintenance-windows: [${window}]}
  - {name: b, url: "tcp://b:1", maintenance-windows: [${window}, {enabled: false, start: "01:00", duration: 1h}, {start: "1:00"}]}
`);
  expect(document.maintenances).toEqual({
    maintenance: {
      title: "Maintenance",
      selector: { monitorIds: ["a", "b"] },
      cron: "30 23 * * 0,1",
      timezone: "Europe/Berlin",
      duration: 5400,
    },
    "maintenance-2": {
      title: "Maintenance",
      selector: { all: true },
      cron: "0 1 * * *",
      timezone: "UTC",
      duration: 600,
    },
  });
  expect(omitted).toHaveLength(1);
});

test.each([
  [
    "failure-threshold: 20",
    "failure-threshold",
    "it is 20; a change is confirmed by at most 10 further checks: it is 11 here",
  ],
  [
    "success-threshold: 20",
    "success-threshold",
    "it is 20; a change is confirmed by at most 10 further checks: it is 11 here",
  ],
  [
    "failure-threshold: often",
    "failure-threshold",
    "it is not a number, or a variable that is not set: it is 3",
  ],
  [
    "minimum-reminder-interval: 1m",
    "minimum-reminder-interval",
    "it is 60 s; 300 to 604800 s are possible: it is 300 s here",
  ],
])("behavior 16.103: of an alert with %s, the value that is changed is listed", (field, part, why) => {
  const { omitted } = fromGatus(fileOf(`{${SLACK}}`, `[{type: slack, ${field}}]`));
  expect(omitted).toEqual([{ what: `endpoint "core/shop", ${part}`, why }]);
});

test("behavior 16.103: what several alerts of an endpoint have in common is listed if they differ", () => {
  const alerts = "[{type: slack, failure-threshold: 4000}, {type: slack, success-threshold: 5}]";
  const { omitted } = fromGatus(fileOf(`{${SLACK}}`, alerts));
  expect(omitted.map(({ why }) => why)).toEqual([
    "a monitor has one for all channels: the lowest, 2",
    "4000 failures take 119970 s; a channel waits 86400 s at most",
    "of several to the channel slack, the one with the lowest failure-threshold counts",
  ]);
});

test("behavior 16.103: a priority that a service does not have is listed", () => {
  const { omitted } = fromGatus(fileOf("{ntfy: {topic: ops, priority: 9}}", "[{type: ntfy}]"));
  expect(omitted).toEqual([
    { what: "alerting.ntfy.priority", why: 'it is no whole number from 1 to 5, got "9"' },
  ]);
});

test("behavior 16.103: settings of a client, and alerts of one channel that differ about recoveries, are listed", () => {
  const { omitted, document } = fromGatus(`
alerting:
  custom: {url: "https://a.example.com/x", client: {insecure: true}}
endpoints:
  - {name: a, url: "https://a.example.com", conditions: ["[STATUS] == 200"], alerts: [{type: custom, send-on-resolved: true}]}
  - {name: b, url: "https://b.example.com", conditions: ["[STATUS] == 200"], alerts: [{type: custom}]}
`);
  expect(document.channels?.custom).not.toHaveProperty("notifyOn");
  expect(omitted.map(({ what }) => what)).toEqual([
    "alerting.custom.client.insecure",
    "alerting.custom, send-on-resolved",
  ]);
});
