import { expect, test } from "bun:test";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import { cronOfCalendar } from "../../../src/import/healthchecks/checks.ts";
import { importHealthchecks } from "../../../src/import/healthchecks/healthchecks.ts";
import { examples } from "../../support/servers/services/service-server.ts";

const CHECK = {
  name: "Filesystem Backup",
  slug: "filesystem-backup",
  tags: "backup FS",
  desc: "Runs every hour",
  grace: 600,
  n_pings: 1,
  status: "up",
  methods: "",
  manual_resume: false,
  filter_subject: false,
  uuid: "31365bce-8da9-4729-8ff3-aaa71d56b712",
  ping_url: "https://hc-ping.com/31365bce-8da9-4729-8ff3-aaa71d56b712",
  channels: "",
  timeout: 3600,
};

const SLUGS =
  "addresses with a ping key and a slug are not served: such a job calls /ping/ and the UUID of its check";

/** The monitor that a check becomes, and what of it was left out. */
function monitorOf(check: Record<string, unknown>) {
  const { document, omitted } = importHealthchecks(
    { checks: [{ ...CHECK, desc: "", ...check }], channels: [] },
    { withSecrets: true },
  );
  expect(parseDocument(document).faults).toEqual([]);
  return { monitor: Object.values(document.monitors ?? {})[0], omitted: omitted.map(({ what }) => what) };
}

test("behavior 16.119: a check is a job with the same period, grace and tags", () => {
  const { document, omitted, notes } = importHealthchecks(
    { checks: [CHECK], channels: [] },
    { withSecrets: false },
  );
  expect(document).toEqual({
    monitors: {
      "filesystem-backup": {
        name: "Filesystem Backup",
        type: "SCHEDULED",
        config: { period: 3600, grace: 600, pushToken: "${SCHEDULED_FILESYSTEM_BACKUP_PUSH_TOKEN}" },
        tags: ["backup", "fs"],
        alertChannelIds: [],
      },
    },
  });
  expect(omitted).toEqual([{ what: "descriptions of checks", why: "a monitor has none" }]);
  expect(notes).toEqual([
    "set the variable of each pushToken to the UUID of its check, so that its job calls /ping/ and the UUID here; with --with-secrets, the file has the UUIDs",
    SLUGS,
  ]);
});

test("behavior 16.119: a schedule keeps its time zone, and a paused check stays paused", () => {
  const { monitor, omitted } = monitorOf({
    schedule: "15 5 * * 1-5",
    tz: "Europe/Riga",
    timeout: undefined,
    status: "paused",
  });
  expect(monitor).toMatchObject({
    config: { cron: "15 5 * * 1-5", timezone: "Europe/Riga", grace: 600 },
    enabled: false,
  });
  expect(omitted).toEqual([]);
});

test("behavior 16.119: a schedule without a counterpart is learned, and other settings are listed", () => {
  const { monitor, omitted } = monitorOf({
    schedule: "*-*~1 12:00",
    tz: "UTC",
    methods: "POST",
    filter_body: true,
    manual_resume: true,
  });
  expect(monitor?.config).toEqual({ grace: 600, pushToken: CHECK.uuid });
  const what = (part: string) => `check "Filesystem Backup", ${part}`;
  expect(omitted).toEqual(["methods", "filters", "manual_resume", "schedule"].map(what));
});

test.each([
  ["daily", { cron: "0 0 * * *" }],
  ["Mon..Fri 10:00", { cron: "0 10 * * 1-5" }],
  ["Sat,Sun *-*-* 08:30:00", { cron: "30 8 * * 6,0" }],
  ["*-*-01 00:00", { cron: "0 0 1 * *" }],
  ["*-01,07-15 06:05", { cron: "5 6 15 1,7 *" }],
  ["*:0/15", { cron: "*/15 * * * *" }],
  ["9..17:05/20 Europe/Berlin", { cron: "5-59/20 9-17 * * *", timezone: "Europe/Berlin" }],
  ["Fri..Sun 7:00", { cron: "0 7 * * 5-7" }],
  ["Mon *-*-*/2 12:00", { cron: "0 12 */2 * 1" }],
  ["Mon *-*-01 12:00", undefined],
  ["2027-01-01 12:00", undefined],
  ["12:00:30", undefined],
  ["*-*~1 12:00", undefined],
  ["constructor", undefined],
])(
  "behavior 16.119: the schedule %p of systemd is a cron expression, if one has the same runs",
  (calendar, wanted) => {
    expect(cronOfCalendar(calendar)).toEqual(wanted);
  },
);

test("behavior 16.120: an integration is a channel whose address is a placeholder", () => {
  const channels = [
    { id: "a", name: "Ops room", kind: "slack" },
    { id: "b", name: "", kind: "sms" },
    { id: "c", name: "Bot", kind: "telegram" },
    { id: "d", name: "Nobody", kind: "email" },
  ];
  const { document, omitted, secrets } = importHealthchecks(
    { checks: [{ ...CHECK, desc: "", channels: "a,b,c,x" }], channels },
    { withSecrets: true },
  );
  expect(document.channels).toEqual({
    "ops-room": { name: "Ops room", type: "SLACK", config: { webhookUrl: "${SLACK_OPS_ROOM_WEBHOOK_URL}" } },
    bot: {
      name: "Bot",
      type: "WEBHOOK",
      config: {
        url: "https://api.telegram.org",
        format: "telegram",
        options: { token: "${TELEGRAM_BOT_TOKEN}", chatId: "${TELEGRAM_BOT_CHAT_ID}" },
      },
    },
  });
  expect(document.monitors?.["filesystem-backup"]?.alertChannelIds).toEqual(["ops-room", "bot"]);
  expect(omitted.map(({ why }) => why)).toEqual([
    "stillup has no channel for sms",
    "the API did not list it",
  ]);
  expect(secrets).toEqual(["SLACK_OPS_ROOM_WEBHOOK_URL", "TELEGRAM_BOT_TOKEN", "TELEGRAM_BOT_CHAT_ID"]);
});

test("behavior 16.120: a read-only key sees no integrations, so that monitors get the default channels", () => {
  const { uuid: _, ping_url: __, channels: ___, ...readOnly } = CHECK;
  const { document, omitted } = importHealthchecks(
    { checks: [{ ...readOnly, desc: "", unique_key: "a" }], channels: undefined },
    { withSecrets: true },
  );
  expect(document.monitors?.["filesystem-backup"]).not.toContainKeys(["alertChannelIds"]);
  expect(omitted.map(({ what }) => what)).toEqual(["integrations and ping URLs"]);
});

test("behavior 16.93, 16.117, 16.121: without its secrets, a check has a placeholder for its UUID, and is judged with it", () => {
  const checks = [CHECK, { ...CHECK, slug: "long", name: "x".repeat(201) }];
  const imported = importHealthchecks({ checks, channels: [] }, { withSecrets: false });
  expect(Object.keys(imported.document.monitors ?? {})).toEqual(["filesystem-backup"]);
  expect(imported.secrets).toEqual(["SCHEDULED_FILESYSTEM_BACKUP_PUSH_TOKEN"]);
  expect(imported.omitted.at(-1)).toMatchObject({ why: "name must be 1 to 200 characters", lost: {} });
  expect(JSON.stringify(imported)).not.toContain(CHECK.uuid);
});

test("behavior 16.103: values of a check that are not taken over are listed", () => {
  const { monitor, omitted } = monitorOf({ timeout: 5, grace: -1 });
  expect(monitor?.config).not.toContainKeys(["period", "grace"]);
  expect(omitted).toEqual(['check "Filesystem Backup", timeout', 'check "Filesystem Backup", grace']);
  expect(monitorOf({ started: true, grace: 604_801 }).omitted).toEqual(['check "Filesystem Backup", grace']);
});

test("behavior 16.121: with its secrets, a check keeps its UUID, so that only the host of its address changes", () => {
  const { document, notes } = importHealthchecks({ checks: [CHECK], channels: [] }, { withSecrets: true });
  expect(document.monitors?.["filesystem-backup"]?.config).toMatchObject({
    pushToken: CHECK.uuid,
  });
  expect(notes).toEqual([
    `the job "Filesystem Backup" calls /ping/${CHECK.uuid} of this server in place of ${CHECK.ping_url}`,
    SLUGS,
  ]);
});

test("behavior 16.122: the grace of a job that reports its starts is also its longest run", () => {
  const configOf = (check: object) => monitorOf({ ...check }).monitor?.config;
  expect(configOf({ last_duration: 17 })).toMatchObject({ period: 3600, grace: 600, maxRunTime: 600 });
  expect(configOf({ started: true })).toMatchObject({ maxRunTime: 600 });
  for (const check of [{ started: false }, { started: true, grace: 604_801 }, { started: true, grace: 0 }])
    expect(configOf(check)).not.toHaveProperty("maxRunTime");
});

test("behavior 16.117: a check that could not be applied is listed", () => {
  const { document, omitted } = importHealthchecks(
    {
      checks: [
        { ...CHECK, desc: "", name: "x".repeat(300) },
        { name: "good", grace: 60, timeout: 60 },
      ],
      channels: [],
    },
    { withSecrets: false },
  );
  expect(Object.keys(document.monitors ?? {})).toEqual(["good"]);
  expect(omitted.map(({ why }) => why)).toEqual(["name must be 1 to 200 characters"]);
});

test.each([
  [null, undefined],
  [{}, "x"],
  [
    [null, 1, [], "a"],
    [null, 1, { id: 1, kind: "constructor" }],
  ],
  [
    [{ name: 5, tags: {}, schedule: "* * * * * *", channels: "1,,2", grace: -1, timeout: "a", uuid: [] }],
    [{ id: 1 }, { id: 2, kind: "slack" }],
  ],
  [[{ name: "\ud800 ${X}", timeout: 1e99, desc: 1, channels: {} }], []],
])("a hostile answer %# becomes what can be applied", (checks, channels) => {
  const { document } = importHealthchecks({ checks, channels }, { withSecrets: true });
  const faults = parseDocument(document).faults.filter(({ path }) => !path.startsWith("channels."));
  expect(faults).toEqual([]);
});

test("behavior 16.120: an integration of a service has placeholders for its required options", () => {
  for (const { imports } of Object.values(examples)) {
    if (!imports.healthchecks) continue;
    const [kind, config] = imports.healthchecks;
    const { document } = importHealthchecks(
      { checks: [{ ...CHECK, channels: "a" }], channels: [{ id: "a", name: "Ops", kind }] },
      { withSecrets: true },
    );
    expect(document.channels).toEqual({ ops: { name: "Ops", type: "WEBHOOK", config } });
  }
});
