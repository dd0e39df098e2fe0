import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { printConfiguration } from "../../src/configuration-file/print.ts";
import { readConfiguration } from "../../src/configuration-file/read.ts";
import { readYaml } from "../../src/configuration-file/yaml.ts";
import { jsonValues } from "../../src/import/api-answers.ts";
import { importBetterStack } from "../../src/import/betterstack/betterstack.ts";
import { importGatus } from "../../src/import/gatus/gatus.ts";
import { withMarkedVariables } from "../../src/import/gatus/variables.ts";
import { importHealthchecks } from "../../src/import/healthchecks/healthchecks.ts";
import type { Imported } from "../../src/import/imported.ts";
import { NO_DATA } from "../../src/import/kuma/fields.ts";
import { importKuma } from "../../src/import/kuma/import-kuma.ts";
import { readOpenstatus } from "../../src/import/openstatus/given.ts";
import { importOpenstatus } from "../../src/import/openstatus/openstatus.ts";
import { importUpptime } from "../../src/import/upptime/upptime.ts";
import { importUptimeRobot } from "../../src/import/uptimerobot/uptimerobot.ts";
import { kumaMonitor } from "../support/import/kuma.ts";
import { listedMonitor } from "../support/import/openstatus.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { exampleCheck } from "../support/servers/healthchecks.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());
const kumaData = (now: number) => ({
  ...NO_DATA,
  monitors: [
    kumaMonitor({ id: 1, expiry_notification: 1, parent: 5 }),
    kumaMonitor({ id: 2, name: "Redis", type: "port", hostname: "redis.example.com", port: 6379 }),
    kumaMonitor({ id: 3, name: "Name", type: "dns", hostname: "example.com", dns_resolve_type: "A" }),
    kumaMonitor({ id: 4, name: "Backup", type: "push", push_token: "abcdefgh12345678", interval: 3600 }),
    kumaMonitor({ id: 5, name: "Web", type: "group" }),
    kumaMonitor({ id: 6, name: "Login $" + "{x}", type: "keyword", keyword: "Sign in", maxretries: 2 }),
  ],
  notifications: [
    {
      ...{ id: 1, name: "Ops", active: 1, is_default: 1 },
      config: JSON.stringify({
        type: "ntfy",
        ntfyserverurl: "https://ntfy.sh",
        ntfytopic: "ops",
        ntfyPriority: 4,
      }),
    },
  ],
  monitorNotifications: [{ monitor_id: 1, notification_id: 1 }],
  maintenances: [
    {
      ...{ id: 1, title: "Nightly", description: "", active: 1, strategy: "cron" },
      ...{ cron: "30 2 * * *", duration: 3600, timezone: "UTC" },
    },
  ],
  monitorMaintenances: [{ maintenance_id: 1, monitor_id: 1 }],
  pages: [{ id: 1, slug: "kuma", title: "Services", description: "", published: 1 }],
  groups: [{ id: 1, name: "All", weight: 1, status_page_id: 1 }],
  monitorGroups: [{ monitor_id: 1, group_id: 1, weight: 1 }],
  days: [
    {
      monitor_id: 1,
      timestamp: Math.floor(now / 86_400_000) * 86_400 - 86_400,
      up: 1400,
      down: 40,
      ping: 80,
    },
  ],
});

const GATUS = `
alerting:
  slack: {webhook-url: "https://hooks.slack.com/services/a", default-alert: {failure-threshold: 2, send-on-resolved: true}}
  pagerduty: {integration-key: 0123456789abcdef0123456789abcdef}
  email: {from: a@example.com, host: smtp.example.com, port: 25, to: "x@example.com,y@example.com"}
  custom: {url: "https://a.example.com/x", method: POST, headers: {X-Key: \${KEY}}, body: "[ENDPOINT_NAME]"}
maintenance: {start: "23:00", duration: 1h, every: [Sunday]}
endpoints:
  - name: shop
    group: core
    url: "https://u:p@\${HOST}/health"
    client: {timeout: 5s, insecure: true}
    conditions: ["[STATUS] == any(200, 204)", "[BODY].n < 3", "[RESPONSE_TIME] < 500", "[CERTIFICATE_EXPIRATION] > 48h"]
    alerts: [{type: slack}, {type: pagerduty, failure-threshold: 9, minimum-reminder-interval: 1h}, {type: email}, {type: custom}]
    maintenance-windows: [{start: "03:00", duration: 30m, timezone: Europe/Berlin}]
  - {name: name, url: 8.8.8.8, dns: {query-name: example.com, query-type: A}, conditions: ["[BODY] == 192.0.2.1"]}
  - {name: redis, url: "tcp://redis:6379", body: "PING\\r\\n", conditions: ["[BODY] == pat(*PONG*)"]}
  - {name: ldap, url: "tls://ldap:636", conditions: ["[CERTIFICATE_EXPIRATION] > 240h"]}
external-endpoints: [{name: job, token: a, heartbeat: {interval: 1h}, alerts: [{type: slack}]}]
`;

const VARIABLES = { HOST: "shop.example.com", KEY: "k" };

const HEALTHCHECKS = {
  checks: [
    exampleCheck({ channels: "a,b" }),
    exampleCheck({
      ...{
        name: "Report $" + "{x}",
        slug: "",
        uuid: "803f680d-e89b-492b-82ef-2be7b774a92d",
        status: "paused",
      },
      ...{ timeout: undefined, schedule: "Mon..Fri 10:00", tz: "Europe/Riga" },
    }),
  ],
  channels: [
    { id: "a", name: "Ops", kind: "email" },
    { id: "b", name: "Room", kind: "matrix" },
  ],
};

const UPPTIME = `
repo: status
secrets: [TOKEN, NOTIFICATION_DISCORD_WEBHOOK_URL, NOTIFICATION_EMAIL_TO]
sites:
  - {name: "Shop \${x}", url: "https://u:p@shop.example.com/$top", headers: ["Authorization: Bearer $TOKEN"], method: POST, body: "{}",
     expectedStatusCodes: [200, 404], maxResponseTime: 900, __dangerous__body_down: "Fatal", tags: [Core]}
  - {name: db, check: tcp-ping, url: db.example.com, port: 5432, ipv6: true}
  - {name: live, check: ws, url: "wss://shop.example.com/live"}
  - {name: certificate, check: ssl, url: shop.example.com}
  - {name: far, type: globalping, check: tcp-ping, url: shop.example.com}
status-website: {name: Services, introTitle: "**All**"}
`;

const OPENSTATUS = {
  monitors: [
    listedMonitor({
      ...{ method: "POST", body: "{}", headers: [{ key: "X-Key", value: "k" }], degradedAfter: 900 },
      assertions: [
        { type: "status", compare: "lt", target: 400 },
        { type: "textBody", compare: "eq", target: "fine" },
        { type: "header", compare: "contains", key: "X-Node", target: "1" },
      ],
    }),
    listedMonitor({ id: 8, name: "DB", jobType: "tcp", url: "db.example.com:5432" }),
    listedMonitor({
      ...{ id: 9, name: "Name", jobType: "dns", url: "example.com" },
      assertions: [{ type: "dnsRecord", key: "A", compare: "eq", target: "192.0.2.1" }],
    }),
  ],
  notifications: [
    {
      name: "Ops",
      provider: "discord",
      payload: { discord: "https://discord.com/api/webhooks/1/a" },
      monitors: [7],
    },
    { name: "Bot", provider: "telegram", payload: { telegram: { chatId: "-100" } }, monitors: [7, 8] },
  ],
  pages: [
    {
      title: "Acme",
      description: "",
      slug: "acme-os",
      accessType: "password",
      password: "long-enough",
      monitors: [7],
    },
  ],
  maintenances: [
    { title: "Move", message: "", from: "2199-01-01T10:00:00Z", to: "2199-01-01T11:00:00Z", monitorIds: [8] },
  ],
};

/** The answers of an API in a file. */
function answersIn(path: string): unknown[] {
  return jsonValues(readFileSync(`test/fixtures/import/${path}`, "utf8")) ?? [];
}

const ADDRESSES = {
  EMAIL_OPS_TO: "ops@example.com",
  MATRIX_ROOM_URL: "https://matrix.example.com",
  MATRIX_ROOM_TOKEN: "t",
  MATRIX_ROOM_ROOM_ID: "!a:example.com",
};

test.each<{
  from: string;
  imported: () => Imported;
  env: Record<string, string>;
  refs: Record<string, string[]>;
}>([
  {
    from: "Uptime Kuma",
    imported() {
      const now = server.now();
      return importKuma(kumaData(now), { withSecrets: true, now });
    },
    env: {},
    refs: {
      alerts: ["ops"],
      monitors: ["shop", "redis", "name", "backup", "login-x"],
      maintenances: ["nightly"],
      pages: ["services"],
    },
  },
  {
    from: "Gatus",
    imported: () =>
      importGatus(readYaml(withMarkedVariables(GATUS)).value, { env: VARIABLES, withSecrets: true }),
    env: VARIABLES,
    refs: {
      alerts: ["slack", "pagerduty", "email", "email-2", "custom"],
      monitors: ["core-shop", "name", "redis", "ldap", "job"],
      maintenances: ["maintenance", "maintenance-2"],
    },
  },
  {
    from: "Healthchecks",
    imported: () => importHealthchecks(HEALTHCHECKS, { withSecrets: true }),
    env: ADDRESSES,
    refs: { alerts: ["ops", "room"], monitors: ["filesystem-backup", "report-x"] },
  },
  {
    from: "Upptime",
    imported: () => importUpptime(readYaml(UPPTIME).value, { env: {}, withSecrets: true }),
    env: {
      ...{ TOKEN: "t", NOTIFICATION_EMAIL_TO: "ops@example.com" },
      NOTIFICATION_DISCORD_WEBHOOK_URL: "https://discord.com/api/webhooks/1/a",
    },
    refs: {
      alerts: ["discord", "email"],
      monitors: ["shop-x", "db", "live", "certificate", "far"],
      pages: ["services"],
    },
  },
  {
    from: "openstatus",
    imported() {
      const given = readOpenstatus(OPENSTATUS);
      if (!given) throw new Error("it is no file of openstatus");
      return importOpenstatus(given, { withSecrets: true, now: server.now() });
    },
    env: { TELEGRAM_BOT_TOKEN: "1:a" },
    refs: {
      alerts: ["ops", "bot"],
      monitors: ["shop", "db", "name"],
      maintenances: ["move"],
      pages: ["acme"],
    },
  },
  {
    from: "UptimeRobot, version 2",
    imported: () =>
      importUptimeRobot(answersIn("uptimerobot/version2.json"), { withSecrets: true, now: server.now() }),
    env: {},
    refs: {
      alerts: ["operations", "team-chat"],
      monitors: ["shop-checkout", "no-error-page", "basket", "mail-port", "router", "nightly-backup"],
      maintenances: ["weekly-restart"],
      pages: ["services"],
    },
  },
  {
    from: "UptimeRobot, version 3",
    imported: () =>
      importUptimeRobot(answersIn("uptimerobot/version3.json"), { withSecrets: true, now: server.now() }),
    env: {},
    refs: {
      alerts: ["alarm", "old-hook", "operations"],
      monitors: ["website", "search-api", "name", "hourly-report"],
      maintenances: ["backups", "everything"],
      pages: ["public", "internal"],
    },
  },
  {
    from: "Better Stack",
    imported: () => importBetterStack(answersIn("betterstack/answers.json"), { withSecrets: true }),
    env: {},
    refs: {
      monitors: ["shop", "gone", "no-errors", "mail", "name-server", "router", "backup"],
      maintenances: ["maintenance", "maintenance-2", "maintenance-3"],
      pages: ["example-inc"],
    },
  },
])(
  "behavior 16.92: what an import of $from prints can be applied, and a second time it changes nothing",
  async ({ from, imported, env, refs }) => {
    const { owner } = await server.organization(from, "enterprise");
    const { value, faults } = readConfiguration(printConfiguration(imported().document), env);
    expect(faults).toEqual([]);
    const first = await owner.post("/api/v1/apply", value);
    expect([first.status, first.body.error]).toEqual([200, undefined]);
    for (const [kind, wanted] of Object.entries(refs)) {
      const { body } = await owner.get(`/api/v1/${kind}`);
      const found = body.data.map(({ ref }: { ref: string }) => ref);
      expect(found.toSorted()).toEqual(wanted.toSorted());
    }
    const second = await owner.post("/api/v1/apply", value);
    expect(second.body).toEqual({ data: { changes: [] } });
  },
);
