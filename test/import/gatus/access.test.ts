import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importFromGatus } from "../../../src/cli/import/gatus.ts";
import { endpoint, fromGatus } from "../../support/import/gatus.ts";
import { createAuthority, type ServerCertificate } from "../../support/servers/certificates.ts";

const folder = mkdtempSync(join(tmpdir(), "stillup-test-"));
let pair: ServerCertificate;
let other: ServerCertificate;
beforeAll(async () => {
  const authority = await createAuthority();
  pair = await authority.issue([{ type: "dns", value: "client.example.com" }]);
  other = await authority.issue([{ type: "dns", value: "other.example.com" }]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The monitor of an endpoint with a client, and what was left out. */
const client = (settings: string, env = {}) => {
  const { monitor, omitted } = endpoint(
    `{ name: shop, url: "https://shop.example.com", client: ${settings}, conditions: ["[STATUS] == 200"] }`,
    env,
  );
  const lines = omitted.map((line) => line.replace('endpoint "shop", ', ""));
  return { config: monitor?.config as Record<string, unknown>, isPaused: monitor?.enabled === false, lines };
};

const OAUTH =
  "token-url: https://login.example.com/token, client-id: shop, client-secret: s3cret, scopes: [read, write]";

test("behavior 16.106: oauth2 is taken over, and its token takes the place of a header and of a user", () => {
  const oauth2 = {
    ...{ tokenUrl: "https://login.example.com/token", clientId: "shop", clientSecret: "s3cret" },
    scope: "read write",
  };
  expect(client(`{ oauth2: { ${OAUTH} } }`)).toMatchObject({
    config: { oauth2 },
    isPaused: false,
    lines: [],
  });
  const { monitor } = endpoint(
    `{ name: shop, url: "https://me:pass@shop.example.com", headers: { Authorization: x }, client: { oauth2: { ${OAUTH} } }, conditions: ["[STATUS] == 200"] }`,
  );
  expect(monitor?.config).toMatchObject({ oauth2, url: "https://shop.example.com" });
  expect(monitor?.config).not.toContainAnyKeys(["headers", "basicAuth"]);
  const lacking = client("{ oauth2: { token-url: https://login.example.com/token } }");
  expect(lacking).toMatchObject({
    isPaused: true,
    lines: ["client.oauth2: it needs token-url, client-id, client-secret and scopes: the monitor is paused"],
  });
  const odd = client(`{ oauth2: { ${OAUTH.replace("https:", "ftp:")} } }`);
  expect([odd.config.oauth2, odd.isPaused]).toEqual([undefined, true]);
  expect(odd.lines.join()).toStartWith("client.oauth2: config.oauth2.tokenUrl must be");
});

test("behavior 16.106: variables of a client stay, and its secrets become variables", () => {
  const yaml = `
endpoints:
  - name: shop
    url: https://shop.example.com
    client:
      proxy-url: http://ops:pa55@proxy.example.com:3128
      oauth2: { ${OAUTH.replace("s3cret", "$SECRET")} }
    conditions: ["[STATUS] == 200"]
`;
  const { document } = fromGatus(yaml, { SECRET: "x" });
  expect(document.monitors?.shop?.config).toMatchObject({
    oauth2: { clientSecret: "${SECRET}" },
    proxy: { user: "ops", password: "pa55" },
  });
});

test.each([
  ["http://p.example.com:3128", "http://p.example.com:3128"],
  ["http://p.example.com/", "http://p.example.com:80"],
  ["socks5://p.example.com", "socks5://p.example.com:1080"],
  ["socks5h://[2001:db8::1]:1081", "socks5://[2001:db8::1]:1081"],
  ["http://${PROXY_HOST}:3128", "http://${PROXY_HOST}:3128"],
  ["${PROXY}", "http://p.example.com:8080"],
])("behavior 16.106: the proxy %p is taken over", (given, url) => {
  const taken = client(`{ proxy-url: "${given}" }`, {
    PROXY: "http://p.example.com:8080",
    PROXY_HOST: "p.example.com",
  });
  expect(taken).toMatchObject({ config: { proxy: { url } }, isPaused: false, lines: [] });
});

test.each([
  "https://p.example.com:443",
  "p.example.com:3128",
  "${UNKNOWN}",
  "http://p.example.com:3128/path",
])("behavior 16.106: the proxy %p pauses the monitor", (given) => {
  const { config, isPaused, lines } = client(`{ proxy-url: "${given}" }`);
  expect([config.proxy, isPaused, lines]).toEqual([
    undefined,
    true,
    [
      "client.proxy-url: stillup has proxies of the form http://HOST:PORT and socks5://HOST:PORT: the monitor is paused",
    ],
  ]);
});

test("behavior 16.106: a monitor of another type than HTTP is paused with them", () => {
  const { monitor, omitted } = endpoint(
    `{ name: db, url: "tcp://db.example.com:5432", client: { proxy-url: "http://p:1" }, conditions: ["[CONNECTED] == true"] }`,
  );
  expect(monitor).toMatchObject({ type: "TCP", enabled: false });
  expect(omitted).toEqual([
    'endpoint "db", client.proxy-url: stillup uses a proxy only for HTTP: the monitor is paused',
  ]);
});

/** The import of a file beside which the files of a client are. */
async function imported(tls: string, { withSecrets = true } = {}) {
  const place = mkdtempSync(join(folder, "config-"));
  mkdirSync(join(place, "certs"));
  writeFileSync(join(place, "certs", "client.crt"), pair.cert);
  writeFileSync(join(place, "certs", "client.key"), pair.key);
  writeFileSync(join(place, "certs", "other.key"), other.key);
  writeFileSync(join(place, "certs", "large.key"), "x".repeat(65_537));
  writeFileSync(join(place, "certs", "secret.txt"), "canary");
  writeFileSync(
    join(place, "config.yaml"),
    `endpoints:\n  - { name: shop, url: "https://shop.example.com", client: { tls: { ${tls} } }, conditions: ["[STATUS] == 200"] }\n`,
  );
  const { document, omitted } = await importFromGatus(join(place, "config.yaml"), { withSecrets });
  const { config, enabled } = document.monitors?.shop ?? {};
  return {
    config: config as Record<string, unknown>,
    enabled,
    lines: omitted.map(({ what, why }) => `${what}: ${why}`),
  };
}

const files = (certificate: string, key: string) =>
  `certificate-file: ${certificate}, private-key-file: ${key}`;

test("behavior 16.106: the files of a client certificate are read beside the configuration", async () => {
  const tls = files("certs/client.crt", "certs/client.key");
  const taken = await imported(tls);
  expect(taken).toMatchObject({ enabled: undefined, lines: [] });
  expect(taken.config.clientCertificate).toEqual({ certificate: pair.cert, key: pair.key });
  const hidden = await imported(tls, { withSecrets: false });
  expect(hidden.config.clientCertificate).toEqual({ certificate: pair.cert, key: "${SHOP_KEY}" });
  expect(await imported("certificate-file: certs/client.crt")).toMatchObject({
    enabled: undefined,
    lines: [],
  });
  const again = await imported(`${tls}, renegotiation: once`);
  expect(again.lines).toEqual([
    'endpoint "shop", client.tls.renegotiation: stillup sends the certificate in the first handshake, and does not repeat it',
  ]);
});

test("behavior 16.106: a file that can't be read, or that is no key of its certificate, pauses the monitor and is never shown", async () => {
  const cases = [
    [
      files("certs/client.crt", "certs/missing.key"),
      "certs/missing.key: it can't be read: there is no such file or directory",
    ],
    [files("certs/client.crt", "certs"), "certs: it is not a file"],
    [files("certs/client.crt", "certs/large.key"), "certs/large.key: it is larger than 65536 bytes"],
    [
      files("certs/client.crt", "certs/other.key"),
      "clientCertificate.key must be the key of the first certificate in clientCertificate.certificate",
    ],
    [
      files("certs/client.crt", "certs/secret.txt"),
      "clientCertificate.key must be a private key in PEM, of RSA, ECDSA or Ed25519",
    ],
    [
      files("certs/secret.txt", "certs/client.key"),
      "clientCertificate.certificate must have a certificate in PEM",
    ],
  ] as const;
  for (const [tls, why] of cases) {
    const taken = await imported(tls);
    expect(taken).toMatchObject({
      enabled: false,
      lines: [`endpoint "shop", client.tls: ${why}: the monitor is paused`],
    });
    expect(JSON.stringify(taken)).not.toContain("canary");
    expect(taken.config.clientCertificate).toBeUndefined();
  }
});
