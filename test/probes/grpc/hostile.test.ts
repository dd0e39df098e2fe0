import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import fc from "fast-check";
import type { Reason } from "../../../src/domain/checks/observation.ts";
import { eventually } from "../../support/eventually.ts";
import { walks } from "../../support/long.ts";
import { observation } from "../../support/probes/observation.ts";
import { endless } from "../../support/servers/http-answers.ts";
import {
  dataFrame,
  field,
  headersFrame,
  http2Frame,
  SETTINGS,
  STATUS_200,
} from "../../support/servers/http2-frames.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

/** Sends the bytes after the first ones of the client. */
const sending =
  (...bytes: (Uint8Array | string)[]) =>
  (socket: Socket) =>
    void socket.once("data", () => {
      for (const one of bytes) socket.write(one);
    });

const sendingAll =
  (...bytes: Uint8Array[]) =>
  (socket: Socket) =>
    void socket.once("data", () => socket.end(Buffer.concat(bytes)));

const check = async (served: (socket: Socket) => void, timeout = 20_000) => {
  using server = await startServer(served);
  const url = `http://127.0.0.1:${server.port}`;
  return await observation("HTTP", { url, protocol: "grpc" }, { timeout });
};

const SERVING = Buffer.from([0, 0, 0, 0, 2, 8, 1]);
const OK = headersFrame(field("grpc-status", "0"), { isEnd: true });
const trailers = (...statuses: string[]) =>
  headersFrame(Buffer.concat(statuses.map((status) => field("grpc-status", status))), { isEnd: true });
const headers = headersFrame(STATUS_200);
const goaway = (code: number) => http2Frame(7, [0, 0, 0, 0, 0, 0, 0, code]);
const reset = (code: number) => http2Frame(3, [0, 0, 0, code], { stream: 1 });
const only = (...fields: Uint8Array[]) =>
  headersFrame(Buffer.concat([STATUS_200, ...fields]), { isEnd: true });

test("behavior 20.61: the plainest answer of health is up, in one piece and byte by byte", async () => {
  const whole = Buffer.concat([SETTINGS, headers, dataFrame(SERVING), OK]);
  expect(await check(sending(whole))).toMatchObject({ outcome: "reached" });
  const bytewise = async (socket: Socket) => {
    for (const byte of whole) {
      socket.write(Buffer.from([byte]));
      await Bun.sleep(1);
    }
  };
  expect(await check(bytewise)).toMatchObject({ outcome: "reached" });
});

test("behavior 20.61: a status that a proxy on the way has repeated counts once", async () => {
  const whole = sending(SETTINGS, headers, dataFrame(SERVING), trailers("0", "0"));
  expect(await check(whole)).toMatchObject({ outcome: "reached" });
});

test("behavior 20.61: a server may send interim answers and other fields, and may reset or leave after its answer", async () => {
  const interim = headersFrame(Buffer.concat([Buffer.from([8, 3]), Buffer.from("103")]));
  const more = Buffer.from([0, 0, 0, 0, 7, 0x12, 1, 0x61, 8, 2, 8, 1]);
  const served = sendingAll(SETTINGS, interim, headers, dataFrame(more), OK, reset(0), goaway(0));
  expect(await check(served)).toMatchObject({ outcome: "reached" });
});

const STATUS_500 = Buffer.from([0x8e]);
const typed = (type: string) => headersFrame(Buffer.concat([STATUS_200, field("content-type", type)]));

test.each<[string, string, Buffer[]]>([
  ["no status of HTTP", "breaks the rules", [headersFrame(field("x-a", "1")), dataFrame(SERVING), OK]],
  ["the status 500", "500", [headersFrame(STATUS_500), dataFrame(SERVING), OK]],
  ["a page", "another type of content", [typed("text/html"), dataFrame(SERVING), OK]],
  [
    "a type that only begins like gRPC",
    "another type",
    [typed("application/grpc-web"), dataFrame(SERVING), OK],
  ],
  ["data before the headers", "", [dataFrame(SERVING), headers, OK]],
])("behavior 20.62: a health with %s is not SERVING", async (_, words, frames) => {
  const seen = await check(sending(Buffer.concat([SETTINGS, ...frames])));
  expect(seen).toMatchObject({ outcome: "failed", detail: { message: expect.stringContaining(words) } });
});

test.each(["application/grpc", "application/grpc+proto", "Application/GRPC; a=b"])(
  "behavior 20.61: a health with the type %s is up",
  async (type) => {
    const whole = Buffer.concat([SETTINGS, typed(type), dataFrame(SERVING), OK]);
    expect(await check(sending(whole))).toMatchObject({ outcome: "reached" });
  },
);

test.each<[string, Reason, string, (socket: Socket) => void]>([
  [
    "HTTP/1.1",
    "not_http",
    "the answer is not HTTP/2, or breaks its rules",
    sending("HTTP/1.1 400 MARKER\r\n\r\n"),
  ],
  [
    "no HTTP at all",
    "not_http",
    "the answer is not HTTP/2, or breaks its rules",
    sending("SSH-2.0-MARKER\r\n"),
  ],
  [
    "a push that was not asked for",
    "not_http",
    "the answer is not HTTP/2, or breaks its rules",
    sending(SETTINGS, http2Frame(5, [0, 0, 0, 2, 0x82, 0x86, 0x84], { stream: 1, flags: 4 })),
  ],
  [
    "a stream that nobody opened",
    "not_http",
    "the answer is not HTTP/2, or breaks its rules",
    sending(SETTINGS, http2Frame(1, [], { stream: 2 }), SETTINGS),
  ],
  [
    "headers that do not decode",
    "not_http",
    "the answer is not HTTP/2, or breaks its rules",
    sending(SETTINGS, headersFrame(Buffer.alloc(6, 0xff))),
  ],
  [
    "the end of the connection",
    "closed",
    "the server closed the connection before it answered",
    sendingAll(),
  ],
  [
    "the end after its settings",
    "closed",
    "the server closed the connection before it answered",
    sendingAll(SETTINGS),
  ],
  [
    "the end before its status",
    "closed",
    "the server closed the connection before it answered",
    sendingAll(SETTINGS, headers, dataFrame(SERVING)),
  ],
  [
    "GOAWAY",
    "closed",
    "the server closed the connection before it answered (GOAWAY 2)",
    sending(SETTINGS, goaway(2)),
  ],
  [
    "a friendly GOAWAY",
    "closed",
    "the server closed the connection before it answered (GOAWAY 0)",
    sending(SETTINGS, goaway(0)),
  ],
  ["RST_STREAM", "reset", "the request was reset: HTTP/2 error 7", sending(SETTINGS, reset(7))],
  [
    "RST_STREAM before its status",
    "reset",
    "the request was reset: HTTP/2 error 2",
    sending(SETTINGS, headers, dataFrame(SERVING), reset(2)),
  ],
  [
    "a reset of the connection",
    "reset",
    "the server reset the connection",
    (socket) => void socket.once("data", () => socket.resetAndDestroy()),
  ],
  [
    "no status",
    "unexpected",
    "the answer has no gRPC status",
    sending(SETTINGS, headers, dataFrame(SERVING, { isEnd: true })),
  ],
  [
    "a status that is no number",
    "unexpected",
    "the answer has no gRPC status",
    sending(SETTINGS, only(field("grpc-status", "MARKER"))),
  ],
  [
    "two statuses",
    "unexpected",
    "the answer has no gRPC status",
    sending(SETTINGS, headers, dataFrame(SERVING), trailers("0", "1")),
  ],
  [
    "502 without a status",
    "unexpected",
    "502 Bad Gateway, expected gRPC",
    sending(SETTINGS, headersFrame(Buffer.from([8, 3, 0x35, 0x30, 0x32]), { isEnd: true })),
  ],
  [
    "a status in its headers",
    "unexpected",
    "the server has no health service: gRPC status 12 UNIMPLEMENTED",
    sending(SETTINGS, only(field("grpc-status", "12"), field("grpc-message", "MARKER"))),
  ],
  [
    "OK without a message",
    "unexpected",
    "the answer is no health of grpc.health.v1",
    sending(SETTINGS, only(field("grpc-status", "0"))),
  ],
  [
    "a compressed message",
    "unexpected",
    "the answer is no health of grpc.health.v1",
    sending(SETTINGS, headers, dataFrame(Buffer.from([1, 0, 0, 0, 2, 8, 1])), OK),
  ],
  [
    "two messages",
    "unexpected",
    "the answer is no health of grpc.health.v1",
    sending(SETTINGS, headers, dataFrame(SERVING), dataFrame(SERVING), OK),
  ],
  [
    "huge headers",
    "unexpected",
    "the server sent more than 64 KiB before its answer",
    sending(
      SETTINGS,
      http2Frame(1, Buffer.concat([STATUS_200, field("x", "MARKER".repeat(1300))]), { stream: 1 }),
      ...Array(10).fill(http2Frame(9, field("x", "y".repeat(8000)), { stream: 1 })),
    ),
  ],
])("behavior 20.62, 20.63: a server that sends %s is down: %s", async (_, reason, message, served) => {
  const seen = await check(served);
  expect(seen).toMatchObject({ outcome: "failed", reason, detail: { message } });
  expect(JSON.stringify(seen)).not.toContain("MARKER");
});

const flooding = (...repeated: Uint8Array[]) => {
  const many = Buffer.concat(Array(500).fill(Buffer.concat(repeated)));
  return (socket: Socket) => void socket.once("data", () => endless(SETTINGS, many)(socket));
};

test.each<[string, (socket: Socket) => void]>([
  ["pings", flooding(http2Frame(6, Buffer.alloc(8)))],
  ["frames of no known type", flooding(http2Frame(0xbb))],
  ["interim answers", flooding(headersFrame(Buffer.concat([Buffer.from([8, 3]), Buffer.from("103")])))],
  ["acknowledgements", flooding(http2Frame(4, [], { flags: 1 }))],
  [
    "data",
    (socket) =>
      void socket.once("data", () =>
        endless(Buffer.concat([SETTINGS, headers]), dataFrame(Buffer.alloc(1)))(socket),
      ),
  ],
])("behavior 20.63: %s without end do not hold a check", async (_, served) => {
  const seen = await check(served);
  expect(seen).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/^(unexpected|not_http)$/) });
});

test.each<[string, (socket: Socket) => void]>([
  ["says nothing", () => {}],
  ["does not answer the request", sending(SETTINGS)],
  ["does not end its answer", sending(SETTINGS, headers, dataFrame(SERVING))],
])("a server that %s is a timeout", async (_, served) => {
  expect(await check(served, 300)).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message: "no answer within 0.3 s" },
  });
});

test.each<[string, (socket: Socket) => void]>([
  ["answers", sending(SETTINGS, headers, dataFrame(SERVING), OK)],
  ["sends garbage", sending("garbage")],
  ["is silent", sending(SETTINGS)],
])("the connection to a server that %s is closed when the check ends", async (_, served) => {
  let closed = 0;
  const connected = (socket: Socket) => {
    socket.once("close", () => closed++);
    served(socket);
  };
  using server = await startServer(connected);
  await observation("HTTP", { url: `http://127.0.0.1:${server.port}`, protocol: "grpc" }, { timeout: 300 });
  await eventually(() => closed === 1);
});

/** The settings, then frames in any order, and any bytes. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(SETTINGS, headers, dataFrame(SERVING), OK, goaway(0), reset(8), Buffer.from("MARKER")),
      fc.uint8Array({ maxLength: 30 }),
      fc
        .tuple(fc.nat(12), fc.uint8Array({ maxLength: 40 }), fc.nat(3), fc.nat(255))
        .map(([type, payload, stream, flags]) => http2Frame(type, payload, { stream, flags })),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat([SETTINGS, ...parts]));

test("no bytes of a server throw, hold a check beyond its timeout, or put their text in a result", async () => {
  let next = Buffer.alloc(0);
  using server = await startServer((socket) => void socket.once("data", () => socket.end(next)));
  const url = `http://127.0.0.1:${server.port}`;
  await fc.assert(
    fc.asyncProperty(anyBytes, async (bytes) => {
      next = bytes;
      const seen = await observation("HTTP", { url, protocol: "grpc" }, { timeout: 5000 });
      expect(seen.outcome).toBeOneOf(["failed", "reached"]);
      expect(JSON.stringify(seen)).not.toContain("MARKER");
    }),
    { numRuns: walks(300) },
  );
});
