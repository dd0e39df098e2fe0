import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { MonitorConfig } from "../../src/domain/monitors/monitor.ts";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { createLooks } from "../../src/probes/look.ts";
import { observation } from "../support/probes/observation.ts";
import { startDnsServer, type TestDnsServer } from "../support/servers/dns-server.ts";
import { answering, startServer, type TestServer } from "../support/servers/tcp-server.ts";

/* Behavior 24.26: the boundary of a demonstration below the API, for what the API can't know before a check. */

let dns: TestDnsServer;
let own: TestServer;
let other: TestServer;
const denied = { outcome: "failed", reason: "private_target" } as const;

beforeAll(async () => {
  other = await startServer(answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
  const away = `http://127.0.0.1:${other.port}/secret`;
  own = await startServer(answering(`HTTP/1.1 302 Found\r\nlocation: ${away}\r\ncontent-length: 0\r\n\r\n`));
  dns = await startDnsServer({ "A other.test": [{ type: "A", name: "other.test", data: "127.0.0.2" }] });
});

afterAll(() => {
  for (const server of [own, other, dns]) server[Symbol.dispose]();
});

const settings = () => ({
  privateTargets: "allow" as const,
  dnsServers: [dns],
  only: { address: "127.0.0.1", port: own.port },
});

const http = (url: string, more = {}) =>
  observation("HTTP", { url, ...more } as MonitorConfig<"HTTP">, settings());

describe("behavior 24.26: checks connect to one address and port only", () => {
  test("wherever a redirect leads", async () => {
    const seen = await http(`http://127.0.0.1:${own.port}/`, { redirects: 5 });
    expect(seen).toMatchObject(denied);
    expect(own.received()).toContain("GET /");
    expect(other.received()).toBe("");
  });

  test("whatever the target is, by each type", async () => {
    const { port } = other;
    expect(await http(`http://127.0.0.1:${port}/`)).toMatchObject(denied);
    expect(await http(`http://127.0.0.1:${port}/`, { everyAddress: true })).toMatchObject({
      outcome: "by_address",
      addresses: [{ evidence: denied }],
    });
    expect(await observation("TCP", { host: "127.0.0.1", port }, settings())).toMatchObject(denied);
    expect(await observation("TLS", { host: "127.0.0.1", port }, settings())).toMatchObject(denied);
    expect(other.received()).toBe("");
  });

  test("a name is asked of no DNS server, and is this server", async () => {
    const seen = await observation("TCP", { host: "other.test", port: own.port }, settings());
    expect(seen).toMatchObject({ outcome: "reached" });
    const asked = [
      await observation("DNS", { hostname: "other.test", recordType: "A" }, settings()),
      await observation(
        "DNS",
        { hostname: "other.test", recordType: "A", servers: [`127.0.0.1:${dns.port}`] },
        settings(),
      ),
    ];
    for (const one of asked) expect(one.outcome).not.toBe("looked_up");
    expect(dns.queries).toEqual([]);
  });

  test("a look after a failed check goes nowhere else", async () => {
    const look = createLooks({
      network: createNetwork(settings()),
      whenIdle: (task) => task(),
      self: async () => ({ loopDelayMs: 0, online: true }),
    });
    expect(await look({ addresses: ["127.0.0.1"], port: other.port })).toMatchObject({
      connections: [],
      path: null,
    });
    expect(await look({ addresses: ["127.0.0.2"], port: null })).toMatchObject({ path: null });
    const own = await look({ addresses: ["127.0.0.1"], port: settings().only.port });
    expect(own.connections).toMatchObject([{ outcome: "open" }]);
  });
});
