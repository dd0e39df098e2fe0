import { expect, test } from "bun:test";
import { endpoint, fromGatus } from "../../support/import/gatus.ts";

test.each([
  [
    '{ name: redis, url: "tcp://redis:6379", body: "PING\\r\\n", client: { timeout: 3s }, conditions: ["[CONNECTED] == true", "[BODY] == pat(*PONG*)"] }',
    {
      type: "TCP",
      config: { host: "redis", port: 6379, interval: 60, send: "PING\r\n", contains: "PONG", timeout: 3 },
    },
  ],
  [
    '{ name: six, url: "tcp://[2001:db8::1]:22", conditions: ["[CONNECTED] == true"] }',
    { type: "TCP", config: { host: "2001:db8::1", port: 22, interval: 60 } },
  ],
  [
    '{ name: ssh, url: "ssh://host.example.com", ssh: { username: "", password: "" }, conditions: ["[CONNECTED] == true", "[STATUS] == 0"] }',
    { type: "TCP", config: { host: "host.example.com", port: 22, interval: 60, protocol: "ssh" } },
  ],
  [
    '{ name: ping, url: "icmp://[2001:db8::1]", client: { timeout: 3s }, conditions: ["[CONNECTED] == true"] }',
    { type: "TCP", config: { host: "2001:db8::1", interval: 60, protocol: "icmp", count: 1, timeout: 3 } },
  ],
  [
    '{ name: mail, url: "starttls://smtp.example.com:587", interval: 30m, conditions: ["[CONNECTED] == true", "[CERTIFICATE_EXPIRATION] > 48h"] }',
    {
      type: "TLS",
      config: { host: "smtp.example.com", port: 587, interval: 1800, protocol: "smtp", warnDays: 2 },
    },
  ],
  [
    '{ name: chat, url: "wss://me:pass@chat.example.com/live?room=1", headers: { X-Room: "1", User-Agent: me }, client: { insecure: true }, conditions: ["[CONNECTED] == true"] }',
    {
      type: "HTTP",
      config: {
        ...{ url: "https://chat.example.com/live?room=1", interval: 60, protocol: "websocket" },
        ...{ headers: { "X-Room": "1", "User-Agent": "me" }, basicAuth: { user: "me", password: "pass" } },
        verifyTls: false,
      },
    },
  ],
  [
    '{ name: api, url: "grpc://api.example.com:50051", conditions: ["[CONNECTED] == true", "[BODY] == SERVING", "[BODY].status == SERVING", "[STATUS] == 0"] }',
    { type: "HTTP", config: { url: "http://api.example.com:50051", interval: 60, protocol: "grpc" } },
  ],
  [
    '{ name: api, url: "grpcs://[2001:db8::1]/", client: { insecure: true }, conditions: [] }',
    {
      type: "HTTP",
      config: { url: "https://[2001:db8::1]", interval: 60, protocol: "grpc", verifyTls: false },
    },
  ],
  [
    '{ name: domain, url: "tls://example.com:443", interval: 1h, conditions: ["[DOMAIN_EXPIRATION] > 720h"] }',
    {
      type: "TLS",
      config: { host: "example.com", port: 443, interval: 3600, registration: { warnDays: 30 } },
    },
  ],
  [
    '{ name: domain, url: "https://example.com/", interval: 24h, conditions: ["[DOMAIN_EXPIRATION] >= 720h"] }',
    { type: "TLS", config: { host: "example.com", interval: 86400, registration: { warnDays: 30 } } },
  ],
  [
    '{ name: ldaps, url: "tls://ldap.example.com:636", interval: 1h, conditions: ["[CERTIFICATE_EXPIRATION] >= 240h"] }',
    { type: "TLS", config: { host: "ldap.example.com", port: 636, interval: 3600, warnDays: 10 } },
  ],
  [
    '{ name: name, url: "8.8.8.8", dns: { query-name: example.com., query-type: A }, conditions: ["[BODY] == pat(*.*.*.*)", "[DNS_RCODE] == NOERROR"] }',
    { type: "DNS", config: { hostname: "example.com", interval: 60, recordType: "A", servers: ["8.8.8.8"] } },
  ],
  [
    '{ name: alias, url: "1.1.1.1:5353", dns: { query-name: www.example.com, query-type: cname }, conditions: ["[BODY] == example.com."] }',
    {
      type: "DNS",
      config: {
        hostname: "www.example.com",
        interval: 60,
        recordType: "CNAME",
        expected: ["example.com."],
        servers: ["1.1.1.1:5353"],
      },
    },
  ],
])("behavior 16.113: the endpoint %p has the same check here", (fields, wanted) => {
  const { monitor, omitted } = endpoint(fields);
  expect(monitor).toMatchObject(wanted);
  expect(monitor?.config).toEqual(wanted.config as Record<string, unknown>);
  expect(omitted).toEqual([]);
});

test.each([
  ['url: "icmp://example.org:7"', "its URL is not of the form icmp://HOST"],
  ['url: "icmp://example.org", conditions: ["[CONNECTED] == false"]', "it is healthy while nothing answers"],
  ['url: "starttls://smtp.example.com"', "its URL is not of the form starttls://HOST:PORT"],
  ['url: "grpc://example.com/shop"', "its URL is not of the form grpc://HOST:PORT"],
  ['url: "sctp://example.com:1"', "stillup has no SCTP monitors"],
  ['url: "constructor://example.com"', "its URL has no known scheme"],
  ['url: "tcp://example.com"', "its URL is not of the form tcp://HOST:PORT"],
  ['url: "ssh://example.com", ssh: { username: u, password: p }', "stillup does not sign in by SSH"],
  ['url: "https://example.com", method: TRACE', "stillup does not send TRACE"],
  [
    'url: "1.1.1.1", dns: { query-name: a.example.com, query-type: HINFO }',
    "stillup does not look up records",
  ],
  ...[
    "[BODY] == pat()",
    "[BODY] != pat(*.*.*.*)",
    "[DNS_RCODE] != NOERROR",
    "[DNS_RCODE] == SERVFAIL",
    "[CONNECTED] == false",
  ].map((condition) => [
    `url: "1.1.1.1", dns: { query-name: a.example.com, query-type: A }, conditions: ["${condition}"]`,
    "it is healthy while a lookup fails",
  ]),
  [
    'url: "1.1.1.1", dns: { query-name: a.example.com, query-type: A }, conditions: ["len([BODY]) == 0", "has([BODY]) == true"]',
    "nothing can meet its condition has([BODY]) == true",
  ],
  ['url: "tcp://a.example.com:1", conditions: ["len([BODY]) == 0"]', "it is healthy while nothing answers"],
  [
    'url: "tcp://a.example.com:1", conditions: ["[CONNECTED] != true"]',
    "it is healthy while nothing answers",
  ],
  ...[
    "[CERTIFICATE_EXPIRATION] < 1",
    "[CERTIFICATE_EXPIRATION] <= 48h",
    "48h > [certificate_expiration]",
  ].flatMap((condition) =>
    ["tls", "https"].map((scheme) => [
      `url: "${scheme}://a.example.com:1", conditions: ["${condition}"]`,
      "it is healthy while its certificate or domain expires soon",
    ]),
  ),
  ['url: "icmp://a.example.com", conditions: ["[BODY] == x"]', "nothing can meet its condition [BODY] == x"],
  [
    'url: "grpc://a.example.com:1", conditions: ["[BODY].status == NOT_SERVING"]',
    "nothing can meet its condition",
  ],
  [
    'url: "grpc://a.example.com:1", conditions: ["[BODY].status != SERVING"]',
    "it is healthy while nothing answers",
  ],
  [
    'url: "ssh://a.example.com", conditions: ["[STATUS] == 1"]',
    "nothing can meet its condition [STATUS] == 1",
  ],
  ['url: "wss://a.example.com", conditions: ["has([BODY]) == false"]', "it is healthy while nothing answers"],
])("behavior 16.113: the endpoint with %p is not taken over", (fields, why) => {
  const { monitor, omitted } = endpoint(`{ name: odd, ${fields} }`);
  expect(monitor).toBeUndefined();
  expect(omitted.at(-1)).toStartWith(`endpoint "odd": ${why}`);
});

/** The config of a DNS monitor with some conditions, without what all have, and what was left out. */
function dnsOf(conditions: string[], type = "A") {
  const { monitor, omitted } = endpoint(
    JSON.stringify({
      ...{ name: "zone", url: "1.1.1.1", conditions },
      dns: { "query-name": "a.example.com", "query-type": type },
    }),
  );
  const config = Object.entries((monitor?.config ?? {}) as object);
  const expected = Object.fromEntries(config.filter(([name]) => name.startsWith("expected")));
  return { expected, omitted: omitted.map((line) => line.replace(/^.*?: /, "")) };
}

test.each([
  ...["len([BODY]) == 0", "len([BODY]) < 1", "len([BODY]) <= 0", "1 > len([BODY])"],
  ...["has([BODY]) == false", "has([BODY]) != true"],
])("behavior 16.108: a name for which %p holds is to have no records", (condition) => {
  expect(dnsOf([condition])).toEqual({ expected: { expected: [] }, omitted: [] });
  const both = ["[CONNECTED] == true", condition, "[DNS_RCODE] == any(NOERROR, NXDOMAIN)"];
  expect(dnsOf(both)).toEqual({ expected: { expected: [] }, omitted: [] });
});

test("behavior 16.108: a name without records is healthy here whether it exists or not, which is listed", () => {
  for (const condition of ["[DNS_RCODE] == NXDOMAIN", "[DNS_RCODE] == pat(NX*)"])
    expect(dnsOf([condition])).toEqual({
      expected: { expected: [] },
      omitted: ["a name that exists, but without such records, is healthy here too"],
    });
  expect(dnsOf(["len([BODY]) == 0", "[DNS_RCODE] == NOERROR"])).toEqual({
    expected: { expected: [] },
    omitted: ["a name that does not exist is healthy here too"],
  });
});

test("behavior 16.108: one of several records, and a part of a record, are expected, with the line that there may be others", () => {
  const MORE = "Gatus shows the last record only: here the name may have other records too";
  expect(dnsOf(["[BODY] == any(192.0.2.1, 192.0.2.2)", "len([BODY]) > 0"])).toEqual({
    expected: { expectedAny: ["192.0.2.1", "192.0.2.2"] },
    omitted: [MORE],
  });
  expect(dnsOf(["[BODY] == pat(*v=spf1*)"], "TXT")).toEqual({
    expected: { expectedContains: ["v=spf1"] },
    omitted: [MORE],
  });
  expect(dnsOf(["[BODY] == 192.0.2.1"])).toEqual({ expected: { expected: ["192.0.2.1"] }, omitted: [] });
});

test("behavior 16.111: the registration of a domain is that of the monitor for the certificate", () => {
  const conditions = '"[STATUS] == 200", "[DOMAIN_EXPIRATION] > 720h"';
  const certificate = (more: string) =>
    endpoint(`{ name: a, url: "https://a.example.com:8443/", conditions: [${conditions}${more}] }`);
  const host = { host: "a.example.com", port: 8443, interval: 60 };
  expect(certificate("").others[0]).toMatchObject({ name: "a, domain", type: "TLS" });
  expect(certificate("").others[0]?.config).toEqual({ ...host, registration: { warnDays: 30 } });
  expect(certificate(', "[CERTIFICATE_EXPIRATION] > 48h"').others[0]?.config).toEqual({
    ...{ ...host, warnDays: 2, registration: { warnDays: 30 } },
  });
  const plain = endpoint(`{ name: a, url: "http://a.example.com/", conditions: [${conditions}] }`);
  expect(plain.others).toEqual([]);
  expect(plain.omitted).toEqual([
    'endpoint "a", condition [DOMAIN_EXPIRATION] > 720h: a registration belongs to a TLS monitor, and the URL is one of http',
  ]);
});

test.each([
  ['url: "icmp://a.example.com", conditions: ["[RESPONSE_TIME] < 100"]', "condition [RESPONSE_TIME] < 100"],
  ...["[DNS_RCODE] == any(NOERROR, NXDOMAIN)", "[BODY] == pat(10.*)"].map((condition) => [
    `url: "1.1.1.1", dns: { query-name: a.example.com, query-type: A }, conditions: ["${condition}"]`,
    `condition ${condition}`,
  ]),
  ['url: "ws://a.example.com", body: hello', "body"],
  ['url: "ws://a.example.com", conditions: ["[BODY] == hello"]', "condition [BODY] == hello"],
  ['url: "ws://a.example.com", headers: { Sec-WebSocket-Version: "8" }', "header Sec-WebSocket-Version"],
  ['url: "grpc://a.example.com:1", conditions: ["[IP] == 10.0.0.1"]', "condition [IP] == 10.0.0.1"],
  [
    'url: "tcp://a.example.com:1", conditions: ["[CONNECTED] == true", "len([BODY]) == 0"]',
    "condition len([BODY]) == 0",
  ],
])("behavior 16.113: of the endpoint with %p, %p is listed", (fields, part) => {
  const { monitor, omitted } = endpoint(`{ name: odd, ${fields} }`);
  expect(monitor).toBeDefined();
  expect(omitted.map((one) => one.split(": ")[0])).toEqual([`endpoint "odd", ${part}`]);
});

test("behavior 16.113: a DNS server with a name is listed, because stillup takes only addresses", () => {
  const { monitor, omitted } = endpoint(
    '{ name: a, url: "dns.example.com", dns: { query-name: example.com, query-type: MX }, conditions: ["[BODY] == mail.example.com."] }',
  );
  expect(monitor?.config).toEqual({ hostname: "example.com", interval: 60, recordType: "MX" });
  expect(omitted).toHaveLength(2);
});

test("behavior 16.113: an external endpoint is a job that checks in", () => {
  const { document, omitted } = fromGatus(`
external-endpoints:
  - {name: backup, group: jobs, token: potato, heartbeat: {interval: 30m}}
  - {name: feed, token: potato}
`);
  expect(document.monitors).toMatchObject({
    "jobs-backup": { name: "backup", type: "SCHEDULED", config: { period: 1800 }, tags: ["group:jobs"] },
    feed: { type: "SCHEDULED", config: {} },
  });
  expect(omitted.map(({ what }) => what)).toEqual(['external endpoint "feed", heartbeat.interval']);
});

test("what the file has besides endpoints is listed, if it does something", () => {
  const { omitted } = fromGatus(`
metrics: true
web: {port: 80}
ui: {title: Health}
security: {basic: {username: a}}
connectivity: {checker: {target: 1.1.1.1:53}}
suites: [{name: order, endpoints: []}]
endpoints: []
`);
  expect(omitted.map(({ what }) => what)).toEqual(['suite "order"', "security", "ui", "connectivity"]);
});

test("behavior 16.117: an entry that could not be applied is listed, and what names it does not name it", () => {
  const { document, omitted } = fromGatus(`
alerting: {slack: {webhook-url: "https://hooks.slack.com/a"}, discord: {webhook-url: "https://chat.example.com/b"}}
endpoints:
  - name: ${"x".repeat(201)}
    url: https://a.example.com
    conditions: ["[STATUS] == 200"]
    maintenance-windows: [{start: "23:00", duration: 1h}]
  - {name: good, url: "https://b.example.com", alerts: [{type: slack}, {type: discord}], conditions: ["[STATUS] == 200"]}
`);
  expect(Object.keys(document.monitors ?? {})).toEqual(["good"]);
  expect(document.monitors?.good).toMatchObject({ alertChannelIds: ["slack"] });
  expect(document).toMatchObject({ maintenances: {} });
  expect(omitted.map(({ why }) => why)).toEqual([
    "config.webhookUrl must begin with https://discord.com/api/webhooks/ or https://discordapp.com/api/webhooks/",
    "name must be 1 to 200 characters",
  ]);
});

test.each([
  "[]",
  "text",
  "endpoints: text",
  "endpoints: [1, null, [], {}, {name: [], url: {}, conditions: 5, client: text, headers: [a], dns: 1}]",
  "alerting: [1]\nendpoints: [{name: a, url: 'tcp://a:1', alerts: [1, {type: constructor}, {type: __proto__}, {type: slack}]}]",
  "alerting: {slack: 1, email: {to: [1]}, __proto__: {a: 1}}\nexternal-endpoints: {a: 1}\nmaintenance: 5",
  "endpoints: [{name: a, url: 'https://[', conditions: ['[STATUS] ==', ' == ', '[BODY].. == 1', '[BODY][x] == 1']}]",
  `endpoints: [{name: a, url: 'https://a', conditions: ['[BODY]${".a[".repeat(900)} == 1', '${"[".repeat(9000)}']}]`,
  "endpoints: [{name: a, url: 'https://a', headers: {__proto__: x, 'a b': y, '${H}': z}, conditions: ['[STATUS] == 200']}]",
  "endpoints: [{name: \"\\uD800\", url: 'https://a', interval: 9999999999h, conditions: ['[RESPONSE_TIME] < 1e9']}]",
  "maintenance: {start: '25:00', duration: 1h}\nendpoints: [{name: a, url: 'tcp://a:99999'}]",
])("a hostile file %# becomes what can be applied", (yaml) => {
  expect(() => fromGatus(yaml)).not.toThrow();
});
