import { expect, test } from "bun:test";
import { PLANS, planLimits } from "../../../src/domain/accounts/organization.ts";
import { type MonitorType, parseConfig } from "../../../src/domain/monitors/monitor.ts";

test("a TLS config may leave out port and interval", () => {
  const stored = { host: "example.com", port: 443, interval: 300 };
  expect(parseConfig("TLS", { host: "example.com" }, "enterprise")).toEqual(stored);
});

test("a TLS config keeps its port and interval", () => {
  const config = { host: "example.com", port: 8443, interval: 60 };
  expect(parseConfig("TLS", config, "pro")).toEqual(config);
});

test("a DNS config may leave out everything except the host name", () => {
  expect(parseConfig("DNS", { hostname: "example.com" }, "pro")).toEqual({
    hostname: "example.com",
    interval: 300,
  });
});

test("behavior 7.33: the default interval is allowed by the plan", () => {
  for (const plan of PLANS) {
    const { interval } = parseConfig("DNS", { hostname: "example.com" }, plan);
    expect(interval).toBeGreaterThanOrEqual(planLimits[plan].minimumInterval);
  }
});

test("a SCHEDULED config always has an interval of 300", () => {
  expect(parseConfig("SCHEDULED", { interval: 7 }, "starter")).toEqual({ interval: 300 });
});

test.each(["_dmarc.example.com", "bücher.example", "example.com.", "db_1", "192.0.2.1", "2001:db8::1"])(
  "%s is accepted as a host name",
  (hostname) => {
    expect(parseConfig("DNS", { hostname }, "pro")).toMatchObject({ hostname });
  },
);

test.each<[MonitorType, object, string]>([
  [
    "HTTP",
    { url: "http://example.com:0/", interval: 60 },
    "config.url must have a port from 1 to 65535, got 0",
  ],
  ["TLS", {}, "config.host is required"],
  ["TLS", { host: "example.com", port: 0 }, "config.port must be a whole number from 1 to 65535, got 0"],
  ["DNS", {}, "config.hostname is required"],
  ["DNS", { hostname: "a..b" }, "config.hostname must be a host name"],
  ["DNS", { hostname: `${"a".repeat(64)}.com` }, "config.hostname must be a host name"],
  ["DNS", { hostname: "example.com", recordType: "ANY" }, "config.recordType must be one of A, AAAA, CNAME"],
  ["DNS", { hostname: "example.com", expected: "a" }, "config.expected must be an array"],
  [
    "DNS",
    { hostname: "example.com", expected: Array(101).fill("a") },
    "config.expected must be an array of 0 to 100 entries",
  ],
  [
    "DNS",
    { hostname: "example.com", expected: [""] },
    "config.expected.0 must be a string of 1 to 4096 characters",
  ],
  [
    "DNS",
    { hostname: "example.com", expectedAny: [] },
    "config.expectedAny must be an array of 1 to 100 entries",
  ],
  [
    "DNS",
    { hostname: "example.com", expectedContains: [] },
    "config.expectedContains must be an array of 1 to 100 entries",
  ],
  [
    "DNS",
    { hostname: "example.com", expected: [], expectedAny: ["a"] },
    "config.expectedAny must be left out with config.expected",
  ],
  [
    "DNS",
    { hostname: "example.com", expected: ["a"], expectedContains: ["a"] },
    "config.expectedContains must be left out with config.expected",
  ],
  [
    "DNS",
    { hostname: "example.com", expectedAny: ["a"], expectedContains: ["a"] },
    "config.expectedContains must be left out with config.expectedAny",
  ],
  ["DNS", { hostname: "example.com", host: "a" }, "config.host is not a known field"],
])("a %s config of %p is refused", (type, config, message) => {
  expect(() => parseConfig(type, config, "pro")).toThrow(message);
});
