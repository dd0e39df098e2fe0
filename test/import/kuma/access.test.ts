import { beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { NO_DATA, type Row, readBackup } from "../../../src/import/kuma/fields.ts";
import { importKuma } from "../../../src/import/kuma/import-kuma.ts";
import { importedFrom, kumaMonitor, NOW } from "../../support/import/kuma.ts";
import { isMatch } from "../../support/import/pattern.ts";
import { createAuthority, type ServerCertificate } from "../../support/servers/certificates.ts";

const ENCRYPTED = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" },
  publicKeyEncoding: { type: "spki", format: "pem" },
}).privateKey;

let pair: ServerCertificate;
let other: ServerCertificate;
beforeAll(async () => {
  const authority = await createAuthority();
  pair = await authority.issue([{ type: "dns", value: "client.example.com" }]);
  other = await authority.issue([{ type: "dns", value: "other.example.com" }]);
});

/** The config of the monitor, whether it is paused, and the lines and notes of the import. */
function taken(fields: Row, proxies: Row[] = []) {
  const { document, omitted, notes } = importedFrom({ monitors: [kumaMonitor(fields)], proxies });
  const { config = {}, enabled = true } = document.monitors?.shop ?? {};
  const lines = [...omitted.map(({ what, why }) => `${what}: ${why}`), ...notes];
  return { config: config as Record<string, unknown>, isPaused: enabled === false, lines };
}

const proxy = (fields: Row): Row => ({
  ...{ id: 3, protocol: "http", host: "proxy.example.com", port: 3128, auth: 0, active: 1 },
  ...{ username: "", password: "" },
  ...fields,
});

test("behavior 16.105: a client certificate is taken over with its key", () => {
  const mtls = { auth_method: "mtls", tls_cert: pair.cert, tls_key: pair.key };
  const { config, isPaused, lines } = taken(mtls);
  expect(config.clientCertificate).toEqual({ certificate: pair.cert.trim(), key: pair.key.trim() });
  expect([isPaused, lines]).toEqual([false, []]);
  const hidden = importedFromSecrets(mtls);
  expect(JSON.stringify(hidden)).not.toContain("PRIVATE KEY");
  expect(hidden).toMatchObject({ clientCertificate: { key: "${HTTP_SHOP_KEY}" } });
  expect(taken({ auth_method: "mtls" })).toMatchObject({ isPaused: false, lines: [] });
});

function importedFromSecrets(fields: Row, proxies: Row[] = []): unknown {
  const { document } = importKuma(
    { ...NO_DATA, monitors: [kumaMonitor(fields)], proxies },
    { withSecrets: false, now: NOW },
  );
  return document.monitors?.shop?.config;
}

test("behavior 16.105: a certificate that no server takes pauses the monitor, and so does an authority of its own", () => {
  const mtls = { auth_method: "mtls", tls_cert: pair.cert };
  const PAUSED = ": the monitor is paused";
  for (const [fields, why] of [
    [
      { ...mtls, tls_key: other.key },
      "clientCertificate.key must be the key of the first certificate in clientCertificate.certificate",
    ],
    [
      { ...mtls, tls_key: "" },
      "clientCertificate.key must be a private key in PEM, of RSA, ECDSA or Ed25519",
    ],
    [
      { ...mtls, tls_key: ENCRYPTED },
      "clientCertificate.key must have no passphrase: remove it, for example with openssl pkey",
    ],
  ] as [Row, string][]) {
    const { config, isPaused, lines } = taken(fields);
    expect(config.clientCertificate).toBeUndefined();
    expect([isPaused, lines]).toEqual([true, [`monitor "Shop", client certificate: ${why}${PAUSED}`]]);
  }
  const own = { ...mtls, tls_key: pair.key, tls_ca: other.cert };
  expect(taken(own)).toMatchObject({
    ...{ config: { clientCertificate: {} }, isPaused: true },
    lines: [
      `monitor "Shop", certificate authority: SSL_CERT_FILE of the server names the authorities that count${PAUSED}`,
    ],
  });
  expect(taken({ ...own, ignore_tls: 1 })).toMatchObject({ isPaused: false, lines: [] });
});

test("behavior 16.105: credentials of a client of OAuth 2 are taken over if they are sent as Basic authentication", () => {
  const oauth = {
    ...{ auth_method: "oauth2-cc", oauth_token_url: "https://login.example.com/token" },
    ...{ oauth_client_id: "shop", oauth_client_secret: "s3cret ${X}", oauth_scopes: "read write" },
  };
  const oauth2 = { tokenUrl: oauth.oauth_token_url, clientId: "shop", clientSecret: "s3cret $${X}" };
  for (const oauth_auth_method of [null, "client_secret_basic"])
    expect(taken({ ...oauth, oauth_auth_method, oauth_audience: "api" })).toMatchObject({
      ...{ config: { oauth2: { ...oauth2, scope: "read write", audience: "api" } } },
      ...{ isPaused: false, lines: [] },
    });
  expect(importedFromSecrets(oauth)).toMatchObject({
    oauth2: { clientSecret: "${HTTP_SHOP_CLIENT_SECRET}" },
  });
  const post = taken({ ...oauth, oauth_auth_method: "client_secret_post" });
  expect(post.config.oauth2).toBeUndefined();
  expect([post.isPaused, post.lines]).toEqual([
    true,
    [
      'monitor "Shop", authentication: stillup sends the secret of a client only as client_secret_basic, not as client_secret_post: the monitor is paused',
    ],
  ]);
  const broken = taken({ ...oauth, oauth_token_url: "login" });
  expect([broken.config.oauth2, broken.isPaused]).toEqual([undefined, true]);
  expect(broken.lines.join()).toContain("oauth2: config.oauth2.tokenUrl must be");
  // The header is what Uptime Kuma sends.
  const header = taken({ ...oauth, headers: '{"Authorization": "Bearer x"}' });
  expect([header.config.oauth2, header.isPaused, header.lines]).toEqual([undefined, false, []]);
});

test("behavior 16.105: a proxy of HTTP or SOCKS 5 is taken over with its user", () => {
  const url = "http://proxy.example.com:3128";
  expect(taken({ proxy_id: 3 }, [proxy({})])).toMatchObject({ config: { proxy: { url } }, lines: [] });
  const secret = proxy({ auth: 1, username: "ops", password: "pass" });
  expect(taken({ proxy_id: 3 }, [secret]).config.proxy).toEqual({ url, user: "ops", password: "pass" });
  expect(importedFromSecrets({ proxy_id: 3 }, [secret])).toMatchObject({
    proxy: { url, user: "ops", password: "${HTTP_SHOP_PROXY_PASSWORD}" },
  });
  for (const protocol of ["socks", "socks5h"])
    expect(taken({ proxy_id: 3 }, [proxy({ protocol })])).toMatchObject({
      config: { proxy: { url: "socks5://proxy.example.com:3128" } },
      lines: [],
    });
  expect(taken({ proxy_id: 3 }, [proxy({ protocol: "socks5" })])).toMatchObject({
    config: { proxy: { url: "socks5://proxy.example.com:3128" } },
    lines: ['monitor "Shop": the proxy resolves the names, which Uptime Kuma resolves itself'],
  });
  const off = taken({ proxy_id: 3 }, [proxy({ active: 0 })]);
  expect([off.config.proxy, off.isPaused]).toEqual([undefined, false]);
});

test("behavior 16.105: any other proxy pauses the monitor, and one that no monitor has is listed", () => {
  for (const [fields, why] of [
    [{ protocol: "https" }, "stillup has proxies of http and socks5, not of https: the monitor is paused"],
    [{ protocol: "socks4" }, "stillup has proxies of http and socks5, not of socks4: the monitor is paused"],
    [{ id: 4 }, "the file does not have it: the monitor is paused"],
  ] as [Row, string][]) {
    const { config, isPaused, lines } = taken({ proxy_id: 3 }, [proxy(fields)]);
    expect([config.proxy, isPaused]).toEqual([undefined, true]);
    expect(lines).toContain(`monitor "Shop", proxy: ${why}`);
  }
  const odd = taken({ proxy_id: 3 }, [proxy({ host: "a b" })]);
  expect(odd).toMatchObject({ isPaused: true });
  expect(odd.lines.join()).toContain("config.proxy.url must be the URL of a proxy");
  expect(taken({}, [proxy({})]).lines).toEqual([
    "1 in the table proxy: a monitor has its proxy, and none of these has it",
  ]);
});

test("behavior 16.105: the JSON backup has proxies too", () => {
  const data = readBackup({
    monitorList: [{ ...kumaMonitor({}), proxyId: 2 }],
    proxyList: [{ id: 2, protocol: "socks5h", host: "p.example.com", port: 1080, auth: false, active: true }],
  });
  const { document } = importedFrom(data ?? {});
  expect(document.monitors?.shop?.config).toMatchObject({ proxy: { url: "socks5://p.example.com:1080" } });
});

test("behavior 16.105: a WebSocket keeps its headers and Basic authentication, and is paused with any other sign-in", () => {
  const live = {
    type: "websocket-upgrade",
    url: "wss://live.example.com/",
    accepted_statuscodes_json: '["1000"]',
    headers: '{"X-Room": "7", "Upgrade": "x"}',
  };
  const basic = taken({ ...live, auth_method: "basic", basic_auth_user: "me", basic_auth_pass: "pass" });
  expect(basic).toMatchObject({
    ...{
      config: { headers: { "X-Room": "7" }, basicAuth: { user: "me", password: "pass" } },
      isPaused: false,
    },
    lines: ['monitor "Shop", header Upgrade: stillup sets it itself'],
  });
  const mtls = taken({ ...live, auth_method: "mtls", tls_cert: pair.cert, tls_key: pair.key });
  expect(mtls).toMatchObject({ config: { protocol: "websocket" }, isPaused: true });
  expect(mtls.lines).toContain(
    'monitor "Shop", clientCertificate: stillup opens a WebSocket without it: the monitor is paused',
  );
});

const dns = (resolve: string, ...conditions: object[]) =>
  taken({
    ...{ type: "dns", hostname: "example.com", port: 53, dns_resolve_server: "1.1.1.1" },
    ...{ dns_resolve_type: resolve, conditions: JSON.stringify(conditions) },
  });
const record = (operator: string, value: string, andOr = "and") => ({
  ...{ type: "expression", variable: "record", operator, value, andOr },
});

test("behavior 16.105: conditions of a DNS monitor are one of some records, or a part of a record", () => {
  expect(dns("A", record("equals", "192.0.2.1"), record("equals", "192.0.2.2", "or"))).toMatchObject({
    config: { expectedAny: ["192.0.2.1", "192.0.2.2"] },
    lines: [],
  });
  const group = { type: "group", andOr: "or", children: [record("equals", "b.example.com")] };
  expect(dns("NS", record("equals", "a.example.com"), group).config).toMatchObject({
    expectedAny: ["a.example.com", "b.example.com"],
  });
  expect(dns("TXT", record("contains", "v=spf1"))).toMatchObject({
    config: { expectedContains: ["v=spf1"] },
    lines: [],
  });
});

test.each<[string, object[]]>([
  ["A", [record("contains", "192.0.2.")]],
  ["A", [record("equals", "192.0.2.1"), record("equals", "192.0.2.2")]],
  ["TXT", [record("contains", "a"), record("contains", "b", "or")]],
  ["TXT", [record("not_equals", "a")]],
  ["MX", [record("equals", "mx.example.com")]],
  ["A", [{ type: "group", children: [] }]],
])(
  "behavior 16.105: other conditions of a DNS monitor are left out and listed: %s %j",
  (type, conditions) => {
    const { config, lines } = dns(type, ...conditions);
    expect(config).not.toContainAnyKeys(["expected", "expectedAny", "expectedContains"]);
    expect(lines).toEqual([
      expect.stringContaining('monitor "Shop", conditions: stillup expects one of some'),
    ]);
  },
);

test("behavior 16.105: a keyword of JSON is found with and without spaces", () => {
  const patternOf = (keyword: string) =>
    (taken({ type: "keyword", keyword }).config.expect as { matches?: string }).matches ?? "";
  const finds = (keyword: string, body: string) => isMatch(patternOf(keyword), body);
  for (const keyword of ['"ok":true', '{"a":[1,{"b":"x.y"}]}', '"a":"b","c":1', '"a": "b"'])
    for (const space of ["", " ", "\n  "])
      expect([keyword, finds(keyword, spaced(keyword, space))]).toEqual([keyword, true]);
  expect(finds('"a":"x.y"', '{"a": "x.y"}')).toBe(true);
  expect(finds('"a":"x.y"', '{"a": "xzy"}')).toBe(false);
  expect(taken({ type: "keyword", keyword: "a:b" }).config.expect).toMatchObject({ contains: "a:b" });
});

/** JSON with blanks at its marks, as servers send it. */
function spaced(json: string, space: string): string {
  return json.replaceAll(/(?<=["\]}]):\s*|,(?=["[{])/g, (mark) => `${mark.trim()}${space}`);
}
