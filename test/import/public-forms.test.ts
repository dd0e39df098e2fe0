import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importFromGatus } from "../../src/cli/import/gatus.ts";
import { importFromHealthchecks } from "../../src/cli/import/healthchecks.ts";
import { importFromKuma } from "../../src/cli/import/kuma.ts";
import { printConfiguration } from "../../src/configuration-file/print.ts";
import { readConfiguration } from "../../src/configuration-file/read.ts";
import type { Imported } from "../../src/import/imported.ts";
import { variablesIn } from "../../src/import/output-config.ts";
import { type Product, placeFile, publishedFiles, valueFor } from "../support/import/published.ts";
import { ApiServer } from "../support/product/api-server.ts";

let server: ApiServer;
const folder = mkdtempSync(join(tmpdir(), "stillup-test-"));
beforeAll(async () => {
  server = await ApiServer.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const importers = { gatus: importFromGatus, healthchecks: importFromHealthchecks, kuma: importFromKuma };

function imported({ product, file }: { product: Product; file: string }, withSecrets: boolean) {
  const own = mkdtempSync(join(folder, "file-"));
  return importers[product](join(own, placeFile({ product, file }, own)), { withSecrets, now: Date.now() });
}

test.each(publishedFiles)(
  "behavior 16.92, 16.103, 16.104: each monitor in $product/$file is taken over as it is there, and each difference has a line",
  async (source) => {
    const { document, found, omitted, notes } = await imported(source, true);
    const wanted = expectations[`${source.product}/${source.file}`];
    expect({
      monitors: document.monitors,
      found,
      lost: omitted.filter((one) => one.lost).map(({ what }) => what),
      parts: omitted.filter((one) => !one.lost).map(({ what }) => what),
      notes: notes.length,
      history: Object.values(document.history ?? {}).flatMap((days) => Object.values(days)),
    }).toEqual({ lost: [], parts: [], notes: 0, history: [], ...wanted } as never);
  },
);

test.each(publishedFiles)(
  "behavior 16.92, 16.93: what an import of $product/$file prints can be applied, and a second time it changes nothing",
  async (source) => {
    const { owner } = await server.organization(`${source.product} ${source.file}`, "enterprise");
    const first = await owner.post("/api/v1/apply", printed(await imported(source, false)));
    expect([first.status, first.body.error]).toEqual([200, undefined]);
    const { body } = await owner.get("/api/v1/monitors?limit=100");
    const refs = Object.keys(expectations[`${source.product}/${source.file}`]?.monitors ?? {});
    expect(body.data.map(({ ref }: { ref: string }) => ref).toSorted()).toEqual(refs.toSorted());
    const second = await owner.post("/api/v1/apply", printed(await imported(source, false)));
    expect(second.body).toEqual({ data: { changes: [] } });
  },
);

/** The document as a file that is read with a value for each of its variables. */
function printed({ document, secrets }: Imported): unknown {
  const names = [...variablesIn(document), ...secrets];
  const env = Object.fromEntries(names.map((name) => [name, valueFor(name)]));
  const { value, faults } = readConfiguration(printConfiguration(document), env);
  expect(faults).toEqual([]);
  return value;
}

interface Expected {
  /** By ref: what the file says, in the fields of a monitor here. */
  monitors: Record<string, Record<string, unknown>>;
  /** How many monitors the file has. */
  found: number;
  /** The monitors that have no counterpart. */
  lost?: string[];
  /** The things that are not taken over, or changed. */
  parts?: string[];
  notes?: number;
  history?: unknown[];
}

const http = (url: string, others: object) => ({ url, redirects: 10, ...others });

/** By file. A file without an entry fails. */
const expectations: Record<string, Expected> = {
  "gatus/config.yaml": {
    found: 2,
    monitors: {
      "core-website": {
        ...{ name: "website", type: "HTTP", tags: ["group:core"], alertChannelIds: [] },
        config: http("https://www.example.com/health", {
          interval: 300,
          expect: { status: [200], json: { "$.status": "UP" }, within: 300 },
        }),
      },
      certificate: {
        ...{ name: "certificate", type: "HTTP", alertChannelIds: [] },
        config: http("https://www.example.com", { interval: 60, expiryWarning: 2 }),
      },
    },
  },
  "gatus/anchors.yaml": {
    found: 4,
    monitors: {
      "web-shop": {
        ...{ name: "shop", type: "HTTP", tags: ["group:web"], alertChannelIds: ["slack"] },
        ...{ confirmations: 2, recoveries: 1 },
        config: http("https://shop.example.com/health", {
          ...{ interval: 120, timeout: 15, expect: { status: [200], within: 2000 } },
        }),
      },
      "web-blog": {
        ...{ name: "blog", type: "HTTP", tags: ["group:web"], alertChannelIds: ["slack"] },
        ...{ confirmations: 2, recoveries: 1 },
        config: http("https://blog.example.com/", {
          ...{ interval: 600, timeout: 15 },
          expect: { status: ["2xx", "3xx"], contains: "<h1>News</h1>" },
        }),
      },
      "core-api": {
        ...{ name: "api", type: "HTTP", tags: ["group:core"], alertChannelIds: [] },
        config: http("https://api.example.com/graphql", {
          ...{ interval: 120, timeout: 15, method: "POST", verifyTls: false },
          headers: { "X-Api-Key": "$" + "{API_KEY}", "Content-Type": "application/json" },
          body: '{"query":"{ health { status } }"}',
          expect: { status: [200, 202], json: { "$.data.health.status": "ok" } },
        }),
      },
      "web-old": {
        ...{ name: "old", type: "HTTP", tags: ["group:web"], alertChannelIds: [], enabled: false },
        config: { url: "https://old.example.com/", interval: 120, expect: { status: [301] } },
      },
    },
    parts: ["descriptions of alerts", 'endpoint "core/api", condition len([BODY].data.errors) == 0'],
    notes: 1,
  },
  "gatus/groups.yaml": {
    found: 10,
    monitors: {
      "network-router": {
        ...{ name: "router", type: "TCP", tags: ["group:network"], alertChannelIds: [] },
        config: { host: "192.0.2.1", protocol: "icmp", count: 1, interval: 30 },
      },
      "network-resolver": {
        ...{ name: "resolver", type: "DNS", tags: ["group:network"], alertChannelIds: [] },
        config: {
          ...{ hostname: "example.com", recordType: "A", interval: 300 },
          ...{ expected: ["192.0.2.80"], servers: ["192.0.2.53"] },
        },
      },
      "machines-shell": {
        ...{ name: "shell", type: "TCP", tags: ["group:machines"], alertChannelIds: [] },
        config: { host: "nas.example.com", port: 22, protocol: "ssh", interval: 60 },
      },
      "machines-cache": {
        ...{ name: "cache", type: "TCP", tags: ["group:machines"], alertChannelIds: [] },
        config: { host: "cache.example.com", port: 6379, interval: 60, send: "PING\r\n", contains: "PONG" },
      },
      "certificates-directory": {
        ...{ name: "directory", type: "TLS", tags: ["group:certificates"], alertChannelIds: [] },
        config: { host: "directory.example.com", port: 636, interval: 3600, warnDays: 10 },
      },
      "certificates-mail": {
        ...{ name: "mail", type: "TLS", tags: ["group:certificates"], alertChannelIds: [] },
        config: { host: "mail.example.com", port: 587, protocol: "smtp", interval: 3600, warnDays: 2 },
      },
      "certificates-site": {
        ...{ name: "site", type: "HTTP", tags: ["group:certificates"], alertChannelIds: [] },
        config: http("https://www.example.com/", {
          ...{ interval: 3600, expiryWarning: 14, verifyTls: false, expect: { status: [200] } },
        }),
      },
      "certificates-site-domain": {
        ...{ name: "site, domain", type: "TLS", tags: ["group:certificates"], alertChannelIds: [] },
        config: {
          ...{ host: "www.example.com", interval: 3600, warnDays: 14, registration: { warnDays: 30 } },
        },
      },
      "machines-live": {
        ...{ name: "live", type: "HTTP", tags: ["group:machines"], alertChannelIds: [] },
        config: { url: "https://live.example.com/socket", protocol: "websocket", interval: 60 },
      },
    },
    lost: ['endpoint "network/time"', 'endpoint "machines/uptime"'],
    parts: [
      'endpoint "network/router", client.network',
      'endpoint "certificates/mail", client.timeout',
      'endpoint "certificates/mail", client.insecure',
      'endpoint "certificates/site", client.insecure',
      'endpoint "machines/live", condition [BODY] == pat(*online*)',
      'endpoint "machines/live", body',
      "ui",
      "connectivity",
    ],
  },
  "gatus/pushed.yaml": {
    found: 5,
    monitors: {
      page: {
        ...{ name: "page", type: "HTTP", alertChannelIds: ["ntfy"], confirmations: 1, recoveries: 1 },
        config: http("https://www.example.com/", { interval: 60, expect: { status: [200] } }),
      },
      "jobs-nightly-backup": {
        ...{ name: "nightly-backup", type: "SCHEDULED", tags: ["group:jobs"] },
        ...{ alertChannelIds: ["ntfy"], recoveries: 1, config: { period: 86_400 } },
      },
      "jobs-sync": {
        ...{ name: "sync", type: "SCHEDULED", tags: ["group:jobs"], alertChannelIds: [] },
        config: { period: 10 },
      },
      report: { name: "report", type: "SCHEDULED", alertChannelIds: [], config: {} },
      "shop-order": {
        ...{ name: "order", type: "HTTP", tags: ["group:shop"], alertChannelIds: [] },
        config: {
          ...{ interval: 600, timeout: 20 },
          steps: [
            {
              ...{ name: "create", url: "https://shop.example.com/orders", method: "POST", redirects: 10 },
              ...{ body: '{"item": "probe"}', expect: { status: [201] }, take: { order: "$.id" } },
            },
            {
              ...{ name: "delete", url: "https://shop.example.com/orders/{{order}}", method: "DELETE" },
              ...{ redirects: 10, expect: { status: [204] } },
            },
          ],
        },
      },
    },
    parts: [
      "alerting.ntfy.click",
      "alerts of the type telegram",
      'external endpoint "jobs/sync", heartbeat.interval',
      'external endpoint "report", heartbeat.interval',
      'suite "shop/order", delete, always-run',
    ],
    notes: 3,
  },
  "gatus/alerting.yaml": {
    found: 5,
    monitors: {
      "core-login": {
        ...{ name: "login", type: "HTTP", tags: ["group:core"], confirmations: 4, recoveries: 1 },
        config: http("https://login.example.com/", { interval: 30, expect: { status: [200] } }),
        alertBindings: [
          { alertChannelId: "discord-core" },
          { alertChannelId: "pagerduty", after: 270, every: 3600 },
        ],
      },
      docs: {
        ...{ name: "docs", type: "HTTP", alertChannelIds: ["discord"], confirmations: 1 },
        config: http("https://docs.example.com/", { interval: 60, expect: { status: [200] } }),
      },
      wiki: {
        ...{ name: "wiki", type: "HTTP", confirmations: 4, recoveries: 1 },
        config: http("https://wiki.example.com/", {
          ...{ interval: 60, expect: { status: [200], json: { "$.version": { min: 2 } } } },
        }),
        alertBindings: [
          { alertChannelId: "discord-2" },
          { alertChannelId: "email", after: 1140 },
          { alertChannelId: "email-2", after: 1140 },
        ],
      },
      quiet: {
        ...{ name: "quiet", type: "HTTP", alertChannelIds: [] },
        config: http("https://quiet.example.com/", {
          interval: 60,
          expect: { status: [200], contains: "ok" },
        }),
      },
      cloud: {
        ...{ name: "cloud", type: "HTTP", alertChannelIds: [] },
        config: http("https://cloud.example.com/", { interval: 60, expect: { status: [200] } }),
      },
    },
    parts: [
      "descriptions of alerts",
      "alerting.discord.title",
      "alerting.aws-ses",
      'endpoint "core/login", success-threshold',
      "alerting.email.host",
      'endpoint "wiki", success-threshold',
      'endpoint "cloud", alerts',
    ],
  },
  "healthchecks/checks.json": {
    found: 1,
    monitors: {
      "nightly-backup": {
        ...{ name: "Nightly backup", type: "SCHEDULED", tags: ["prod", "db"], alertChannelIds: [] },
        config: { period: 86_400, grace: 600, pushToken: "803f680d-e89b-492b-82ef-2be7b774a92d" },
      },
    },
    parts: ["descriptions of checks"],
    notes: 2,
  },
  "healthchecks/project.json": {
    found: 4,
    monitors: {
      "database-dump": {
        ...{ name: "Database dump", type: "SCHEDULED", tags: ["prod", "db"] },
        config: {
          ...{ cron: "0 1 * * *", timezone: "Europe/Riga", grace: 900, maxRunTime: 900 },
          pushToken: "5a1f2f04-9df5-4a7c-8a1d-0c6a9f5b7e21",
        },
        alertChannelIds: ["on-call", "team-room"],
      },
      certificates: {
        ...{ name: "Certificates", type: "SCHEDULED", enabled: false, alertChannelIds: [] },
        config: { period: 604_800, grace: 3600, pushToken: "7b0f7a1e-3f0c-4b57-9b0b-55f3f6a6f0d2" },
      },
      "mail-queue": {
        ...{ name: "Mail queue", type: "SCHEDULED", tags: ["prod"], alertChannelIds: [] },
        config: {
          ...{ period: 300, grace: 60, maxRunTime: 60, pushToken: "0d9f3b52-1f5b-4d7c-a3c5-2f2b7f5a9a33" },
        },
      },
      unnamed: {
        ...{ name: "unnamed", type: "SCHEDULED", alertChannelIds: ["on-call"] },
        config: { grace: 3600, pushToken: "f9d0c6b1-7a55-4d0e-9f37-0a1b4c5d6e77" },
      },
    },
    parts: [
      'check "Certificates", methods',
      'check "Certificates", filters',
      'check "Certificates", manual_resume',
      'integration "Phone"',
      'check "Certificates", integrations',
      'check "Mail queue", filters',
      'check "unnamed", schedule',
      "descriptions of checks",
    ],
    notes: 6,
  },
  "kuma/backup.json": {
    found: 1,
    monitors: {
      website: {
        ...{ name: "Website", type: "HTTP", confirmations: 1, alertChannelIds: [] },
        config: http("https://www.example.com/", { interval: 60, timeout: 48, expect: { status: ["2xx"] } }),
      },
    },
    notes: 1,
  },
  "kuma/backup-of-many.json": {
    found: 5,
    monitors: {
      backup: {
        ...{ name: "Backup", type: "SCHEDULED", alertChannelIds: [] },
        config: { period: 3600, grace: 60, pushToken: "aB3dE5fG7h" },
      },
      "maintenance-page": {
        ...{ name: "Maintenance page", type: "HTTP", alertChannelIds: ["team-chat"] },
        config: http("https://shop.example.com/down", {
          ...{ interval: 60, timeout: 48, expect: { status: ["2xx", 404], lacks: "We are back soon" } },
        }),
      },
      orders: {
        ...{ name: "Orders", type: "HTTP", enabled: false },
        config: {
          ...{ url: "https://shop.example.com/api/orders", method: "POST", interval: 300, timeout: 60 },
          ...{ headers: { "X-Key": "k1" }, body: '{"limit": 3}', verifyTls: false },
          basicAuth: { user: "monitor", password: "pass" },
          expect: { status: [200, 201], json: { "$.result.count": { min: 3, max: 3 } } },
        },
        alertBindings: [{ alertChannelId: "team-chat", every: 3600 }],
      },
      shop: {
        ...{ name: "Shop", type: "HTTP", confirmations: 2, tags: ["group:sites", "region:eu"] },
        config: http("https://shop.example.com/", {
          ...{ interval: 60, timeout: 48, expiryWarning: 21, expect: { status: ["2xx"] } },
        }),
        alertChannelIds: ["team-chat"],
      },
    },
    lost: ['monitor "Worker"'],
    parts: [
      'notification "Team chat", discordUsername',
      'notification "Pager"',
      'monitor "Orders", timeout',
      'monitor "Orders", description',
      'monitor "Backup", notifications',
      'notification "Team chat", default for new monitors',
    ],
    notes: 3,
  },
  "kuma/version-1.sql": {
    found: 9,
    monitors: {
      intranet: {
        ...{ name: "Intranet", type: "HTTP", confirmations: 10, alertChannelIds: [] },
        config: http("https://intranet.example.com/", {
          ...{ interval: 120, timeout: 60, expect: { status: ["2xx"] } },
          basicAuth: { user: "user", password: "pass" },
        }),
      },
      login: {
        ...{ name: "Login", type: "HTTP", enabled: false, alertChannelIds: [] },
        config: http("https://login.example.com/", {
          ...{ interval: 60, timeout: 48, headers: { Accept: "text/html" } },
          expect: { status: ["2xx"], contains: "Sign in" },
        }),
      },
      "night-run": {
        ...{ name: "Night run", type: "SCHEDULED" },
        config: { period: 86_400, grace: 1260, pushToken: "abcDEF1234" },
        alertChannelIds: ["mail-ops-example.com", "mail-boss-example.com"],
      },
      redis: {
        ...{ name: "Redis", type: "TCP", enabled: false, alertChannelIds: ["ops"] },
        config: { host: "redis.example.com", port: 6379, interval: 30, timeout: 24 },
      },
      router: {
        ...{ name: "Router", type: "TCP", alertChannelIds: [] },
        config: { host: "192.0.2.1", protocol: "icmp", count: 1, interval: 60, timeout: 48, size: 1400 },
      },
      shop: {
        ...{ name: "Shop", type: "HTTP", confirmations: 1, tags: ["group:sites", "team:web-shop"] },
        config: http("https://shop.example.com/", {
          ...{ interval: 60, timeout: 48, expiryWarning: 21, expect: { status: ["2xx", 301] } },
        }),
        alertChannelIds: ["ops", "mail-ops-example.com", "mail-boss-example.com"],
      },
      zone: {
        ...{ name: "Zone", type: "DNS", alertChannelIds: [] },
        config: { hostname: "example.com", recordType: "MX", servers: ["1.1.1.1"], interval: 300 },
      },
    },
    lost: ['monitor "Broker"', 'monitor "Closed"'],
    parts: [
      'notification "Ops", channel, user name and icon',
      'monitor "Intranet", timeout',
      'monitor "Intranet", retries',
      'monitor "Login", authentication',
      "days of certificates",
      'status page "Services", monitors',
      'notification "Ops", default for new monitors',
      "1 in the table user",
    ],
    notes: 4,
    history: [{ up: 2, down: 1, latency: 90 }],
  },
  "kuma/version-2.sql": {
    found: 10,
    monitors: {
      abroad: {
        ...{ name: "Abroad", type: "HTTP", alertChannelIds: [] },
        config: http("http://abroad.example.com/", {
          interval: 60,
          timeout: 48,
          proxy: { url: "http://proxy.example.com:3128" },
          expect: { status: ["2xx"] },
        }),
      },
      database: {
        ...{ name: "Database", type: "TCP", tags: ["prod"], alertChannelIds: [] },
        config: {
          ...{ host: "db.example.com", port: 5433, protocol: "postgres", tls: "starttls" },
          ...{ interval: 60, timeout: 48 },
        },
      },
      form: {
        ...{ name: "Form", type: "HTTP", alertBindings: [{ alertChannelId: "ntfy", every: 300 }] },
        config: {
          ...{ url: "https://www.example.com/form", method: "POST", body: "a=1&b=2" },
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          ...{ interval: 60, timeout: 48, expect: { status: ["2xx"] } },
        },
      },
      live: {
        ...{ name: "Live", type: "HTTP", enabled: false, tags: ["group:paused-group"], alertChannelIds: [] },
        config: {
          ...{ url: "https://live.example.com/socket", protocol: "websocket", interval: 60, timeout: 48 },
        },
      },
      mail: {
        ...{ name: "Mail", type: "TCP", alertChannelIds: [] },
        config: {
          ...{ host: "mail.example.com", port: 465, protocol: "smtp", tls: "direct" },
          ...{ interval: 60, timeout: 48 },
        },
      },
      "mail-certificate": {
        ...{ name: "Mail (certificate)", type: "TLS", alertChannelIds: [] },
        config: { host: "mail.example.com", port: 465, interval: 3600, warnDays: 14 },
      },
      nightly: {
        ...{ name: "Nightly", type: "SCHEDULED", alertChannelIds: ["discord"] },
        config: { period: 86_400, grace: 60, pushToken: "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW" },
      },
      queue: {
        ...{ name: "Queue", type: "HTTP", tags: ["prod"], alertChannelIds: ["discord", "ntfy"] },
        config: http("https://queue.example.com/stats", {
          headers: { Authorization: "Bearer t0ken" },
          ...{ interval: 30, timeout: 24, ipFamily: 4, expiryWarning: 14 },
          expect: { status: ["2xx"], json: { "$.depth": { max: 99 } } },
        }),
      },
      router: {
        ...{ name: "Router", type: "TCP", alertChannelIds: [] },
        config: { host: "192.0.2.1", protocol: "icmp", interval: 60, timeout: 3, count: 3, size: 56 },
      },
      zone: {
        ...{ name: "Zone", type: "DNS", alertChannelIds: [] },
        config: {
          ...{ hostname: "example.com", recordType: "A", interval: 120 },
          ...{ expectedAny: ["192.0.2.80"], servers: ["9.9.9.9"] },
        },
      },
    },
    lost: ['monitor "Cart"'],
    parts: [
      'notification "Discord", discordUsername',
      'notification "Discord", discordPrefixMessage',
      'monitor "Database", user and password',
      'monitor "Database", query',
      'monitor "Form", cache bust',
      'monitor "Form", description',
      'monitor "Form", reminders',
      'maintenance "Paused"',
      'status page "Status", domain names',
      'status page "Status", search engines',
      'status page "Status", footer',
      'status page "Status", custom CSS',
      'status page "Status", links of monitors',
      "1 in the table api_key",
      "1 in the table user",
    ],
    notes: 2,
    history: [{ up: 2870, down: 10, latency: 42 }],
  },
};
