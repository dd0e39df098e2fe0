import { expect, setDefaultTimeout, test } from "bun:test";
import { type KumaData, NO_DATA, type Row } from "../../../src/import/kuma/fields.ts";
import { importKuma } from "../../../src/import/kuma/import-kuma.ts";
import { expectUsable, importedFrom, kumaMonitor, NOW } from "../../support/import/kuma.ts";

// Thousands of monitors take seconds beside other tests.
setDefaultTimeout(300_000);

/** Values that no column of Uptime Kuma has. */
const ODD = [
  ...[
    null,
    undefined,
    "",
    " ",
    "\u0000\u202e\ud800",
    -1,
    1e308,
    Number.NaN,
    2 ** 53,
    true,
    0,
    "0",
    "[]",
    "{}",
  ],
  ...[
    '{"__proto__":{"a":1},"constructor":1}',
    '["a",null,{}]',
    "${HOME}",
    "$${",
    [],
    {},
    "x".repeat(100_000),
  ],
];

const TYPES = ["http", "keyword", "json-query", "port", "dns", "push", "group", "toString"];
const SERVICES = [
  ...["slack", "discord", "teams", "smtp", "webhook", "ntfy", "gotify", "telegram", "pushover", "PagerDuty"],
  ...["matrix", "signal", "GoogleChat", "mattermost", "rocket.chat", "__proto__"],
];
const SETTINGS = [
  ...[
    "slackwebhookURL",
    "discordWebhookUrl",
    "webhookUrl",
    "smtpTo",
    "webhookURL",
    "webhookAdditionalHeaders",
  ],
  ...[
    "webhookContentType",
    "webhookCustomBody",
    "httpMethod",
    "ntfyserverurl",
    "ntfytopic",
    "telegramChatID",
  ],
  ...["signalRecipients", "signalURL", "pagerdutyIntegrationUrl", "discordChannelType", "threadId"],
];

test("behavior 16.94: values of any type in any column give a document that a server takes", () => {
  const columns = [
    ...Object.keys(kumaMonitor({})),
    "headers",
    "body",
    "hostname",
    "port",
    "json_path",
    "keyword",
  ];
  const more = [
    "expected_value",
    "dns_resolve_server",
    "dns_resolve_type",
    "auth_method",
    "description",
    "ip_family",
  ];
  for (const value of ODD) {
    const monitors = [...columns, ...more].flatMap((column) =>
      TYPES.map((type, at) =>
        kumaMonitor({ id: at, type, hostname: "a.example.com", port: 1, [column]: value }),
      ),
    );
    expectUsable({ monitors });
  }
});

test("behavior 16.94: values of any type in the columns of a protocol give a document that a server takes", () => {
  const types: Record<string, string[]> = {
    ping: ["hostname", "ping_count", "packet_size"],
    smtp: ["hostname", "port", "smtp_security"],
    redis: ["database_connection_string", "ignore_tls"],
    postgres: ["database_connection_string", "database_query"],
    mysql: ["database_connection_string"],
    "websocket-upgrade": ["url", "ws_subprotocol", "accepted_statuscodes_json"],
    "grpc-keyword": [
      "grpc_url",
      "grpc_service_name",
      "grpc_method",
      "grpc_protobuf",
      "grpc_body",
      "grpc_metadata",
    ],
  };
  const whole = {
    ...{ hostname: "a.example.com", port: 1, url: "wss://a.example.com", grpc_url: "a.example.com:1" },
    ...{ grpc_service_name: "Health", grpc_method: "check", grpc_protobuf: "package grpc.health.v1;" },
  };
  const rows = Object.entries(types).flatMap(([type, columns]) =>
    columns.flatMap((column) =>
      [...ODD, `${type}://`, "ws://[", "wss:// a"].map((value) => ({ type, [column]: value })),
    ),
  );
  expectUsable({ monitors: rows.map((row, id) => kumaMonitor({ ...whole, id, ...row })) });
});

test("behavior 16.94: any settings of a notification give a document that a server takes", () => {
  const notifications = SERVICES.flatMap((type) =>
    SETTINGS.flatMap((name) =>
      ODD.map((value, id) => ({ id, name: "x", config: JSON.stringify({ type, [name]: value }) })),
    ),
  );
  expectUsable({ notifications: [...notifications, ...ODD.map((config, id) => ({ id, config }))] });
});

test("behavior 16.94: odd rows in all other tables give a document that a server takes", () => {
  const columns = [
    ...[
      "id",
      "title",
      "name",
      "slug",
      "strategy",
      "cron",
      "timezone",
      "start_date",
      "end_date",
      "duration",
      "weekdays",
    ],
    ...[
      "monitor_id",
      "maintenance_id",
      "status_page_id",
      "group_id",
      "tag_id",
      "notification_id",
      "weight",
      "value",
    ],
    ...[
      "timestamp",
      "up",
      "down",
      "ping",
      "active",
      "start_time",
      "end_time",
      "days_of_month",
      "interval_day",
      "key",
    ],
  ];
  for (const strategy of ["single", "cron", "recurring-weekday", "recurring-day-of-month", "manual"])
    for (const column of columns)
      expectUsable(tablesOf(ODD.map((value) => ({ id: 1, strategy, [column]: value }))));
});

function tablesOf(rows: Row[]): Partial<KumaData> {
  return {
    monitors: [kumaMonitor({})],
    monitorMaintenances: [{ monitor_id: 1, maintenance_id: 1 }, ...rows],
    ...{ maintenances: rows, pages: rows, groups: rows, monitorGroups: rows, tags: rows, monitorTags: rows },
    ...{ monitorNotifications: rows, days: rows, settings: rows, pageDomains: rows },
  };
}

test("behavior 16.94: groups that contain each other end, and groups may be many levels deep", () => {
  const circle = [2, 3, 1].map((parent, at) =>
    kumaMonitor({ id: at + 1, name: `G${at}`, type: "group", parent }),
  );
  const own = kumaMonitor({ id: 4, name: "Own", type: "group", parent: 4 });
  const inside = kumaMonitor({ id: 5, name: "Shop", parent: 1 });
  const { document } = importedFrom({
    monitors: [...circle, own, inside, kumaMonitor({ id: 6, parent: 4 })],
  });
  expect(document.monitors?.shop).toMatchObject({ tags: ["group:g2", "group:g1", "group:g0"] });
  const deep = Array.from({ length: 20_000 }, (_, id) =>
    kumaMonitor({ id, name: "G", type: "group", parent: id + 1 }),
  );
  expectUsable({ monitors: [...deep, kumaMonitor({ id: 20_001, parent: 0 })] });
});

test("behavior 16.94: ten thousand monitors with one name are taken over", () => {
  const monitors = Array.from({ length: 10_000 }, (_, id) => kumaMonitor({ id, type: "push" }));
  const { document } = importKuma({ ...NO_DATA, monitors }, { withSecrets: false, now: NOW });
  expect(Object.keys(document.monitors ?? {})).toHaveLength(10_000);
});
