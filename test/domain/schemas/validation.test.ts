import { describe, expect, test } from "bun:test";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";

describe("a wrong config is answered with one sentence that names the field and says what is expected", () => {
  test.each([
    [
      "TCP",
      { host: "a", port: 70_000, interval: 60 },
      "config.port must be a whole number from 1 to 65535, got 70000",
    ],
    ["TCP", { host: "a", port: "80", interval: 60 }, "config.port must be a whole number from 1 to 65535"],
    ["TCP", { host: "a", interval: 60 }, "config.port is required"],
    ["TCP", { host: "a b", port: 80, interval: 60 }, "config.host must be a host name or an IP address"],
    ["TCP", { host: "a:80", port: 80, interval: 60 }, "config.host must be a host name or an IP address"],
    [
      "TCP",
      { host: "a", port: 80, interval: 1.5 },
      "config.interval must be a whole number from 1 to 86400, got 1.5",
    ],
    ["TCP", { host: "a", prot: 80, port: 80, interval: 60 }, "config.prot is not a known field"],
    ["HTTP", { url: "example.com", interval: 60 }, "config.url must be a full URL"],
    ["HTTP", { url: "file:///etc/passwd", interval: 60 }, "config.url must be a full URL"],
    ["HTTP", { url: "https://me:secret@example.com/", interval: 60 }, "without user name or password"],
    [
      "HTTP",
      { url: `https://example.com/${"x".repeat(2048)}`, interval: 60 },
      "config.url must be at most 2048 characters long",
    ],
    ["HTTP", { interval: 60 }, "config.url is required"],
    ["SCHEDULED", { interval: "60" }, "config.interval must be a number"],
  ] as const)("%s %p", (type, config, sentence) => {
    expect(() => parseConfig(type, config, "enterprise")).toThrow(sentence);
  });

  test("and never repeats a string, which may be a secret", () => {
    expect(() => parseConfig("TCP", { host: "a", port: "s3cret", interval: 60 }, "enterprise")).toThrow(
      /65535$/,
    );
  });
});

test.each([
  ["TCP", { host: "::1", port: 80, interval: 60 }],
  ["TCP", { host: "127.0.0.1", port: 80, interval: 60 }],
  ["TCP", { host: "bücher.example", port: 80, interval: 60 }],
  ["HTTP", { url: "http://[::1]:8080/a?b=c", interval: 1 }],
  ["HTTP", { url: "HTTPS://Example.com", interval: 86_400 }],
] as const)("%s %p is accepted unchanged", (type, config) => {
  expect(parseConfig(type, config, "enterprise")).toEqual(config);
});

test("a SCHEDULED config always has an interval of 300 s", () => {
  expect(parseConfig("SCHEDULED", {}, "enterprise")).toEqual({ interval: 300 });
  expect(parseConfig("SCHEDULED", { interval: 5 }, "enterprise")).toEqual({ interval: 300 });
});
