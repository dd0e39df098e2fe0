import { describe, expect, test } from "bun:test";
import { type MonitorType, parseConfig } from "../../../src/domain/monitors/monitor.ts";

const URL_ONLY = { url: "https://shop.example.com/", interval: 60 };

const parsed = (fields: object, type: MonitorType = "HTTP") =>
  parseConfig(type, { ...URL_ONLY, ...fields }, "enterprise");

/** Headers whose names and values have this many bytes in all. */
const headersOf = (bytes: number) => ({ "X-A": "a".repeat(5000 - 3), "X-B": "b".repeat(bytes - 5003) });
const numbered = (count: number, value: unknown = "1") =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, value]));
const paths = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`$.a[${at}]`, 1]));

describe("behavior 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.9, 10.10, 10.93: a request is kept as it was sent", () => {
  test.each<[string, object]>([
    ["no field", {}],
    ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method): [string, object] => [
      method,
      { method },
    ]),
    ["no header", { headers: {} }],
    ["32 headers", { headers: numbered(32) }],
    ["headers of 8,192 bytes", { headers: headersOf(8192) }],
    ["a value with a tab and spaces", { headers: { "X-A": "\t ~! " } }],
    ["an empty value", { headers: { "X-A": "" } }],
    ["each character of a token", { headers: { "!#$%&'*+-.^_`|~0Az": "1" } }],
    ["Host", { headers: { Host: "other.example.com" } }],
    ["a body of 64 KiB", { method: "POST", body: "x".repeat(65_536) }],
    ["a body of 64 KiB in UTF-8", { method: "POST", body: "é".repeat(32_768) }],
    ["a body with DELETE", { method: "DELETE", body: "{}" }],
    ["basicAuth", { basicAuth: { user: "", password: "a:b" } }],
    ["basicAuth beside a header", { basicAuth: { user: "a", password: "b" }, headers: { "X-A": "1" } }],
    ["the longest timeout", { timeout: 60 }],
    ["a timeout of the interval", { interval: 20, timeout: 20 }],
    ["no redirects", { redirects: 0 }],
    ["redirects", { redirects: 10 }],
    ["verifyTls", { verifyTls: false }],
    ["expiryWarning", { expiryWarning: 365 }],
    ["everyAddress", { everyAddress: true }],
    ["no everyAddress", { everyAddress: false }],
    ["ipFamily and a name", { ipFamily: 6 }],
    ["ipFamily and an IPv4 address", { url: "http://192.0.2.1/", ipFamily: 4 }],
    ["ipFamily and an IPv6 address", { url: "http://[2001:db8::1]/", ipFamily: 6 }],
  ])("%s", (_, fields) => {
    expect(parsed(fields)).toEqual({ ...URL_ONLY, ...fields } as never);
  });
});

describe("behavior 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.9, 10.10, 10.93, 10.100: a request is refused with", () => {
  test.each<[string, object, string]>([
    ["an unknown method", { method: "TRACE" }, "config.method must be one of GET, HEAD, POST, PUT, PATCH"],
    ["a method in lower case", { method: "get" }, "config.method must be one of GET"],
    ["33 headers", { headers: numbered(33) }, "config.headers must be an object of at most 32 fields"],
    ["a list of headers", { headers: ["a"] }, "config.headers must be an object"],
    [
      "headers of 8,193 bytes",
      { headers: headersOf(8193) },
      "config.headers must have at most 8192 bytes of names and values in all, got 8193",
    ],
    [
      "a header twice",
      { headers: { "X-A": "1", "x-a": "2" } },
      "config.headers.x-a must occur once: names of headers ignore case",
    ],
    ["no name", { headers: { "": "1" } }, 'config.headers[""] must have the name of a header'],
    [
      "a space in a name",
      { headers: { "X A": "1" } },
      'config.headers["X A"] must have the name of a header',
    ],
    ["a colon in a name", { headers: { "X:": "1" } }, 'config.headers["X:"] must have the name of a header'],
    [
      "a line break in a name",
      { headers: { "X\r\nY": "1" } },
      'config.headers["X\\r\\nY"] must have the name of a header',
    ],
    ["a letter outside ASCII in a name", { headers: { Größe: "1" } }, 'config.headers["Größe"] must have'],
    ["a line break in a value", { headers: { "X-A": "1\r\nX-B: 2" } }, "config.headers.X-A must be visible"],
    ["a zero in a value", { headers: { "X-A": "a\u0000" } }, "config.headers.X-A must be visible ASCII"],
    ["a letter outside ASCII in a value", { headers: { "X-A": "ü" } }, "config.headers.X-A must be visible"],
    ["a number as a value", { headers: { "X-A": 5 } }, "config.headers.X-A must be visible"],
    ...["Content-Length", "transfer-encoding", "CONNECTION"].map((name): [string, object, string] => [
      name,
      { headers: { [name]: "1" } },
      `config.headers.${name} must be left out`,
    ]),
    ["a body and no method", { body: "x" }, "config.body must be left out with GET"],
    ["a body and GET", { method: "GET", body: "x" }, "config.body must be left out with GET"],
    ["a body and HEAD", { method: "HEAD", body: "x" }, "config.body must be left out with HEAD"],
    ["an empty body", { method: "POST", body: "" }, "config.body must be a text of 1 byte to 64 KiB"],
    [
      "a larger body",
      { method: "POST", body: `${"é".repeat(32_768)}x` },
      "config.body must be a text of 1 byte",
    ],
    [
      "a body that is an object",
      { method: "POST", body: {} },
      "config.body must be a text of 1 byte to 64 KiB",
    ],
    [
      "basicAuth and Authorization",
      { basicAuth: { user: "a", password: "b" }, headers: { authorization: "c" } },
      "config.basicAuth must be left out if config.headers has Authorization",
    ],
    [
      "a colon in the user name",
      { basicAuth: { user: "a:b", password: "c" } },
      "config.basicAuth.user must be a user name without a colon",
    ],
    ["no password", { basicAuth: { user: "a" } }, "config.basicAuth.password is required"],
    ["no user name", { basicAuth: { password: "a" } }, "config.basicAuth.user is required"],
    [
      "a long password",
      { basicAuth: { user: "a", password: "b".repeat(1025) } },
      "config.basicAuth.password must be a password of at most 1024 characters",
    ],
    ["a timeout of 0", { timeout: 0 }, "config.timeout must be a whole number from 1 to 120, got 0"],
    ["a timeout of 61", { interval: 300, timeout: 61 }, "config.timeout must be a whole number from 1 to 60"],
    [
      "a fraction of a second",
      { timeout: 1.5 },
      "config.timeout must be a whole number from 1 to 120, got 1.5",
    ],
    [
      "a timeout beyond the interval",
      { interval: 20, timeout: 21 },
      "config.timeout must be at most config.interval, 20 s, got 21",
    ],
    ["11 redirects", { redirects: 11 }, "config.redirects must be a whole number from 0 to 10, got 11"],
    ["true as redirects", { redirects: true }, "config.redirects must be a whole number from 0 to 10"],
    ["a text as verifyTls", { verifyTls: "false" }, "config.verifyTls must be true or false"],
    ["a text as everyAddress", { everyAddress: "true" }, "config.everyAddress must be true or false"],
    ["expiryWarning of 0", { expiryWarning: 0 }, "config.expiryWarning must be"],
    ["expiryWarning of 366", { expiryWarning: 366 }, "config.expiryWarning must be"],
    [
      "expiryWarning with http",
      { url: "HTTP://shop.example.com/", expiryWarning: 14 },
      "config.expiryWarning must be left out with an http URL",
    ],
    ["another ipFamily", { ipFamily: 5 }, "config.ipFamily must be one of 4, 6, got 5"],
    [
      "an IPv6 address with ipFamily 4",
      { url: "http://[2001:db8::1]/", ipFamily: 4 },
      "config.ipFamily must fit the IP address in config.url",
    ],
    [
      "an IPv4 address with ipFamily 6",
      { url: "http://0x7f.1/", ipFamily: 6 },
      "config.ipFamily must fit the IP address in config.url",
    ],
    ["an unknown field", { header: {} }, "config.header is not a known field"],
  ])("%s", (_, fields, message) => {
    expect(() => parsed(fields)).toThrow(message);
  });

  test.each([
    "method",
    "headers",
    "body",
    "basicAuth",
    "timeout",
    "redirects",
    "verifyTls",
    "ipFamily",
    "expect",
  ])("null as %s", (field) => {
    expect(() => parsed({ method: "POST", [field]: null })).toThrow(`config.${field} must be`);
  });
});

describe("behavior 10.16, 10.17, 10.18, 10.19, 10.20, 10.24, 10.95: expectations are kept as they were sent", () => {
  test.each<[string, object]>([
    ["none", {}],
    [
      "status codes, classes and ranges",
      { status: [100, 599, 600, 999, "1xx", "5xx", "9xx", "200-204", "404-404", "500-999"] },
    ],
    ["a range that begins with 1xx", { status: ["100-200"] }],
    ["20 of them", { status: Array.from({ length: 20 }, (_, at) => 200 + at) }],
    ["a text", { contains: "x".repeat(1024), lacks: "y" }],
    ["a text of 1,024 characters outside the BMP", { contains: "😀".repeat(1024) }],
    ["10 texts", { contains: Array.from({ length: 10 }, String), lacks: ["a"] }],
    [
      "values of JSON",
      { json: { $: "", "$.a": 0, "$['b c'][0]": false, '$["d"][-1]': null, "$.e.f": "x".repeat(4096) } },
    ],
    [
      "limits and existence",
      {
        json: {
          "$.a": { min: -1 },
          "$.b": { max: 2.5 },
          "$.c": { min: 1, max: 1 },
          "$.d": { exists: false },
        },
      },
    ],
    ["10 paths", { json: paths(10) }],
    ["10 headers", { headers: numbered(10, "x".repeat(1024)) }],
    ["two spellings of a header", { headers: { "Cache-Control": "public", "cache-control": "max-age" } }],
    ["the default timeout", { within: 10_000 }],
    ["a whole body", { complete: true }],
    ["any body", { complete: false }],
  ])("%s", (_, expected) => {
    expect(parsed({ expect: expected })).toEqual({ ...URL_ONLY, expect: expected } as never);
  });

  test("what needs no body with HEAD", () => {
    const config = {
      ...URL_ONLY,
      method: "HEAD",
      timeout: 60,
      expect: { status: [204], headers: { a: "b" }, within: 60_000, complete: false },
    };
    expect(parseConfig("HTTP", config, "enterprise")).toEqual(config as never);
  });
});

describe("behavior 10.16, 10.17, 10.18, 10.19, 10.20, 10.24, 10.95: expectations are refused with", () => {
  const texts = "must be a text of 1 to 1024 characters or an array of 1 to 10 entries";
  const path = "must be a path to one value (a singular query of RFC 9535)";
  test.each<[string, object, string]>([
    ["an unknown field", { statuses: [200] }, "config.expect.statuses is not a known field"],
    ...[[100], [101, 199], ["1xx"], ["100-199"], ["1xx", "103-103", 150]].map(
      (status): [string, object, string] => [
        `nothing but ${status} as status`,
        { status },
        "config.expect.status must have a status from 200 to 999, because an answer of 1xx is never the final one",
      ],
    ),
    ["no status", { status: [] }, "config.expect.status must be an array of 1 to 20 entries"],
    [
      "21 statuses",
      { status: Array(21).fill(200) },
      "config.expect.status must be an array of 1 to 20 entries",
    ],
    ["a single status", { status: 200 }, "config.expect.status must be an array of 1 to 20 entries"],
    ...[99, 1000, 200.5, "200", "0xx", "2XX", "20x", "204-200", "99-200", "200-1000", "200-", "", null].map(
      (status): [string, object, string] => [
        `${JSON.stringify(status)} as a status`,
        { status: [200, status] },
        "config.expect.status.1 must be a whole number from 100 to 999 or a class from 1xx to 9xx or a range such as",
      ],
    ),
    ...["contains", "lacks"].flatMap((field): [string, object, string][] => [
      [`${field} and no text`, { [field]: "" }, `config.expect.${field} ${texts}`],
      [`${field} and no texts`, { [field]: [] }, `config.expect.${field} ${texts}`],
      [`${field} and an empty one of them`, { [field]: ["a", ""] }, `config.expect.${field} ${texts}`],
      [`${field} and 11 texts`, { [field]: Array(11).fill("a") }, `config.expect.${field} ${texts}`],
      [`${field} and a long text`, { [field]: "x".repeat(1025) }, `config.expect.${field} ${texts}`],
      [`${field} and null`, { [field]: null }, `config.expect.${field} ${texts}`],
    ]),
    ["no path", { json: {} }, "config.expect.json must be an object of 1 to 10 fields"],
    ["11 paths", { json: paths(11) }, "config.expect.json must be an object of 1 to 10 fields"],
    ...["", "a.b", "$.a[*]", "$..a", "$.a[0,1]", "$.a[0:1]", "$[?@.a]", "$.a ", "$.a[", "$.a[01]"].map(
      (text): [string, object, string] => [
        `${JSON.stringify(text)} as a path`,
        { json: { [text]: 1 } },
        `config.expect.json[${JSON.stringify(text)}] ${path}`,
      ],
    ),
    [
      "a path of 1,025 characters",
      { json: { [`$.${"a".repeat(1023)}`]: 1 } },
      "must be a path of at most 1024",
    ],
    ["a deeply nested filter", { json: { [`$[?${"!".repeat(1000)}@.a]`]: 1 } }, path],
    [
      "an array as a value",
      { json: { "$.a": [1] } },
      'config.expect.json["$.a"] must be a string, a number, true, false, null, or an object with min, max or exists',
    ],
    [
      "an empty object as a value",
      { json: { "$.a": {} } },
      'config.expect.json["$.a"] must be a string, a number',
    ],
    [
      "another object",
      { json: { "$.a": { equals: 1 } } },
      'config.expect.json["$.a"].equals is not a known field',
    ],
    [
      "null as min",
      { json: { "$.a": { min: null } } },
      'config.expect.json["$.a"].min must be a number, got null',
    ],
    ["a text as max", { json: { "$.a": { max: "1" } } }, 'config.expect.json["$.a"].max must be a number'],
    ["exists and min", { json: { "$.a": { exists: true, min: 1 } } }, '["$.a"].min is not a known field'],
    ["a number as exists", { json: { "$.a": { exists: 1 } } }, '["$.a"].exists must be true or false, got 1'],
    ["min above max", { json: { "$.a": { min: 2, max: 1 } } }, '["$.a"].min must be at most max, 1, got 2'],
    ["infinity", { json: { "$.a": Number.POSITIVE_INFINITY } }, 'config.expect.json["$.a"] must be'],
    ["no header", { headers: {} }, "config.expect.headers must be an object of 1 to 10 fields"],
    ["11 headers", { headers: numbered(11) }, "config.expect.headers must be an object of 1 to 10 fields"],
    [
      "an empty header",
      { headers: { a: "" } },
      "config.expect.headers.a must be a text of 1 to 1024 characters",
    ],
    [
      "no name of a header",
      { headers: { "a b": "c" } },
      'config.expect.headers["a b"] must have the name of a header',
    ],
    ["a text as complete", { complete: "true" }, "config.expect.complete must be true or false"],
    ["within 0", { within: 0 }, "config.expect.within must be a whole number from 1 to 60000, got 0"],
    [
      "within beyond the default timeout",
      { within: 10_001 },
      "config.expect.within must be at most the timeout of the check, 10000 ms, got 10001",
    ],
  ])("%s", (_, expected, message) => {
    expect(() => parsed({ expect: expected })).toThrow(message);
  });

  test.each(["status", "contains", "lacks", "json", "headers", "within", "complete"])(
    "null as %s",
    (field) => {
      expect(() => parsed({ expect: { [field]: null } })).toThrow(`config.expect.${field} must be`);
    },
  );

  test.each([
    ["contains", "a"],
    ["lacks", "a"],
    ["json", { "$.a": 1 }],
    ["complete", true],
  ])("%s and HEAD", (field, value) => {
    expect(() => parsed({ method: "HEAD", expect: { [field]: value } })).toThrow(
      `config.expect.${field} must be left out with HEAD`,
    );
  });

  test("within beyond a timeout, or beyond an interval that is the timeout", () => {
    expect(() => parsed({ timeout: 2, expect: { within: 2001 } })).toThrow("2000 ms, got 2001");
    expect(() => parsed({ interval: 3, expect: { within: 3001 } })).toThrow("3000 ms, got 3001");
  });
});

describe("behavior 10.11, 10.13, 10.14: the other types", () => {
  const base: Record<string, object> = {
    TCP: { host: "a", port: 25, interval: 60 },
    TLS: { host: "a", port: 443, interval: 60 },
    DNS: { hostname: "a", interval: 60 },
  };
  test.each<["TCP" | "TLS" | "DNS", object]>([
    ["TCP", { send: "é".repeat(2048), contains: "x".repeat(1024), timeout: 60 }],
    ["TCP", { send: "" }],
    ["TCP", { everyAddress: true }],
    ["TLS", { everyAddress: true }],
    ["TLS", { warnDays: 1, servername: "shop.example.com" }],
    ["TLS", { warnDays: 365, servername: "bücher.example" }],
    ["DNS", { servers: ["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]:53"] }],
  ])("a %s config is kept: %#", (type, fields) => {
    const config = { ...base[type], ...fields };
    expect(parseConfig(type, config, "enterprise")).toEqual(config as never);
  });

  test.each<["TCP" | "TLS" | "DNS", object, string]>([
    ["TCP", { send: `${"é".repeat(2048)}x` }, "config.send must be a text of at most 4 KiB"],
    ["TCP", { contains: "" }, "config.contains must be a text of 1 to 1024 characters"],
    ["TCP", { contains: ["a"] }, "config.contains must be a text of 1 to 1024 characters"],
    ["TCP", { timeout: 61 }, "config.timeout must be a whole number from 1 to 60, got 61"],
    ["TCP", { interval: 5, timeout: 6 }, "config.timeout must be at most config.interval, 5 s, got 6"],
    ["TCP", { headers: { a: "•••" } }, "config.headers is not a known field"],
    ["TLS", { warnDays: 0 }, "config.warnDays must be a whole number from 1 to 365, got 0"],
    ["TLS", { warnDays: 366 }, "config.warnDays must be a whole number from 1 to 365, got 366"],
    [
      "TLS",
      { servername: "192.0.2.1" },
      "config.servername must be a host name, without scheme, port or path",
    ],
    ["TLS", { servername: "a:443" }, "config.servername must be a host name"],
    ["TLS", { timeout: 5 }, "config.timeout is not a known field"],
    ["DNS", { everyAddress: true }, "config.everyAddress is not a known field"],
    ["DNS", { servers: [] }, "config.servers must be an array of 1 to 4 entries"],
    ["DNS", { servers: Array(5).fill("192.0.2.1") }, "config.servers must be an array of 1 to 4 entries"],
    [
      "DNS",
      { servers: ["dns.example.com"] },
      "config.servers.0 must be an IP address with or without a port",
    ],
    ["DNS", { servers: ["192.0.2.1:0"] }, "config.servers.0 must be an IP address"],
    ["DNS", { servers: ["192.0.2.1,192.0.2.2"] }, "config.servers.0 must be an IP address"],
    ["DNS", { servers: null }, "config.servers must be an array"],
  ])("a %s config is refused: %#", (type, fields, message) => {
    expect(() => parseConfig(type, { ...base[type], ...fields }, "enterprise")).toThrow(message);
  });
});
