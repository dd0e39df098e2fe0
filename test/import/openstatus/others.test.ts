import { expect, test } from "bun:test";
import { readOpenstatus } from "../../../src/import/openstatus/given.ts";
import { importOpenstatus } from "../../../src/import/openstatus/openstatus.ts";
import { fromOpenstatus, listedMonitor } from "../../support/import/openstatus.ts";

const monitors = [listedMonitor(), listedMonitor({ id: 8, name: "API", externalName: "Public API" })];

function channelOf(notification: Record<string, unknown>) {
  const { document, omitted, notes } = fromOpenstatus({
    monitors,
    notifications: [{ id: 1, name: "Ops", monitors: [7], ...notification }],
  });
  return {
    channels: Object.values(document.channels ?? {}).map(({ type, config }) => ({ type, config })),
    refs: document.monitors?.shop?.alertChannelIds,
    omitted: omitted.map(({ what, why }) => `${what}: ${why}`),
    notes,
  };
}

const HOOK = "https://hooks.slack.com/services/a";
const ROUTING = "0123456789abcdef0123456789abcdef";
const webhook = (config: object) => ({ type: "WEBHOOK", config });

test.each([
  ["slack", HOOK, { webhookUrl: HOOK }, { type: "SLACK", config: { webhookUrl: HOOK } }],
  [
    "slack",
    "https://chat.example.com/hooks/a",
    { webhookUrl: "https://chat.example.com/hooks/a" },
    webhook({
      format: "custom",
      url: "https://chat.example.com/hooks/a",
      options: { body: '{"text":"{{text}}"}' },
    }),
  ],
  [
    ...(["discord", "https://discord.com/api/webhooks/1/a"] as const),
    { webhookUrl: "https://discord.com/api/webhooks/1/a" },
    { type: "DISCORD", config: { webhookUrl: "https://discord.com/api/webhooks/1/a" } },
  ],
  [
    "email",
    "ops@example.com",
    { email: "ops@example.com" },
    { type: "EMAIL", config: { to: "ops@example.com" } },
  ],
  [
    ...(["google-chat", "https://chat.googleapis.com/v1/spaces/a"] as const),
    { webhookUrl: "https://chat.googleapis.com/v1/spaces/a" },
    webhook({ format: "googlechat", url: "https://chat.googleapis.com/v1/spaces/a" }),
  ],
  [
    ...(["ntfy", { topic: "ops", serverUrl: "https://ntfy.example.com", token: "tk_a" }] as const),
    { topic: "ops", serverUrl: "https://ntfy.example.com", token: "tk_a" },
    webhook({ format: "ntfy", url: "https://ntfy.example.com", options: { topic: "ops", token: "tk_a" } }),
  ],
  [
    ...([
      "pagerduty",
      JSON.stringify({ integration_keys: [{ integration_key: ROUTING, name: "x" }] }),
    ] as const),
    { integrationKey: ROUTING },
    webhook({ format: "pagerduty", url: "https://events.pagerduty.com", options: { routingKey: ROUTING } }),
  ],
  [
    ...([
      "webhook",
      { endpoint: "https://a.example.com/x", headers: [{ key: "X-Key", value: "k" }] },
    ] as const),
    { endpoint: "https://a.example.com/x", headers: [{ key: "X-Key", value: "k" }] },
    webhook({ url: "https://a.example.com/x", headers: { "X-Key": "k" } }),
  ],
] as [string, unknown, unknown, object][])(
  "behavior 16.126: a notification by %s is a channel in both versions of the API",
  (provider, payload, data, channel) => {
    const first = channelOf({ provider, payload: { [provider]: payload } });
    expect(first).toMatchObject({ channels: [channel], refs: ["ops"], omitted: [] });
    const name = { "google-chat": "googleChat" }[provider] ?? provider;
    const id = `NOTIFICATION_PROVIDER_${provider.toUpperCase().replace("-", "_")}`;
    const second = channelOf({ provider: id, data: { [name]: data }, monitorIds: ["7"] });
    expect(second.channels).toEqual(first.channels);
  },
);

test("behavior 16.126: the token of a bot that openstatus does not say is a variable, also with the secrets", () => {
  expect(channelOf({ provider: "telegram", payload: { telegram: { chatId: "-100" } } })).toMatchObject({
    channels: [
      webhook({
        ...{ format: "telegram", url: "https://api.telegram.org" },
        options: { token: "${TELEGRAM_OPS_TOKEN}", chatId: "-100" },
      }),
    ],
    notes: ['notification "Ops": openstatus sends by a bot of its own: create one, and add it to the chat'],
  });
});

test("behavior 16.103, 16.126: a notification without a channel has a line, and so has a monitor that notifies nobody", () => {
  expect(channelOf({ provider: "whatsapp", payload: { whatsapp: "+1" } })).toMatchObject({
    ...{ channels: [], refs: [] },
    omitted: [
      'notification "Ops": stillup has no channels of the type "whatsapp"',
      'monitor "Shop", notifications: none was taken over of 1: it notifies nobody',
    ],
  });
  expect(channelOf({ provider: "slack" })).toMatchObject({
    omitted: [
      'notification "Ops": the file has no settings of it',
      'monitor "Shop", notifications: none was taken over of 1: it notifies nobody',
    ],
  });
});

test("behavior 16.93: secrets of openstatus are variables", () => {
  const given = readOpenstatus({
    monitors: [
      listedMonitor({ url: "https://u:geheim@a.example.com", headers: [{ key: "X-Key", value: "geheim" }] }),
    ],
    notifications: [{ name: "Ops", provider: "slack", payload: { slack: `${HOOK}/geheim` }, monitors: [7] }],
    pages: [{ title: "P", slug: "p", accessType: "password", password: "geheim-geheim", monitors: [] }],
  });
  const { document, secrets } = importOpenstatus(
    given ?? { monitors: [], notifications: [], pages: [], maintenances: [] },
    {
      ...{ withSecrets: false, now: 0 },
    },
  );
  expect(JSON.stringify(document)).not.toContain("geheim");
  expect(secrets).toEqual(["SLACK_OPS_WEBHOOK_URL", "SHOP_X_KEY", "SHOP_PASSWORD", "PAGE_P_PASSWORD"]);
});

test("behavior 16.126: pages keep their address, their monitors and who may read them", () => {
  const page = {
    id: 1,
    title: "Acme",
    description: "Our **status**",
    slug: "acme",
    customDomain: "",
    icon: "",
  };
  const pageOf = (fields: object) => {
    const { document, omitted } = fromOpenstatus({
      monitors,
      notifications: [],
      pages: [{ ...page, ...fields }],
    });
    return { page: document.pages?.acme, omitted: omitted.map(({ what, why }) => `${what}: ${why}`) };
  };
  const formatting = 'status page "Acme", formatting of the description: a page shows it as plain text';
  const shown = { title: "Acme", slug: "acme", description: "Our status" };
  const components = [{ monitorId: "api", name: "Public API" }, { monitorId: "shop" }];
  expect(pageOf({ accessType: "public", monitors: [8, 7] })).toEqual({
    page: { ...shown, visibility: "public", components },
    omitted: [formatting],
  });
  const inOrder = [
    { monitorId: 7, order: 2 },
    { monitorId: 8, order: 1 },
  ];
  expect(pageOf({ monitors: inOrder }).page).toEqual({ ...shown, visibility: "public", components });
  expect(pageOf({ accessType: "password", password: "longpassword", monitors: [] }).page).toEqual({
    ...shown,
    ...{ visibility: "password", password: "longpassword" },
  });
  expect(
    pageOf({ accessType: "password", password: "short", monitors: [], customDomain: "s.example.com" }),
  ).toEqual({
    page: shown,
    omitted: [
      'status page "Acme", access: a password has at least 8 characters: nobody can read the page until you set its visibility',
      formatting,
      'status page "Acme", customDomain: --page-hosts of stillup serve sets it',
    ],
  });
  expect(pageOf({ accessType: "email-domain", monitors: [9] })).toMatchObject({
    page: shown,
    omitted: expect.arrayContaining(['status page "Acme", monitors: 1 of them were not taken over']),
  });
  const second = {
    ...{ accessType: "PAGE_ACCESS_TYPE_PUBLIC", published: true, groups: [{ id: "3", name: "Core" }] },
    components: [
      { id: "2", monitorId: "7", name: "Front", order: 2 },
      { id: "1", monitorId: "8", name: "Back", order: 1, groupId: "3" },
      { id: "4", type: "PAGE_COMPONENT_TYPE_STATIC", name: "Static" },
    ],
  };
  expect(pageOf(second).page?.components).toEqual([
    { monitorId: "api", name: "Back", group: "Core" },
    { monitorId: "shop", name: "Front" },
  ]);
});

test("behavior 16.126: maintenances that are not over are taken over", () => {
  const one = {
    id: 1,
    title: "Upgrade",
    message: "soon",
    from: "2026-12-01T10:00:00.000Z",
    to: "2026-12-01T11:00:00.000Z",
  };
  const { document, omitted } = fromOpenstatus({
    monitors,
    notifications: [],
    maintenances: [
      { ...one, monitorIds: [7] },
      { ...one, title: "Past", from: "2026-01-01T10:00:00Z", to: "2026-01-01T11:00:00Z", monitorIds: [7] },
      { ...one, title: "Other", monitorIds: [99] },
    ],
  });
  expect(document.maintenances).toEqual({
    upgrade: {
      ...{ title: "Upgrade", message: "soon", selector: { monitorIds: ["shop"] } },
      ...{ startsAt: "2026-12-01T10:00:00.000Z", endsAt: "2026-12-01T11:00:00.000Z" },
    },
  });
  expect(omitted).toEqual([{ what: 'maintenance "Other"', why: "no monitor of it was taken over" }]);
});

test("behavior 16.125: what is neither the file nor an answer of the API is no file of openstatus", () => {
  for (const value of [
    undefined,
    null,
    5,
    "text",
    {},
    { a: 1 },
    { monitors: "x" },
    { sites: [] },
    { a: { kind: "http" } },
  ])
    expect(readOpenstatus(value)).toBeUndefined();
});
