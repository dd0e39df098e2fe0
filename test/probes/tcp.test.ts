import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { eventually } from "../support/eventually.ts";
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
      message: "the connection was refused: nothing listens on that port",
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

const banner = (socket: Socket) => {
  socket.once("data", (sent) => socket.write(`you sent ${sent}`));
  for (const [at, part] of ["220 mail.te", "st ESMTP ü\r\n"].entries())
    setTimeout(() => socket.write(part), at * 20);
};
const tcp = (port: number, config: { send?: string; contains?: string }, timeout?: number) =>
  observation("TCP", { host: "127.0.0.1", port, ...config }, timeout ? { timeout } : {});

test.each([
  { contains: "220 " },
  { contains: "mail.test ESMTP ü" },
  { send: "PING ü", contains: "you sent PING ü" },
  { send: "x".repeat(4096), contains: `you sent ${"x".repeat(1000)}` },
  { send: "QUIT" },
])("behavior 10.11: a server that sends the expected text is reached: %j", async (config) => {
  using server = await startServer(banner);
  expect(await tcp(server.port, config)).toMatchObject({ outcome: "reached", latencyMs: expect.any(Number) });
  if (config.send) await eventually(() => server.received() === config.send);
});

test("behavior 10.12: a text that does not appear in time is a timeout", async () => {
  using server = await startServer(banner);
  expect(await tcp(server.port, { contains: "250 " }, 300)).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message: "no expected text within 0.3 s" },
  });
});

test.each([
  ["closes", (socket: Socket) => void socket.end("220 secret-banner")],
  ["resets", (socket: Socket) => void socket.write("220 secret-banner", () => socket.resetAndDestroy())],
])("behavior 10.12: a server that %s the connection before the text is closed", async (_, serve) => {
  using server = await startServer(serve);
  expect(await tcp(server.port, { contains: "250 " })).toMatchObject({
    outcome: "failed",
    reason: "closed",
    detail: { message: 'the server closed the connection before it sent "250 "' },
  });
});

test("behavior 10.12: 64 KiB without the text are unexpected, and the text after them does not count", async () => {
  const size = 64 * 1024;
  using server = await startServer((socket) => socket.write(`${"x".repeat(size)}250 `));
  expect(await tcp(server.port, { contains: "250 " })).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: { message: 'the first 64 KiB lack "250 "' },
  });
  using last = await startServer((socket) => socket.write(`${"x".repeat(size - 4)}250 `));
  expect(await tcp(last.port, { contains: "250 " })).toMatchObject({ outcome: "reached" });
});
