import { expect, test } from "bun:test";
import { fromGatus } from "../../support/import/gatus.ts";

/** The monitor of a suite, and what was left out. @param endpoints YAML in the form `{ … }` */
function suite(endpoints: string[], fields = "", env = {}) {
  const list = endpoints.map((one) => `      - ${one}\n`).join("");
  const { document, omitted, notes, found } = fromGatus(
    `suites:\n  - name: order\n    group: shop\n${fields}    endpoints:\n${list}`,
    env,
  );
  const monitor = document.monitors?.["shop-order"];
  const lines = omitted.map(({ what, why }) => `${what}: ${why}`.replace('suite "shop/order", ', ""));
  return { monitor, config: monitor?.config as Record<string, unknown>, lines, notes, found };
}

const OK = 'conditions: ["[STATUS] == 200"]';

test("behavior 16.107: a suite is one monitor with a step for each endpoint, which take values for later ones", () => {
  const { monitor, lines, notes, found } = suite(
    [
      `{ name: create, url: "https://a.example.com/items", method: POST, body: '{"price": "[CONTEXT].price"}', headers: { Content-Type: application/json }, conditions: ["[STATUS] == 201", "[BODY].price == [CONTEXT].price"], store: { item-id: "[BODY].data[0].id" } }`,
      `{ name: read, url: "https://a.example.com/items/[CONTEXT].item-id", headers: { Authorization: "Bearer [CONTEXT].item-id", X-Key: k1 }, client: { timeout: 5s, ignore-redirect: true }, conditions: ["[STATUS] == 200", "[RESPONSE_TIME] < 900"] }`,
    ],
    "    interval: 5m\n    context: { price: 19.99 }\n",
  );
  expect(monitor).toEqual({
    ...{ name: "order", type: "HTTP", tags: ["group:shop"], alertChannelIds: [] },
    config: {
      interval: 300,
      timeout: 15,
      steps: [
        {
          ...{ name: "create", url: "https://a.example.com/items", method: "POST", redirects: 10 },
          ...{ body: '{"price": "19.99"}', headers: { "Content-Type": "application/json" } },
          expect: { status: [201], json: { "$.price": 19.99 } },
          take: { item_id: "$.data[0].id" },
        },
        {
          ...{ name: "read", url: "https://a.example.com/items/{{item_id}}" },
          headers: { Authorization: "Bearer {{item_id}}", "X-Key": "k1" },
          expect: { status: [200], within: 900 },
        },
      ],
    },
  });
  expect(lines).toEqual([]);
  expect(notes).toEqual([
    "the steps of a check have one timeout, which is the sum of the timeouts of the endpoints",
  ]);
  expect(found).toBe(1);
});

test("behavior 16.107: a suite has 10 minutes between its checks, and an only endpoint is no step", () => {
  const { config, notes } = suite([`{ name: only, url: "https://a.example.com/", ${OK} }`]);
  expect(config).toEqual({
    ...{ url: "https://a.example.com/", redirects: 10, interval: 600, timeout: 10 },
    expect: { status: [200] },
  });
  expect(notes).toEqual([]);
});

test.each([
  [[], "a check has 1 to 10 steps, and not 0"],
  [
    Array.from({ length: 11 }, (_, at) => `{ name: s${at}, url: "https://a.example.com/", ${OK} }`),
    "a check has 1 to 10 steps, and not 11",
  ],
  [['{ name: db, url: "tcp://a:1", conditions: [] }'], 'its endpoint "db" is no request of http or https'],
  [
    [`{ name: read, url: "https://a.example.com/[CONTEXT].id", ${OK} }`],
    'its endpoint "read" uses [CONTEXT].id: no endpoint before stores it',
  ],
  [
    [
      `{ name: a, url: "https://a.example.com/", ${OK}, store: { code: "[STATUS]" } }`,
      `{ name: b, url: "https://a.example.com/[CONTEXT].code", ${OK} }`,
    ],
    'its endpoint "b" uses [CONTEXT].code: it is [STATUS], and a step takes values of a JSON body',
  ],
  [
    [
      `{ name: a, url: "https://a.example.com/", ${OK} }`,
      '{ name: b, url: "https://a.example.com/", conditions: ["[CONNECTED] == false"] }',
    ],
    'its endpoint "b": it is healthy while nothing answers: stillup has no such expectation',
  ],
] as [string[], string][])("behavior 16.107: the suite of %j is left out", (endpoints, why) => {
  const { monitor, lines } = suite(endpoints);
  expect(monitor).toBeUndefined();
  expect(lines.at(-1)).toBe(`suite "shop/order": ${why}`);
});

test("behavior 16.107: what a suite has beyond steps is listed", () => {
  const { config, lines } = suite(
    [
      `{ name: a, url: "https://a.example.com/", ${OK}, store: { id: "[BODY].id", unused: "[BODY].x" } }`,
      `{ name: b, url: "https://a.example.com/", body: "[CONTEXT].id", method: POST, conditions: ["[STATUS] == 200", "[BODY].id == [CONTEXT].id", "[DOMAIN_EXPIRATION] > 720h"] }`,
      `{ name: c, url: "https://a.example.com/", always-run: true, client: { timeout: 60s }, ${OK} }`,
      `{ name: d, url: "https://a.example.com/", client: { timeout: 60s }, ${OK} }`,
    ],
    "    interval: 10m\n    timeout: 10m\n",
  );
  expect(config).toMatchObject({
    timeout: 120,
    steps: [{ take: { id: "$.id" } }, { body: "{{id}}" }, {}, {}],
  });
  expect(lines).toEqual([
    "a, store.unused: no later endpoint sends it",
    "b, condition [BODY].id == [CONTEXT].id: an expectation has no values of earlier steps",
    "b, condition for [DOMAIN_EXPIRATION]: a step has no registration of a domain",
    "c, always-run: a check ends at its first step that fails: the step is not made then",
    "timeout: its endpoints may take 140 s; up to 120 are possible: it is 120 s here",
  ]);
});

const step = (name: string, url: string, client = "{}") =>
  `{ name: ${name}, url: "${url}", client: ${client}, ${OK} }`;

test("behavior 16.107: all steps have one proxy and one verification, and what is for an origin goes to the first", () => {
  const oauth = "oauth2: { token-url: https://l.example.com/t, client-id: c, client-secret: s, scopes: [r] }";
  const both = "{ proxy-url: http://p.example.com:3128, insecure: true }";
  const same = suite([
    step("a", "https://a.example.com/", both.replace("{", `{ ${oauth},`)),
    step("b", "https://a.example.com/b", both.replace("{", `{ ${oauth},`)),
    step("c", "https://c.example.com/", both),
  ]);
  expect(same.config).toMatchObject({
    ...{ proxy: { url: "http://p.example.com:3128" }, verifyTls: false },
    oauth2: { clientId: "c", scope: "r" },
  });
  expect([same.monitor?.enabled, same.lines]).toEqual([undefined, []]);
  const different = suite([
    step("a", "https://a.example.com/", `{ ${oauth}, insecure: true }`),
    step("b", "https://b.example.com/", `{ ${oauth}, proxy-url: http://p.example.com:3128 }`),
  ]);
  const WHY = "it differs between the endpoints, and all steps have the same: the monitor is paused";
  expect(different.lines).toEqual([
    `client.oauth2: ${WHY}`,
    `client.proxy-url: ${WHY}`,
    `client.insecure: ${WHY}`,
  ]);
  expect(different.monitor?.enabled).toBe(false);
  expect(different.config).not.toContainAnyKeys(["oauth2", "proxy", "verifyTls"]);
});

test("behavior 16.107: a user of the URLs is one of the monitor, or a header of the step", () => {
  const shared = suite([step("a", "https://u:p@a.example.com/"), step("b", "https://u:p@a.example.com/b")]);
  expect(shared.config.basicAuth).toEqual({ user: "u", password: "p" });
  const own = suite([step("a", "https://u:p@a.example.com/"), step("b", "https://v:q@b.example.com/b")]);
  expect(own.config.basicAuth).toBeUndefined();
  expect(own.config.steps).toMatchObject([
    { headers: { Authorization: `Basic ${btoa("u:p")}` } },
    { headers: { Authorization: `Basic ${btoa("v:q")}` } },
  ]);
  expect(own.lines).toEqual([]);
});

test("behavior 16.107: the alerts of all endpoints are those of the monitor", () => {
  const { document, omitted } = fromGatus(`
alerting:
  slack: { webhook-url: "https://hooks.slack.com/services/a" }
  discord: { webhook-url: "https://discord.com/api/webhooks/1/a" }
suites:
  - name: order
    endpoints:
      - { name: a, url: "https://a.example.com/", ${OK}, alerts: [{ type: slack }], extra-labels: { team: shop } }
      - { name: b, url: "https://a.example.com/", ${OK}, alerts: [{ type: slack }, { type: discord }] }
`);
  expect(document.monitors?.order).toMatchObject({
    ...{ alertChannelIds: ["slack", "discord"], tags: ["team:shop"], confirmations: 2 },
  });
  expect(omitted.map(({ what }) => what)).toEqual(['suite "order", alerts']);
});
