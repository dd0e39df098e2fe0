import { expect, test } from "bun:test";
import { type Judged, judgeCheck } from "../../../src/domain/checks/judge.ts";
import { clientCertificateEnd, type Evidence } from "../../../src/domain/checks/observation.ts";
import { DAY } from "../../../src/domain/duration.ts";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { readPage } from "../../support/documentation/page.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const endIn = (days: number) => ({ validTo: new Date(NOW + days * DAY).toISOString() });

test.each([
  [14.1, null],
  [14, { day: "2026-12-05", daysLeft: 14 }],
  [1.5, { day: "2026-11-23", daysLeft: 1 }],
  [0.1, { day: "2026-11-21", daysLeft: 0 }],
  [0, { day: "2026-11-21", daysLeft: null }],
  [-30, { day: "2026-10-22", daysLeft: null }],
])(
  "behavior 26.13: %d days before its end, the warning about a client certificate is about %p",
  (days, end) => {
    expect(clientCertificateEnd(endIn(days), NOW)).toEqual(end);
  },
);

const monitor: Judged = {
  type: "HTTP",
  config: { url: "https://shop.example.com/", interval: 60, expiryWarning: 30 },
  memory: null,
};
const tls = { protocol: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", ...endIn(90), advice: [] };
const reached = (client: object): Evidence => ({
  outcome: "reached",
  latencyMs: 1,
  tls: { ...tls, ...client },
  detail: { statusCode: 200 },
});

test("behavior 26.12, 26.13: the end of a client certificate is no status, and is in the detail where it changes", () => {
  const first = judgeCheck(monitor, reached({ client: endIn(-1) }), NOW);
  expect(first).toMatchObject({ status: "up", detail: { tls: { client: { ...endIn(-1), daysLeft: -1 } } } });
  const again = judgeCheck({ ...monitor, memory: first.memory }, reached({ client: endIn(-1) }), NOW);
  expect(again.detail).not.toHaveProperty("tls");
  expect(again.memory).toBe(first.memory);
  const renewed = judgeCheck({ ...monitor, memory: first.memory }, reached({ client: endIn(365) }), NOW);
  expect(renewed.detail).toMatchObject({ tls: { client: { ...endIn(365), daysLeft: 365 } } });
  const without = judgeCheck({ ...monitor, memory: first.memory }, reached({}), NOW);
  expect(without.detail?.tls).not.toHaveProperty("client");
});

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const KEY = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n";
const faultOf = (config: object) => {
  try {
    parseConfig("HTTP", { url: "https://shop.example.com/", interval: 60, ...config }, "enterprise");
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each<[object, string | null]>([
  [{ clientCertificate: { certificate: PEM, key: KEY } }, null],
  [{ clientCertificate: { certificate: PEM } }, "config.clientCertificate.key"],
  [
    { clientCertificate: { certificate: PEM + KEY, key: KEY } },
    "config.clientCertificate.certificate must have no private key",
  ],
  [{ clientCertificate: { certificate: "MIIB", key: KEY } }, "config.clientCertificate.certificate must be"],
  [{ url: "http://shop.example.com/", clientCertificate: { certificate: PEM, key: KEY } }, null],
])("behavior 26.11: %j is accepted or refused", (config, fault) => {
  if (fault === null) expect(faultOf(config)).toBeNull();
  else expect(faultOf(config)).toStartWith(fault);
});

test("behavior 26.20: the config of the documentation is accepted", async () => {
  const { blocks } = await readPage("docs/monitors.md");
  const examples = blocks.map(({ text }) => text).filter((text) => /^\{[\s\S]*"proxy": \{/.test(text));
  expect(examples).toHaveLength(1);
  for (const example of examples) expect(faultOf(JSON.parse(example))).toBeNull();
});

const HTTP_PROXY = "http://proxy.example.com:3128";
const SOCKS_PROXY = "socks5://proxy.example.com";

test.each<[object, string | null]>([
  [{ proxy: { url: HTTP_PROXY } }, null],
  [{ proxy: { url: SOCKS_PROXY, user: "me", password: "p".repeat(255) } }, null],
  [{ proxy: { url: HTTP_PROXY, user: "me", password: "p".repeat(256) } }, null],
  [
    { proxy: { url: SOCKS_PROXY, user: "me", password: "p".repeat(256) } },
    "config.proxy.password must have at most 255 bytes",
  ],
  [{ proxy: { url: SOCKS_PROXY, user: "ü".repeat(128) } }, "config.proxy.user must have at most 255 bytes"],
  [{ proxy: { url: HTTP_PROXY, password: "p" } }, "config.proxy.user is required with config.proxy.password"],
  [
    { proxy: { url: HTTP_PROXY }, everyAddress: true },
    "config.everyAddress must be left out with config.proxy",
  ],
  [{ proxy: { url: HTTP_PROXY }, ipFamily: 4 }, null],
  [
    { proxy: { url: "http://[::1]:3128" }, ipFamily: 4 },
    "config.ipFamily must fit the IP address in config.proxy.url",
  ],
  [
    { proxy: { url: "socks5://127.0.0.1" }, ipFamily: 6 },
    "config.ipFamily must fit the IP address in config.proxy.url",
  ],
  [{ proxy: { url: "https://proxy.example.com" } }, "config.proxy.url must be the URL of a proxy"],
])("behavior 26.20, 26.21: %j is accepted or refused", (config, fault) => {
  if (fault === null) expect(faultOf(config)).toBeNull();
  else expect(faultOf(config)).toStartWith(fault);
});
