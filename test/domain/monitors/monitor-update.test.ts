import { describe, expect, test } from "bun:test";
import { ONLY_HERE } from "../../../src/domain/locations/place.ts";
import type { MonitorConfig, MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { planMonitorUpdate } from "../../../src/domain/monitors/monitor-update.ts";

const NOW = Date.parse("2027-01-31T00:00:00Z");

const stored = {
  url: "https://shop.example.com/",
  interval: 60,
  headers: { "X-A": "1", "X-B": "2" },
  expect: { status: ["2xx", 304], json: { "$.a": { min: 1, max: 2 } } },
};

function update(
  config: object,
  before: MonitorConfig = stored as MonitorConfig<"HTTP">,
  type: MonitorType = "HTTP",
) {
  const numbers = { confirmations: 0, recoveries: 0 };
  const subject = {
    type,
    name: "m",
    config: before,
    enabled: true,
    tags: [],
    ref: null,
    ...numbers,
    ...ONLY_HERE,
  };
  return planMonitorUpdate(subject, { config }, { plan: "enterprise", now: NOW });
}

describe("behavior 1.14: checks under way", () => {
  test.each<[string, object, boolean]>([
    ["the same config in another order", Object.fromEntries(Object.entries(stored).toReversed()), false],
    [
      "another order of inner fields",
      {
        ...stored,
        headers: { "X-B": "2", "X-A": "1" },
        expect: { json: { "$.a": { max: 2, min: 1 } }, status: ["2xx", 304] },
      },
      false,
    ],
    ["kept secrets", { ...stored, headers: { "X-A": "•••", "X-B": "•••" } }, false],
    ["another secret", { ...stored, headers: { "X-A": "•••", "X-B": "3" } }, true],
    ["another limit", { ...stored, expect: { ...stored.expect, json: { "$.a": { min: 1, max: 3 } } } }, true],
    ["another order of a list", { ...stored, expect: { ...stored.expect, status: [304, "2xx"] } }, true],
    ["a field less", { url: stored.url, interval: 60 }, true],
  ])("with %s, become invalid: %#", (_, config, isRevised) => {
    expect(update(config)).toMatchObject({ isRevised, isOtherTarget: false });
  });
});

const SAME: [string, MonitorType, object, object, boolean][] = [
  ["what is sent and expected", "HTTP", stored, { url: stored.url, interval: 60, method: "POST" }, false],
  ["another name of the handshake", "TLS", tls({}), tls({ servername: "b.example" }), true],
  ["the host as the name of the handshake", "TLS", tls({}), tls({ servername: "A.example." }), false],
  ["other days of warning", "TLS", tls({}), tls({ warnDays: 3 }), false],
  ["DNS servers", "DNS", dns({}), dns({ servers: ["192.0.2.1"] }), true],
  ["other DNS servers", "DNS", dns({ servers: ["192.0.2.1"] }), dns({ servers: ["192.0.2.2"] }), true],
  [
    "the port 53 of a DNS server",
    "DNS",
    dns({ servers: ["192.0.2.1"] }),
    dns({ servers: ["192.0.2.1:53"] }),
    false,
  ],
  ["TLS at request", "TCP", tcp({ protocol: "smtp" }), tcp({ protocol: "smtp", tls: "starttls" }), true],
  ["no TLS in words", "TCP", tcp({ protocol: "smtp" }), tcp({ protocol: "smtp", tls: "none" }), false],
  ["what a TCP server is sent", "TCP", tcp({}), tcp({ send: "a", contains: "b", timeout: 3 }), false],
];

test.each(SAME)(
  "behavior 10.13, 10.14, 20.25: with %s, a monitor has another target: %#",
  (_, type, before, after, other) => {
    expect(update(after, before as MonitorConfig, type).isOtherTarget).toBe(other);
  },
);

function tls(fields: object): object {
  return { host: "a.example", port: 443, interval: 60, ...fields };
}

function dns(fields: object): object {
  return { hostname: "a.example", interval: 60, ...fields };
}

function tcp(fields: object): object {
  return { host: "a.example", port: 25, interval: 60, ...fields };
}
