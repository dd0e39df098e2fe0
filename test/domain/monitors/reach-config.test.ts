import { describe, expect, test } from "bun:test";
import {
  type MonitorConfig,
  maskRequest,
  maskSecrets,
  parseConfig,
} from "../../../src/domain/monitors/monitor.ts";

const parsed = (fields: object, stored?: MonitorConfig) =>
  parseConfig("HTTP", { interval: 60, ...fields }, "enterprise", stored);

const URL_OF_SHOP = "https://shop.example.com/";
const PEM_CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const PEM_KEY = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n";

describe("behavior 26.1: the config of an HTTP monitor", () => {
  test("has a URL or steps", () => {
    const steps = [{ url: URL_OF_SHOP }, { url: URL_OF_SHOP }];
    expect(parsed({ steps })).toEqual({ interval: 60, steps });
    expect(() => parsed({})).toThrow("config.url is required");
    expect(() => parsed({ url: URL_OF_SHOP, steps })).toThrow(
      "config.url must be left out with config.steps",
    );
    expect(() => parsed({ steps: steps.slice(1) })).toThrow("config.steps must be an array of 2 to 10");
  });

  test.each([
    [
      { steps: [{ url: URL_OF_SHOP }, { url: URL_OF_SHOP, body: "x" }] },
      "config.steps.1.body must be left out with GET",
    ],
    [{ steps: [{ url: "https://a:0/" }, { url: URL_OF_SHOP }] }, "config.steps.0.url must have a port"],
    [{ url: URL_OF_SHOP, timeout: 61 }, "config.timeout must be a whole number from 1 to 60, got 61"],
    [{ url: URL_OF_SHOP, proxy: { url: "https://proxy/" } }, "config.proxy.url must be the URL of a proxy"],
    [
      { url: URL_OF_SHOP, proxy: { url: "http://user:hush@proxy/" } },
      "config.proxy.url must be the URL of a proxy",
    ],
    [
      { url: URL_OF_SHOP, protocol: "websocket", proxy: { url: "http://proxy/" } },
      "config.proxy must be left out",
    ],
    [
      { url: URL_OF_SHOP, clientCertificate: { certificate: "MIIB", key: PEM_KEY } },
      "config.clientCertificate.certificate must be a certificate in PEM",
    ],
  ])("is refused: %j", (fields, message) => {
    expect(() => parsed(fields)).toThrow(message);
  });

  test("never repeats a key that is refused, and says how to remove its passphrase", () => {
    const key = PEM_KEY.replaceAll("PRIVATE", "ENCRYPTED PRIVATE");
    const clientCertificate = { certificate: PEM_CERTIFICATE, key };
    expect(() => parsed({ url: URL_OF_SHOP, clientCertificate })).toThrow(
      /^config\.clientCertificate\.key must be a private key in PEM without a passphrase(?!.*MIIB).*remove the passphrase/,
    );
  });
});

const stored = {
  url: URL_OF_SHOP,
  interval: 60,
  clientCertificate: { certificate: PEM_CERTIFICATE, key: PEM_KEY },
  proxy: { url: "http://proxy.example.com:3128", user: "me", password: "of the proxy" },
  oauth2: { tokenUrl: "https://id.example.com/token", clientId: "me", clientSecret: "of the client" },
} satisfies MonitorConfig;

const stepwise = {
  interval: 60,
  steps: [
    { url: URL_OF_SHOP, method: "POST", headers: { "X-Key": "first" }, body: "the body" },
    { url: "https://cart.example.com/", headers: { "X-Key": "second" } },
  ],
} satisfies MonitorConfig;

describe("behavior 26.2: the secrets of a config", () => {
  test("are masked, and are kept by the mask", () => {
    const masked = maskSecrets(stored);
    expect(masked).toEqual({
      ...stored,
      clientCertificate: { ...stored.clientCertificate, key: "•••" },
      proxy: { ...stored.proxy, password: "•••" },
      oauth2: { ...stored.oauth2, clientSecret: "•••" },
    });
    expect(parsed(masked, stored)).toEqual(stored);
    const digest = { url: URL_OF_SHOP, interval: 60, digestAuth: { user: "me", password: "hush" } };
    expect(JSON.stringify(maskSecrets(digest))).not.toContain("hush");
    expect(parsed(maskSecrets(digest), digest)).toEqual(digest);
  });

  test("are masked in each step, with its body in a notification", () => {
    const [first, second] = stepwise.steps;
    const steps = [
      { ...first, headers: { "X-Key": "•••" } },
      { ...second, headers: { "X-Key": "•••" } },
    ];
    expect(maskSecrets(stepwise) as object).toEqual({ ...stepwise, steps });
    expect(parsed(maskSecrets(stepwise), stepwise)).toEqual(stepwise);
    expect(maskRequest(stepwise) as object).toEqual({
      ...stepwise,
      steps: [{ ...steps[0], body: "•••" }, steps[1]],
    });
  });

  test.each<[string, object, string]>([
    ["another host", { url: "https://other.example.com/" }, "clientCertificate.key"],
    ["another proxy", { proxy: { ...stored.proxy, url: "http://other.example.com:3128" } }, "proxy.password"],
    [
      "another port of the proxy",
      { proxy: { ...stored.proxy, url: "http://proxy.example.com:3129" } },
      "proxy.password",
    ],
    [
      "another way to speak with the proxy",
      { proxy: { ...stored.proxy, url: "socks5://proxy.example.com:3128" } },
      "proxy.password",
    ],
    [
      "another token endpoint",
      { oauth2: { ...stored.oauth2, tokenUrl: "https://other.example.com/token" } },
      "oauth2.clientSecret",
    ],
  ])("are needed for %s", (_, change, field) => {
    const masked = maskSecrets(stored);
    const secrets = JSON.parse(JSON.stringify({ ...masked, ...change }), (_key, value) =>
      value === "of the proxy" || value === "of the client" ? "•••" : value,
    );
    expect(() => parsed(secrets, stored)).toThrow(
      `config.${field} must be sent with its value: the origin of config.`,
    );
  });

  test("a token is for the target: another one needs the secret of the client", () => {
    const { url: _, clientCertificate: __, proxy: ___, ...withToken } = stored;
    const sent = { ...withToken, oauth2: { ...stored.oauth2, clientSecret: "•••" } };
    expect(() => parsed({ ...sent, url: "https://other.example.com/" }, stored)).toThrow(
      "config.oauth2.clientSecret must be sent with its value: the origin of config.url changes",
    );
  });

  test("a new proxy is another recipient of what it can read", () => {
    const plain = { url: "http://shop.example.com/", interval: 60, headers: { "X-Key": "hush" } };
    const sent = { ...maskSecrets(plain), proxy: { url: "http://proxy.example.com:3128" } };
    const MESSAGE =
      "config.headers.X-Key must be sent with its value: config.proxy changes, and could read it";
    expect(() => parsed(sent, plain)).toThrow(MESSAGE);
    const encrypted = { ...plain, url: URL_OF_SHOP };
    expect(parsed({ ...sent, url: URL_OF_SHOP }, encrypted)).toMatchObject({ headers: { "X-Key": "hush" } });
    expect(() => parsed({ ...sent, url: URL_OF_SHOP, verifyTls: false }, encrypted)).toThrow(MESSAGE);
  });

  test("a known proxy is another recipient of what it can newly read", () => {
    const proxy = { url: "http://proxy.example.com:3128" };
    const before = { url: URL_OF_SHOP, interval: 60, headers: { "X-Key": "hush" }, proxy };
    const sent = maskSecrets(before);
    expect(() => parsed({ ...sent, verifyTls: false }, before)).toThrow(
      "config.headers.X-Key must be sent with its value: config.verifyTls changes, and the proxy could read it",
    );
    const unverified = { ...before, verifyTls: false };
    expect(parsed({ ...sent, verifyTls: false }, unverified)).toEqual(unverified);
    expect(parsed(sent, unverified)).toEqual(before);
  });

  test("of a step are needed if the origin of that step changes", () => {
    const { steps } = maskSecrets(stepwise) as typeof stepwise;
    const moved = [steps[0], { ...steps[1], url: "https://other.example.com/" }];
    expect(() => parsed({ steps: moved }, stepwise)).toThrow(
      "config.steps.1.headers.X-Key must be sent with its value: the origin of config.steps.1.url changes",
    );
    const path = [steps[0], { ...steps[1], url: "https://cart.example.com/other" }];
    expect(parsed({ steps: path }, stepwise)).toMatchObject({
      steps: [{}, { headers: { "X-Key": "second" } }],
    });
  });
});

test("behavior 26.3: ways to sign in exclude each other", () => {
  const basicAuth = { user: "me", password: "hush" };
  const { oauth2 } = stored;
  const withUrl = (fields: object) => () => parsed({ url: URL_OF_SHOP, ...fields });
  expect(withUrl({ basicAuth, digestAuth: basicAuth })).toThrow(
    "config.digestAuth must be left out with config.basicAuth",
  );
  expect(withUrl({ digestAuth: basicAuth, oauth2 })).toThrow(
    "config.oauth2 must be left out with config.digestAuth",
  );
  expect(withUrl({ oauth2, headers: { authorization: "x" } })).toThrow(
    "config.oauth2 must be left out if config.headers has Authorization",
  );
  const steps = [{ url: URL_OF_SHOP }, { url: URL_OF_SHOP, headers: { Authorization: "x" } }];
  expect(() => parsed({ steps, basicAuth })).toThrow(
    "config.basicAuth must be left out if config.steps.1.headers has Authorization",
  );
});
