import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import fc from "fast-check";
import type { Reason } from "../../../src/domain/checks/observation.ts";
import { walks } from "../../support/long.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, endless } from "../../support/servers/http-answers.ts";
import {
  CLOSE,
  frame,
  honest,
  onFrames,
  PING,
  PONG,
  startUpgradeServer,
  switching,
  TEXT,
  type UpgradeRequest,
} from "../../support/servers/websocket-answers.ts";

type Served = (socket: Socket, request: UpgradeRequest) => void;

const check = async (
  served: Served,
  { timeout = 5000, isSampled }: { timeout?: number; isSampled?: true } = {},
) => {
  using server = await startUpgradeServer(served);
  const url = `http://127.0.0.1:${server.port}/`;
  const headers = { "Sec-WebSocket-Protocol": "chat", "X-Key": "a secret" };
  return await observation(
    "HTTP",
    { url, protocol: "websocket", headers },
    { timeout, ...(isSampled && { isSampled }) },
  );
};

const withHeaders =
  (lines: (accept: string) => string[]): Served =>
  (socket, { accept }) =>
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines(accept).join("\r\n")}\r\n\r\n`);

const UPGRADE = ["Upgrade: websocket", "Connection: Upgrade"];
const accepted = (accept: string) => `Sec-WebSocket-Accept: ${accept}`;

test.each<[string, string, (accept: string) => string[]]>([
  [
    "no Upgrade",
    "the answer lacks Upgrade: websocket",
    (accept) => ["Connection: Upgrade", accepted(accept)],
  ],
  [
    "another Upgrade",
    "the answer lacks Upgrade: websocket",
    (accept) => ["Upgrade: h2c", "Connection: Upgrade", accepted(accept)],
  ],
  [
    "no Connection",
    "the answer lacks Connection: Upgrade",
    (accept) => ["Upgrade: websocket", accepted(accept)],
  ],
  ["no Sec-WebSocket-Accept", "the answer lacks Sec-WebSocket-Accept", () => UPGRADE],
  [
    "a wrong Sec-WebSocket-Accept",
    "Sec-WebSocket-Accept is wrong: the answer is not to this request",
    () => [...UPGRADE, accepted("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")],
  ],
  [
    "two of them",
    "Sec-WebSocket-Accept is wrong: the answer is not to this request",
    (accept) => [...UPGRADE, accepted(accept), accepted("x")],
  ],
  [
    "an extension",
    "the server uses an extension that was not asked for",
    (accept) => [...UPGRADE, accepted(accept), "Sec-WebSocket-Extensions: permessage-deflate"],
  ],
  [
    "another subprotocol",
    "the server chose a subprotocol that was not asked for",
    (accept) => [...UPGRADE, accepted(accept), "Sec-WebSocket-Protocol: CHAT"],
  ],
  [
    "two subprotocols",
    "the server chose a subprotocol that was not asked for",
    (accept) => [...UPGRADE, accepted(accept), "Sec-WebSocket-Protocol: chat, chat"],
  ],
])("behavior 20.53: a 101 with %s is down", async (_, message, lines) => {
  expect(await check(withHeaders(lines))).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    latencyMs: expect.any(Number),
    detail: { statusCode: 101, message },
  });
});

test.each([
  ["403 Forbidden", 403, "403 Forbidden, expected 101 Switching Protocols"],
  ["302 Found", 302, "302 Found, expected 101 Switching Protocols"],
  ["200 OK", 200, "200 OK, expected 101 Switching Protocols"],
])(
  "behavior 20.52: the status %s is down, and a test of the config shows the answer",
  async (status, code, message) => {
    const served: Served = (socket) => socket.end(answer(status, ["X-A: b"], "who said a secret?"));
    const expected = { outcome: "failed", reason: "unexpected", detail: { statusCode: code, message } };
    const seen = await check(served);
    expect(seen).toMatchObject({ ...expected, latencyMs: expect.any(Number) });
    expect(seen).not.toHaveProperty("sample");
    expect(await check(served, { isSampled: true })).toMatchObject({
      ...expected,
      sample: {
        statusCode: code,
        headers: [{ name: "X-A", value: "b" }],
        body: "who said •••?",
        isPrivate: true,
      },
    });
  },
);

const afterUpgrade =
  (bytes: Uint8Array | string, { isEnd = false } = {}): Served =>
  (socket, { accept }) => {
    socket.write(switching(accept));
    socket.write(bytes);
    if (isEnd) socket.end();
  };

test.each<[string, Reason, string, Served]>([
  [
    "a masked frame",
    "unexpected",
    "the server sent a masked frame",
    afterUpgrade(frame(PING, "x", { mask: true })),
  ],
  [
    "masked data",
    "unexpected",
    "the server sent a masked frame",
    afterUpgrade(frame(TEXT, "x", { mask: true })),
  ],
  [
    "a fragmented ping",
    "unexpected",
    "the server sent a fragmented control frame",
    afterUpgrade(frame(PING, "x", { first: PING })),
  ],
  [
    "a pong of 126 bytes",
    "unexpected",
    "the server sent a control frame of more than 125 bytes",
    afterUpgrade(frame(PONG, "x".repeat(126))),
  ],
  [
    "a compressed frame",
    "unexpected",
    "the server sent a frame of no kind that was agreed on",
    afterUpgrade(frame(TEXT, "x", { first: 0xc1 })),
  ],
  [
    "an opcode of none",
    "unexpected",
    "the server sent a frame of no kind that was agreed on",
    afterUpgrade(frame(3)),
  ],
  [
    "an opcode of no control",
    "unexpected",
    "the server sent a frame of no kind that was agreed on",
    afterUpgrade(frame(11)),
  ],
  [
    "a frame of 2^62 bytes",
    "unexpected",
    "the server sent more than 1 MiB before its pong",
    afterUpgrade(Buffer.from([0x82, 127, 0x40, 0, 0, 0, 0, 0, 0, 0])),
  ],
  [
    "frames without end",
    "unexpected",
    "the server sent more than 1 MiB before its pong",
    (socket, { accept }) => endless(switching(accept), frame(2, "x".repeat(60_000)))(socket),
  ],
  [
    "empty frames without end",
    "unexpected",
    "the server sent more than 1,024 frames before its pong",
    (socket, { accept }) => endless(switching(accept), Buffer.concat(Array(500).fill(frame(TEXT))))(socket),
  ],
  [
    "pings without end",
    "unexpected",
    "the server sent more than 1,024 frames before its pong",
    (socket, { accept }) =>
      endless(switching(accept), Buffer.concat(Array(500).fill(frame(PING, "x"))))(socket),
  ],
  [
    "the end of the connection",
    "closed",
    "the server closed the connection before its pong",
    afterUpgrade("", { isEnd: true }),
  ],
  [
    "the end of the connection within a frame",
    "closed",
    "the server closed the connection before its pong",
    afterUpgrade(frame(TEXT, "abc").subarray(0, 4), { isEnd: true }),
  ],
  [
    "headers without end",
    "not_http",
    "the answer is not HTTP: its headers are longer than 64 KiB",
    (socket) => endless("HTTP/1.1 101 x\r\n", "X-A: b\r\n".repeat(1000))(socket),
  ],
  ["no HTTP", "not_http", "the answer is not HTTP", (socket) => socket.write("SSH-2.0-a secret\r\n")],
  [
    "no answer at all",
    "closed",
    "the server closed the connection before it answered",
    (socket) => socket.end(),
  ],
])("behavior 20.54: a server that sends %s is down: %s", async (_, reason, message, served) => {
  expect(await check(served)).toMatchObject({ outcome: "failed", reason, detail: { message } });
});

test.each([
  ["with its code", Buffer.from([4401 >> 8, 4401 & 0xff]), ", with code 4401", { code: 4401 }],
  ["with a text after it", Buffer.from("\u0003\u00f0go away", "latin1"), ", with code 1008", { code: 1008 }],
  ["without a code", Buffer.alloc(0), "", {}],
])("behavior 20.54: a close frame %s is down", async (_, payload, words, code) => {
  const seen = await check(afterUpgrade(frame(CLOSE, payload)));
  expect(seen).toMatchObject({ outcome: "failed", reason: "closed" });
  if (seen.outcome !== "failed") throw new Error(seen.outcome);
  const { message, phases, address, ...numbers } = seen.detail;
  expect(message).toBe(`the server closed the WebSocket before its pong${words}`);
  expect(numbers).toEqual({ statusCode: 101, ...code });
});

test.each<[string, string, object, Served]>([
  [
    "pong is to another ping",
    "no pong within 0.3 s",
    { statusCode: 101 },
    (socket, { accept }) => {
      socket.write(switching(accept));
      onFrames(socket, () => void socket.write(frame(PONG, "another payload!")));
    },
  ],
  ["pong never comes", "no pong within 0.3 s", { statusCode: 101 }, afterUpgrade("")],
  [
    "101 never ends",
    "no answer within 0.3 s",
    { statusCode: 101 },
    (socket) => socket.write("HTTP/1.1 101 x\r\nA: b"),
  ],
  ["answer never comes", "no answer within 0.3 s", {}, () => {}],
])("behavior 20.54: a server whose %s is a timeout", async (_, message, detail, served) => {
  expect(await check(served, { timeout: 300 })).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message, ...detail },
  });
});

test("behavior 20.54: an honest server with 1,023 frames before its pong is up", async () => {
  const before = Buffer.concat(Array(1023).fill(frame(TEXT, "x".repeat(1000))));
  expect(await check(honest(() => before))).toMatchObject({ outcome: "reached" });
});

/** An answer, then frames and any bytes. */
const bytesOf = (accept: string) =>
  fc
    .tuple(
      fc.oneof(
        fc.constantFrom("", "HTTP/1.1 101 x\r\n", "HTTP/1.1 403 x\r\n\r\n", switching(accept)),
        fc.constant(switching(accept)),
      ),
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 20 }),
          fc
            .tuple(
              fc.integer({ min: 0, max: 15 }),
              fc.uint8Array({ maxLength: 130 }),
              fc.integer({ min: 0, max: 255 }),
            )
            .map(([opcode, payload, first]) => frame(opcode, payload, first < 128 ? { first } : {})),
        ),
        { maxLength: 5 },
      ),
    )
    .map(([start, parts]) => Buffer.concat([Buffer.from(start), ...parts, Buffer.from("MARKER")]));

test("no bytes of a server throw, hold a check beyond its timeout, or put their text in a result", async () => {
  let next: (accept: string) => Uint8Array = () => new Uint8Array();
  using server = await startUpgradeServer((socket, { accept }) => void socket.end(next(accept)));
  const url = `http://127.0.0.1:${server.port}/`;
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
      next = (accept) =>
        fc.sample(bytesOf(accept), { numRuns: 1, seed: numbers.next().value as number })[0] as Uint8Array;
      const seen = await observation("HTTP", { url, protocol: "websocket" }, { timeout: 5000 });
      expect(seen.outcome).toBe("failed");
      // The evidence shows the answer.
      expect(JSON.stringify({ ...seen, facts: null })).not.toContain("MARKER");
    }),
    { numRuns: walks(300) },
  );
});
