import { expect, test } from "bun:test";
import fc from "fast-check";
import { nameOfTarget } from "../../../src/domain/discovery/names.ts";
import { parseGroups, readGroups } from "../../../src/domain/discovery/targets.ts";

function read(groups: unknown) {
  return readGroups("files", parseGroups(groups));
}

const entriesOf = (groups: unknown) => read(groups).found.flatMap(({ entries }) => entries);

test("behavior 28.50: host:port is a TCP monitor, and a URL is an HTTP monitor", () => {
  expect(
    entriesOf([
      { targets: ["db.test:5432", "https://Shop.test/health?deep=1", "[2001:db8::1]:80", "http://a.test"] },
    ]),
  ).toEqual([
    { ref: "files/db.test-5432", entry: { type: "TCP", config: { host: "db.test", port: 5432 } } },
    {
      ref: "files/shop.test-health-deep-1",
      entry: { type: "HTTP", config: { url: "https://Shop.test/health?deep=1" } },
    },
    { ref: "files/2001-db8-1-80", entry: { type: "TCP", config: { host: "2001:db8::1", port: 80 } } },
    { ref: "files/a.test", entry: { type: "HTTP", config: { url: "http://a.test" } } },
  ]);
});

test("behavior 28.50: the name of a target", () => {
  expect(nameOfTarget("https://shop.test/")).toBe("shop.test");
  expect(nameOfTarget("HTTP://Shop.Test:8080/A_b/%20c//?q=1#x")).toBe("shop.test-8080-a_b-20c-q-1-x");
  expect(nameOfTarget("_dmarc.shop.test:53")).toBe("dmarc.shop.test-53");
  expect(nameOfTarget("https://ana:secret@shop.test/")).toBe("shop.test");
  expect(nameOfTarget("https://")).toBe("");
  expect(nameOfTarget("ä")).toBe("");
  const long = `https://shop.test/${"a".repeat(200)}`;
  expect(nameOfTarget(long)).toMatch(/^shop\.test-a{81}-[0-9a-f]{8}$/);
  expect(nameOfTarget(`${long}b`)).not.toBe(nameOfTarget(`${long}c`));
});

test("behavior 28.50: the name of any target is a part of a ref, or nothing", () => {
  const text = fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true }), fc.string({ maxLength: 300 }));
  const property = fc.property(text, (target) => {
    expect(nameOfTarget(target)).toMatch(/^([a-z0-9][a-z0-9._-]{0,99})?$/);
    expect(nameOfTarget(target)).not.toMatch(/-$/);
  });
  fc.assert(property, { numRuns: 1000 });
});

test("behavior 28.51: labels of stillup set fields in three spellings, and others are ignored", () => {
  const labels = {
    stillup_interval: "30",
    __stillup_expect_status: "200,404",
    "stillup.tags": "shop,web",
    job: "node",
    __meta_datacenter: "fsn1",
  };
  expect(entriesOf([{ targets: ["https://shop.test/"], labels }])).toEqual([
    {
      ref: "files/shop.test",
      entry: {
        ...{ type: "HTTP", tags: ["shop", "web"] },
        config: { url: "https://shop.test/", interval: 30, expect: { status: [200, 404] } },
      },
    },
  ]);
  const typed = { stillup_type: "TLS", stillup_warnDays: 7, stillup_enabled: true, empty: null };
  expect(entriesOf([{ targets: ["shop.test:443"], labels: typed }])[0]?.entry).toEqual({
    ...{ type: "TLS", enabled: true, config: { host: "shop.test", port: 443, warnDays: 7 } },
  });
});

test("behavior 28.51: stillup_enable excludes the targets of a group", () => {
  const { found } = read([
    { targets: ["a.test:1", "b.test:1"], labels: { __stillup_enable: "false" } },
    { targets: ["c.test:1"] },
  ]);
  expect(found.map(({ name, isExcluded, entries }) => [name, isExcluded, entries.length])).toEqual([
    ...[
      ["a.test:1", true, 0],
      ["b.test:1", true, 0],
      ["c.test:1", false, 1],
    ],
  ]);
  expect(read([{ targets: ["a.test:1"], labels: { stillup_enable: "never" } }]).faults).toEqual([
    { entry: "a.test:1", message: "stillup_enable must be true or false" },
  ]);
});

test("behavior 28.52: a target that is neither is a fault of its entry, which repeats no user and no password", () => {
  const must =
    "must be host:port, or a URL that begins with http:// or https://, without user name or password";
  const { found, faults } = read([
    {
      targets: [
        "ftp://a.test/",
        "https://ana:secret@shop.test/?token=1",
        "a b:80",
        "",
        "ok.test:80",
        "lonely.test",
      ],
    },
  ]);
  expect(faults).toEqual([
    { entry: "files/a.test", message: must },
    { entry: "files/shop.test-token-1", message: must },
    { entry: "files/a-b-80", message: must },
    { entry: "an empty target", message: must },
    {
      entry: "files/lonely.test",
      message: "needs a url, a hostname, or a host and a port: nothing else says where it is reached",
    },
  ]);
  expect(JSON.stringify([found, faults])).not.toMatch(/secret|ana/);
  expect(found.flatMap(({ entries }) => entries.map(({ ref }) => ref))).toEqual(["files/ok.test-80"]);
});

test("behavior 28.35, 28.52: a target twice is one monitor, and two targets with one name and other fields are a fault", () => {
  expect(entriesOf([{ targets: ["a.test:1", "a.test:1"] }])).toHaveLength(2);
  const { faults } = read([{ targets: ["http://a.test/", "https://a.test/"] }]);
  expect(faults).toEqual([
    {
      entry: "files/a.test",
      message:
        "is described by http://a.test/ and by https://a.test/ with different values of config.url: all must be equal",
    },
  ]);
});

test("behavior 28.52: a target is compared with monitors by host and port", () => {
  const { found } = read([{ targets: ["DB.test:5432", "https://Shop.test/a?b", "http://[::1]/"] }]);
  expect(found.map(({ name, addresses }) => [name, addresses])).toEqual([
    ["DB.test:5432", ["db.test:5432"]],
    ["https://Shop.test/a", ["shop.test:443"]],
    ["http://[::1]/", ["[::1]:80"]],
  ]);
});

const WRONG: [string, unknown][] = [
  ["must be a list of objects with targets", { targets: [] }],
  ["must be a list of objects with targets", "text"],
  ["entry 1 must be an object with targets", [null]],
  ["entry 2 must have a list of texts as its targets", [{ targets: [] }, { targets: "a:1" }]],
  ["entry 1 must have a list of texts as its targets", [{ targets: [1] }]],
  ["the labels of entry 1 must be an object with texts", [{ targets: [], labels: [] }]],
  ["the labels of entry 1 must be an object with texts", [{ targets: [], labels: { a: {} } }]],
  ["there are 10001 targets: at most 10,000 can be read", [{ targets: Array(10_001).fill("a.test:1") }]],
];

test("behavior 28.62: groups of another form are a fault of the source", () => {
  for (const [message, groups] of WRONG) expect(() => read(groups)).toThrow(message);
});
