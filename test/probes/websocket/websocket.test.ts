import { expect, test } from "bun:test";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { readPage } from "../../support/documentation/page.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import {
  CLOSE,
  type ClientFrame,
  frame,
  honest,
  onFrames,
  PING,
  PONG,
  startUpgradeServer,
  switching,
  TEXT,
} from "../../support/servers/websocket-answers.ts";

const check = (
  port: number,
  config: Partial<HttpConfig> = {},
  options: Parameters<typeof observation>[2] = {},
) =>
  observation(
    "HTTP",
    { url: `http://127.0.0.1:${port}/live?room=1`, protocol: "websocket", ...config },
    { timeout: 5000, ...options },
  );

test("behavior 20.51: a WebSocket of a real server is up, sees a ping, and is closed normally", async () => {
  const seen: unknown[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, itself) => {
      seen.push(new URL(request.url).search);
      return itself.upgrade(request) ? undefined : new Response("no", { status: 400 });
    },
    websocket: {
      message: () => {},
      open: (socket) => void socket.send("hello"),
      ping: (_, payload) => void seen.push(payload.length),
      close: (_, code) => void seen.push(code),
    },
  });
  expect(await check(server.port as number)).toEqual({
    outcome: "reached",
    latencyMs: expect.any(Number),
    detail: {
      statusCode: 101,
      address: "127.0.0.1",
      phases: { resolve: expect.any(Number), connect: expect.any(Number), firstByte: expect.any(Number) },
    },
  });
  await eventually(() => seen.length === 3);
  expect(seen).toEqual(["?room=1", 16, 1000]);
});

test("behavior 20.14: a server can answer the close frame", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  using server = await startUpgradeServer((socket, { accept }) => {
    socket.allowHalfOpen = true;
    socket.write(switching(accept));
    socket.on("error", ({ message }) => resolve(message));
    socket.on("close", () => resolve("closed"));
    onFrames(socket, ({ opcode, payload }) => {
      if (opcode === PING) socket.write(frame(PONG, payload));
      if (opcode !== CLOSE) return;
      setImmediate(() =>
        socket.write(frame(CLOSE, payload), () => setImmediate(() => socket.end(frame(TEXT)))),
      );
    });
  });
  expect(await check(server.port)).toMatchObject({ outcome: "reached" });
  expect(await closed).toBe("closed");
});

test("behavior 20.51: each check sends another key and another ping, and its frames are masked", async () => {
  const pings = new Set<string>();
  const frames: ClientFrame[] = [];
  using server = await startUpgradeServer((socket, { accept }) => {
    socket.write(switching(accept));
    onFrames(socket, (sent) => {
      frames.push(sent);
      if (sent.opcode !== PING) return;
      pings.add(sent.payload.toString("hex"));
      socket.write(frame(PONG, sent.payload));
    });
  });
  await check(server.port);
  await check(server.port);
  await eventually(() => frames.length === 4);
  expect(frames.map(({ opcode }) => opcode)).toEqual([PING, CLOSE, PING, CLOSE]);
  expect(frames.every(({ isMasked }) => isMasked)).toBe(true);
  expect(pings.size).toBe(2);
  const keys = server.received().match(/(?<=^Sec-WebSocket-Key: ).*(?=\r$)/gm) ?? [];
  expect(new Set(keys).size).toBe(2);
  expect(keys.map((key) => Buffer.from(key, "base64").length)).toEqual([16, 16]);
});

test("behavior 20.50: the request has the headers and the credentials of the config, and asks for no extension", async () => {
  using server = await startUpgradeServer(honest());
  await check(server.port, {
    headers: { "X-Key": "1", host: "chat.test" },
    basicAuth: { user: "a", password: "b" },
  });
  const lines = server.received().split("\r\n\r\n")[0]?.split("\r\n") ?? [];
  expect(lines.map((line) => line.replace(/(?<=^Sec-WebSocket-Key: ).*/, "(key)"))).toEqual([
    "GET /live?room=1 HTTP/1.1",
    "User-Agent: stillup",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: (key)",
    "Sec-WebSocket-Version: 13",
    "Authorization: Basic YTpi",
    "X-Key: 1",
    "host: chat.test",
  ]);
});

test("behavior 20.51: names and tokens of the answer ignore case, and may have company", async () => {
  using server = await startUpgradeServer((socket, { accept }) => {
    const lines = [
      "upgrade: WebSocket",
      "CONNECTION: keep-alive, upgrade",
      `sec-websocket-accept: ${accept} `,
    ];
    socket.write(`HTTP/1.1 101 x\r\n${lines.join("\r\n")}\r\nSec-WebSocket-Extensions:\r\n\r\n`);
    onFrames(socket, ({ payload }) => void socket.write(frame(PONG, payload)));
  });
  expect(await check(server.port)).toMatchObject({ outcome: "reached" });
});

test("behavior 20.51: a pong that comes in one piece with the 101, and one byte by byte, are read", async () => {
  using server = await startUpgradeServer((socket, { accept }) => {
    const text = switching(accept);
    socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${text.slice(0, -1)}`);
    setTimeout(() => socket.write(Buffer.concat([Buffer.from(text.slice(-1)), frame(TEXT, "hi")])), 10);
    onFrames(socket, async ({ opcode, payload }) => {
      if (opcode !== PING) return;
      for (const byte of frame(PONG, payload)) {
        socket.write(Buffer.from([byte]));
        await Bun.sleep(1);
      }
    });
  });
  expect(await check(server.port)).toMatchObject({ outcome: "reached", detail: { statusCode: 101 } });
});

test.each([["live, chat"], ["chat"]])(
  "behavior 20.53: of the subprotocols %s, the server may choose one, or none",
  async (asked) => {
    const headers = { "Sec-WebSocket-Protocol": asked };
    using choosing = await startUpgradeServer(honest(undefined, ["Sec-WebSocket-Protocol: chat"]));
    expect(await check(choosing.port, { headers })).toMatchObject({ outcome: "reached" });
    using silent = await startUpgradeServer(honest());
    expect(await check(silent.port, { headers })).toMatchObject({ outcome: "reached" });
  },
);

test("behavior 20.54: data, other pongs and pings are skipped, and a ping of the server gets its pong", async () => {
  const pongs: string[] = [];
  using server = await startUpgradeServer((socket, { accept }) => {
    socket.write(switching(accept));
    onFrames(socket, ({ opcode, payload }) => {
      if (opcode === PONG) pongs.push(payload.toString());
      if (opcode !== PING) return;
      const start = frame(TEXT, "x", { first: TEXT });
      const middle = [
        frame(PONG, "unasked"),
        frame(PONG),
        frame(PING, "are you there"),
        frame(0, "y".repeat(70_000)),
      ];
      socket.write(Buffer.concat([start, ...middle, frame(2, "z".repeat(200)), frame(PONG, payload)]));
    });
  });
  expect(await check(server.port)).toMatchObject({ outcome: "reached" });
  await eventually(() => pongs.length > 0);
  expect(pongs).toEqual(["are you there"]);
});

test("over TLS, the certificate must be valid, and is in the observation", async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: (request, itself) => (itself.upgrade(request) ? undefined : new Response("no")),
    websocket: { message: () => {} },
  });
  const url = `https://127.0.0.1:${server.port}/`;
  expect(await check(0, { url, verifyTls: false })).toMatchObject({
    outcome: "reached",
    tls: { protocol: "TLSv1.3" },
    detail: { statusCode: 101, phases: { tls: expect.any(Number) } },
  });
  expect(await check(0, { url })).toMatchObject({ outcome: "failed", reason: "tls_invalid" });
});

test("each address of a host, the only version of IP, and denied private targets are as for HTTP", async () => {
  using dns = await startDnsServer({
    "A two.test": [
      { type: "A", name: "two.test", data: "127.0.0.1" },
      { type: "A", name: "two.test", data: "127.0.0.2" },
    ],
  });
  using server = await startUpgradeServer(honest());
  const url = `http://two.test:${server.port}/`;
  const seen = await check(0, { url, everyAddress: true }, { dnsServers: [dns] });
  if (seen.outcome !== "by_address") throw new Error(seen.outcome);
  expect(seen.addresses.map(({ address, evidence }) => [address, evidence.outcome])).toEqual([
    ["127.0.0.1", "reached"],
    ["127.0.0.2", "failed"],
  ]);
  expect(await check(0, { url, ipFamily: 6 }, { dnsServers: [dns] })).toMatchObject({
    reason: "dns_not_found",
  });
  const denied = await check(server.port, {}, { privateTargets: "deny" });
  expect(denied).toMatchObject({ outcome: "failed", reason: "private_target" });
});

test("behavior 20.50: the documented WebSocket is up", async () => {
  const { blocks } = await readPage("docs/monitors.md");
  const example = blocks.find(({ mark }) => mark === "tested by test/probes/websocket/websocket.test.ts");
  const config: HttpConfig = JSON.parse(example?.text ?? "");
  using server = await startUpgradeServer(honest(undefined, ["Sec-WebSocket-Protocol: chat"]));
  expect(parseConfig("HTTP", config, "pro")).toEqual(config);
  const url = (config.url ?? "").replace("https://chat.example.com", `http://127.0.0.1:${server.port}`);
  expect(await check(0, { ...config, url })).toMatchObject({ outcome: "reached" });
});
