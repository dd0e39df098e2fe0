import { expect, test } from "bun:test";
import { importUpptime } from "../../../src/import/upptime/upptime.ts";
import { fromUpptime, site } from "../../support/import/upptime.ts";

const USUAL = { status: ["200-208", 226, "300-308"] };
const shared = { interval: 300, timeout: 60, redirects: 3 };

test("behavior 16.123: a site is an HTTP monitor with what Upptime takes as up, its redirects and its time limit", () => {
  expect(site("{ name: Shop, url: https://shop.example.com }")).toEqual({
    monitor: {
      name: "Shop",
      type: "HTTP",
      config: { url: "https://shop.example.com", ...shared, expect: USUAL },
      confirmations: 2,
    },
    ...{ omitted: [], notes: [] },
  });
});

test("behavior 16.123: method, body, headers and limits are those of the site", () => {
  const { monitor, omitted } = site(
    `{ name: API, slug: api, url: "https://u:p%40@api.example.com/x", method: post, body: "a=$SECRET",
       headers: ["Accept: text/html", "X-Key: $KEY", "X-Plain:geheim"], expectedStatusCodes: [200, "201", 202, 404],
       maxResponseTime: 1500, maxRedirects: 0, requestTimeout: 20, __dangerous__insecure: true,
       tags: [Team A], __dangerous__body_down: "Fatal \${x}", __dangerous__body_down_if_text_missing: '"ok":true' }`,
    { SECRET: "s", KEY: "k" },
  );
  expect(omitted).toEqual([]);
  expect(monitor).toEqual({
    name: "API",
    type: "HTTP",
    config: {
      ...{ url: "https://api.example.com/x", interval: 300, method: "POST", body: "a=${SECRET}" },
      headers: {
        ...{ Accept: "text/html", "X-Key": "${KEY}", "X-Plain": "geheim" },
        "Content-Type": "application/x-www-form-urlencoded",
      },
      ...{ basicAuth: { user: "u", password: "p@" }, timeout: 20, verifyTls: false },
      expect: {
        ...{ status: ["200-202", 404], contains: '"ok":true', lacks: "Fatal $${x}", within: 1500 },
      },
    },
    ...{ tags: ["team-a"], confirmations: 2 },
  });
});

test("behavior 16.93, 16.124: secrets of the file are variables, and variables of Upptime stay variables", () => {
  const value = {
    secrets: ["KEY"],
    sites: [
      {
        name: "A",
        url: "https://u:pw@a.example.com/?q=$KEY&price=$USD",
        headers: ["X-Key: geheim", "X-B: a$KEY"],
      },
    ],
  };
  const { document, secrets, notes } = importUpptime(value, { env: {}, withSecrets: false });
  expect(document.monitors?.a?.config).toMatchObject({
    url: "https://a.example.com/?q=${KEY}&price=$USD",
    headers: { "X-Key": "${A_X_KEY}", "X-B": "a${KEY}" },
    basicAuth: { user: "u", password: "${A_PASSWORD}" },
  });
  expect(secrets).toEqual(["A_PASSWORD", "A_X_KEY"]);
  expect(notes).toContain("apply needs these variables of Upptime too: KEY");
  expect(JSON.stringify(document)).not.toContain("geheim");
});

test.each([
  ["url: shop.example.com", { url: "http://shop.example.com", ...shared, expect: USUAL }],
  ["url: $PAGE", { url: "${PAGE}", ...shared, expect: USUAL }],
  ["url: 'HTTPS://a.example.com/$top'", { url: "HTTPS://a.example.com/$top", ...shared, expect: USUAL }],
  [
    "url: https://a.example.com, maxResponseTime: 60000",
    { url: "https://a.example.com", ...shared, expect: USUAL },
  ],
  [
    "url: https://a.example.com, method: HEAD",
    { url: "https://a.example.com", interval: 300, method: "HEAD", timeout: 60, redirects: 3, expect: USUAL },
  ],
  [
    "check: tcp-ping, url: db.example.com, port: 5432",
    { host: "db.example.com", port: 5432, interval: 300, timeout: 5 },
  ],
  [
    "check: tcp-ping, url: '2001:db8::1', ipv6: true",
    { host: "2001:db8::1", port: 80, interval: 300, timeout: 5 },
  ],
  ["check: tcp-ping, url: $SITE, port: $PORT", { host: "${SITE}", port: 8443, interval: 300, timeout: 5 }],
  [
    "check: ws, url: wss://a.example.com/live",
    { url: "https://a.example.com/live", interval: 300, protocol: "websocket", timeout: 60 },
  ],
  ["check: ssl, url: a.example.com", { host: "a.example.com", interval: 300, warnDays: 7 }],
  [
    "check: ssl, url: a.example.com, port: 8443",
    { host: "a.example.com", port: 8443, interval: 300, warnDays: 7 },
  ],
] as [string, object][])("behavior 16.123: nothing of { %s } is left out", (fields, config) => {
  const { monitor, omitted } = site(`{ name: a, ${fields} }`, {
    SITE: "a.example.com",
    PORT: "8443",
    PAGE: "https://a.example.com",
  });
  expect({ config: monitor?.config, omitted }).toEqual({ config, omitted: [] });
});

test("behavior 16.123: a check from Globalping follows no redirect, verifies no certificate and has one version of IP", () => {
  const globalping = (fields: string) => site(`{ name: a, type: globalping, ${fields} }`).monitor;
  expect(globalping("url: a.example.com/x, port: 8443, ipv6: true")?.config).toEqual({
    ...{ url: "https://a.example.com:8443/x", interval: 300, verifyTls: false, ipFamily: 6, expect: USUAL },
  });
  expect(globalping("url: https://192.0.2.1, requestTimeout: 50")?.config).toEqual({
    ...{ url: "https://192.0.2.1", interval: 300, verifyTls: false, expect: USUAL },
  });
  expect(globalping("url: https://a.example.com/x, check: tcp-ping")).toMatchObject({
    ...{ type: "TCP", config: { host: "a.example.com", interval: 300, protocol: "icmp" } },
  });
  const { omitted } = site(
    "{ name: a, type: globalping, url: a.example.com, location: x, body: y, requestTimeout: 50 }",
  );
  expect(omitted).toEqual([
    'site "a", type: stillup asks no other network: it checks from its server, or from locations of your own',
    'site "a", body: Upptime does not use it with http of globalping',
    'site "a", requestTimeout: Upptime does not use it with http of globalping',
    "locations of sites: a location of stillup is a probe of your own",
  ]);
  expect(globalping("url: wss://a.example.com, check: ws")).toBeUndefined();
});

const LIMIT = "an answer has a status from 200 to 999 here, and not";

test.each([
  // Each of these has a monitor, and one line.
  [
    "url: https://a.example.com, expectedStatusCodes: [200, 999, 1000, '200-299']",
    `expectedStatusCodes: ${LIMIT} 1000, 200-299`,
  ],
  [
    "url: https://a.example.com, requestTimeout: 90",
    "requestTimeout: it is 90 s; stillup takes whole seconds, up to 60 and the interval: it is 60 s here",
  ],
  ["url: https://a.example.com, connectTimeout: 5", "connectTimeout: the timeout is for the whole check"],
  [
    "url: https://a.example.com, maxRedirects: 20",
    "maxRedirects: it is 20, and the most here are 10, which it follows",
  ],
  [
    "url: https://a.example.com, maxRetries: 5",
    "maxRetries: two further checks confirm a failure, as in Upptime, and each is one attempt",
  ],
  ["url: https://a.example.com, maxResponseTime: 0.4", "maxResponseTime: it is 0.4 ms; it is 1 ms here"],
  ["url: https://a.example.com, body: x", "body: stillup sends no body with GET"],
  [
    "url: https://a.example.com, headers: ['X-Empty:']",
    "header X-Empty: it has no name or no value, such as in Accept: text/html",
  ],
  [
    "url: https://a.example.com, headers: {Accept: text/html}",
    "headers: they are not a list of texts such as Accept: text/html",
  ],
  [
    "url: https://a.example.com, headers: ['Content-Length: 3']",
    "header Content-Length: stillup sets this header itself",
  ],
  [
    "url: 'https://a.example.com/?$DYNAMIC_RANDOM_NUMBER'",
    "url: stillup sends $DYNAMIC_RANDOM_NUMBER as it is written",
  ],
  ["url: https://a.example.com, ipv6: true", "ipv6: Upptime does not use it with http"],
  ["url: https://a.example.com, port: 8080", "port: Upptime does not use it with http"],
  [
    "url: https://a.example.com, expectedStatusCode: 404",
    "expectedStatusCode: Upptime does not know this field",
  ],
  [
    "url: https://a.example.com, check: icmp",
    'check: Upptime does not know "icmp", and sends a request of HTTP, as stillup does',
  ],
  [
    "url: https://a.example.com, __dangerous__body_degraded: slow",
    "__dangerous__body_degraded: a body makes a monitor Down here, and never Degraded: write expect.contains or expect.lacks",
  ],
  [
    "url: https://a.example.com, __dangerous__disable_verify_host: true",
    "__dangerous__disable_verify_host: verifyTls: false verifies neither the chain nor the name of a certificate",
  ],
  [
    "url: https://a.example.com, method: HEAD, __dangerous__body_down: x",
    "__dangerous__body_down: an answer to HEAD has no body",
  ],
  [
    "url: https://a.example.com, __dangerous__body_down_if_text_missing: 302 Found",
    "__dangerous__body_down_if_text_missing: Upptime looks in the headers too, and stillup in the body",
  ],
  [
    "url: https://a.example.com, __dangerous__body_down: 'Location: /error'",
    "__dangerous__body_down: Upptime looks in the headers too, and stillup in the body",
  ],
  [
    "url: a.example.com, check: tcp-ping, port: 80, maxResponseTime: 300",
    "maxResponseTime: a TCP monitor has no highest response time",
  ],
  [
    "url: a.example.com, check: tcp-ping, ipv6: true",
    "ipv6: a TCP monitor has no version of IP: each address is checked, and one that fails is Degraded",
  ],
  ["url: a.example.com, check: ssl, method: HEAD", "method: Upptime does not use it with ssl"],
  ["url: wss://a.example.com, check: ws, body: hi", "body: stillup sends a ping, and no text"],
  ["url: wss://a.example.com, check: ws, headers: ['X: y']", "headers: Upptime does not use it with ws"],
])("behavior 16.103, 16.123: what differs of { %s } has its line", (fields, line) => {
  const { monitor, omitted } = site(`{ name: a, ${fields} }`);
  expect(monitor).toBeDefined();
  expect(omitted).toEqual([`site "a", ${line}`]);
});

test.each([
  // Each of these would be judged otherwise here, and is left out.
  [
    "url: https://a.example.com, expectedStatusCodes: [0, 200]",
    "it is up while nothing answers: stillup has no such expectation",
  ],
  ["url: https://a.example.com, expectedStatusCodes: [1000]", `${LIMIT} 1000`],
  ["url: https://a.example.com, method: TRACE", "stillup does not send TRACE"],
  ["url: ftp://a.example.com", "stillup sends no request of ftp"],
  ["url: imap.example.com", "stillup sends no request of imap"],
  ["check: http", "it has no url"],
  [
    "url: https://a.example.com, check: tcp-ping",
    "its url is not a host or an IP address, so that it is always down in Upptime",
  ],
  [
    "url: a.example.com, port: $PORT, check: tcp-ping",
    "its port is a variable that is not set: set it for the import too",
  ],
  ["url: a.example.com, port: 70000, check: tcp-ping", "its port is not a number from 1 to 65535"],
  ["url: a.example.com, check: ws", "its url is not of the form wss://HOST"],
  ["url: $SITE, check: ws", "its url is a variable: write ws:// or wss:// in the file"],
])("behavior 16.123: { %s } is left out", (fields, why) => {
  const { monitor, omitted } = site(`{ name: a, ${fields} }`);
  expect({ monitor, omitted }).toEqual({ monitor: undefined, omitted: [`site "a": ${why}`] });
});

test("behavior 16.117: a site that no server could accept is left out, and the page has the others", () => {
  const { document, omitted } = fromUpptime(
    `repo: status\nsites: [{ name: a, url: "https://" }, { name: b, url: b.example.com }]\nstatus-website: { name: S }`,
  );
  expect(Object.keys(document.monitors ?? {})).toEqual(["b"]);
  expect(document.pages?.s?.components).toEqual([{ monitorId: "b" }]);
  expect(omitted).toEqual([expect.objectContaining({ what: 'monitor "a"', lost: {} })]);
});
