import { expect, test } from "bun:test";
import { post } from "../../src/alerts/post.ts";
import { reachWith } from "../support/alerts/reach.ts";
import { eventually } from "../support/eventually.ts";
import { ChatService } from "../support/servers/chat-service.ts";
import { type Reply, startDnsServer } from "../support/servers/dns-server.ts";
import { answering, closedPort, startServer } from "../support/servers/tcp-server.ts";

const message = { body: "{}", headers: {} };
const ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

test("a webhook goes to the address from the DNS servers of the settings", async () => {
  using dns = await startDnsServer({ "A hook.test": [{ type: "A", name: "hook.test", data: "127.0.0.1" }] });
  using server = await startServer(answering(ok));
  const reach = reachWith({ dnsServers: [dns] });
  const attempt = await post(`http://hook.test:${server.port}/x`, message, reach);
  expect(attempt).toMatchObject({ outcome: "delivered" });
  expect(server.received()).toContain(`Host: hook.test:${server.port}`);
});

test.each(["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "0.0.0.0", "localhost", "2130706433"])(
  "a webhook to %s is refused if private targets are denied",
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

test("a delivery that fails because no DNS server is reachable says so", async () => {
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

test("a receiver that switches to another protocol has failed, and its connection is closed", async () => {
  let left = false;
  using server = await startServer((socket) => {
    socket.on("close", () => {
      left = true;
    });
    socket.once("data", () =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: tunnel\r\nConnection: Upgrade\r\n\r\n"),
    );
  });
  const attempt = await post(`http://127.0.0.1:${server.port}/`, message, reachWith(), (one) => one);
  expect(attempt).toEqual({
    outcome: "failed",
    error: "the receiver answered 101",
    final: false,
    answer: "101",
  });
  await eventually(() => left);
});

test("a receiver that sends endless interim responses has failed, and its connection is closed", async () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\n".repeat(100);
  let left = false;
  using server = await startServer((socket) => {
    const fill = () => {
      while (socket.write(interim));
      socket.once("drain", fill);
    };
    socket.once("data", fill).on("close", () => {
      left = true;
    });
  });
  expect(await post(`http://127.0.0.1:${server.port}/`, message, reachWith())).toEqual({
    outcome: "failed",
    error: "the receiver answered 100",
    final: false,
    answer: "100",
  });
  await eventually(() => left);
});

test("a receiver may send a few interim responses first", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(3);
  using server = await startServer(answering(`HTTP/1.1 100 Continue\r\n\r\n${hints}${ok}`));
  const attempt = await post(`http://127.0.0.1:${server.port}/`, message, reachWith());
  expect(attempt).toMatchObject({ outcome: "delivered" });
});

test.each(["HTTPS", "Https"])("a webhook with the scheme %s uses TLS", async (scheme) => {
  await using service = await ChatService.start("hook.test");
  const url = service.url("/").replace("https", scheme);
  expect(await post(url, message, service.settings)).toMatchObject({ outcome: "delivered" });
});

test.each([
  ["no-such-host.invalid", {}, "the receiver has no address in the DNS"],
  ["no-such-host.invalid.", {}, "the receiver has no address in the DNS"],
  ["NO-SUCH-HÖST.invalid", {}, "the receiver has no address in the DNS"],
  ["e", { "A e": [] }, "the receiver has no address in the DNS"],
  ["a.test.", { "a.test": { code: "SERVFAIL" } }, "the DNS gave no answer for the receiver (servfail)"],
] as [string, Record<string, Reply>, string][])(
  "a failed lookup of %s does not name it",
  async (host, answers, error) => {
    using dns = await startDnsServer(answers);
    const attempt = await post(`http://${host}/`, message, reachWith({ dnsServers: [dns] }));
    expect(attempt).toEqual({ outcome: "failed", error, final: false });
  },
);

test("a message that cannot be sent has failed, and leaves no connection open", async () => {
  let open = 0;
  using server = await startServer((socket) => {
    open++;
    socket.on("close", () => open--);
    answering(ok)(socket);
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const unsendable = { ...message, headers: { trailer: "x" } };
  expect(await post(url, unsendable, reachWith())).toMatchObject({
    outcome: "failed",
    final: false,
    error: "the receiver could not be reached: the request can't be sent",
  });
  expect(await post(url, message, reachWith())).toMatchObject({ outcome: "delivered" });
  await eventually(() => open === 0);
});

test("the error for a private target does not name the receiver", async () => {
  const attempt = await post("http://localhost./", message, reachWith({ privateTargets: "deny" }));
  expect(attempt).toMatchObject({
    error:
      "the receiver is at a private address, and this server does not connect to those (--private-targets deny)",
  });
});
