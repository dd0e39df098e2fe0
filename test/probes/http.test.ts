import { expect, test } from "bun:test";
import { observation } from "../support/probes/observation.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { answering, closedPort, silent, startServer } from "../support/servers/tcp-server.ts";

const get = (port: number, timeout?: number) =>
  observation("HTTP", { url: `http://127.0.0.1:${port}/` }, timeout ? { timeout } : {});

test.each([200, 204, 301, 404, 500, 503])(
  "behavior 1.26, 1.27: a response with status %d counts as reached",
  async (code) => {
    using server = await startServer(answering(`HTTP/1.1 ${code} Whatever\r\n\r\n`));
    expect(await get(server.port)).toMatchObject({
      outcome: "reached",
      detail: {
        statusCode: code,
        address: "127.0.0.1",
        phases: { resolve: expect.any(Number), connect: expect.any(Number), firstByte: expect.any(Number) },
      },
    });
  },
);

test("behavior 1.25: one GET request closes its connection, with the path and query of the URL unchanged, and the host in ASCII", async () => {
  using dns = await startDnsServer({
    "A xn--bcher-kva.test": [{ type: "A", name: "xn--bcher-kva.test", data: "127.0.0.1" }],
  });
  using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"));
  const url = `http://bücher.test:${server.port}/a%20b/ü?q=1&r=%2F#part`;
  expect(await observation("HTTP", { url }, { dnsServers: [dns] })).toMatchObject({ outcome: "reached" });
  const [request, host] = server.received().split("\r\n");
  expect(request).toBe("GET /a%20b/%C3%BC?q=1&r=%2F HTTP/1.1");
  expect(host).toBe(`Host: xn--bcher-kva.test:${server.port}`);
  expect(server.received()).toContain("\r\nConnection: close\r\n");
  expect(server.received().match(/^GET /gm)).toHaveLength(1);
});

test("an IPv6 address in a URL is reached", async () => {
  using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), { host: "::1" });
  const seen = await observation("HTTP", { url: `http://[::1]:${server.port}/` });
  expect(seen).toMatchObject({ outcome: "reached", detail: { address: "::1" } });
});

test("the status line may arrive byte by byte", async () => {
  using server = await startServer(async (socket) => {
    for (const byte of "HTTP/1.1 200 OK\r\n") {
      socket.write(byte);
      await Bun.sleep(2);
    }
  });
  expect(await get(server.port)).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
});

test("a server that sends bytes forever is a timeout", async () => {
  using server = await startServer((socket) => {
    socket.write("HTTP/1.1 200 ");
    const dripping = setInterval(() => socket.write("x"), 20);
    socket.once("close", () => clearInterval(dripping));
  });
  expect(await get(server.port, 300)).toMatchObject({ outcome: "failed", reason: "timeout" });
});

test("a server that accepts and stays silent is a timeout whose message names the missing step", async () => {
  using server = await startServer(silent);
  expect(await get(server.port, 300)).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message: "no answer within 0.3 s", phases: { connect: expect.any(Number) } },
  });
});

test("a response that is not HTTP fails without waiting for the timeout", async () => {
  using server = await startServer((socket) => socket.write("SSH-2.0-OpenSSH_9.9"));
  expect(await get(server.port, 5000)).toMatchObject({
    outcome: "failed",
    reason: "not_http",
    detail: { message: 'the answer is not HTTP: "SSH-2.0-OpenSSH_9.9"' },
  });
});

test.each([
  ["without a code", "HTTP/1.1 OK\r\n\r\n"],
  ["that is incomplete", "HTTP/1.1 20"],
  ["that is empty", "\r\n\r\n"],
  ["of 9,000 bytes", `HTTP/1.1 ${"x".repeat(9000)}`],
])("a status line %s is not HTTP", async (_, text) => {
  using server = await startServer(answering(text));
  expect(await get(server.port)).toMatchObject({ outcome: "failed", reason: "not_http" });
});

test("a server that closes without a response is closed", async () => {
  using server = await startServer((socket) => socket.once("data", () => socket.end()));
  expect(await get(server.port)).toMatchObject({ outcome: "failed", reason: "closed" });
});

test("a server that resets the connection is a reset", async () => {
  using server = await startServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
  expect(await get(server.port)).toMatchObject({ outcome: "failed", reason: "reset" });
});

test("a port where nothing listens is refused", async () => {
  expect(await get(await closedPort())).toMatchObject({ outcome: "failed", reason: "refused" });
});

/** Only root may listen on the default port. */
test.skipIf(process.getuid?.() !== 0)("port 0 in a URL does not mean the default port", async () => {
  const host = "127.80.80.80";
  using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), { host, port: 80 });
  expect(await observation("HTTP", { url: `http://${host}:0/` })).toMatchObject({ outcome: "failed" });
  expect(server.received()).toBe("");
});
