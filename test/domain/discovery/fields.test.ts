import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseMonitor } from "../../../src/domain/configuration/parse-monitor.ts";
import { buildEntry } from "../../../src/domain/discovery/entry.ts";
import { convertText, placeOf } from "../../../src/domain/discovery/field-value.ts";
import { registerFormats } from "../../../src/domain/schemas/format-rules.ts";

registerFormats();

const NOWHERE = {};
const HERE = { host: "127.0.0.1", port: 8080 };

/** @param labels by field */
function built(labels: Record<string, string>, target: Parameters<typeof buildEntry>[1] = HERE) {
  const fields = Object.entries(labels).map(([field, text]) => ({ parts: field.split("."), text }));
  return buildEntry(fields, target);
}

function entryOf(labels: Record<string, string>, target = HERE): object | undefined {
  return built(labels, target).entry;
}

function faultsOf(entry: object): string[] {
  const { faults } = parseMonitor("web", entry, {
    at: "monitors.web",
    defaults: { config: { interval: 60 } },
  });
  return faults.map(({ path, message }) => `${path} ${message}`);
}

test("behavior 28.31: a field of an entry is one of the entry, and any other is one of its config", () => {
  const labels = {
    name: "Shop",
    enabled: "false",
    tags: "web,shop",
    url: "https://shop.test/",
    interval: "30",
  };
  expect(entryOf(labels)).toEqual({
    ...{ type: "HTTP", name: "Shop", enabled: false, tags: ["web", "shop"] },
    config: { url: "https://shop.test/", interval: 30 },
  });
  expect(entryOf({ "config.url": "https://shop.test/", "config.expect.within": "500" })).toEqual({
    type: "HTTP",
    config: { url: "https://shop.test/", expect: { within: 500 } },
  });
  expect(entryOf({ config: '{"url":"https://shop.test/","interval":30}' })).toEqual({
    type: "HTTP",
    config: { url: "https://shop.test/", interval: 30 },
  });
});

test("behavior 28.31: dots go deeper, and after the name of a map they are part of the key", () => {
  const labels = {
    url: "https://shop.test/",
    "expect.status": "200",
    "expect.json.$.state.now": "up",
    "expect.headers.content-type": "application/json",
    "headers.X-Api-Key": "k",
    "basicAuth.user": "ana",
    "basicAuth.password": "1234",
  };
  expect(entryOf(labels)).toEqual({
    type: "HTTP",
    config: {
      url: "https://shop.test/",
      expect: {
        status: [200],
        json: { "$.state.now": "up" },
        headers: { "content-type": "application/json" },
      },
      headers: { "X-Api-Key": "k" },
      basicAuth: { user: "ana", password: "1234" },
    },
  });
});

test("behavior 28.31: a field that does not exist keeps its place, where the rules of documents refuse it", () => {
  const entry = entryOf({ url: "https://shop.test/", "expect.statsu": "200", colour: "red" }) ?? {};
  expect(faultsOf(entry)).toEqual([
    "monitors.web.config.colour is not a known field",
    "monitors.web.config.expect.statsu is not a known field: did you mean status?",
  ]);
  const prototype =
    entryOf({ url: "https://shop.test/", "__proto__.interval": "1", "constructor.x": "1" }) ?? {};
  expect(faultsOf(prototype).map((fault) => fault.split(" ")[0])).toEqual([
    "monitors.web.config.__proto__",
    "monitors.web.config.constructor",
  ]);
  expect(({} as { interval?: unknown }).interval).toBeUndefined();
});

test("behavior 28.31: two fields for one place, no name between two dots, and too many names are faults", () => {
  const url = "https://shop.test/";
  expect(built({ url, "config.url": url }).fault).toBe(
    "config.url is given twice: another field has its place",
  );
  expect(built({ url, expect: "{}", "expect.within": "5" }).fault).toStartWith(
    "expect.within is given twice",
  );
  expect(built({ url, "expect..within": "5" }).fault).toBe(
    "expect..within must have 1 to 12 names with a dot between two",
  );
  expect(built({ url, ["a.".repeat(100_000)]: "5" }).fault).toEndWith(
    "must have 1 to 12 names with a dot between two",
  );
});

const convert = (field: string, text: string, type = "HTTP") =>
  convertText(text, placeOf(field.split("."), type).schemas);

test("behavior 28.32: a value is JSON, a text or a list, as the schema of its field accepts", () => {
  expect(convert("interval", "30")).toBe(30);
  expect(convert("verifyTls", "false")).toBe(false);
  expect(convert("enabled", "true")).toBe(true);
  expect(convert("name", "7")).toBe("7");
  expect(convert("name", '"seven"')).toBe('"seven"');
  expect(convert("name", "null")).toBe("null");
  expect(convert("tags", "web, shop")).toEqual(["web", "shop"]);
  expect(convert("tags", '["web","shop"]')).toEqual(["web", "shop"]);
  expect(convert("alertChannelIds", "")).toEqual([]);
  expect(convert("alertChannelIds", "ops")).toEqual(["ops"]);
  expect(convert("expect.status", "200,3xx, 404")).toEqual([200, "3xx", 404]);
  expect(convert("expect.contains", "a, b")).toBe("a, b");
  expect(convert("expect.contains", '["a","b"]')).toEqual(["a", "b"]);
  expect(convert("expect.contains", "200")).toBe("200");
  expect(convert("ipFamily", "6")).toBe(6);
  expect(convert("registration", "true", "TLS")).toBe(true);
  expect(convert("registration", '{"warnDays":7}', "TLS")).toEqual({ warnDays: 7 });
  expect(convert("servers", "192.0.2.1,192.0.2.2", "DNS")).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(convert("headers", '{"X-A":"b"}')).toEqual({ "X-A": "b" });
  expect(convert("steps", '[{"url":"https://a.test/"},{"url":"https://b.test/"}]')).toHaveLength(2);
});

test("behavior 28.32: a value that fits nothing is a text, and its fault says what is right", () => {
  expect(convert("interval", "soon")).toBe("soon");
  expect(convert("expect.status", "99")).toBe("99");
  const entry = entryOf({ url: "https://shop.test/", interval: "soon" }) ?? {};
  expect(faultsOf(entry)).toEqual(["monitors.web.config.interval must be a whole number from 1 to 86400"]);
  const other = entryOf({ type: "FTP", interval: "30" }) ?? {};
  expect(faultsOf(other)).toEqual(["monitors.web.type must be one of HTTP, TCP, TLS, DNS, SCHEDULED"]);
});

test("behavior 28.32: JSON that is deeper than 32 levels is a text", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  expect(entryOf({ config: nested(32) })).toMatchObject({ config: { a: { a: {} } } });
  expect(entryOf({ config: nested(33) })).toMatchObject({ config: nested(33) });
});

test("behavior 28.32: a placeholder is never replaced", () => {
  const label = { url: "https://shop.test/", "headers.X-Key": "${HOME}", name: "$${HOME}" };
  expect(entryOf(label)).toMatchObject({ name: "$${HOME}", config: { headers: { "X-Key": "${HOME}" } } });
});

test("behavior 28.33: the type follows from the fields, and then from where the thing is reached", () => {
  const typeOf = (labels: Record<string, string>, target?: object) =>
    (built(labels, target).entry as { type?: string } | undefined)?.type;
  expect(typeOf({ url: "https://shop.test/" })).toBe("HTTP");
  expect(typeOf({ steps: "[]" })).toBe("HTTP");
  expect(typeOf({ hostname: "shop.test" })).toBe("DNS");
  expect(typeOf({ host: "shop.test", port: "25" })).toBe("TCP");
  expect(typeOf({ interval: "30" })).toBe("TCP");
  expect(typeOf({ interval: "30" }, { ...HERE, url: "https://shop.test/" })).toBe("HTTP");
  expect(typeOf({ type: "TLS" })).toBe("TLS");
  expect(typeOf({ protocol: "icmp" }, { host: "shop.test" })).toBe("TCP");
  expect(built({ interval: "30" }, NOWHERE).fault).toBe(
    "needs a url, a hostname, or a host and a port: nothing else says where it is reached",
  );
});

test("behavior 28.34: what the fields lack of the target comes from where the thing is reached", () => {
  const configOf = (labels: Record<string, string>, target: Parameters<typeof buildEntry>[1] = HERE) =>
    (built(labels, target).entry as { config?: object }).config;
  expect(configOf({ protocol: "redis" })).toEqual({ host: "127.0.0.1", port: 8080, protocol: "redis" });
  expect(configOf({ port: "25" })).toEqual({ host: "127.0.0.1", port: 25 });
  expect(configOf({ host: "shop.test" })).toEqual({ host: "shop.test", port: 8080 });
  expect(configOf({ protocol: "icmp" })).toEqual({ host: "127.0.0.1", protocol: "icmp" });
  expect(configOf({ type: "HTTP" })).toEqual({ url: "http://127.0.0.1:8080/" });
  expect(configOf({ type: "HTTP" }, { host: "::1", port: 80 })).toEqual({ url: "http://[::1]:80/" });
  expect(configOf({ type: "TLS", warnDays: "7" })).toEqual({ host: "127.0.0.1", port: 8080, warnDays: 7 });
  const web = { host: "shop.test", port: 443, url: "https://shop.test/" };
  expect(configOf({ type: "DNS" }, web)).toEqual({ hostname: "shop.test" });
  expect(configOf({ type: "TLS" }, web)).toEqual({ host: "shop.test", port: 443 });
  expect(configOf({ type: "SCHEDULED", period: "60" }, web)).toEqual({ period: 60 });
  expect(configOf({ url: "https://other.test/" }, web)).toEqual({ url: "https://other.test/" });
});

const FIELD = fc.oneof(
  fc.constantFrom(
    "url",
    "type",
    "config",
    "tags",
    "expect.status",
    "expect",
    "expect.json.$.a",
    "headers.a",
    "steps",
  ),
  fc.string(),
  fc
    .array(fc.constantFrom("config", "expect", "json", "__proto__", "toString", ""), { maxLength: 14 })
    .map((parts) => parts.join(".")),
);
const TEXT = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom("HTTP", "TCP", "30", "true", "[1,[2]]", "a,b", "${A}"),
);

test("behavior 28.31, 28.32: any labels are an entry that the rules of documents can judge, or a fault", () => {
  const target = fc.constantFrom(NOWHERE, HERE, { ...HERE, url: "https://shop.test/" });
  const property = fc.property(fc.array(fc.tuple(FIELD, TEXT), { maxLength: 8 }), target, (labels, where) => {
    const fields = labels.map(([field, text]) => ({ parts: field.split("."), text }));
    const { entry, fault } = buildEntry(fields, where);
    if (!entry) return void expect(fault).not.toBe("");
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
    parseMonitor("web", entry, { at: "monitors.web", defaults: {} });
    expect(buildEntry(fields.toReversed(), where).entry).toEqual(entry);
  });
  fc.assert(property, { numRuns: 500 });
});
