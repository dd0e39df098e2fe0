import { afterAll, beforeAll, expect, test } from "bun:test";
import type { MonitorConfig } from "../../src/domain/monitors/monitor.ts";
import { observation } from "../support/probes/observation.ts";
import { startDnsServer, type TestDnsServer } from "../support/servers/dns-server.ts";
import { answering, startServer, type TestServer } from "../support/servers/tcp-server.ts";

let dns: TestDnsServer;
let server: TestServer;
const denied = { outcome: "failed", reason: "private_target" } as const;

beforeAll(async () => {
  server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"));
  dns = await startDnsServer({
    "A inside.test": [{ type: "A", name: "inside.test", data: "127.0.0.1" }],
    "AAAA mapped.test": [{ type: "AAAA", name: "mapped.test", data: "::ffff:127.0.0.1" }],
  });
});

afterAll(() => {
  server[Symbol.dispose]();
  dns[Symbol.dispose]();
});

const settings = () => ({ privateTargets: "deny" as const, dnsServers: [dns] });

test.each([
  "127.0.0.1",
  "::1",
  "0.0.0.0",
  "::ffff:127.0.0.1",
  "localhost",
  "inside.test",
  "mapped.test",
  "127.1",
])("behavior 1.21: no check connects to %s if private targets are denied", async (host) => {
  const { port } = server;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  expect(await observation("TCP", { host, port }, settings())).toMatchObject(denied);
  expect(await observation("TLS", { host, port }, settings())).toMatchObject(denied);
  expect(await observation("HTTP", { url } as MonitorConfig<"HTTP">, settings())).toMatchObject(denied);
  expect(server.received()).toBe("");
});

test("the message names the setting that denied the connection", async () => {
  const seen = await observation("TCP", { host: "inside.test", port: server.port }, settings());
  expect(seen).toMatchObject({
    detail: {
      message:
        "inside.test is at a private address, and this server does not connect to those (--private-targets deny)",
    },
  });
});

test("a DNS monitor may watch a name with a private address", async () => {
  const seen = await observation("DNS", { hostname: "inside.test", recordType: "A" }, settings());
  expect(seen).toMatchObject({ outcome: "looked_up", answer: { lookups: [{ values: ["127.0.0.1"] }] } });
});
