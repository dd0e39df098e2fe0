import { expect, test } from "bun:test";
import { targetAddresses } from "../../../src/domain/discovery/target-addresses.ts";
import type { MonitorConfig, MonitorType } from "../../../src/domain/monitors/monitor.ts";

test.each<[MonitorType, object, string[]]>([
  ["HTTP", { url: "https://Shop.example.com/a?b" }, ["shop.example.com", "shop.example.com:443"]],
  ["HTTP", { url: "http://10.0.0.1:8080/" }, ["10.0.0.1", "10.0.0.1:8080"]],
  ["HTTP", { url: "http://[2001:db8::1]/" }, ["2001:db8::1", "[2001:db8::1]:80"]],
  ["HTTP", { steps: [{ url: "http://a/" }, { url: "https://b:1/" }] }, ["a", "a:80", "b", "b:1"]],
  ["HTTP", { url: "http://localhost:80/" }, ["localhost", "localhost:80", "127.0.0.1", "127.0.0.1:80"]],
  ["TCP", { host: "DB.example.com.", port: 5432 }, ["db.example.com", "db.example.com:5432"]],
  ["TCP", { host: "db", protocol: "icmp" }, ["db"]],
  ["TCP", { host: "127.0.0.1", port: 1 }, ["localhost", "localhost:1", "127.0.0.1", "127.0.0.1:1"]],
  ["TLS", { host: "shop.example.com" }, ["shop.example.com", "shop.example.com:443"]],
  ["TLS", { host: "shop.example.com", port: 993 }, ["shop.example.com", "shop.example.com:993"]],
  ["DNS", { hostname: "Shop.example.com" }, ["shop.example.com"]],
  ["SCHEDULED", {}, []],
])("behavior 28.24: a %s monitor of %j watches %j", (type, config, addresses) => {
  expect(targetAddresses(type, config as MonitorConfig)).toEqual(addresses);
});
