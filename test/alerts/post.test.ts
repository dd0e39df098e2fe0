import { expect, test } from "bun:test";
import { post } from "../../src/alerts/post.ts";
import { startDnsServer } from "../support/dns-server.ts";
import { reachWith } from "../support/reach.ts";
import { answering, closedPort, startServer } from "../support/tcp-server.ts";

const message = { body: "{}", headers: {} };
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

test("a webhook goes to the address that the operator's DNS servers give", async () => {
  using dns = await startDnsServer({ "A hook.test": [{ type: "A", name: "hook.test", data: "127.0.0.1" }] });
  using server = await startServer(answering(ok));
  const reach = reachWith({ dnsServers: [dns] });
  const attempt = await post(`http://hook.test:${server.port}/x`, message, reach);
  expect(attempt).toMatchObject({ outcome: "delivered" });
  expect(server.received()).toContain(`Host: hook.test:${server.port}`);
});

test.each(["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "0.0.0.0", "localhost", "2130706433"])(
  "a webhook to %s is refused where private targets are denied",
  async (host) => {
    using server = await startServer(answering(ok));
    const reach = reachWith({ privateTargets: "deny" });
    const attempt = await post(`http://${host}:${server.port}/`, message, reach);
    expect(attempt).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("private address"),
    });
    expect(server.received()).toBe("");
  },
);

test("a delivery that our own DNS servers keep from being made says so", async () => {
  const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }];
  const reach = reachWith({ dnsServers });
  expect(await post("http://hook.test/secret", message, reach)).toMatchObject({
    outcome: "failed",
    final: false,
    error: expect.stringMatching(
      /^the receiver could not be reached: none of the DNS servers can be reached/,
    ),
  });
});
