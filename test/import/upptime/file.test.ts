import { expect, test } from "bun:test";
import { fromUpptime } from "../../support/import/upptime.ts";

const SITES =
  "sites: [{ name: Shop, url: https://shop.example.com }, { name: API, url: https://api.example.com }]";
const DEFAULTS = expect.stringContaining("notifications of Upptime are secrets of its repository");

function linesOf(yaml: string) {
  const { omitted } = fromUpptime(`${SITES}\n${yaml}`);
  return omitted.map(({ what, why }) => `${what}: ${why}`);
}

function intervalOf(schedule: string) {
  const { document, omitted, notes } = fromUpptime(`${SITES}\nworkflowSchedule: { uptime: "${schedule}" }`);
  const config = document.monitors?.shop?.config as { interval: number } | undefined;
  return {
    interval: config?.interval,
    omitted: omitted.map(({ why }) => why),
    notes: notes.filter((note) => note.includes("every")),
  };
}

test("behavior 16.124: the schedule of the file is the interval of all monitors", () => {
  const taken = (interval: number) => ({ interval, omitted: [], notes: [] });
  expect(intervalOf("*/5 * * * *")).toEqual(taken(300));
  expect(intervalOf("0,30 * * * *")).toEqual(taken(1800));
  expect(intervalOf("7 */2 * * *")).toEqual(taken(7200));
  expect(intervalOf("0 4 * * *")).toEqual(taken(86_400));
  expect(intervalOf("*/7 * * * *")).toEqual({
    interval: 420,
    omitted: ["*/7 * * * * has different distances; stillup has one interval: it is 420 s here"],
    notes: [],
  });
  expect(intervalOf("* * * * *")).toEqual({
    interval: 60,
    omitted: [],
    notes: ["sites are checked every 60 s, as the file says; GitHub starts a check every 300 s at most"],
  });
  expect(intervalOf("0 0 * * 0")).toMatchObject({
    interval: 86_400,
    omitted: [expect.stringContaining("it is 604800 s")],
  });
  expect(intervalOf("every day")).toMatchObject({
    interval: 300,
    omitted: ["it is no cron expression: a site is checked every 300 s here"],
  });
});

test("behavior 16.124: the site of the file is a public page with all monitors in their order", () => {
  const { document, omitted } = fromUpptime(`
owner: acme
repo: upptime
${SITES}
status-website:
  baseUrl: /status
  cname: status.example.com
  logoUrl: https://example.com/logo.svg
  name: Acme
  introTitle: "**Acme** is up."
  introMessage: See [our repository](https://github.com/$OWNER/$REPO).
  navbar: [{ title: GitHub, href: https://github.com/ }]
  theme: dark
`);
  expect(document.pages).toEqual({
    acme: {
      title: "Acme",
      slug: "status",
      description: "Acme is up.\n\nSee our repository (https://github.com/acme/upptime).",
      visibility: "public",
      components: [{ monitorId: "shop" }, { monitorId: "api" }],
    },
  });
  expect(omitted.map(({ what, why }) => `${what}: ${why}`)).toEqual([
    'status page "Acme", formatting of the description: a page shows it as plain text',
    "status-website.cname: --page-hosts of stillup serve sets it",
    "status-website.logoUrl: upload it in the web page of stillup",
    "status-website.navbar: a page has no links here",
    "status-website.theme: a page has none here",
  ]);
  expect(
    fromUpptime(`${SITES}\nskipGeneratingWebsite: true\nstatus-website: { name: A }`).document.pages,
  ).toBeUndefined();
  expect(fromUpptime(SITES).document.pages).toBeUndefined();
});

test("behavior 16.124: the channels are those of the secrets that the file lists, or that are set", () => {
  const secrets = "secrets: [NOTIFICATION_SLACK, NOTIFICATION_SLACK_WEBHOOK_URL, NOTIFICATION_SMS_TO]";
  const env = {
    NOTIFICATION_TELEGRAM_BOT_KEY: "1:a",
    NOTIFICATION_TELEGRAM_CHAT_ID: "-100",
    NOTIFICATION_SLACK_WEBHOOK_URL: "https://hooks.slack.com/services/a",
  };
  const { document, omitted, notes } = fromUpptime(`${SITES}\n${secrets}`, env);
  expect(document.channels).toEqual({
    slack: { type: "SLACK", config: { webhookUrl: "${NOTIFICATION_SLACK_WEBHOOK_URL}" } },
    telegram: {
      type: "WEBHOOK",
      config: {
        ...{ url: "https://api.telegram.org", format: "telegram" },
        options: { token: "${NOTIFICATION_TELEGRAM_BOT_KEY}", chatId: "${NOTIFICATION_TELEGRAM_CHAT_ID}" },
      },
    },
  });
  expect(document.monitors?.api?.alertChannelIds).toEqual(["slack", "telegram"]);
  expect(omitted).toEqual([
    { what: "notifications by NOTIFICATION_SMS_TO", why: "stillup makes no channel of SMS" },
  ]);
  expect(notes).toEqual([
    "apply needs these variables of Upptime too: NOTIFICATION_SLACK_WEBHOOK_URL, NOTIFICATION_TELEGRAM_BOT_KEY, NOTIFICATION_TELEGRAM_CHAT_ID",
  ]);
  const without = fromUpptime(SITES);
  expect(without.document.monitors?.api).not.toContainKey("alertChannelIds");
  expect(without.notes).toEqual([DEFAULTS]);
});

test("behavior 16.103: what only concerns the repository goes without saying, and all other sections have a line", () => {
  expect(
    linesOf(`
owner: a
repo: b
user-agent: c
delay: 100
runner: self-hosted
commitMessages: { statusChange: x }
skipTopicsUpdate: true
workflowSchedule: { graphs: "0 0 * * *" }
`),
  ).toEqual([]);
  expect(
    linesOf(`
assignees: [someone]
notifications: [{ type: slack }]
i18n: { up: Hoch }
theme: dark
`),
  ).toEqual([
    "assignees: stillup opens no issues: channels and schedules say who is notified",
    "notifications: Upptime takes their settings from the secrets of its repository",
    "i18n: a page speaks the language of its reader",
    "theme: Upptime does not know this section",
  ]);
  const { omitted } = fromUpptime(
    "sites: [{ name: a, url: a.example.com, icon: a.png, assignees: [b] }, { name: b, url: b.example.com, icon: b.png }]",
  );
  expect(omitted.map(({ what }) => what)).toEqual(["icons of sites", "assignees of sites"]);
});
