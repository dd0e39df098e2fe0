import { describe, expect, test } from "bun:test";
import {
  type MonitorConfig,
  maskRequest,
  maskSecrets,
  parseConfig,
} from "../../../src/domain/monitors/monitor.ts";

const stored: MonitorConfig = {
  url: "https://shop.example.com/a",
  interval: 60,
  method: "POST",
  body: "the body",
  headers: { "X-Key": "s3cret", "X-Other": "" },
  basicAuth: { user: "me", password: "hush" },
};

const parsed = (fields: object, known: MonitorConfig | undefined = stored) =>
  parseConfig("HTTP", { url: "https://shop.example.com/b", interval: 60, ...fields }, "enterprise", known);

describe("behavior 10.27: a response", () => {
  test("has ••• for the values of headers and for the password", () => {
    expect(maskSecrets(stored)).toEqual({
      ...stored,
      headers: { "X-Key": "•••", "X-Other": "•••" },
      basicAuth: { user: "me", password: "•••" },
    });
  });

  test.each<[string, MonitorConfig]>([
    ["HTTP", { url: "http://a/", interval: 60 }],
    ["TCP", { host: "a", port: 1, interval: 60, send: "x" }],
    ["SCHEDULED", { interval: 300 }],
  ])("has a %s config without secrets as it is", (_, config) => {
    expect(maskSecrets(config)).toBe(config);
    expect(maskRequest(config)).toEqual(config);
  });

  test("does not repeat a secret of a wrong type", () => {
    expect(() => parsed({ headers: { "X-Key": 12_345 } })).toThrow(/^config\.headers\.X-Key must be \D*$/);
    expect(() => parsed({ basicAuth: { user: "me", password: 12_345 } })).toThrow(/^(?!.*12345)/);
  });
});

test("behavior 10.26: a notification has ••• for the body too", () => {
  expect(maskRequest(stored)).toEqual({ ...maskSecrets(stored), body: "•••" } as MonitorConfig);
});

describe("behavior 10.28: a config that sends •••", () => {
  test("keeps what is stored, whatever the case of the name, beside new values", () => {
    const sent = {
      headers: { "x-key": "•••", "X-OTHER": "•••", "X-New": "new" },
      basicAuth: { user: "you", password: "•••" },
    };
    expect(parsed(sent)).toMatchObject({
      headers: { "x-key": "s3cret", "X-OTHER": "", "X-New": "new" },
      basicAuth: { user: "you", password: "hush" },
    });
  });

  test.each<[string, object, MonitorConfig | undefined, string]>([
    [
      "a new monitor",
      { headers: { "X-Key": "•••" } },
      undefined,
      "config.headers.X-Key must be sent with its value",
    ],
    [
      "a new name",
      { headers: { "X-New": "•••" } },
      stored,
      "config.headers.X-New must be sent with its value: none is",
    ],
    [
      "a new password",
      { basicAuth: { user: "me", password: "•••" } },
      { url: "https://shop.example.com/", interval: 60 },
      "config.basicAuth.password must be sent with its value: none is stored",
    ],
    [
      "another type",
      { headers: { "X-Key": "•••" } },
      { host: "shop.example.com", port: 443, interval: 60 },
      "config.headers.X-Key must be sent with its value: none is stored",
    ],
    ...["http://shop.example.com/", "https://shop.example.com:8443/", "https://evil.example/"].map(
      (url): [string, object, MonitorConfig, string] => [
        url,
        { url, headers: { "X-Key": "•••" } },
        stored,
        "config.headers.X-Key must be sent with its value: the origin of config.url changes",
      ],
    ),
    [
      "another origin and a password",
      { url: "https://evil.example/", basicAuth: { user: "me", password: "•••" } },
      stored,
      "config.basicAuth.password must be sent with its value: the origin of config.url changes",
    ],
    [
      "an invalid URL",
      { url: "nonsense", headers: { "X-Key": "•••" } },
      stored,
      "config.url must be a full URL",
    ],
    ["no URL", { url: undefined, headers: { "X-Key": "•••" } }, stored, "config.url is required"],
    [
      "two spellings",
      { headers: { "X-Key": "•••", "x-key": "•••" } },
      stored,
      "config.headers.x-key must occur once",
    ],
  ])("is refused for %s", (_, fields, known, message) => {
    expect(() =>
      parseConfig(
        "HTTP",
        { ...{ url: "https://shop.example.com/", interval: 60 }, ...fields },
        "enterprise",
        known,
      ),
    ).toThrow(message);
  });

  test("is not needed to change the origin with new values", () => {
    const url = "https://other.example/";
    expect(parsed({ url, headers: { "X-Key": "new" } })).toMatchObject({ url, headers: { "X-Key": "new" } });
  });

  test("has no effect in another field", () => {
    const sent = { method: "POST", body: "•••", headers: { "X-A": "•••b".slice(3) } };
    expect(parsed(sent)).toMatchObject(sent);
    expect(() => parsed({ headers: { "X-A": "••••" } })).toThrow("config.headers.X-A must be visible ASCII");
  });
});

describe("behavior 10.28: another Host is another recipient", () => {
  const withHost = { ...stored, headers: { "X-Key": "s3cret", Host: "a.example.com" } } as MonitorConfig;
  const MESSAGE = "config.headers.X-Key must be sent with its value: the header Host changes";

  test.each<[string, object, MonitorConfig]>([
    ["a new one", { "X-Key": "•••", host: "b.example.com" }, stored],
    ["a changed one", { "X-Key": "•••", HOST: "b.example.com" }, withHost],
    ["none any more", { "X-Key": "•••" }, withHost],
    ["a second one", { "X-Key": "•••", Host: "•••", host: "b.example.com" }, withHost],
  ])("needs the secrets: %s", (_, headers, known) => {
    expect(() => parsed({ headers }, known)).toThrow(MESSAGE);
    expect(() =>
      parsed({ headers: { "X-Key": "new" }, basicAuth: { user: "me", password: "•••" } }, withHost),
    ).toThrow("config.basicAuth.password must be sent with its value: the header Host changes");
  });

  test.each([
    ["hidden", "•••"],
    ["repeated", "a.example.com"],
  ])("not the same one: %s", (_, host) => {
    expect(parsed({ headers: { "X-Key": "•••", host } }, withHost)).toMatchObject({
      headers: { "X-Key": "s3cret", host: "a.example.com" },
    });
  });
});
