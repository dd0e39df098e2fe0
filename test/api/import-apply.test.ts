import { expect, test } from "bun:test";
import { printConfiguration } from "../../src/configuration-file/print.ts";
import { readConfiguration } from "../../src/configuration-file/read.ts";
import { readYaml } from "../../src/configuration-file/yaml.ts";
import { importGatus } from "../../src/import/gatus/gatus.ts";
import { withMarkedVariables } from "../../src/import/gatus/variables.ts";
import { importHealthchecks } from "../../src/import/healthchecks/healthchecks.ts";
import type { Imported } from "../../src/import/imported.ts";
import { NO_DATA } from "../../src/import/kuma/fields.ts";
import { importKuma } from "../../src/import/kuma/import-kuma.ts";
import { kumaMonitor } from "../support/import/kuma.ts";
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
