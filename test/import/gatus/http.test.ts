import { expect, test } from "bun:test";
import { endpoint, fromGatus } from "../../support/import/gatus.ts";

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

test("behavior 16.111: the lifetime of a certificate is a further TLS monitor", () => {
  const { others } = endpoint(
    '{ name: shop, url: "https://shop.example.com:8443/a", conditions: ["[STATUS] == 200", "[CERTIFICATE_EXPIRATION] > 50h"] }',
  );
  expect(others).toEqual([
    {
      name: "shop, certificate",
      type: "TLS",
      config: { host: "shop.example.com", port: 8443, interval: 60, warnDays: 3 },
      alertChannelIds: [],
    },
  ]);
});

test("behavior 16.111: a monitor that could only fail here is paused", () => {
  const { monitor, omitted } = endpoint(
    '{ name: inner, url: "https://a.example.com", client: { proxy-url: "http://p:1", dns-resolver: "tcp://8.8.8.8:53" }, conditions: ["[STATUS] == 200"] }',
  );
  expect(monitor?.enabled).toBe(false);
  expect(omitted).toEqual([
    'endpoint "inner", client.dns-resolver: stillup looks names up itself: see --dns-servers',
    'endpoint "inner", client.proxy-url: stillup uses no proxy: the monitor is paused',
  ]);
});

const ANY = ["2xx", "3xx", "4xx", "5xx"];

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
])("behavior 16.112: the conditions %p have the same meaning here", (conditions, wanted) => {
  expect(expectOf(...conditions)).toEqual({ expect: wanted, omitted: [] });
});

test.each([
  ["[BODY] == pong", 'stillup expects only that the body contains "pong"'],
  ["[BODY] == pat(a*b)", 'stillup expects only that the body contains "a" and "b"'],
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

test.each([
  ["[CONNECTED] == false", "it is healthy while nothing answers: stillup has no such expectation"],
  ["[STATUS] == 99", "its conditions for [STATUS] accept no status, or too many ranges"],
])("behavior 16.113: an endpoint with the condition %p is not taken over", (condition, why) => {
  const { monitor, omitted } = endpoint(
    JSON.stringify({ name: "shop", url: "https://shop.example.com/", conditions: [condition] }),
  );
  expect(monitor).toBeUndefined();
  expect(omitted).toEqual([`endpoint "shop": ${why}`]);
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
  expect(document.monitors?.["shop-certificate"]?.config).toMatchObject({ host: "${HOST}" });
  expect(omitted).toEqual([
    { what: 'endpoint "unknown"', why: "its URL is a variable that is not set: set it for the import too" },
  ]);
});
