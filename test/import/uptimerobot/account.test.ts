import { expect, test } from "bun:test";
import { listOf, recordOf } from "../../../src/import/imported.ts";
import { faultOfAnswers, importUptimeRobot } from "../../../src/import/uptimerobot/uptimerobot.ts";
import { fromAnswers, listedMonitor, NOW, oldMonitor } from "../../support/import/uptimerobot.ts";

const lines = ({ omitted }: { omitted: { what: string; why: string }[] }) =>
  omitted.map(({ what, why }) => `${what}: ${why}`);

const monitors = (...all: object[]) => ({ data: all, nextLink: null });

const integration = (fields: object) => ({
  ...{ id: 11, friendlyName: "Ops", enableNotificationsFor: "UpAndDown", status: "Active" },
  ...{ sslExpirationReminder: true, value: "x", customValue: null, customHeaders: null },
  ...fields,
});

const bound = (...contacts: object[]) => listedMonitor({ assignedAlertContacts: contacts });

test.each<[object, object]>([
  [
    { type: "Email", value: "ops@example.com" },
    { type: "EMAIL", config: { to: "ops@example.com" } },
  ],
  [
    { type: "Slack", value: "https://hooks.slack.com/services/a" },
    { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/services/a" } },
  ],
  [
    { type: "Slack", value: "https://chat.example.com/hooks/a" },
    { type: "WEBHOOK", config: { format: "custom", url: "https://chat.example.com/hooks/a" } },
  ],
  [
    { type: "Discord", value: "https://discord.com/api/webhooks/1/a" },
    { type: "DISCORD", config: { webhookUrl: "https://discord.com/api/webhooks/1/a" } },
  ],
  [
    { type: "Webhook", value: "https://a.example.com/x", customHeaders: { "X-Key": "k" } },
    { type: "WEBHOOK", config: { url: "https://a.example.com/x", headers: { "X-Key": "k" } } },
  ],
  [
    { type: "PagerDuty", value: "0123456789abcdef0123456789abcdef", customValue: "eu" },
    { config: { format: "pagerduty", url: "https://events.eu.pagerduty.com" } },
  ],
  [
    { type: "Telegram", value: "123:abc", customValue: "-100" },
    { config: { format: "telegram", options: { token: "123:abc", chatId: "-100" } } },
  ],
  [
    { type: "Telegram", value: "-100" },
    { config: { format: "telegram", options: { token: "${TELEGRAM_OPS_TOKEN}", chatId: "-100" } } },
  ],
  [
    { type: "Pushover", value: "user-key", customValue: "phone" },
    { config: { options: { token: "${PUSHOVER_OPS_TOKEN}", user: "user-key", device: "phone" } } },
  ],
  [
    { type: "Mattermost", value: "https://chat.example.com/hooks/a" },
    { config: { format: "mattermost", url: "https://chat.example.com/hooks/a" } },
  ],
])("behavior 16.128: the integration %j is a channel", (fields, wanted) => {
  const { document } = fromAnswers(monitors(bound({ alertContactId: 11, threshold: 0, recurrence: 0 })), {
    ...{ data: [integration(fields)], nextLink: null },
  });
  expect(document.channels?.ops).toMatchObject(wanted);
  expect(document.monitors?.shop).toMatchObject({ alertChannelIds: ["ops"] });
});

test("behavior 16.128: a delay and a repetition are those of the channel of the monitor, in seconds and in our limits", () => {
  const imported = fromAnswers(
    monitors(
      bound(
        { alertContactId: 11, threshold: 5, recurrence: 1 },
        { alertContactId: 12, threshold: 0, recurrence: 0 },
      ),
    ),
    { data: [integration({ type: "Email", value: "a@example.com" })] },
    { data: [integration({ id: 12, friendlyName: "B", type: "Email", value: "b@example.com" })] },
  );
  expect(imported.document.monitors?.shop?.alertBindings).toEqual([
    { alertChannelId: "ops", after: 300, every: 300 },
    { alertChannelId: "b" },
  ]);
  expect(lines(imported)).toEqual(['monitor "Shop", recurrence: it is 60 s; it is 300 s here']);
});

test("behavior 16.103, 16.128: a contact without a channel is listed, and a monitor without any channel is named", () => {
  const imported = fromAnswers(
    monitors(
      bound({ alertContactId: 11, threshold: 0, recurrence: 0 }),
      listedMonitor({ id: 8, friendlyName: "B" }),
    ),
    {
      data: [
        integration({ type: "Pushbullet" }),
        integration({ id: 12, type: "Email", value: "a@example.com" }),
      ],
    },
  );
  expect(lines(imported)).toEqual([
    'alert contact "Ops": stillup has no channels of the type "Pushbullet"',
    'monitor "Shop", alert contacts: none was taken over of 1: it notifies nobody',
  ]);
  expect(imported.document.monitors?.shop?.alertChannelIds).toEqual([]);
  expect(imported.document.monitors?.b?.alertChannelIds).toEqual([]);
});

test.each<[object, object | undefined]>([
  [{ enableNotificationsFor: "Down" }, { notifyOn: ["down", "warning"] }],
  [{ enableNotificationsFor: 2 }, { notifyOn: ["down", "warning"] }],
  [{ enableNotificationsFor: "None" }, { enabled: false }],
  [{ enableNotificationsFor: "Up" }, { enabled: false }],
  [{ status: "Paused" }, { enabled: false }],
])("behavior 16.128: a contact with %j notifies of no more than there", (fields, wanted) => {
  const { document } = fromAnswers(monitors(listedMonitor()), {
    data: [integration({ type: "Email", value: "a@example.com", ...fields })],
  });
  expect(document.channels?.ops).toMatchObject(wanted as object);
});

test("behavior 16.128: without contacts in the file, monitors have the default channels, which a note says", () => {
  const { document, notes } = fromAnswers({ stat: "ok", monitors: [oldMonitor()] });
  expect(document.monitors?.shop).not.toContainAnyKeys(["alertChannelIds", "alertBindings"]);
  expect(notes.join()).toContain("default channels");
});

test("behavior 16.128: version 2 names a contact in its monitors, so that the list is not needed", () => {
  const alert_contacts = [{ id: "0993765", value: "ops@example.com", type: 2, threshold: 0, recurrence: 0 }];
  const { document } = fromAnswers({ stat: "ok", monitors: [oldMonitor({ alert_contacts })] });
  expect(document.channels).toEqual({
    "ops-example.com": { name: "ops@example.com", type: "EMAIL", config: { to: "ops@example.com" } },
  });
});

const window = (fields: object) => ({
  ...{ id: 5, userId: 1, name: "Window", interval: "daily", date: null, time: "03:30:00", duration: 30 },
  ...{ autoAddMonitors: false, monitorIds: [7], days: [], status: "active", created: "2026-01-01" },
  ...fields,
});

test.each<[object, object | string]>([
  [{}, { cron: "30 3 * * *", duration: 1800, selector: { monitorIds: ["shop"] } }],
  [{ interval: "weekly", days: [1, 7] }, { cron: "30 3 * * 1,7" }],
  [{ interval: "monthly", days: [10, -1] }, { cron: "30 3 10,L * *" }],
  [
    { interval: "once", date: "2030-12-15" },
    { startsAt: "2030-12-15T03:30:00Z", endsAt: "2030-12-15T04:00:00Z" },
  ],
  [{ autoAddMonitors: true, monitorIds: [] }, { selector: { all: true } }],
  [{ duration: 20_000 }, { duration: 604_800 }],
  [{ interval: "once", date: "2020-12-15" }, "it is over"],
  [{ status: "paused" }, "it is paused"],
  [{ monitorIds: [99] }, "no monitor of it was taken over"],
  [{ interval: "weekly", days: [] }, "it repeats weekly, on days that stillup does not know"],
  [{ time: "noon" }, "it has no time such as 14:30"],
])("behavior 16.128: the window %j is a maintenance, or listed", (fields, wanted) => {
  const imported = fromAnswers(monitors(listedMonitor()), { data: [window(fields)] });
  if (typeof wanted === "string") {
    expect(imported.document.maintenances).toBeUndefined();
    expect(lines(imported)).toContain(`maintenance window "Window": ${wanted}`);
  } else expect(imported.document.maintenances?.window).toMatchObject(wanted);
});

test("behavior 16.128: the time zone of version 2 is a distance from UTC, and otherwise UTC is listed", () => {
  const mwindows = [
    { id: 5, type: 2, friendly_name: "Window", start_time: "03:30", duration: 30, value: "", status: 1 },
  ];
  const answer = { stat: "ok", monitors: [oldMonitor({ mwindows })] };
  const zoned = fromAnswers({ ...answer, timezone: -240 });
  expect(zoned.document.maintenances?.window).toMatchObject({ timezone: "Etc/GMT+4", cron: "30 3 * * *" });
  expect(zoned.notes.join()).toContain("no summer time");
  expect(lines(fromAnswers(answer)).join()).toContain("which the file does not say: it is UTC here");
});

const page = (fields: object) => ({
  ...{
    id: 9,
    friendlyName: "Services",
    customDomain: null,
    isPasswordSet: false,
    monitorIds: [7],
    tagIds: [],
  },
  ...{ monitorsCount: 1, status: "ENABLED", urlKey: "abcDEF", homepageLink: null, ...fields },
});

test("behavior 16.128: a page shows its monitors, all of them, or those with a tag; one with a password is for nobody", () => {
  const all = monitors(
    listedMonitor(),
    listedMonitor({ id: 8, friendlyName: "B", tags: [{ id: 3, name: "web", color: "#fff" }] }),
  );
  const pageOf = (fields: object) => fromAnswers(all, { data: [page(fields)] }).document.pages?.services;
  const refs = (fields: object) => listOf(pageOf(fields)?.components).map((one) => recordOf(one).monitorId);
  expect(pageOf({})).toMatchObject({ visibility: "public", slug: "services" });
  expect(refs({})).toEqual(["shop"]);
  expect(refs({ monitorIds: null })).toEqual(["shop", "b"]);
  expect(refs({ monitorIds: [], tagIds: [3] })).toEqual(["b"]);
  expect(pageOf({ status: "PAUSED" })).not.toHaveProperty("visibility");
  expect(pageOf({ isPasswordSet: true })).not.toHaveProperty("visibility");
  const psps = [{ id: 9, friendly_name: "Services", monitors: 0, sort: 1, status: 1, custom_url: "" }];
  const old = fromAnswers({ stat: "ok", monitors: [oldMonitor()] }, { stat: "ok", psps });
  expect(old.document.pages?.services).not.toHaveProperty("visibility");
  expect(lines(old).join()).toContain("version 2 of the API does not say whether there is one");
});

test("behavior 16.128: the group, the tags and the custom fields of a monitor are tags", () => {
  const monitor = listedMonitor({
    groupId: 4,
    tags: [{ id: 3, name: "web", color: "#fff" }],
    customFields: { team: "shop" },
  });
  const group = { id: 4, name: "Core", createdAt: "2026-01-01", updatedAt: "2026-01-01" };
  const known = fromAnswers(monitors(monitor), { data: [group] });
  expect(known.document.monitors?.shop?.tags).toEqual(["group:core", "web", "team:shop"]);
  expect(lines(fromAnswers(monitors(monitor))).join()).toContain("groupId: the file does not say the name");
});

test("behavior 16.127: pages of an answer that are not in the file are listed", () => {
  const two = { stat: "ok", pagination: { offset: 0, limit: 1, total: 2 }, monitors: [oldMonitor()] };
  expect(lines(fromAnswers(two))).toContain(
    "monitors: the file has 1 of 2: add the next pages of the answer to it",
  );
  const whole = fromAnswers(two, { ...two, monitors: [oldMonitor({ id: 8, friendly_name: "B" })] });
  expect(lines(whole)).toEqual([]);
  const first = { data: [listedMonitor()], nextLink: "https://api.uptimerobot.com/v3/monitors?cursor=7" };
  expect(lines(fromAnswers(first)).join()).toContain("monitors: the file does not have the last page");
  expect(lines(fromAnswers(first, monitors(listedMonitor({ id: 8, friendlyName: "B" }))))).toEqual([]);
});

test("behavior 16.127: an answer, a list of answers and a list of monitors are read alike", () => {
  const answer = monitors(listedMonitor());
  const forms = [[answer], [[answer]], [[listedMonitor()]], [listedMonitor()]];
  for (const form of forms) expect(fromAnswers(...form).document).toEqual(fromAnswers(answer).document);
  const alert_contacts = [{ id: "1", friendly_name: "Ops", type: 2, status: 2, value: "ops@example.com" }];
  const old = fromAnswers({ stat: "ok", monitors: [oldMonitor()] }, { stat: "ok", alert_contacts });
  expect(fromAnswers([oldMonitor()], alert_contacts).document).toEqual(old.document);
});

test("behavior 16.127: a file without monitors says why", () => {
  expect(
    faultOfAnswers([{ stat: "fail", error: { type: "invalid_parameter", message: "api_key is wrong" } }]),
  ).toBe("one of its answers is a failure: api_key is wrong");
  expect(faultOfAnswers([{ data: [] }, null, 5])).toBe("it has no monitors");
  expect(faultOfAnswers([monitors(listedMonitor())])).toBeUndefined();
});

test("behavior 16.93: no secret is in the document or in a line without --with-secrets", () => {
  const secrets = [
    "pa55-secret",
    "t0ken-secret",
    "hook-secret",
    "m7-abcdefgh-secret",
    "header-secret",
    "contact-secret",
  ];
  const imported = importUptimeRobot(
    [
      monitors(
        listedMonitor({
          authType: "HTTP_BASIC",
          httpUsername: "a",
          httpPassword: "pa55-secret",
          customHttpHeaders: { "X-K": "header-secret" },
        }),
        listedMonitor({ id: 8, authType: "BEARER", httpPassword: "t0ken-secret", apiKey: "m8-key-secret" }),
        listedMonitor({
          id: 9,
          type: "HEARTBEAT",
          url: "https://heartbeat.uptimerobot.com/m7-abcdefgh-secret",
        }),
      ),
      {
        data: [
          integration({
            type: "Slack",
            value: "https://hooks.slack.com/services/hook-secret",
            httpPassword: "contact-secret",
          }),
        ],
      },
    ],
    { withSecrets: false, now: NOW },
  );
  const text = JSON.stringify(imported);
  for (const secret of [...secrets, "m8-key-secret"]) expect(text).not.toContain(secret);
  expect(imported.secrets).toHaveLength(5);
});
