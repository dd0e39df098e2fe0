import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import type { Connection } from "../../../src/probes/connections/connection.ts";
import { dial, dialTls } from "../../../src/probes/connections/dial.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { hasWideWindow } from "../../../src/probes/http/content-coding.ts";
import { observe } from "../../../src/probes/observe.ts";
import { eventually } from "../../support/eventually.ts";
import { isLong } from "../../support/long.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { answer, endless, startHttpServer } from "../../support/servers/http-answers.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

const MIB = 1024 * 1024;

/** The bytes after which a connection stops reading, and those that the system gives at once. */
const MAX_UNREAD = 256 * 1024 + 512 * 1024;

const SENT = 24 * MIB;

/** Opens a connection of one kind to a server that sends 24 MiB, and reads nothing before the server is stuck. */
async function unread(kind: "Bun" | "node" | "TLS of Bun" | "TLS of node") {
  const isTls = kind.startsWith("TLS");
  const tls = await (await createAuthority()).issue([{ type: "dns", value: "localhost" }]);
  let socket: Socket | undefined;
  let isFlushed = false;
  using server = await startServer(
    (opened) => {
      socket = opened;
      opened.end(Buffer.alloc(SENT, "x"), () => {
        isFlushed = true;
      });
    },
    isTls ? { tls } : {},
  );
  const network = createNetwork({ privateTargets: "allow" });
  if (kind.endsWith("node")) Object.assign(network.connector, { mayUseBun: () => false });
  const reads: number[] = [];
  await observe({ timeout: 20_000, network }, async (context) => {
    const target = { host: "127.0.0.1", port: server.port };
    const connection: Connection = isTls
      ? await dialTls(target, context, { verify: false })
      : await dial(target, context);
    await eventually(() => isStuck(socket) || isFlushed);
    for (let more = await connection.readBytes(); more; more = await connection.readBytes())
      reads.push(more.length);
    return { outcome: "reached", latencyMs: null, detail: {} };
  });
  return reads;
}

const written = new WeakMap<Socket, { bytes: number; times: number }>();

/** Whether a socket has written nothing more for some looks. */
function isStuck(socket: Socket | undefined): boolean {
  if (!socket) return false;
  const bytes = socket.bytesWritten - socket.writableLength;
  const before = written.get(socket);
  const times = before?.bytes === bytes ? before.times + 1 : 0;
  written.set(socket, { bytes, times });
  return times > 30;
}

test.each(["Bun", "node", "TLS of Bun", "TLS of node"] as const)(
  "behavior 1.62: a connection of %s stops a server whose bytes nobody reads, and loses none of them",
  async (kind) => {
    const reads = await unread(kind);
    expect(reads[0]).toBeLessThanOrEqual(MAX_UNREAD);
    expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBe(SENT);
  },
);

const GZIP = ["Content-Encoding: gzip"];

test("behavior 1.62: an answer that is longer than what is judged is closed before it is decoded", async () => {
  const text = gzipSync(randomBytes(2 * MIB));
  let ended = false;
  using server = await startHttpServer(() => (socket) => {
    socket.once("close", () => {
      ended = true;
    });
    endless(answer("200 OK", GZIP), text)(socket);
  });
  const url = `http://127.0.0.1:${server.port}/`;
  expect(await observation("HTTP", { url, expect: { contains: "never" } })).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
  });
  await eventually(() => ended);
});

const brotli = (text: string | Uint8Array) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

const seen = (all: Observation[]) =>
  all.map((one) => (one.outcome === "failed" ? `${one.outcome} ${one.reason}` : one.outcome));

test("behavior 1.63: beside many endless answers, small ones of all codings are judged as if they were alone", async () => {
  const body = JSON.stringify({ ok: true });
  const coded = { gzip: gzipSync(body), br: brotli(body), identity: Buffer.from(body) };
  const random = { gzip: gzipSync(randomBytes(MIB)), br: brotli(randomBytes(2 * MIB)) };
  using server = await startHttpServer((path) => {
    const [, size, coding] = path.split("/") as [string, string, "gzip" | "br" | "identity"];
    const head = answer("200 OK", [`Content-Encoding: ${coding}`]);
    if (size === "small") return Buffer.concat([head, coded[coding]]);
    return endless(head, random[coding === "gzip" ? "gzip" : "br"]);
  });
  const check = (path: string, expected: object) =>
    observation(
      "HTTP",
      { url: `http://127.0.0.1:${server.port}/${path}`, expect: expected },
      { timeout: 15_000 },
    );
  const floods = ["gzip", "br"].flatMap((coding) =>
    Array.from({ length: isLong ? 20 : 8 }, () => check(`endless/${coding}`, { contains: "never" })),
  );
  const small = ["gzip", "br", "identity"].flatMap((coding) =>
    Array.from({ length: 5 }, () => check(`small/${coding}`, { complete: true, json: { "$.ok": true } })),
  );
  expect(seen(await Promise.all(small))).toEqual(Array(15).fill("reached"));
  for (const flood of seen(await Promise.all(floods))) expect(flood).not.toBe("failed timeout");
});

const withWindow = (text: Uint8Array, bits: number) =>
  brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: bits },
  });

test("behavior 1.63: the start of Brotli says whether its window has more than 4 MiB", () => {
  const text = randomBytes(1024);
  const sizes = Array.from({ length: 15 }, (_, at) => at + 10);
  expect(sizes.filter((bits) => hasWideWindow(withWindow(text, bits)))).toEqual([23, 24]);
  expect(hasWideWindow(new Uint8Array())).toBe(false);
});

test("behavior 1.63: an answer with a small window does not wait for those of servers that send large windows and stop", async () => {
  const large = withWindow(randomBytes(8 * MIB), 24);
  const sockets = new Set<Socket>();
  using server = await startHttpServer((path) => (socket) => {
    socket.write(answer("200 OK", ["Content-Encoding: br"]));
    if (path === "/small") return void socket.end(brotli("whole"));
    sockets.add(socket);
    socket.write(large);
  });
  const check = (path: string) =>
    observation(
      "HTTP",
      { url: `http://127.0.0.1:${server.port}/${path}`, expect: { complete: true } },
      { timeout: 15_000 },
    );
  const ended: unknown[] = [];
  const stopped = Array.from({ length: 3 }, () => check("large").then((seen) => ended.push(seen)));
  await eventually(() => sockets.size === 3 && [...sockets].map(isStuck).every(Boolean));
  expect(await check("small")).toMatchObject({ outcome: "reached" });
  expect(ended).toEqual([]);
  for (const socket of sockets) socket.destroy();
  await Promise.all(stopped);
});
