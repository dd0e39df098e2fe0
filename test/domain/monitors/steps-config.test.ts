import { expect, test } from "bun:test";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";

const URL = "https://shop.example.com/";
const parsed = (config: object) => parseConfig("HTTP", { interval: 300, ...config }, "pro");
const two = (first: object, second: object = {}) => ({
  steps: [
    { url: URL, ...first },
    { url: URL, ...second },
  ],
});

test("behavior 26.70: a monitor has 2 to 10 steps, in place of its request", () => {
  const steps = Array.from({ length: 10 }, (_, at) => ({ url: `${URL}${at}`, name: `${at}` }));
  expect(parsed({ steps })).toMatchObject({ steps });
  expect(() => parsed({ steps: steps.slice(0, 1) })).toThrow("config.steps");
  expect(() => parsed({ steps: [...steps, { url: URL }] })).toThrow("config.steps");
});

test.each([
  ["url", URL],
  ["method", "GET"],
  ["headers", {}],
  ["body", "a"],
  ["redirects", 1],
  ["expect", {}],
  ["everyAddress", true],
])("behavior 26.70: steps refuse %s beside them", (field, value) => {
  expect(() => parsed({ ...two({}), [field]: value })).toThrow(
    `config.${field} must be left out with config.steps`,
  );
});

test.each([
  [
    { method: "GET", body: "a" },
    "config.steps.1.body must be left out with GET: set config.steps.1.method, such as POST",
  ],
  [{ headers: { Connection: "close" } }, "config.steps.1.headers.Connection must be left out"],
  [
    { method: "HEAD", expect: { contains: "a" } },
    "config.steps.1.expect.contains must be left out with HEAD",
  ],
  [{ url: "https://shop.example.com:0/" }, "config.steps.1.url must have a port from 1 to 65535, got 0"],
  [{ url: "ftp://shop.example.com/" }, "config.steps.1.url must be a full URL"],
  [{ expect: { same: "nothing" } }, "config.steps.1.expect.same must be body"],
  [{ method: "HEAD", expect: { same: "body" } }, "config.steps.1.expect.same must be a header with HEAD"],
  [{ names: "x" }, "config.steps.1.names"],
])("behavior 26.70: a step is judged as a request of a monitor: %j", (step, message) => {
  expect(() => parsed(two({}, step))).toThrow(message);
});

test("behavior 26.71: the name of a step has 1 to 200 characters, without the spaces around it", () => {
  const named = (name: unknown) => parsed(two({ name }));
  for (const name of ["a", "ä".repeat(200), `${" ".repeat(500)}${"🙂".repeat(200)} `])
    expect(named(name)).toMatchObject({ steps: [{ name }, {}] });
  for (const name of ["", "  ", "a".repeat(201), 1, null])
    expect(() => named(name)).toThrow("config.steps.0.name must be 1 to 200 characters");
});

test("behavior 26.73: with steps, a timeout is at most 120 s, and at most the interval", () => {
  expect(parsed({ ...two({}), timeout: 120 })).toMatchObject({ timeout: 120 });
  expect(() => parsed({ ...two({}), timeout: 121 })).toThrow("config.timeout");
  expect(() => parsed({ ...two({}), interval: 60, timeout: 61 })).toThrow(
    "config.timeout must be at most config.interval, 60 s, got 61",
  );
  expect(() => parsed({ url: URL, timeout: 61 })).toThrow("config.timeout");
});

test("behavior 26.77: a warning before the end of the certificate needs an https URL in the first step", () => {
  const plain = "http://shop.example.com/";
  expect(parsed({ ...two({}, { url: plain }), expiryWarning: 14 })).toMatchObject({ expiryWarning: 14 });
  expect(() => parsed({ ...two({ url: plain }), expiryWarning: 14 })).toThrow(
    "config.expiryWarning must be left out",
  );
});

test.each(["$.a.b[0]['c']", "header:X-Token", "cookie:sid", "cookie:a[b]"])(
  "behavior 26.80: a step takes %s",
  (source) => {
    expect(parsed(two({ take: { _token1: source } }))).toMatchObject({
      steps: [{ take: { _token1: source } }, {}],
    });
  },
);

const SOURCES =
  "must be a path to one value (a singular query of RFC 9535) such as $.token, header:Name or cookie:Name";

test.each<[object, string]>([
  [{ take: { V: "token" } }, `config.steps.0.take.V ${SOURCES}`],
  [{ take: { V: "$.a[*]" } }, `config.steps.0.take.V ${SOURCES}`],
  [{ take: { V: "header:" } }, `config.steps.0.take.V ${SOURCES}`],
  [{ take: { V: "header:a b" } }, `config.steps.0.take.V ${SOURCES}`],
  [{ take: { V: "cookie:a;b" } }, `config.steps.0.take.V ${SOURCES}`],
  [
    { take: { "a-b": "$.a" } },
    "config.steps.0.take.a-b must have a name of letters, digits and _, such as TOKEN",
  ],
  [
    { take: { "1a": "$.a" } },
    "config.steps.0.take.1a must have a name of letters, digits and _, such as TOKEN",
  ],
  [{ take: {} }, "config.steps.0.take"],
  [
    { method: "HEAD", take: { V: "$.a" } },
    "config.steps.0.take.V must be header:Name or cookie:Name with HEAD: the answer has no body",
  ],
])("behavior 26.80: a step refuses %j", (step, message) => {
  expect(() => parsed(two(step))).toThrow(message);
});

test("behavior 26.80: a check takes at most 10 values in all", () => {
  const take = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`V${from + at}`, "$.a"]));
  expect(parsed(two({ take: take(0, 6) }, { take: take(6, 4) }))).toBeDefined();
  expect(() => parsed(two({ take: take(0, 6) }, { take: take(6, 5) }))).toThrow(
    "config.steps must take at most 10 values in all, got 11",
  );
});

test.each<[object, string]>([
  [{ url: `${URL}{{NO}}` }, "config.steps.1.url must have only names that a step before takes, got {{NO}}"],
  [
    { headers: { "X-A": "{{V}}{{NO}}" } },
    "config.steps.1.headers.X-A must have only names that a step before takes, got {{NO}}",
  ],
  [
    { method: "POST", body: "{{NO}}" },
    "config.steps.1.body must have only names that a step before takes, got {{NO}}",
  ],
  [
    { url: `${URL}{{W}}`, take: { W: "$.w" } },
    "config.steps.1.url must have only names that a step before takes, got {{W}}",
  ],
])("behavior 26.85: an unknown name, or one that is taken later, is refused: %j", (second, message) => {
  expect(() => parsed(two({ take: { V: "$.v" } }, second))).toThrow(message);
});

test("behavior 26.85: what is no name in braces stays as it is", () => {
  const body = "{{ V }} {{a-b}} {V} {{}}";
  expect(parsed(two({}, { method: "POST", body }))).toMatchObject({ steps: [{}, { body }] });
});

test.each([
  "https://{{V}}/",
  "https://{{V}}.example.com/",
  "https://shop.example.com{{V}}/",
  "https://shop.example.com{{V}}",
])("behavior 26.86: the origin of a step has no name: %s", (url) => {
  expect(() => parsed(two({ take: { V: "$.v" } }, { url }))).toThrow(
    "config.steps.1.url must have {{NAME}} only after its host and port",
  );
});

test.each(["{{V}}", "{{V}}/a", "https://shop.example.com:{{V}}/", "https://{{V}}@shop.example.com/"])(
  "behavior 26.86: what has no literal origin is no URL: %s",
  (url) => {
    expect(() => parsed(two({ take: { V: "$.v" } }, { url }))).toThrow(
      "config.steps.1.url must be a full URL",
    );
  },
);

test("behavior 26.86: the header Host has no name", () => {
  const steps = two({ take: { V: "$.v" } }, { headers: { host: "{{V}}.example.com" } });
  expect(() => parsed(steps)).toThrow(
    "config.steps.1.headers.host must have no {{NAME}}: it chooses the recipient",
  );
});

const kept = {
  interval: 300,
  steps: [
    { url: URL, headers: { Authorization: "one" }, take: { V: "$.v" } },
    { url: `${URL}b?{{V}}`, headers: { Authorization: "two" } },
    { name: "pay", url: "https://pay.example.com/{{V}}", headers: { Authorization: "three" } },
  ],
};
const hidden = (step: object | undefined) => ({ ...step, headers: { Authorization: "•••" } });
const restored = (steps: object[], more: object = {}) =>
  parseConfig("HTTP", { interval: 300, steps, ...more }, "pro", kept);

test("behavior 26.2: a step keeps its secret by its name, its URL or its place", () => {
  const [one, two, three] = kept.steps;
  const secretsOf = (steps: object[]) =>
    (restored(steps) as typeof kept).steps.map(({ headers }) => headers?.Authorization);
  expect(secretsOf(kept.steps.map(hidden))).toEqual(["one", "two", "three"]);
  expect(secretsOf([hidden({ ...one, url: `${URL}new` }), hidden(two), hidden(three)])).toEqual([
    "one",
    "two",
    "three",
  ]);
  expect(secretsOf([{ url: URL, headers: {} }, hidden(one), hidden(two), hidden(three)].slice(1))).toEqual([
    "one",
    "two",
    "three",
  ]);
  expect(secretsOf([hidden(one), { url: `${URL}new` }, hidden(two)])).toEqual([
    "one",
    undefined,
    "two",
  ] as never);
  expect(secretsOf([hidden(one), { url: `${URL}c` }, { url: `${URL}d` }, hidden(three)]).at(-1)).toBe(
    "three",
  );
});

test("behavior 26.88: no secret is kept if a step would send values to a new origin", () => {
  const [one, two] = kept.steps.map(hidden);
  const mine = { url: "https://mine.example.net/" };
  expect(restored([one as object, two as object, mine])).toBeDefined();
  const refused =
    "config.steps.0.headers.Authorization must be sent with its value: config.steps.2 would send values that steps take to a new origin";
  for (const step of [
    { url: `${mine.url}?{{V}}` },
    { ...mine, headers: { "X-V": "{{V}}" } },
    { ...mine, method: "POST", body: "{{V}}" },
    { url: URL, headers: { Host: "mine.example.net", "X-V": "{{V}}" } },
  ])
    expect(() => restored([one as object, two as object, step])).toThrow(refused);
  const [own] = kept.steps;
  expect(restored([own as object, { url: `${mine.url}?{{V}}` }])).toBeDefined();
});

const LOGIN = { url: URL, headers: { Authorization: "one" }, take: { V: "$.v", C: "cookie:c" } };
const MINE = { url: "https://mine.example.net/" };
const THEIRS = { url: "https://theirs.example.net/" };

test.each<[string, object[], object[]]>([
  ["to a step that was there without it", [LOGIN, MINE], [LOGIN, { ...MINE, body: "{{V}}", method: "POST" }]],
  [
    "to a step that got a value of its own",
    [LOGIN, { ...MINE, take: { W: "$.w" } }, { url: `${MINE.url}?{{W}}` }],
    [LOGIN, { ...MINE, take: { W: "$.w" } }, { url: `${MINE.url}?{{V}}` }],
  ],
  [
    "to a step that got a value of another origin",
    [LOGIN, { ...THEIRS, take: { W: "$.w" } }, { url: `${MINE.url}?{{W}}` }],
    [LOGIN, { ...THEIRS, take: { W: "$.w" } }, { url: `${MINE.url}?{{V}}` }],
  ],
  [
    "as a cookie that a later step takes",
    [LOGIN, MINE, MINE],
    [LOGIN, { ...MINE, take: { W: "cookie:c" } }, { url: `${MINE.url}?{{W}}` }],
  ],
  [
    "in a round",
    [LOGIN, { url: `${THEIRS.url}?{{V}}` }, MINE],
    [LOGIN, { url: `${THEIRS.url}?{{V}}`, take: { W: "$.w" } }, { url: `${MINE.url}?{{W}}` }],
  ],
])("behavior 26.88: no secret is kept if a value is sent %s", (_, before, after) => {
  const stored = parsed({ steps: before });
  const [first, ...others] = after;
  expect(parseConfig("HTTP", { interval: 300, steps: after }, "pro", stored)).toBeDefined();
  expect(() =>
    parseConfig("HTTP", { interval: 300, steps: [hidden(first), ...others] }, "pro", stored),
  ).toThrow(/config\.steps\.0\.headers\.Authorization must be sent .* to a new origin/);
  const same = [hidden(before[0]), ...before.slice(1)];
  expect(parseConfig("HTTP", { interval: 300, steps: same }, "pro", stored)).toEqual(stored);
});

test("behavior 26.88: a secret is kept if values stay at their origin, or go where they went", () => {
  const steps = [LOGIN, { url: `${THEIRS.url}?{{V}}` }];
  const stored = parsed({ steps });
  const more = [hidden(LOGIN), { url: `${URL}new?{{C}}` }, { url: `${THEIRS.url}new?{{C}}{{V}}` }];
  expect(parseConfig("HTTP", { interval: 300, steps: more }, "pro", stored)).toMatchObject({
    steps: [LOGIN, {}, {}],
  });
});

test("behavior 26.88: no secret is kept if a new proxy could read values that were taken", () => {
  const [one] = kept.steps.map(hidden);
  const proxy = { url: "http://proxy.example.net:3128" };
  expect(restored([one as object, { url: `${URL}?{{V}}` }], { proxy })).toBeDefined();
  expect(() => restored([one as object, { url: `${URL}?{{V}}` }], { proxy, verifyTls: false })).toThrow(
    "config.proxy changes, and could read it",
  );
});

test("behavior 26.88: no secret is kept if a known proxy could newly read values that were taken", () => {
  const proxy = { url: "http://proxy.example.net:3128" };
  const steps = [LOGIN, { url: `${URL}?{{V}}` }];
  const stored = parsed({ steps, proxy });
  const sent = { interval: 300, steps: [hidden(LOGIN), steps[1]], proxy };
  expect(parseConfig("HTTP", sent, "pro", stored)).toEqual(stored);
  expect(() => parseConfig("HTTP", { ...sent, verifyTls: false }, "pro", stored)).toThrow(
    "config.verifyTls changes, and the proxy could read it",
  );
});
