import { describe, expect, test } from "bun:test";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { configOf } from "../../../src/dashboard/web/monitors/config/config-values.ts";
import { kindById, kindOf, type MonitorKind } from "../../../src/domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";

/** @returns the config of a form with these texts */
function entered(kind: MonitorKind, texts: Record<string, string>, stored = {}) {
  const data = new FormData();
  for (const [name, text] of Object.entries({ interval: "60", ...texts })) data.set(`config.${name}`, text);
  return configOf(kind, data, stored);
}

const mail = { host: "mx.example.com", port: "25", protocol: "smtp", tls: "" };

describe("behavior 20.90: the form", () => {
  test.each<[MonitorKind, Record<string, string>, object]>([
    [
      "PING",
      { host: "a.example", count: "5", maxLoss: "20" },
      { host: "a.example", count: 5, maxLoss: 20, protocol: "icmp" },
    ],
    ["MAIL", mail, { host: "mx.example.com", port: 25, protocol: "smtp" }],
    [
      "MAIL",
      { ...mail, tls: "starttls", verifyTls: "false" },
      { ...{ host: "mx.example.com", port: 25 }, ...{ protocol: "smtp", tls: "starttls", verifyTls: false } },
    ],
    [
      "DATABASE",
      { host: "db", port: "6379", protocol: "redis" },
      { host: "db", port: 6379, protocol: "redis" },
    ],
    [
      "SSH",
      { host: "a.example", port: "22", protocol: "ssh" },
      { host: "a.example", port: 22, protocol: "ssh" },
    ],
    [
      "WEBSOCKET",
      { url: "https://a.example/live" },
      { url: "https://a.example/live", protocol: "websocket" },
    ],
    [
      "GRPC",
      { url: "https://a.example", service: "shop.Cart" },
      { url: "https://a.example", service: "shop.Cart", protocol: "grpc" },
    ],
    [
      "TLS",
      { host: "mx.example.com", port: "25", protocol: "smtp" },
      { host: "mx.example.com", port: 25, protocol: "smtp" },
    ],
  ])("of %s with %j makes a config that the API accepts", (kind, texts, config) => {
    expect(entered(kind, texts)).toEqual({ interval: 60, ...config });
    expect(
      monitorFaults(kindById(kind).type, { name: "a", config: entered(kind, texts) }, "enterprise"),
    ).toEqual([]);
  });

  test.each<[MonitorType, string | undefined, MonitorKind]>([
    ["TCP", undefined, "TCP"],
    ["TCP", "icmp", "PING"],
    ["TCP", "pop3", "MAIL"],
    ["TCP", "mysql", "DATABASE"],
    ["TCP", "ftp", "SSH"],
    ["TLS", "smtp", "TLS"],
    ["HTTP", "http", "HTTP"],
    ["HTTP", "websocket", "WEBSOCKET"],
    ["HTTP", "grpc", "GRPC"],
    ["SCHEDULED", undefined, "SCHEDULED"],
  ])("shows a %s monitor with the protocol %s as %s", (type, protocol, kind) => {
    expect(kindOf(type, { ...(protocol && { protocol }) })).toBe(kind);
  });
});
