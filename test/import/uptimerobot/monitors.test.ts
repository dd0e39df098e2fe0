import { expect, test } from "bun:test";
import { recordOf } from "../../../src/import/imported.ts";
import { listedMonitor, monitorFrom, oldMonitor } from "../../support/import/uptimerobot.ts";

/** The config of the monitor that one becomes, without what all of them have. */
function configOf(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  return monitorFrom(listedMonitor(fields)).monitor?.config as Record<string, unknown> | undefined;
}

const expectOf = (fields: Record<string, unknown>) => configOf(fields)?.expect;

test("behavior 16.128: a monitor of HTTP is one with the same request, codes and times", () => {
  const { monitor, lines } = monitorFrom(
    listedMonitor({
      ...{ httpMethodType: "PUT", authType: "HTTP_BASIC", httpUsername: "watch", httpPassword: "pa55" },
      ...{
        customHttpHeaders: { "X-A": "b" },
        postValueData: { a: 1 },
        postValueType: "RAW_JSON",
        status: "PAUSED",
      },
      ...{
        successHttpResponseCodes: ["200", "40x", "404"],
        followRedirections: false,
        checkSSLErrors: false,
      },
    }),
  );
  expect(monitor).toEqual({
    ...{ name: "Shop", type: "HTTP", enabled: false, confirmations: 3, alertChannelIds: [] },
    config: {
      ...{ url: "https://shop.example.com/", interval: 300, method: "PUT", timeout: 30, verifyTls: false },
      headers: { "X-A": "b", "Content-Type": "application/json" },
      ...{ body: '{"a":1}', basicAuth: { user: "watch", password: "pa55" }, expect: { status: [200, 404] } },
    },
  });
  expect(lines).toEqual([
    'monitor "Shop", successHttpResponseCodes: it has 40x, which is no code of an answer',
  ]);
});

test.each<[string, Record<string, unknown>, unknown]>([
  ["its usual codes", {}, { status: ["2xx", "3xx"] }],
  ["no codes", { successHttpResponseCodes: [] }, { status: ["2xx", "3xx"] }],
  [
    "a keyword that must not appear",
    { keywordType: "ALERT_EXISTS", keywordCaseType: 0 },
    { lacks: "Error 1" },
  ],
  [
    "a keyword that must appear",
    { keywordType: "ALERT_NOT_EXISTS", keywordCaseType: 0 },
    { contains: "Error 1" },
  ],
  [
    "a keyword in any case",
    { keywordType: "ALERT_NOT_EXISTS", keywordCaseType: 1 },
    { matches: "(?i)Error 1" },
  ],
  [
    "a keyword that must not appear in any case",
    { keywordType: "ALERT_EXISTS", keywordCaseType: 1 },
    { lacks: ["Error 1", "error 1", "ERROR 1"] },
  ],
  [
    "a keyword of digits",
    { keywordType: "ALERT_EXISTS", keywordCaseType: 1, keywordValue: "42" },
    { lacks: "42" },
  ],
])("behavior 16.128: %s are what must be there, and never the opposite", (_, fields, wanted) => {
  const isKeyword = "keywordType" in fields;
  const keyword = isKeyword ? { type: "KEYWORD", keywordValue: "Error 1" } : {};
  expect(expectOf({ ...keyword, ...fields })).toMatchObject(wanted as object);
});

test("behavior 16.128: what ignores upper and lower case there has a line", () => {
  const keyword = { type: "KEYWORD", keywordValue: "Sign in", keywordCaseType: 1 };
  const lines = (keywordType: string) => monitorFrom(listedMonitor({ ...keyword, keywordType })).lines;
  expect(lines("ALERT_EXISTS").join()).toContain("keywordCaseType");
  expect(lines("ALERT_NOT_EXISTS")).toEqual([]);
  const exact = listedMonitor({ ...keyword, keywordCaseType: 0, keywordType: "ALERT_EXISTS" });
  expect(monitorFrom(exact).lines).toEqual([]);
});

test("behavior 16.128: a keyword without a meaning, or that is empty, loses its monitor", () => {
  const keyword = { type: "KEYWORD", keywordValue: "Sign in" };
  expect(monitorFrom(listedMonitor({ ...keyword, keywordType: "ALERT_SOMETIMES" })).lost).toBe(true);
  expect(monitorFrom(listedMonitor({ ...keyword, keywordValue: "", keywordType: "ALERT_EXISTS" })).lost).toBe(
    true,
  );
});

test.each<[unknown, (number | string)[]]>([
  ["404:1_200:0", ["201-299", "3xx", 404]],
  [{ "404": 1, "500": true }, ["2xx", "3xx", 404, 500]],
  [{ up: ["401"], down: [302] }, ["2xx", "300-301", "303-399", 401]],
])("behavior 16.128: the codes %j of version 2 count beside the usual ones", (statuses, wanted) => {
  const { monitor } = monitorFrom(oldMonitor({ custom_http_statuses: statuses }));
  expect(monitor?.config).toMatchObject({ expect: { status: wanted } });
});

test("behavior 16.128: a redirect that counts as a failure is not followed, and codes in an unknown form are listed", () => {
  const refused = monitorFrom(oldMonitor({ custom_http_statuses: "302:0" }));
  expect(refused.monitor?.config).not.toHaveProperty("redirects");
  expect(refused.lines.join()).toContain("redirects: none is followed");
  expect(monitorFrom(oldMonitor({ custom_http_statuses: "all" })).lines.join()).toContain(
    "custom_http_statuses",
  );
});

test("behavior 16.128: numbers of version 2 are the words of version 3", () => {
  const { monitor, lines } = monitorFrom(
    oldMonitor({
      ...{
        type: 2,
        keyword_type: 1,
        keyword_case_type: 0,
        keyword_value: "broken",
        http_method: 3,
        status: 0,
      },
      ...{ post_type: 1, post_value: '{"a":"b c"}', http_username: "watch", http_password: "pa55" },
      ...{ ssl: { ignore_errors: 1, expires: 1, brand: "A" } },
    }),
  );
  expect(monitor).toMatchObject({
    enabled: false,
    config: {
      ...{ method: "POST", body: "a=b+c", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      ...{ verifyTls: false, redirects: 10, basicAuth: { user: "watch", password: "pa55" } },
      expect: { status: ["2xx", "3xx", "4xx", "5xx"], lacks: "broken" },
    },
  });
  expect(lines).toEqual([]);
});

test("behavior 16.128: Digest is digestAuth, a token is a header, and any other sign-in pauses a monitor", () => {
  const digest = monitorFrom(listedMonitor({ authType: "DIGEST", httpUsername: "a", httpPassword: "b" }));
  expect(digest.monitor).toMatchObject({ config: { digestAuth: { user: "a", password: "b" } } });
  expect(digest.monitor).not.toHaveProperty("enabled");
  expect(digest.lines).toEqual([]);
  const unknown = monitorFrom(listedMonitor({ authType: "DIGEST", httpUsername: "a" }));
  expect(unknown.monitor).toMatchObject({
    config: { digestAuth: { user: "a", password: "${HTTP_SHOP_PASSWORD}" } },
  });
  const other = monitorFrom(listedMonitor({ authType: "NTLM", httpUsername: "a", httpPassword: "b" }));
  expect(other.monitor).toMatchObject({ enabled: false });
  expect(other.lines.join()).toContain("authType: stillup has no NTLM: the monitor is paused");
  expect(configOf({ authType: "BEARER", httpPassword: "t0ken" })).toMatchObject({
    headers: { Authorization: "Bearer t0ken" },
  });
  expect(monitorFrom(listedMonitor({ authType: "BEARER" })).monitor).toMatchObject({ enabled: false });
});

test("behavior 16.93, 16.128: a password that the answer does not give is a variable", () => {
  const config = configOf({ authType: "HTTP_BASIC", httpUsername: "watch" });
  expect(config?.basicAuth).toEqual({ user: "watch", password: "${HTTP_SHOP_PASSWORD}" });
});

test("behavior 16.103, 16.128: values that do not fit have a line with both", () => {
  const { monitor, lines } = monitorFrom(
    listedMonitor({
      ...{
        interval: 15,
        timeout: 90,
        regionalData: { REGION: ["eu", "na"], THRESHOLD: { eu: 100, na: 20_000 } },
      },
      ...{
        sslExpirationReminder: true,
        config: { sslExpirationPeriodDays: [0, 7, 30], applicationErrorRetries: 0 },
      },
    }),
  );
  expect(monitor?.config).toMatchObject({ timeout: 15, expiryWarning: 30, expect: { within: 15_000 } });
  for (const text of [
    "timeout: it is 90 s",
    "THRESHOLD: it is 100 to 20000 ms",
    "responseTimeThreshold: it is 20000 ms",
  ])
    expect(lines.join("\n")).toContain(text);
  expect(lines.join("\n")).toContain("none at 7, 0");
  expect(lines.join("\n")).toContain("applicationErrorRetries: it is 0");
});

test("behavior 16.128: HEAD with something to look at is GET, and a body with GET is listed", () => {
  const keyword = { type: "KEYWORD", keywordValue: "x1", keywordType: "ALERT_EXISTS", keywordCaseType: 0 };
  const { monitor, lines } = monitorFrom(
    listedMonitor({ ...keyword, httpMethodType: "HEAD", postValueData: "x", postValueType: "RAW_JSON" }),
  );
  expect(monitor?.config).not.toHaveProperty("method");
  expect(lines.map((line) => line.split(":")[0])).toEqual([
    'monitor "Shop", httpMethodType',
    'monitor "Shop", postValueData',
  ]);
  expect(monitorFrom(listedMonitor({ httpMethodType: "QUERY" })).lost).toBe(true);
});

const assertions = (logic: string, ...checks: object[]) => ({
  type: "API",
  config: { apiAssertions: { logic, checks } },
});

test("behavior 16.128: the assertions of an API are JSON values, with the nearest number where equality does not count", () => {
  const check = (property: string, comparison: string, target?: unknown) => ({
    property,
    comparison,
    target,
  });
  const { monitor, lines } = monitorFrom(
    listedMonitor(
      assertions(
        "AND",
        ...[check("$.a", "equals", "ok"), check("$.b", "greater_than", 5), check("$.c", "less_than", -1)],
        ...[check("$.d", "is_null"), check("$.e", "is_not_null"), check("$.f", "contains", "x")],
        ...[check("$.g", "not_equals", 1), check("$..h", "equals", 1), check("$.a", "equals", "other")],
      ),
    ),
  );
  expect(monitor?.config).toMatchObject({
    expect: {
      json: {
        ...{ "$.a": "ok", "$.b": { min: 5.000000000000001 }, "$.c": { max: -1.0000000000000002 } },
        ...{ "$.d": null, "$.e": { exists: true } },
      },
    },
  });
  const listed = [
    "$.d is_null",
    "$.e is_not_null",
    "$.f contains",
    "$.g not_equals",
    "$..h equals",
    "$.a equals",
  ];
  expect(lines.map((line) => / ([^ ]+ \w+):/.exec(line)?.[1])).toEqual(listed);
});

test("behavior 16.128: of several assertions of which one is enough, none is taken over", () => {
  const checks = [{ property: "$.a", comparison: "equals", target: 1 }];
  expect(expectOf(assertions("OR", ...checks))).toHaveProperty("json");
  const { monitor, lines } = monitorFrom(listedMonitor(assertions("OR", ...checks, ...checks)));
  expect(recordOf(monitor?.config).expect).toEqual({ status: ["2xx", "3xx"] });
  expect(lines.join()).toContain("one of them is enough there");
});

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [
    { type: "PING", url: "router.example.com" },
    { host: "router.example.com", protocol: "icmp", timeout: 30 },
  ],
  [
    { type: "PORT", url: "db.example.com", port: 5432 },
    { host: "db.example.com", port: 5432 },
  ],
  [
    { type: "PORT", url: "tcp://[2001:db8::1]", port: 22 },
    { host: "2001:db8::1", port: 22 },
  ],
  [
    { type: "PORT", url: "db.example.com:5432" },
    { host: "db.example.com", port: 5432 },
  ],
  [
    { type: "DNS", url: "example.com", config: { dnsRecords: { MX: ["10 mx.example.com."] } } },
    { hostname: "example.com", recordType: "MX", expectedAny: ["10 mx.example.com"] },
  ],
  [
    { type: "DNS", url: "example.com", config: { dnsRecords: { A: ["192.0.2.1", "192.0.2.2"] } } },
    { recordType: "A", expectedContains: ["192.0.2.1", "192.0.2.2"] },
  ],
  [{ type: "DNS", url: "https://example.com/" }, { hostname: "example.com" }],
  [
    { type: "HEARTBEAT", interval: 5, gracePeriod: 60, url: "https://h/m1-abcdefgh" },
    { period: 10, grace: 60, pushToken: "m1-abcdefgh" },
  ],
])("behavior 16.128: %j is a monitor of that kind", (fields, wanted) => {
  expect(configOf(fields)).toMatchObject(wanted);
});

test.each([1, 2, 3, 4, 5, 6])(
  "behavior 16.128: the usual service %d of version 2 is its port",
  (sub_type) => {
    const ports = [80, 443, 21, 25, 110, 143];
    const { monitor } = monitorFrom(oldMonitor({ type: 4, sub_type, url: "a.example.com" }));
    expect(monitor?.config).toMatchObject({ port: ports[sub_type - 1] });
  },
);

test.each([
  [{ type: "UDP" }, 'the type "UDP"'],
  [{ type: "PORT", url: "db.example.com" }, "it has no port"],
  [{ type: "DNS", config: { dnsRecords: { DNSKEY: ["x"] } } }, "DNSKEY"],
  [{ type: "HTTP", successHttpResponseCodes: ["1xx"] }, "status codes"],
  [{ type: "HTTP", url: "ftp://example.com" }, "config.url"],
  [{ type: "constructor" }, "CONSTRUCTOR"],
  // A text that looks like a placeholder is none.
  [{ friendlyName: "Shop ${X}", url: "ftp://example.com" }, "config.url"],
  [{ authType: "HTTP_BASIC", httpUsername: "a", url: "ftp://example.com" }, "config.url"],
])("behavior 16.103, 16.117: %j is left out, with the reason", (fields, why) => {
  const { monitor, lines, lost } = monitorFrom(listedMonitor(fields));
  expect([monitor, lost]).toEqual([undefined, true]);
  expect(lines.join()).toContain(why);
});

test("behavior 16.128: names and URLs are read as UptimeRobot escapes them", () => {
  const { monitor } = monitorFrom(
    listedMonitor({ friendlyName: "A &amp;amp; &#39;B&#x27;", url: "https://a.example.com/?a=1&amp;b=2" }),
  );
  expect(monitor).toMatchObject({ name: "A & 'B'", config: { url: "https://a.example.com/?a=1&b=2" } });
});
