import { expect, test } from "bun:test";
import { type MonitorType, parseConfig } from "../../../src/domain/monitors/monitor.ts";

const mail = { host: "mail.example.com", port: 25, interval: 60, protocol: "smtp" };
const ping = { host: "example.com", interval: 60, protocol: "icmp" };
const grpc = { url: "https://api.example.com", interval: 60, protocol: "grpc" };
const socket = { url: "https://chat.example.com/live?room=1", interval: 60, protocol: "websocket" };

test.each<[string, MonitorType, object]>([
  ["20.1", "TCP", mail],
  ["20.2", "TCP", { ...mail, tls: "starttls", verifyTls: false, servername: "mx.example.com" }],
  ["20.2", "TCP", { ...mail, protocol: "redis", port: 6379, tls: "direct" }],
  ["20.3", "TCP", ping],
  ["20.3", "TCP", { ...ping, count: 5, size: 0, maxLoss: 99, timeout: 5, everyAddress: true }],
  ["20.5", "TLS", { host: "mail.example.com", port: 25, interval: 300, protocol: "smtp" }],
  [
    "20.6",
    "HTTP",
    { ...grpc, service: "shop.Cart", headers: { "X-Key": "1" }, verifyTls: false, ipFamily: 4 },
  ],
  ["20.7", "HTTP", { ...socket, headers: { "X-Key": "1" }, basicAuth: { user: "a", password: "b" } }],
  ["20.50", "HTTP", { ...socket, headers: { "sec-websocket-protocol": "chat", Host: "a.example" } }],
  ["20.60", "HTTP", { ...grpc, headers: { Host: "a.example", "x-trace-bin": "AA==" } }],
  ["20.8", "TLS", { host: "example.com", port: 443, interval: 300, registration: true }],
  ["20.8", "TLS", { host: "example.com", port: 443, interval: 300, registration: { warnDays: 60 } }],
  ["20.8", "TLS", { host: "example.com", port: 443, interval: 300, registration: {} }],
])(
  "behavior 20.1, 20.2, 20.3, 20.5, 20.6, 20.7, 20.8: (%s) a %s config of %j is accepted as it is",
  (_, type, config) => {
    expect(parseConfig(type, config, "pro")).toEqual(config as never);
  },
);

test.each<[string, MonitorType, object, string]>([
  ["20.1", "TCP", { ...mail, protocol: "gopher" }, "config.protocol must be one of icmp, smtp, imap, pop3,"],
  ["20.1", "TCP", { ...mail, port: undefined }, "config.port is required"],
  ["20.1", "TCP", { host: "example.com", interval: 60 }, "config.port is required"],
  ["20.1", "TCP", { ...mail, send: "QUIT" }, "config.send must be left out with config.protocol"],
  ["20.1", "TCP", { ...mail, contains: "220" }, "config.contains must be left out with config.protocol"],
  [
    "20.2",
    "TCP",
    { ...mail, protocol: undefined, tls: "direct" },
    "config.tls must be left out without config.protocol",
  ],
  [
    "20.2",
    "TCP",
    { ...mail, protocol: undefined, verifyTls: true },
    "config.verifyTls must be left out without config.protocol",
  ],
  [
    "20.2",
    "TCP",
    { ...mail, verifyTls: true },
    "config.verifyTls must be left out unless config.tls is direct or starttls",
  ],
  [
    "20.2",
    "TCP",
    { ...mail, tls: "none", servername: "a" },
    "config.servername must be left out unless config.tls is direct or starttls",
  ],
  [
    "20.2",
    "TCP",
    { ...mail, protocol: "ssh", tls: "starttls" },
    "config.tls must be none or direct with the protocol ssh: only smtp, imap, pop3, ftp, postgres, mysql know starttls",
  ],
  ["20.3", "TCP", { ...ping, port: 7 }, "config.port must be left out with the protocol icmp"],
  ["20.3", "TCP", { ...ping, tls: "none" }, "config.tls must be left out with the protocol icmp"],
  ["20.3", "TCP", { ...ping, count: 6 }, "config.count must be a whole number from 1 to 5, got 6"],
  ["20.3", "TCP", { ...ping, size: 1401 }, "config.size must be a whole number from 0 to 1400, got 1401"],
  ["20.3", "TCP", { ...ping, maxLoss: 100 }, "config.maxLoss must be a whole number from 0 to 99, got 100"],
  ["20.3", "TCP", { ...mail, count: 1 }, "config.count must be left out unless config.protocol is icmp"],
  ["20.5", "TLS", { host: "a.example", protocol: "smtp" }, "config.port is required with config.protocol"],
  [
    "20.5",
    "TLS",
    { host: "a.example", port: 22, protocol: "ssh" },
    "config.protocol must be one of smtp, imap, pop3, ftp, postgres, mysql",
  ],
  [
    "20.6",
    "HTTP",
    { ...grpc, url: "https://a.example/shop" },
    "config.url must have no path with the protocol grpc: set config.service for a service",
  ],
  [
    "20.6",
    "HTTP",
    { ...grpc, url: "https://a.example/?a" },
    "config.url must have no path with the protocol grpc",
  ],
  [
    "20.6",
    "HTTP",
    { ...grpc, basicAuth: { user: "a", password: "b" } },
    "config.basicAuth must be left out with the protocol grpc",
  ],
  [
    "20.6",
    "HTTP",
    { ...grpc, expect: { status: ["2xx"] } },
    "config.expect must be left out with the protocol grpc",
  ],
  ["20.6", "HTTP", { ...grpc, service: "a".repeat(257) }, "config.service must be"],
  [
    "20.6",
    "HTTP",
    { ...socket, service: "a" },
    "config.service must be left out unless config.protocol is grpc",
  ],
  [
    "20.7",
    "HTTP",
    { ...socket, method: "GET" },
    "config.method must be left out with the protocol websocket",
  ],
  [
    "20.7",
    "HTTP",
    { ...socket, redirects: 0 },
    "config.redirects must be left out with the protocol websocket",
  ],
  [
    "20.7",
    "HTTP",
    { ...socket, url: "wss://a.example/live" },
    "write https:// and set config.protocol to websocket",
  ],
  [
    "20.7",
    "HTTP",
    { ...socket, url: "ws://a.example/live" },
    "write http:// and set config.protocol to websocket",
  ],
  ...["Sec-WebSocket-Key", "sec-websocket-extensions", "Sec-WebSocket-Version", "Upgrade"].map(
    (name): [string, MonitorType, object, string] => [
      "20.50",
      "HTTP",
      { ...socket, headers: { [name]: "x" } },
      `config.headers.${name} must be left out with the protocol websocket, which sets it itself`,
    ],
  ),
  ...["TE", "Content-Type", "grpc-timeout", "Grpc-Accept-Encoding", "Keep-Alive"].map(
    (name): [string, MonitorType, object, string] => [
      "20.60",
      "HTTP",
      { ...grpc, headers: { [name]: "x" } },
      "must be left out with the protocol grpc, which sets it itself",
    ],
  ),
  [
    "20.8",
    "TLS",
    { host: "a.example", registration: false },
    "config.registration must be true or an object",
  ],
  ["20.8", "TLS", { host: "a.example", registration: { warnDays: 0 } }, "config.registration"],
])(
  "behavior 20.1, 20.2, 20.3, 20.5, 20.6, 20.7, 20.8, 20.50, 20.60: (%s) a %s config of %j is refused",
  (_, type, config, message) => {
    expect(() => parseConfig(type, config, "pro")).toThrow(message);
  },
);
