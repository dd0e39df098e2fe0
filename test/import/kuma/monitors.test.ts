import { expect, test } from "bun:test";
import type { Row } from "../../../src/import/kuma/fields.ts";
import { importedFrom, kumaMonitor, monitorOf } from "../../support/import/kuma.ts";

const CONFIG = {
  ...{ url: "https://shop.example.com/", interval: 60, timeout: 48, redirects: 10 },
  expect: { status: ["2xx"] },
};

const HTTP = { name: "Shop", type: "HTTP", config: CONFIG, alertChannelIds: [] };

function httpWith(config: object): Record<string, unknown> {
  return { ...HTTP, config: { ...CONFIG, ...config } };
}

test("behavior 16.96: an HTTP monitor keeps what it sends, expects and how often", () => {
  expect(monitorOf({})).toEqual(HTTP);
  expect(monitorOf({ method: "HEAD", timeout: 0, interval: 20, maxredirects: 0 })).toEqual({
    ...HTTP,
    config: { url: CONFIG.url, method: "HEAD", interval: 20, timeout: 16, expect: CONFIG.expect },
  });
  expect(monitorOf({ ignore_tls: 1, ip_family: "ipv6" })).toEqual(
    httpWith({ verifyTls: false, ipFamily: 6 }),
  );
});

test("behavior 16.96: a request keeps its headers, body and authentication", () => {
  const sent = { method: "POST", headers: '{"X-Shop": "7", "Connection": "close"}', body: '{"a": 1}' };
  expect(monitorOf(sent)).toEqual(httpWith({ method: "POST", headers: { "X-Shop": "7" }, body: '{"a": 1}' }));
  const xml = { method: "PUT", body: "<a/>", http_body_encoding: "xml" };
  expect(monitorOf(xml)).toEqual(
    httpWith({ method: "PUT", body: "<a/>", headers: { "Content-Type": "text/xml; charset=utf-8" } }),
  );
  const basicAuth = { user: "ops", password: "pass word" };
  expect(monitorOf({ auth_method: "basic", basic_auth_user: "ops", basic_auth_pass: "pass word" })).toEqual(
    httpWith({ basicAuth }),
  );
  expect(monitorOf({ url: "https://ops:pass%20word@shop.example.com/" })).toEqual(httpWith({ basicAuth }));
  expect(monitorOf({ auth_method: "bearer", bearer_token: "t0ken" })).toEqual(
    httpWith({ headers: { Authorization: "Bearer t0ken" } }),
  );
});

test("behavior 16.96: accepted status codes are codes, classes and ranges", () => {
  const codes: [string, unknown][] = [
    ['["200-299", "300-399"]', ["2xx", "3xx"]],
    ['["200", "401", "500-502"]', [200, 401, "500-502"]],
    ['["200-399", "200-399"]', ["200-399"]],
    ['["500-999", "600-699", "999", "100-199"]', ["500-999", "600-699", 999, "1xx"]],
  ];
  for (const [given, status] of codes)
    expect(monitorOf({ accepted_statuscodes_json: given })).toEqual(httpWith({ expect: { status } }));
  for (const given of ["[]", '["2xx"]', "no", '["299-200"]'])
    expect(monitorOf({ accepted_statuscodes_json: given })).toContain("status codes");
});

test("behavior 16.96: a keyword is a text that the body contains or lacks", () => {
  const status = ["2xx"];
  expect(monitorOf({ type: "keyword", keyword: "Basket" })).toEqual(
    httpWith({ expect: { status, contains: "Basket" } }),
  );
  expect(monitorOf({ type: "keyword", keyword: " ${X}", invert_keyword: 1 })).toEqual(
    httpWith({ expect: { status, lacks: " $${X}" } }),
  );
  const inJson = { type: "keyword", keyword: '"ok":true' };
  const { notes } = importedFrom({ monitors: [kumaMonitor({ ...inJson, invert_keyword: 1 })] });
  expect(notes.join()).toContain("exactly as the server sends it");
  expect(importedFrom({ monitors: [kumaMonitor(inJson)] }).notes).toEqual([]);
});

function expectOnlyStatus(fields: Row, why: string): void {
  const { document, omitted } = importedFrom({ monitors: [kumaMonitor({ type: "json-query", ...fields })] });
  expect(document.monitors?.shop).toEqual(httpWith({ expect: { status: ["2xx"] } }));
  expect(omitted).toEqual([{ what: 'monitor "Shop", JSON query', why: expect.stringContaining(why) }]);
}

test("behavior 16.96: a JSON query that is a path is compared, and of any other only the status counts", () => {
  const queries: [string, string | undefined, string, unknown][] = [
    ["status", "==", "ok", { "$.status": "ok" }],
    ["$.a.b[0]", undefined, "5", { "$.a.b[0]": { min: 5, max: 5 } }],
    ["$[1].`x y`", "==", "true", { "$[1]['x y']": true }],
    ["$", "==", "1.0", { $: "1.0" }],
    ['a."it\'s"', ">=", "5", { "$.a['it\\'s']": { min: 5 } }],
    ["depth", "<=", "100", { "$.depth": { max: 100 } }],
    ["depth", "<", "100", { "$.depth": { max: 99 } }],
    ["depth", ">", "-1", { "$.depth": { min: 0 } }],
    ["load", "<", "2.5", { "$.load": { max: 2.499 } }],
    ["version", "==", "2.0", { "$.version": "2.0" }],
    ["version", "==", "007", { "$.version": "007" }],
    ["id", "==", "9007199254740993", { "$.id": "9007199254740993" }],
    ["n", "==", "Infinity", { "$.n": "Infinity" }],
  ];
  for (const [json_path, json_path_operator, expected_value, json] of queries)
    expect(monitorOf({ type: "json-query", json_path, json_path_operator, expected_value })).toEqual(
      httpWith({ expect: { status: ["2xx"], json } }),
    );
  for (const json_path of [
    "$count(a)",
    "a[b=1].c",
    "a & b",
    "a..b",
    "a.",
    ".",
    "$a",
    "a[-1]",
    "a".repeat(5000),
  ])
    expectOnlyStatus({ json_path, expected_value: "1" }, "more than a path");
  for (const json_path_operator of ["!=", "contains", "~"])
    expectOnlyStatus({ json_path: "a", json_path_operator, expected_value: "1" }, "compares with");
  expectOnlyStatus({ json_path: "a", json_path_operator: "<", expected_value: "low" }, "compares with");
});

test("behavior 16.96: retries are confirmations, and reminders count seconds", () => {
  const taken = importedFrom({
    monitors: [kumaMonitor({ maxretries: 3, resend_interval: 10 })],
    notifications: [
      { id: 4, name: "Ops", config: '{"type":"teams","webhookUrl":"https://x.webhook.office.com/a"}' },
    ],
    monitorNotifications: [{ monitor_id: 1, notification_id: 4 }],
  });
  const { alertChannelIds: _, ...others } = HTTP;
  expect(taken.document.monitors?.shop).toEqual({
    ...{ ...others, confirmations: 3, alertBindings: [{ alertChannelId: "ops", every: 600 }] },
  });
});

test("behavior 16.96: TCP, DNS and push monitors", () => {
  expect(monitorOf({ type: "port", hostname: "db.example.com", port: 5432, timeout: 0 })).toEqual({
    ...{ name: "Shop", type: "TCP", alertChannelIds: [] },
    config: { host: "db.example.com", port: 5432, interval: 60, timeout: 48 },
  });
  const dns = {
    type: "dns",
    hostname: "example.com",
    port: 53,
    dns_resolve_server: "1.1.1.1, 2606:4700::1111",
  };
  expect(monitorOf({ ...dns, dns_resolve_type: "CNAME", conditions: EQUALS })).toMatchObject({
    config: {
      recordType: "CNAME",
      expectedAny: ["www.example.net"],
      servers: ["1.1.1.1", "2606:4700::1111"],
    },
  });
  expect(monitorOf({ ...dns, port: 5353, dns_resolve_type: "PTR", hostname: "192.0.2.7" })).toMatchObject({
    config: { hostname: "7.2.0.192.in-addr.arpa", servers: ["1.1.1.1:5353", "[2606:4700::1111]:5353"] },
  });
  expect(monitorOf({ ...dns, dns_resolve_type: "PTR", hostname: "2001:db8::a" })).toMatchObject({
    config: { hostname: "a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa" },
  });
});

const EQUALS = JSON.stringify([
  { type: "expression", variable: "record", operator: "equals", value: "www.example.net", andOr: "and" },
]);

test("behavior 16.96: a push monitor keeps its token, and waits for its retries", () => {
  const push = { type: "push", interval: 300, maxretries: 2, retry_interval: 100, push_token: "aB3dE5gH9j" };
  expect(monitorOf(push)).toEqual({
    ...{ name: "Shop", type: "SCHEDULED", alertChannelIds: [] },
    config: { period: 300, grace: 260, pushToken: "aB3dE5gH9j" },
  });
  const { document, omitted } = importedFrom({
    monitors: [
      kumaMonitor({ ...push, id: 1 }),
      kumaMonitor({ ...push, id: 2 }),
      kumaMonitor({ ...push, push_token: "x" }),
    ],
  });
  const configs = Object.values(document.monitors ?? {}).map(({ config }) => config);
  expect(configs.filter((config) => "pushToken" in (config as object))).toHaveLength(1);
  expect(omitted.map(({ why }) => why)).toEqual([
    ...["another monitor has the same one", "it must be 8 to 64 letters and digits"],
  ]);
});

test("behavior 16.96: what cannot be checked here is left out, with the reason", () => {
  const reasons: [object, string][] = [
    [{ type: "docker", hostname: "a" }, 'monitor "Shop": stillup has no monitors of the type "docker"'],
    [{ type: "redis", database_connection_string: "a secret" }, "redis://HOST"],
    [{ type: "mysql", database_connection_string: "postgres://a" }, "mysql://HOST"],
    [{ type: "postgres", database_connection_string: null }, "postgres://HOST"],
    [{ type: "websocket-upgrade" }, "its URL does not begin with ws:// or wss://"],
    [
      {
        type: "websocket-upgrade",
        url: "ws://a.example/",
        accepted_statuscodes_json: '["1006", "4000-4001"]',
      },
      "it does not accept the close code 1000",
    ],
    [{ ...HEALTH, grpc_method: "watch" }, "stillup calls only grpc.health.v1.Health/Check"],
    [{ ...HEALTH, grpc_protobuf: "package shop.v1;" }, "stillup calls only grpc.health.v1.Health/Check"],
    [{ ...HEALTH, grpc_service_name: "Cart" }, "stillup calls only grpc.health.v1.Health/Check"],
    [{ ...HEALTH, invert_keyword: 1 }, "inverted"],
    [{ ...HEALTH, keyword: "NOT_SERVING" }, "its keyword is not SERVING"],
    [{ upside_down: 1 }, "upside down"],
    [{ accepted_statuscodes_json: '["100-199"]' }, "config.expect.status must have a status from 200"],
    [{ url: "https://" }, "config.url must be a full URL"],
    [{ method: "TRACE" }, "config.method must be one of"],
    [{ type: "port", hostname: "a", port: 0 }, "config.port must be a whole number"],
    [{ type: "port", hostname: "a", port: 25, expected_tls_alert: "certificate_required" }, "TLS alert"],
    [{ type: "constructor" }, "constructor"],
  ];
  for (const [fields, why] of reasons) expect(monitorOf({ ...fields })).toContain(why);
});

const HEALTH = {
  type: "grpc-keyword",
  ...{
    grpc_url: "api.example.com:50051",
    grpc_service_name: "Health",
    grpc_method: "check",
    keyword: "SERVING",
  },
  grpc_protobuf: 'syntax = "proto3";\npackage grpc.health.v1;\nservice Health {}',
};

test.each<[object, object]>([
  [
    { type: "ping", hostname: "192.0.2.1" },
    { host: "192.0.2.1", protocol: "icmp", count: 1 },
  ],
  [
    { type: "ping", hostname: "router", packet_size: 56, ping_count: 3 },
    { host: "router", protocol: "icmp", size: 56, count: 3 },
  ],
  [
    { type: "smtp", hostname: "mail", port: 465, smtp_security: "secure" },
    { host: "mail", port: 465, protocol: "smtp", tls: "direct" },
  ],
  [
    { type: "smtp", hostname: "mail", port: null, smtp_security: "starttls", ignore_tls: 1 },
    { host: "mail", port: 25, protocol: "smtp", tls: "starttls", verifyTls: false },
  ],
  [
    { type: "smtp", hostname: "mail", port: 25, smtp_security: "nostarttls", ignore_tls: 1 },
    { host: "mail", port: 25, protocol: "smtp" },
  ],
  [
    { type: "redis", database_connection_string: "redis://cache" },
    { host: "cache", port: 6379, protocol: "redis" },
  ],
  [
    { type: "redis", database_connection_string: "rediss://[2001:db8::1]:7000/0", ignore_tls: 1 },
    { host: "2001:db8::1", port: 7000, protocol: "redis", tls: "direct", verifyTls: false },
  ],
  [
    { type: "postgres", database_connection_string: "postgresql://db.example.com/shop?sslmode=require" },
    { host: "db.example.com", port: 5432, protocol: "postgres", tls: "starttls" },
  ],
  [
    { type: "mysql", database_connection_string: "mysql://db:3307/shop" },
    { host: "db", port: 3307, protocol: "mysql" },
  ],
])("behavior 16.96: the monitor %j is a TCP monitor with a protocol", (fields, config) => {
  const monitor = monitorOf({ ...fields });
  expect(monitor).toMatchObject({ type: "TCP" });
  expect((monitor as { config: object }).config).toEqual({ ...config, interval: 60, timeout: 48 });
});

test.each<[object, object]>([
  [
    {
      type: "websocket-upgrade",
      url: "wss://chat.example.com/live?room=1",
      accepted_statuscodes_json: '["1000"]',
    },
    { url: "https://chat.example.com/live?room=1", protocol: "websocket" },
  ],
  [
    {
      type: "websocket-upgrade",
      url: "ws://a:81",
      ws_subprotocol: "a, b",
      accepted_statuscodes_json: '["999-1003"]',
    },
    { url: "http://a:81", protocol: "websocket", headers: { "Sec-WebSocket-Protocol": "a,b" } },
  ],
  [HEALTH, { url: "http://api.example.com:50051", protocol: "grpc" }],
  [
    {
      ...HEALTH,
      ...{
        grpc_enable_tls: 1,
        grpc_service_name: "grpc.health.v1.Health",
        grpc_method: "Check",
        keyword: '"SERVING"',
      },
      ...{ grpc_body: '{"service": "shop.Cart"}', grpc_metadata: '{"X-Key": 7, "grpc-timeout": "1S"}' },
    },
    {
      url: "https://api.example.com:50051",
      protocol: "grpc",
      service: "shop.Cart",
      headers: { "X-Key": "7" },
    },
  ],
])("behavior 16.96: the monitor %j is an HTTP monitor with a protocol", (fields, config) => {
  const monitor = monitorOf({ ...fields });
  expect(monitor).toMatchObject({ type: "HTTP" });
  expect((monitor as { config: object }).config).toEqual({ ...config, interval: 60, timeout: 48 });
});

test("behavior 16.96: what a protocol does not do here is listed, without a password", () => {
  const { document, omitted } = importedFrom({
    monitors: [
      kumaMonitor({ id: 1, type: "ping", hostname: "a", ping_count: 50, packet_size: 60_000 }),
      kumaMonitor({
        ...{ id: 2, type: "postgres", database_query: "SELECT 1" },
        database_connection_string: "postgres://me:xHUSHx@db/shop",
      }),
      kumaMonitor({
        ...{ id: 3, type: "websocket-upgrade", url: "ws://a", accepted_statuscodes_json: null },
        ws_ignore_sec_websocket_accept_header: 1,
      }),
      kumaMonitor({ id: 4, ...HEALTH, grpc_metadata: '{"te": "trailers"}' }),
    ],
  });
  expect(omitted.map(({ what }) => what)).toEqual([
    ...['monitor "Shop", count', 'monitor "Shop", packet size'],
    ...['monitor "Shop", user and password', 'monitor "Shop", query'],
    ...['monitor "Shop", ignored Sec-WebSocket-Accept', 'monitor "Shop", metadata te'],
  ]);
  expect(JSON.stringify({ document, omitted })).not.toContain("xHUSHx");
});

test("behavior 16.97: a certificate is a warning of its HTTP monitor, and of a mail server a TLS monitor", () => {
  const mail = { type: "smtp", hostname: "mail.example.com", port: 465, smtp_security: "secure" };
  const { document, omitted } = importedFrom({
    monitors: [
      kumaMonitor({ id: 1, name: "A", expiry_notification: 1 }),
      kumaMonitor({ id: 2, name: "B", expiry_notification: 1, ignore_tls: 1 }),
      kumaMonitor({ id: 3, name: "C", expiry_notification: 1, url: "http://a.example.com/" }),
      kumaMonitor({ id: 4, name: "D", expiry_notification: 1, ...mail }),
      kumaMonitor({ id: 5, name: "E", expiry_notification: 1, ...mail }),
    ],
    settings: [{ key: "tlsExpiryNotifyDays", value: "[7, 30, 0, 900]" }],
  });
  expect(Object.keys(document.monitors ?? {})).toEqual(["a", "b", "c", "d", "d-certificate", "e"]);
  const { a, b, c } = document.monitors ?? {};
  expect(a?.config).toMatchObject({ expiryWarning: 30 });
  for (const other of [b, c]) expect(other?.config).not.toHaveProperty("expiryWarning");
  expect(document.monitors?.["d-certificate"]).toEqual({
    ...{ name: "D (certificate)", type: "TLS", alertChannelIds: [] },
    config: { host: "mail.example.com", port: 465, interval: 3600, warnDays: 30 },
  });
  expect(omitted).toEqual([
    {
      what: "days of certificates",
      why: "there is one warning, 30 days before the end, and none at 7, 0, 900",
    },
  ]);
});

test.each<[Row, string, string]>([
  [{ auth_method: "ntlm" }, "authentication", "stillup has no NTLM: the monitor is paused"],
  [{ proxy_id: 3 }, "proxy", "the file does not have it: the monitor is paused"],
])("behavior 16.96: an HTTP monitor with %p is paused, because it could only fail", (fields, part, why) => {
  const { document, omitted } = importedFrom({ monitors: [kumaMonitor(fields)] });
  expect(document.monitors?.shop).toMatchObject({ type: "HTTP", enabled: false });
  expect(omitted).toEqual([{ what: `monitor "Shop", ${part}`, why }]);
});

const PUSH = { type: "push", push_token: "abcdefgh12345678" };

test.each<[Row, object, string, string]>([
  [
    { timeout: 90, interval: 120 },
    { timeout: 60 },
    "timeout",
    "it is 90 s; whole seconds, up to 60 and the interval are possible: it is 60 s here",
  ],
  [
    { timeout: 0, interval: 300 },
    { timeout: 60 },
    "timeout",
    "it is 240 s; whole seconds, up to 60 and the interval are possible: it is 60 s here",
  ],
  [
    { timeout: 7.5 },
    { timeout: 7 },
    "timeout",
    "it is 7.5 s; whole seconds, up to 60 and the interval are possible: it is 7 s here",
  ],
  [
    { interval: 100_000 },
    { interval: 86_400 },
    "interval",
    "it is 100000 s; whole seconds, 1 to 86400 are possible: it is 86400 s here",
  ],
  [
    { interval: 20.4, timeout: 5 },
    { interval: 20 },
    "interval",
    "it is 20.4 s; whole seconds, 1 to 86400 are possible: it is 20 s here",
  ],
  [
    { maxredirects: 25 },
    { redirects: 10 },
    "redirects",
    "25 are allowed, and the most here are 10, which it follows",
  ],
  [
    { maxretries: 12 },
    {},
    "retries",
    "12 are more than the 10 confirmations that are possible, which it has here",
  ],
  [
    { ...PUSH, interval: 5 },
    { period: 10 },
    "interval",
    "it is 5 s; the shortest period is 10 s, which it is here",
  ],
  [
    { ...PUSH, maxretries: 9_000_000 },
    { grace: 30_000_060 },
    "retries",
    "they take 540000000 s, and the longest are 30000000 s, which they are here",
  ],
  [
    { type: "ping", hostname: "a", ping_count: 9 },
    { count: 5 },
    "count",
    "it is 9; 1 to 5 are possible: it is 5 here",
  ],
  [
    { type: "ping", hostname: "a", packet_size: 9000 },
    { size: 1400 },
    "packet size",
    "it is 9000 bytes; 0 to 1400 are possible: it is 1400 here",
  ],
])(
  "behavior 16.103: of a monitor with %p, the value that becomes %p is listed",
  (fields, config, part, why) => {
    const { document, omitted } = importedFrom({ monitors: [kumaMonitor(fields)] });
    expect(document.monitors?.shop?.config).toMatchObject(config);
    expect(omitted).toEqual([{ what: `monitor "Shop", ${part}`, why }]);
  },
);

test("behavior 16.103: a monitor whose only channel is not taken over is named", () => {
  const { omitted } = importedFrom({
    monitors: [kumaMonitor({})],
    notifications: [{ id: 1, name: "Old", config: '{"type":"pushy"}' }],
    monitorNotifications: [{ monitor_id: 1, notification_id: 1 }],
  });
  expect(omitted.at(-1)).toEqual({
    what: 'monitor "Shop", notifications',
    why: "none was taken over of 1: it notifies nobody",
  });
});

test("behavior 16.99: groups are tags of the monitors in them, beside the tags of Uptime Kuma", () => {
  const { document, notes } = importedFrom({
    monitors: [
      kumaMonitor({ id: 1, name: "Web", type: "group" }),
      kumaMonitor({ id: 2, name: "EU west", type: "group", parent: 1, active: 0 }),
      kumaMonitor({ id: 3, name: "Shop", parent: 2 }),
      kumaMonitor({ id: 4, name: "Blog", parent: 1 }),
    ],
    tags: [
      { id: 1, name: "Prod" },
      { id: 2, name: "Team" },
    ],
    monitorTags: [
      { monitor_id: 3, tag_id: 1, value: "" },
      { monitor_id: 3, tag_id: 2, value: "Größe A" },
    ],
  });
  expect(document.monitors).toMatchObject({
    shop: { enabled: false, tags: ["group:web", "group:eu-west", "prod", "team:grosse-a"] },
    blog: { tags: ["group:web"] },
  });
  expect(Object.keys(document.monitors ?? {})).toHaveLength(2);
  expect(notes.join("\n")).toContain("tags of their monitors: group:web, group:eu-west");
});
