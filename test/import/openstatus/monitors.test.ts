import { expect, test } from "bun:test";
import { fromOpenstatus, listedMonitor, monitorOf } from "../../support/import/openstatus.ts";

const SHOP = {
  name: "Shop",
  type: "HTTP",
  config: {
    ...{
      url: "https://shop.example.com/",
      interval: 60,
      timeout: 45,
      redirects: 10,
      expect: { status: ["2xx"] },
    },
  },
  alertChannelIds: [],
  confirmations: 2,
};

/* One monitor in the three forms of openstatus. */

const FULL = {
  name: "API",
  type: "HTTP",
  config: {
    ...{ url: "https://api.example.com/x", interval: 300, method: "POST" },
    headers: { "X-Key": "geheim", "Content-Type": "text/plain" },
    ...{ body: "hi", timeout: 20 },
    expect: {
      ...{ status: ["2xx"], contains: "ok", lacks: "error", headers: { "x-node": "a" }, within: 900 },
    },
  },
  confirmations: 4,
};

const FILE = {
  "": {
    ...{ name: "API", description: "", frequency: "5m", active: true, regions: ["iad", "ams"], retry: 5 },
    ...{ kind: "http", degradedAfter: 900, timeout: 20_000 },
    request: {
      ...{ url: "https://api.example.com/x", method: "POST", body: "hi", followRedirects: false },
      headers: { "X-Key": "geheim", "Content-Type": "text/plain" },
    },
    assertions: [
      { kind: "statusCode", compare: "gte", target: 200 },
      { kind: "statusCode", compare: "lt", target: 300 },
      { kind: "textBody", compare: "contains", target: "ok" },
      { kind: "textBody", compare: "not_contains", target: "error" },
      { kind: "header", compare: "contains", key: "X-Node", target: "a" },
    ],
  },
};

const VERSION_1 = listedMonitor({
  ...{ name: "API", periodicity: "5m", url: "https://api.example.com/x", method: "POST", body: "hi" },
  ...{ regions: ["iad", "ams"], retry: 5, timeout: 20_000, degradedAfter: 900, followRedirects: false },
  headers: [
    { key: "X-Key", value: "geheim" },
    { key: "Content-Type", value: "text/plain" },
  ],
  // The database has a text.
  assertions: JSON.stringify([
    { version: "v1", type: "status", compare: "gte", target: 200 },
    { version: "v1", type: "status", compare: "lt", target: 300 },
    { version: "v1", type: "textBody", compare: "contains", target: "ok" },
    { version: "v1", type: "textBody", compare: "not_contains", target: "error" },
    { version: "v1", type: "header", compare: "contains", key: "X-Node", target: "a" },
  ]),
});

const VERSION_2 = {
  httpMonitors: [
    {
      ...{ id: "7", name: "API", url: "https://api.example.com/x", periodicity: "PERIODICITY_5M" },
      ...{ method: "HTTP_METHOD_POST", body: "hi", timeout: "20000", degradedAt: "900", retry: "5" },
      ...{ followRedirects: false, active: true, regions: ["REGION_FLY_IAD", "REGION_FLY_AMS"] },
      headers: [
        { key: "X-Key", value: "geheim" },
        { key: "Content-Type", value: "text/plain" },
      ],
      statusCodeAssertions: [
        { target: "200", comparator: "NUMBER_COMPARATOR_GREATER_THAN_OR_EQUAL" },
        { target: "300", comparator: "NUMBER_COMPARATOR_LESS_THAN" },
      ],
      bodyAssertions: [
        { target: "ok", comparator: "STRING_COMPARATOR_CONTAINS" },
        { target: "error", comparator: "STRING_COMPARATOR_NOT_CONTAINS" },
      ],
      headerAssertions: [{ key: "X-Node", target: "a", comparator: "STRING_COMPARATOR_CONTAINS" }],
    },
  ],
  tcpMonitors: [],
  dnsMonitors: [],
  totalSize: 1,
};

test.each([
  ["the file", { api: FILE[""] }, "iad, ams"],
  ["the lock file", { api: { ID: 7, Monitor: FILE[""] } }, "iad, ams"],
  ["a list of version 1", [VERSION_1], "iad, ams"],
  ["an object with the list of version 1", { monitors: [VERSION_1] }, "iad, ams"],
  ["the answer of version 2", VERSION_2, "fly_iad, fly_ams"],
  ["an object with the answer of version 2", { monitors: VERSION_2 }, "fly_iad, fly_ams"],
] as [string, unknown, string][])("behavior 16.125: %s has the same monitor", (_, value, regions) => {
  const { document, omitted, notes, found } = fromOpenstatus(value);
  expect(document).toEqual({ monitors: { api: FULL } });
  expect(omitted).toEqual([
    {
      what: "regions of monitors",
      why: `stillup checks from its server, and from locations of your own, and not from ${regions}`,
    },
  ]);
  expect(notes).toEqual(["the file has no notifications: the monitors have your default channels"]);
  expect(found).toBe(1);
});

test("behavior 16.125: a monitor without assertions expects 2xx, and a paused one is paused", () => {
  expect(monitorOf({})).toEqual({ monitor: SHOP, omitted: [] });
  expect(monitorOf({ active: false }).monitor).toEqual({ ...SHOP, enabled: false });
  expect(monitorOf({ active: undefined })).toEqual({
    monitor: { ...SHOP, enabled: false },
    omitted: ['monitor "Shop", active: it is not set, so that openstatus does not run it: it is paused'],
  });
});

test("behavior 16.125: the key of a monitor in the file is its ref, except if it is its ID", () => {
  const { document } = fromOpenstatus({ 11026: FILE[""], "my-shop": { ...FILE[""], name: "Shop ${x}" } });
  expect(Object.entries(document.monitors ?? {}).map(([ref, { name }]) => [ref, name])).toEqual([
    ["api", "API"],
    ["my-shop", "Shop $${x}"],
  ]);
});

const ONLY_2XX = { status: ["2xx"] };
const EVERY = { status: ["200-999"] };
const status = (compare: string, target: number) => ({ type: "status", compare, target });
const body = (compare: string, target: string) => ({ type: "textBody", compare, target });
const header = (compare: string, target: string, key = "X-A") => ({ type: "header", compare, key, target });

test.each([
  [[status("eq", 404)], { status: [404] }, []],
  [[status("not_eq", 404)], { status: ["2xx", "3xx", "400-403", "405-499", "500-999"] }, []],
  [[status("gt", 299), status("lte", 308)], { status: ["300-308"] }, []],
  [[body("contains", "ok")], { ...EVERY, contains: "ok" }, []],
  [[body("contains", "a"), body("contains", "b ${c}")], { ...EVERY, contains: ["a", "b $${c}"] }, []],
  [[body("contains", "")], EVERY, []],
  [[status("lt", 700)], { status: ["2xx", "3xx", "4xx", "500-699"] }, []],
  [[status("lt", 2000)], EVERY, []],
  [[body("eq", "ok. ${c}")], { ...EVERY, matches: "^ok\\. \\$\\{c\\}$" }, []],
  [[header("eq", "1")], { ...EVERY, headers: { "x-a": "1" } }, ['stillup expects only that it contains "1"']],
  [
    [header("contains", "1"), header("contains", "2", "x-a")],
    { ...EVERY, headers: { "x-a": "1" } },
    ["stillup expects one text of each header"],
  ],
  [[body("empty", "")], { ...EVERY, matches: "^$" }, []],
  [[body("eq", "")], { ...EVERY, matches: "^$" }, []],
  [
    [body("not_eq", "x")],
    ONLY_2XX,
    ["stillup expects only that a body is a text, contains one, or lacks one"],
  ],
  [[body("not_eq", "")], { ...EVERY, matches: "[\\s\\S]" }, []],
  [[status("eq", 500), body("not_empty", "")], { status: [500], matches: "[\\s\\S]" }, []],
  [[header("not_contains", "x")], ONLY_2XX, ["stillup expects only that a header contains a text"]],
  [
    [{ type: "jsonBody", compare: "eq", target: "1", path: "$.a" }],
    ONLY_2XX,
    ["openstatus does not judge it"],
  ],
] as [object[], object, string[]][])("behavior 16.125: the assertions %j", (assertions, wanted, lines) => {
  const { monitor, omitted } = monitorOf({ assertions });
  expect((monitor?.config as { expect?: object } | undefined)?.expect).toEqual(wanted);
  expect(omitted.map((line) => line.replace(/^monitor "Shop", assertion .*?": /, ""))).toEqual(lines);
});

test.each([
  // Each of these is always down there, or is judged otherwise here.
  [
    { assertions: [status("eq", 200), status("eq", 201)] },
    "its assertions accept no status, or too many ranges",
  ],
  [{ assertions: [status("eq", 99)] }, "its assertions accept no status, or too many ranges"],
  [{ assertions: [body("matches", "x")] }, 'its assertion "matches" never holds'],
  [
    { method: "HEAD", assertions: [body("contains", "x")] },
    "an answer to HEAD has no body, which its assertion needs",
  ],
  [{ method: "TRACE" }, "stillup does not send TRACE"],
  [{ jobType: "udp" }, 'stillup has no monitors of the type "udp"'],
  [{ jobType: "tcp", url: "db.example.com" }, "its target is not of the form HOST:PORT"],
  [{ jobType: "dns", url: "https://a.example.com" }, "its target is not a name"],
] as [object, string][])("behavior 16.125: %j is left out", (fields, why) => {
  expect(monitorOf({ ...fields })).toEqual({ monitor: undefined, omitted: [`monitor "Shop": ${why}`] });
});

test.each([
  [
    { timeout: 90_000 },
    { timeout: 60 },
    "timeout: it is 90 s; stillup takes whole seconds, up to 60 and the interval: it is 60 s here",
  ],
  [
    { periodicity: "30s" },
    { timeout: 30 },
    "timeout: it is 45 s; stillup takes whole seconds, up to 60 and the interval: it is 30 s here",
  ],
  [{ timeout: 0 }, { timeout: 60 }, "timeout: it has none; the longest is 60 s here"],
  [
    { periodicity: "other" },
    { interval: 600 },
    'periodicity: it is "other", which is no time: it is 600 s here',
  ],
  [{ body: "x" }, {}, "body: stillup sends no body with GET"],
  [
    {
      method: "POST",
      body: "data:,eA==",
      headers: [{ key: "Content-Type", value: "application/octet-stream" }],
    },
    { method: "POST" },
    "body: it is a file, and stillup sends texts",
  ],
  [
    { headers: [{ key: "Connection", value: "close" }] },
    {},
    "header Connection: stillup sets this header itself",
  ],
] as [object, object, string][])(
  "behavior 16.103, 16.125: what differs of %j has its line",
  (fields, config, line) => {
    const { monitor, omitted } = monitorOf({ ...fields });
    expect(monitor?.config).toMatchObject(config);
    expect(omitted).toEqual([`monitor "Shop", ${line}`]);
  },
);

test("behavior 16.125: the number of attempts is the confirmation", () => {
  const confirmations = (fields: object) => monitorOf({ ...fields }).monitor?.confirmations ?? 0;
  expect([1, 2, 0, 10].map((retry) => confirmations({ retry }))).toEqual([0, 1, 2, 9]);
  expect(confirmations({ retry: 2, jobType: "tcp", url: "a:1" })).toBe(2);
  expect(monitorOf({ retry: 20 }).omitted).toEqual([
    'monitor "Shop", retry: it is 20; at most 10 further checks confirm a failure here',
  ]);
});

test("behavior 16.125: a connection is a TCP monitor, and a name a DNS monitor", () => {
  expect(monitorOf({ jobType: "tcp", url: "tcp://[2001:db8::1]:5432", degradedAfter: 100 })).toEqual({
    monitor: {
      ...{ name: "Shop", type: "TCP", alertChannelIds: [], confirmations: 3 },
      config: { host: "2001:db8::1", port: 5432, interval: 60, timeout: 45 },
    },
    omitted: ['monitor "Shop", degradedAfter: a TCP monitor has no highest response time'],
  });
  const record = (key: string, target: string, compare = "eq") => ({
    type: "dnsRecord",
    key,
    compare,
    target,
  });
  const { monitor, omitted } = monitorOf({
    ...{ jobType: "dns", url: "example.com" },
    assertions: [
      record("MX", "mx.example.com.:10"),
      record("A", "192.0.2.1"),
      record("MX", "mx", "contains"),
    ],
  });
  expect(monitor?.config).toEqual({
    ...{ hostname: "example.com", interval: 60, recordType: "MX", expected: ["10 mx.example.com"] },
  });
  expect(omitted).toEqual([
    'monitor "Shop", assertion record MX eq "mx.example.com.:10": stillup expects that the records are these and no others',
    'monitor "Shop", assertion record A eq "192.0.2.1": a monitor looks up one type of record, which is MX here',
    'monitor "Shop", assertion record MX contains "mx": a DNS monitor expects exact records',
  ]);
  const tcp = {
    tcpMonitors: [{ id: "1", name: "DB", uri: "db:1", periodicity: "PERIODICITY_1H", active: true }],
  };
  expect(fromOpenstatus(tcp).document.monitors?.db).toMatchObject({
    config: { host: "db", port: 1, interval: 3600 },
  });
});
