import { expect, test } from "bun:test";
import { observation } from "../support/probes/observation.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { closedPort, silent, startServer } from "../support/servers/tcp-server.ts";

test("behavior 1.31: an open port is reached, and the detail has the duration of each phase", async () => {
  using server = await startServer(silent);
  const seen = await observation("TCP", { host: "127.0.0.1", port: server.port });
  expect(seen).toMatchObject({ outcome: "reached", detail: { address: "127.0.0.1" } });
  if (seen.outcome !== "reached") throw new Error("not reached");
  expect(seen.latencyMs).toBeWithin(0, 2000);
  expect(seen.detail.phases).toEqual({ resolve: expect.any(Number), connect: expect.any(Number) });
});

test("a closed port is refused", async () => {
  const seen = await observation("TCP", { host: "127.0.0.1", port: await closedPort() });
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "refused",
    detail: {
      message: "the connection was refused: nothing listens on that port, or there is no route to the host",
    },
  });
});

test("an IPv6 address is reached", async () => {
  using server = await startServer(silent, { host: "::1" });
  const seen = await observation("TCP", { host: "::1", port: server.port });
  expect(seen).toMatchObject({ outcome: "reached", detail: { address: "::1" } });
});

test("a name of the hosts file is reached without any DNS server", async () => {
  using server = await startServer(silent);
  const seen = await observation("TCP", { host: "localhost", port: server.port });
  expect(seen).toMatchObject({ outcome: "reached" });
});

test("if the IPv6 address does not answer, the IPv4 address is reached", async () => {
  using dns = await startDnsServer({
    "AAAA both.test": [{ type: "AAAA", name: "both.test", data: "::1" }],
    "A both.test": [{ type: "A", name: "both.test", data: "127.0.0.1" }],
  });
  using server = await startServer(silent);
  const seen = await observation("TCP", { host: "both.test", port: server.port }, { dnsServers: [dns] });
  expect(seen).toMatchObject({ outcome: "reached", detail: { address: "127.0.0.1" } });
});
