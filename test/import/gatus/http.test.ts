import { expect, test } from "bun:test";
import { endpoint, fromGatus } from "../../support/import/gatus.ts";
import { isMatch } from "../../support/import/pattern.ts";

/** Expectations of an HTTP endpoint with some conditions. */
function expectOf(...conditions: string[]) {
  const { monitor, omitted } = endpoint(
    JSON.stringify({ name: "shop", url: "https://shop.example.com/", conditions }),
  );
  return { expect: (monitor?.config as { expect?: unknown } | undefined)?.expect, omitted };
}

test("behavior 16.111: an endpoint is an HTTP monitor that follows redirects, with the interval and timeout of Gatus", () => {
  const { monitor, omitted } = endpoint(
    '{ name: shop, group: Core Web, url: "https://shop.example.com/", conditions: ["[STATUS] == 200"] }',
  );
  expect(monitor).toEqual({
    name: "shop",
    type: "HTTP",
    config: { url: "https://shop.example.com/", interval: 60, redirects: 10, expect: { status: [200] } },
    tags: ["group:core-web"],
    alertChannelIds: [],
  });
  expect(omitted).toEqual([]);
});

test("behavior 16.111: a request keeps its method, headers and body, and user and password of the URL are basicAuth", () => {
  const { monitor } = endpoint(
    `{ name: search, url: "http://u:p%40ss@shop.example.com/api", method: POST, body: 'find [ENDPOINT_NAME]', interval: 90s,
       headers: { X-Key: abc, Content-Length: "3" }, client: { timeout: 1500ms, insecure: true, ignore-redirect: true },
       enabled: false, extra-labels: { team: Shop }, conditions: ["[CONNECTED] == true"] }`,
  );
  expect(monitor).toMatchObject({
    config: {
      url: "http://shop.example.com/api",
      interval: 90,
      method: "POST",
      headers: { "X-Key": "abc" },
      body: "find search",
      basicAuth: { user: "u", password: "p@ss" },
      timeout: 2,
      verifyTls: false,
    },
    enabled: false,
    tags: ["team:shop"],
  });
  expect(monitor?.config).not.toContainKeys(["redirects", "expect"]);
});

test("behavior 16.111: a query of GraphQL is sent as JSON", () => {
  const { monitor } = endpoint(
    '{ name: graph, url: "https://a.example.com", method: POST, graphql: true, body: "{ a }", conditions: ["[STATUS] == 200"] }',
  );
  expect(monitor?.config).toMatchObject({
    body: '{"query":"{ a }"}',
    headers: { "Content-Type": "application/json" },
  });
});

test("behavior 16.111: the lifetime of a certificate is the warning of the monitor itself, in whole days", () => {
  const { monitor, others, omitted } = endpoint(
    '{ name: shop, url: "https://shop.example.com:8443/a", conditions: ["[STATUS] == 200", "[CERTIFICATE_EXPIRATION] > 50h", "[CERTIFICATE_EXPIRATION] > 48h"] }',
  );
  expect(monitor?.config).toMatchObject({ expiryWarning: 3 });
  expect(others).toEqual([]);
  expect(omitted).toEqual([
    'endpoint "shop", condition [CERTIFICATE_EXPIRATION] > 50h: stillup counts in days, 1 to 365: 50h is 3 here',
  ]);
});

test("behavior 16.111: a monitor that could only fail here is paused", () => {
  const { monitor, omitted } = endpoint(
    '{ name: inner, url: "https://a.example.com", client: { tunnel: jump, dns-resolver: "tcp://8.8.8.8:53" }, conditions: ["[STATUS] == 200"] }',
  );
  expect(monitor?.enabled).toBe(false);
  expect(omitted).toEqual([
    'endpoint "inner", client.dns-resolver: stillup looks names up itself: see --dns-servers',
    'endpoint "inner", client.tunnel: stillup has no tunnels; a location in that network can check it: the monitor is paused',
  ]);
});

const ANY = ["200-999"];

test.each<[string[], unknown]>([
  [["[STATUS] < 300"], { status: ["2xx"] }],
  [["[STATUS] <= 302", "[STATUS] != 301"], { status: ["2xx", 300, 302] }],
  [["300 > [STATUS]"], { status: ["2xx"] }],
  [["[STATUS] == any(200, 429)"], { status: [200, 429] }],
  [["[STATUS] == pat(20*)"], { status: ["200-209"] }],
  [["[STATUS] >= 400", "[STATUS] < 500"], { status: ["4xx"] }],
  [["[CONNECTED] == true"], undefined],
  [["[RESPONSE_TIME] < 500"], { status: ANY, within: 500 }],
  [["[RESPONSE_TIME] < 2s", "[RESPONSE_TIME] <= 700"], { status: ANY, within: 700 }],
  [["[RESPONSE_TIME] < 10000"], undefined],
  [
    ["[BODY] == pat(*Basket*)", "[BODY] != pat(*Error*)"],
    { status: ANY, contains: "Basket", lacks: "Error" },
  ],
  [["[BODY].status == UP"], { status: ANY, json: { "$.status": "UP" } }],
  [
    ["[body].data[0].id == 1", "[BODY].ok == true"],
    { status: ANY, json: { "$.data[0].id": 1, "$.ok": true } },
  ],
  [["[BODY][1].a-b == x"], { status: ANY, json: { "$[1]['a-b']": "x" } }],
  [["[BODY].n > 3", "[BODY].n <= 9"], { status: ANY, json: { "$.n": { min: 4, max: 9 } } }],
  [["[BODY].load < 2"], { status: ANY, json: { "$.load": { max: 1.999 } } }],
  [["has([BODY].errors) == false"], { status: ANY, json: { "$.errors": { exists: false } } }],
  [["[BODY].id == any(7)"], { status: ANY, json: { "$.id": 7 } }],
  [["[STATUS] == pat([23]*)"], { status: ["2xx", "3xx"] }],
  [["has([BODY].a) == true", "[BODY].a == 1", "[BODY].a == 1"], { status: ANY, json: { "$.a": 1 } }],
  [["[BODY].n < -2", "[BODY].n > -9.7"], { status: ANY, json: { "$.n": { min: -8, max: -3 } } }],
  [["[BODY].n < 3.5"], { status: ANY, json: { "$.n": { max: 2.999 } } }],
  [["[STATUS] == any(200, 999)"], { status: [200, 999] }],
  [["[STATUS] >= 600", "[STATUS] != 700"], { status: ["600-699", "701-999"] }],
  [["[STATUS] <= 999"], { status: ANY }],
])("behavior 16.112: the conditions %p have the same meaning here", (conditions, wanted) => {
  expect(expectOf(...conditions)).toEqual({ expect: wanted, omitted: [] });
});

test.each([
  ["[BODY] == 200", "the body must be this text here: Gatus also takes other ways to write the number"],
  ["[BODY] != pong", "stillup only expects that a body lacks a text"],
  ["[BODY] != pat(a*b)", "stillup only expects that a body lacks a text"],
  ["len([BODY]) == 5", "stillup has no expectation of a length"],
  ["[BODY].name == pat(john*)", "stillup expects one value at a path, not one of several or a pattern"],
  ["[BODY].name != john", "stillup has no expectation that a value is another one"],
  ["len([BODY].items) > 3", "stillup has no expectation of a length"],
  [
    "[IP] == 127.0.0.1",
    "stillup has no expectation of the address that a name has; a DNS monitor with expected does that",
  ],
  ["[RESPONSE_TIME] > 5", "stillup has only a highest response time"],
  ["[BODY].a == [BODY].b", "it does not compare one placeholder with a value"],
  ["nonsense", "it does not compare one placeholder with a value"],
])("behavior 16.112: the condition %p is listed", (condition, why) => {
  expect(expectOf("[STATUS] == 200", condition).omitted).toEqual([
    `endpoint "shop", condition ${condition}: ${why}`,
  ]);
});

test.each<[string, unknown]>([
  ["3", 3],
  ["-0.25", -0.25],
  ["1e+06", 1_000_000],
  ["2.0", "2.0"],
  ["1.50", "1.50"],
  ["1e3", "1e3"],
  ["007", "007"],
  ["0x10", "0x10"],
  ["+5", "+5"],
  ["-0", "-0"],
  ["1_000", "1_000"],
  ["1234567", "1234567"],
  ["9007199254740993", "9007199254740993"],
  ["12345678901234567890", "12345678901234567890"],
  ["Infinity", "Infinity"],
  ["null", "null"],
  ["True", "True"],
])("behavior 16.112: the wanted value %s is %p, because Gatus compares texts", (text, value) => {
  expect(expectOf(`[BODY].version == ${text}`).expect).toEqual({ status: ANY, json: { "$.version": value } });
});

test.each([
  ["007", 'it is the text "007" here; Gatus takes the number 7 too'],
  ["1234567", 'it is the text "1234567": Gatus writes the number as 1.234567e+06'],
])("behavior 16.112: the wanted value %s is listed", (text, why) => {
  expect(expectOf(`[BODY].v == ${text}`).omitted).toEqual([
    `endpoint "shop", condition [BODY].v == ${text}: ${why}`,
  ]);
});

test.each([
  "[RESPONSE_TIME] < 5000 && [STATUS] <= 299",
  "[STATUS] >= 200 && [STATUS] < 300",
  "[STATUS] == 200 || [STATUS] == 201",
  "[STATUS]==200",
  "[STATUS].code == 200",
  "[RESPONSE_TIME] * 2 < 500",
  "[BODY].state == UP && [STATUS] < 300",
  "[BODY].state == UP || DOWN",
  "[BODY] == pat(*a*) && [CONNECTED] == true",
  "[BODY] == regex(^ok)",
  "[BODY] .a == 1",
  "has([BODY].a) && has([BODY].b) == true",
  "LEN([BODY].a) == 1",
  "![CONNECTED] == false",
])(
  "behavior 16.112: the condition %p, which the grammar of Gatus does not have, is only listed",
  (condition) => {
    const { expect: expected, omitted } = expectOf(condition);
    expect(expected).toEqual({ status: ["2xx"] });
    expect(omitted.map((one) => one.slice(0, one.lastIndexOf(": ")))).toEqual([
      `endpoint "shop", condition ${condition}`,
    ]);
  },
);

test.each([["[STATUS] == any(0, 100, 302, 2xx)", [302], "0, 100, 2xx"]])(
  "behavior 16.112: of %p, the codes that no expectation takes are listed",
  (condition, status, lost) => {
    expect(expectOf(condition)).toEqual({
      expect: { status },
      omitted: [
        `endpoint "shop", condition ${condition}: an answer has a status from 200 to 999 here, and not ${lost}`,
      ],
    });
  },
);

test.each([
  [
    "client: { timeout: 90s }, interval: 2m",
    "client.timeout",
    "it is 90 s; stillup takes whole seconds, up to 60 and the interval: it is 60 s here",
  ],
  [
    "client: { timeout: 1500ms }",
    "client.timeout",
    "it is 1.5 s; stillup takes whole seconds, up to 60 and the interval: it is 2 s here",
  ],
  [
    "interval: 5s",
    "client.timeout",
    "it is 10 s; stillup takes whole seconds, up to 60 and the interval: it is 5 s here",
  ],
  [
    "client: { timeout: soon }",
    "client.timeout",
    "it is not a duration, or a variable that is not set: it is 10 s",
  ],
  ["interval: 48h", "interval", "it is 172800 s; stillup checks every 1 s to 24 h: it is 86400 s here"],
  [
    "interval: 500ms, client: { timeout: 1s }",
    "interval",
    "it is 0.5 s; stillup checks every 1 s to 24 h: it is 1 s here",
  ],
  ["interval: 90500ms", "interval", "it is 90.5 s; stillup checks every 1 s to 24 h: it is 91 s here"],
])(
  "behavior 16.111: of an endpoint with { %s }, the value of %s that is changed is listed",
  (fields, what, why) => {
    const { omitted } = endpoint(
      `{ name: a, url: "https://a.example.com", ${fields}, conditions: ["[STATUS] == 200"] }`,
    );
    expect(omitted).toEqual([`endpoint "a", ${what}: ${why}`]);
  },
);

test.each([
  ["[CONNECTED] == false", "it is healthy while nothing answers: stillup has no such expectation"],
  ["[CONNECTED] != true", "it is healthy while nothing answers: stillup has no such expectation"],
  ["[CONNECTED] == TRUE", "nothing can meet its condition [CONNECTED] == TRUE"],
  ["[CERTIFICATE_EXPIRATION] == 0", "it is healthy while nothing answers: stillup has no such expectation"],
  ["[RESPONSE_TIME] > 20s", "nothing can meet its condition [RESPONSE_TIME] > 20s"],
  ["len([STATUS]) == 1", "it is healthy while nothing answers: stillup has no such expectation"],
  ["len([IP]) == 0", "it is healthy while nothing answers: stillup has no such expectation"],
  ["[STATUS] == 99", "its conditions for [STATUS] accept no status, or too many ranges"],
  ["[STATUS] == any(0, 1000)", "it is healthy while nothing answers: stillup has no such expectation"],
  ["[STATUS] == 2xx", "nothing can meet its condition [STATUS] == 2xx"],
  ["[STATUS] == 200 or 201", "nothing can meet its condition [STATUS] == 200 or 201"],
])("behavior 16.113: an endpoint with the condition %p is not taken over", (condition, why) => {
  const { monitor, omitted } = endpoint(
    JSON.stringify({ name: "shop", url: "https://shop.example.com/", conditions: [condition] }),
  );
  expect(monitor).toBeUndefined();
  expect(omitted).toEqual([`endpoint "shop": ${why}`]);
});

test("behavior 16.112: an answer without a body is one whose status is known", () => {
  expect(expectOf("[STATUS] == 204", "len([BODY]) == 0")).toEqual({
    expect: { status: [204], matches: "^(?:\\[[ \\t\\n\\r]*\\])?$" },
    omitted: [],
  });
});

/** Whether a body is as the pattern of a condition wants it. */
function matched(condition: string, bodies: string[]): string[] {
  const { expect: wanted, omitted } = expectOf("[STATUS] == 200", condition);
  expect(omitted).toEqual([]);
  const { matches } = wanted as { matches: string };
  return bodies.filter((body) => isMatch(matches, body));
}

test.each<[string, string[], string[]]>([
  ["[BODY] == pong", ["pong", " pong\n"], ["", "ping pong", "pongs"]],
  ["[BODY] == a.b", ["a.b"], ["axb"]],
  ["[BODY] == any(up, ok)", ["up", "ok\n"], ["", "up, ok", "UP"]],
  ["[BODY] == pat(a*b)", ["ab", "a\nb", " axxb "], ["b", "xab", "abx"]],
  ["[BODY] == pat(v?.[0-9]*)", ["v1.2", "v1.2.3"], ["v1.x", "v12.2"]],
  ["[BODY] == pat([^a]b)", ["xb"], ["ab", "/b"]],
  ["[BODY] == pat(\\*x)", ["*x"], ["xx"]],
  ["[BODY] == pat(*a*b)", ["xaxb"], ["xaxbx"]],
  ["[BODY] == pat()", ["", " \n"], ["x"]],
  ["has([BODY]) == true", ["x", "[]"], ["", " \n"]],
  ["has([BODY]) == false", ["", " \n"], ["x"]],
  ["[BODY] != ", ["x"], ["", " "]],
  ["len([BODY]) == 0", ["", "[]", "[ \n]"], [" ", "{}", "[1]", "[] "]],
  ["len([BODY]) > 0", [" ", "{}", "[1]", "[[]]", "[] ", "[", "[ x", "a[]"], ["", "[]", "[ ]"]],
  ["len([BODY]) != 0", ["x"], [""]],
  ["1 <= len([BODY])", ["x"], ["[]"]],
])("behavior 16.112: the pattern for %p is that of the whole body", (condition, good, bad) => {
  expect(matched(condition, [...good, ...bad])).toEqual(good);
});

test("behavior 16.112: a body with a variable is a text that it contains", () => {
  const { monitor, omitted } = endpoint(
    '{ name: a, url: "https://a.example.com", conditions: ["[STATUS] == 200", "[BODY] == ${WORD}", "[BODY] == any(${WORD}, x)"] }',
    { WORD: "pong" },
  );
  expect(monitor?.config).toMatchObject({ expect: { contains: "${WORD}" } });
  expect(omitted).toHaveLength(2);
});

test("behavior 16.110: variables stay, and decide nothing while their value is not known", () => {
  const yaml = `
endpoints:
  - name: shop
    url: https://$HOST/\${PATH_OF_SHOP}?price=$$5
    interval: \${PAUSE}
    headers: {Authorization: \${TOKEN}}
    conditions: ["[STATUS] == 200", "[CERTIFICATE_EXPIRATION] > 48h", "[BODY].version == $VERSION"]
  - {name: unknown, url: \${URL}, conditions: ["[STATUS] == 200"]}
`;
  const { document, omitted } = fromGatus(yaml, {
    HOST: "shop.example.com",
    PATH_OF_SHOP: "a",
    PAUSE: "2m",
    TOKEN: "t",
    VERSION: "1.2",
  });
  expect(document.monitors?.shop?.config).toMatchObject({
    url: "https://${HOST}/${PATH_OF_SHOP}?price=$5",
    interval: 120,
    headers: { Authorization: "${TOKEN}" },
    expect: { json: { "$.version": "${VERSION}" } },
  });
  expect(document.monitors?.shop?.config).toMatchObject({ expiryWarning: 2 });
  expect(omitted).toEqual([
    {
      ...{ what: 'endpoint "unknown"', lost: {} },
      why: "its URL is a variable that is not set: set it for the import too",
    },
    {
      what: 'endpoint "shop", condition [BODY].version == ${VERSION}',
      why: "it is the value of the variable as a text: a number, true and false are other values",
    },
  ]);
});
