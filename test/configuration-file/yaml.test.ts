import { expect, setDefaultTimeout, test } from "bun:test";
import { readYaml } from "../../src/configuration-file/yaml.ts";

setDefaultTimeout(300_000);

const FILE = `# Comment
defaults: &base
  interval: 60
monitors:
  shop:
    name: Shop
    config:
      <<: *base
      url: https://shop.example.com/
    tags: [web,
      "team:shop"]
  "a.b": { name: 12 }
`;

function faultsOf(text: string): unknown[] {
  return readYaml(text).faults;
}

test("behavior 16.61: YAML and JSON are read, with anchors, aliases and merge keys, of which the own keys win", () => {
  const { value, faults } = readYaml(FILE);
  expect(faults).toEqual([]);
  expect(value).toEqual({
    defaults: { interval: 60 },
    monitors: {
      shop: {
        name: "Shop",
        config: { interval: 60, url: "https://shop.example.com/" },
        tags: ["web", "team:shop"],
      },
      "a.b": { name: 12 },
    },
  });
  const json = { a: [1, null, true, "${x}"], b: { c: "é\n" } };
  expect(readYaml(JSON.stringify(json, null, 1)).value).toEqual(json);
  expect(readYaml("b: &b {x: 1, y: 1}\nc: &c {y: 2}\na: {<<: [*c, *b], z: 3}").value).toHaveProperty("a", {
    x: 1,
    y: 2,
    z: 3,
  });
  expect(readYaml("on: yes\nday: 2027-01-31\ntime: 12:30\n1: 0o17\n").value).toEqual({
    on: "yes",
    day: "2027-01-31",
    time: "12:30",
    "1": 15,
  });
  expect(readYaml('{"__proto__": {"a": 1}}').value).toEqual(JSON.parse('{"__proto__": {"a": 1}}'));
});

test("behavior 16.64: the place of a value is the line of its key, or of what contains it if it is missing", () => {
  const { placeOf } = readYaml(FILE);
  expect(placeOf("monitors.shop.config.url")).toEqual({ line: 9, text: "https://shop.example.com/" });
  expect(placeOf("monitors.shop.config.interval")).toEqual({ line: 3 });
  expect(placeOf("monitors.shop.config.headers.A")).toEqual({ line: 7 });
  expect(placeOf("monitors.shop.tags.1")).toEqual({ line: 11, text: "team:shop" });
  expect(placeOf('monitors["a.b"].name')).toEqual({ line: 12 });
  expect(placeOf("pages.x")).toEqual({ line: 2 });
  expect(placeOf("")).toEqual({ line: 2 });
});

test("behavior 16.62: a key that is in a map twice is a fault with its line", () => {
  expect(faultsOf("a:\n  b: 1\n  c: 2\n  b: 3\n")).toEqual([
    { path: "a.b", message: "must not be in the map twice", line: 4 },
  ]);
});

test("behavior 16.62: a text that is not YAML is a fault with its line, and no part of it is repeated", () => {
  const texts = [
    "a:\n  b: 1\n c: s3cret\n",
    'a: "s3cret',
    "a: b: s3cret",
    "a: !s3cret x",
    "a: |s3cret\n",
    "\ta: s3cret",
    "a: @s3cret",
    'a: "\\qs3cret"',
    "[s3cret",
    "? [a]\n: s3cret",
    "a: 1\n---\nb: s3cret",
    "%TAG s3cret\n---\na: 1",
    "a: !!timestamp s3cret",
    "a: 's3cret' s3cret",
    "}s3cret",
  ];
  for (const text of texts) {
    const { value, faults } = readYaml(text);
    expect([text, value, faults.length > 0]).toEqual([text, undefined, true]);
    for (const { path, message, line } of faults) {
      expect(path).toBe("");
      expect(message).toStartWith("the YAML is not valid: ");
      expect(message).not.toContain("s3cret");
      expect(line).toBeGreaterThan(0);
    }
  }
  expect(faultsOf("a:\n  b: 1\n c: 2\n")).toEqual([
    { path: "", message: "the YAML is not valid: All mapping items must start at the same column", line: 3 },
  ]);
});

test("behavior 16.62: aliases without an anchor, endless ones and very many values are faults", () => {
  expect(faultsOf("a: *b\n")).toEqual([{ path: "a", message: "must name an anchor above it", line: 1 }]);
  expect(faultsOf("a: &a [*a]\n")).toEqual([
    { path: `a${".0".repeat(32)}`, message: "must be nested at most 64 levels deep", line: 1 },
  ]);
  expect(faultsOf("a: &a\n  <<: *a\n")).toEqual([
    { path: expect.stringMatching(/^a\["<<"\]/), message: "must be a map or an alias of one", line: 2 },
  ]);
  const bomb = (first: string, next: (name: string) => string) =>
    Array.from({ length: 40 }, (_, at) =>
      at === 0 ? `x0: &x0 ${first}` : `x${at}: &x${at} ${next(`x${at - 1}`)}`,
    );
  const tooMany = { path: "", message: "must have at most 500000 values" };
  expect(faultsOf(bomb("[1]", (name) => `[*${name}, *${name}]`).join("\n"))).toEqual([tooMany]);
  expect(faultsOf(bomb("{a: 1}", (name) => `{<<: [*${name}, *${name}]}`).join("\n"))).toEqual([tooMany]);
  expect(faultsOf("a: .inf\nb: .nan")).toEqual([
    { path: "a", message: "must be a finite number", line: 1 },
    { path: "b", message: "must be a finite number", line: 2 },
  ]);
  expect(faultsOf(`${"[".repeat(5000)}`).length).toBeGreaterThan(0);
});

test.each([
  ["flow lists", `a: ${"[".repeat(100_000)}`],
  ["closed flow lists", "[".repeat(100_000) + "]".repeat(100_000)],
  ["flow maps", "{a: ".repeat(100_000)],
  ["block lists", "- ".repeat(100_000)],
  ["block maps", Array.from({ length: 2000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ["explicit keys", "? ".repeat(100_000)],
  ["JSON", '{"a":'.repeat(100_000)],
])("behavior 16.62: %s that are nested very deep are a fault before they are composed", (_, text) => {
  const [fault, ...others] = faultsOf(text);
  expect(others).toEqual([]);
  expect(fault).toMatchObject({ path: "", message: "must be nested at most 64 levels deep" });
});

test("behavior 16.62: 64 levels are not too deep for the text, 65 are, and the fault has the line", () => {
  const nested = (levels: number) => `a:\n  ${"[".repeat(levels)}${"]".repeat(levels)}\n`;
  expect(faultsOf(nested(63))).toEqual([]);
  expect(faultsOf(nested(70))).toEqual([
    { path: "", message: "must be nested at most 64 levels deep", line: 2 },
  ]);
});

test("behavior 16.62: a map that is merged very often counts each time", () => {
  const keys = Array.from({ length: 1000 }, (_, at) => `k${at}: 1`).join(", ");
  const aliases = Array(2000).fill("*a").join(", ");
  expect(faultsOf(`a: &a {${keys}}\nb: {<<: [${aliases}]}\n`)).toEqual([
    { path: "", message: "must have at most 500000 values" },
  ]);
});
