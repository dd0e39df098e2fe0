import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { probeTcp } from "../../../src/probes/tcp.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDeafServer } from "../../support/servers/deaf-server.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

const openDescriptors = () => readdirSync("/proc/self/fd").length;

test("unanswered attempts to connect hold at most one descriptor, until the answer arrives", async () => {
  using server = await startDeafServer();
  const target = { host: "127.0.0.1", port: server.port };
  const network = createNetwork({ privateTargets: "allow" });
  const before = openDescriptors();
  for (let check = 0; check < 5; check++) {
    expect(await observation("TCP", target, { timeout: 50, network })).toMatchObject({
      outcome: "failed",
      reason: "timeout",
      detail: { message: "no connection within 0.05 s" },
    });
  }
  expect(openDescriptors()).toBeLessThanOrEqual(before + 1);
  server.accept();
  await eventually(async () => (await observation("TCP", target, { network })).outcome === "reached");
  await eventually(() => openDescriptors() <= before + server.queued);
});

test.each(["TCP", "HTTP", "HTTPS"] as const)(
  "a %s check closes its connection with a FIN, not with a reset, even if the server does not",
  async (type) => {
    const ends: string[] = [];
    const tls = await (await createAuthority()).issue([{ type: "dns", value: "localhost" }]);
    const before = openDescriptors();
    using server = await startServer(
      (socket) => {
        socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
        socket.once("end", () => ends.push("end"));
        socket.once("error", () => ends.push("error"));
      },
      type === "HTTPS" ? { tls } : {},
    );
    const url = `${type === "HTTPS" ? "https" : "http"}://127.0.0.1:${server.port}/`;
    const seen = await (type === "TCP"
      ? observation("TCP", { host: "127.0.0.1", port: server.port })
      : observation("HTTP", { url, verifyTls: false }));
    expect(seen).toMatchObject({ outcome: "reached" });
    await eventually(() => ends.length > 0);
    expect(ends).toEqual(["end"]);
    server[Symbol.dispose]();
    await eventually(() => openDescriptors() <= before);
  },
);

test("a check that was cancelled during the DNS lookup opens no connection", async () => {
  const lifetime = new Lifetime();
  const lastAnswer = () => {
    lifetime.close();
    return [{ type: "A" as const, name: "late.test", data: "127.0.0.1" }];
  };
  using dns = await startDnsServer({ "A late.test": lastAnswer });
  let connections = 0;
  using server = await startServer(() => connections++);
  const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
  await probeTcp({ host: "late.test", port: server.port, interval: 60 }, { timeout: 200, network, lifetime });
  expect(dns.queries).toContain("A late.test");
  expect(connections).toBe(0);
});

test("a response that arrives before the request is read", async () => {
  using server = await startServer((socket) => socket.end("HTTP/1.1 503 Busy\r\n\r\n"));
  expect(await observation("HTTP", { url: `http://127.0.0.1:${server.port}/` })).toMatchObject({
    outcome: "reached",
    detail: { statusCode: 503 },
  });
});
