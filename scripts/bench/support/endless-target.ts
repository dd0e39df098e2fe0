/**
 * A server in a process of its own whose answers never end, by the path of the request: `/endless/CODING` or
 * `/endless/websocket`; `/small/CODING` is a small answer that ends. On its second port, the greeting of SMTP is endless. Its first
 * line of output has the two ports.
 *
 * Everything is incompressible, so that each decoded byte has to arrive.
 */
import { createHash, randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, constants, createBrotliCompress, deflateSync, gzipSync } from "node:zlib";

const MIB = 1024 * 1024;
const STORED = 32 * 1024;

/** The start of an answer, and what is repeated after it. */
interface Endless {
  start: Buffer;
  repeated: Buffer;
}

const text = JSON.stringify({ ok: true, parts: randomBytes(3000).toString("hex") });
const small: Record<string, Buffer> = {
  plain: Buffer.from(text),
  gzip: gzipSync(text),
  deflate: deflateSync(text),
  br: brotliCompressSync(text),
};
const random = randomBytes(4 * MIB);
const stored = Buffer.concat(
  Array.from({ length: random.length / STORED }, (_, at) =>
    storedBlock(random.subarray(at * STORED, (at + 1) * STORED)),
  ),
);
const endless: Record<string, Endless> = {
  plain: { start: Buffer.from('{"parts":"'), repeated: Buffer.from(random.toString("base64")) },
  gzip: { start: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), repeated: stored },
  deflate: { start: Buffer.from([0x78, 0x9c]), repeated: stored },
  br: await brotliPieces(),
};

const web = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (request) => answer(socket, request.toString("latin1")));
});
const mail = createServer((socket) => {
  socket.on("error", () => {});
  send(socket, {
    start: Buffer.from("220-hello\r\n"),
    repeated: Buffer.from("220-and more\r\n".repeat(20_000)),
  });
});
const ports = await Promise.all([web, mail].map(listen));
console.log(ports.join(" "));
process.on("SIGTERM", () => process.exit(0));

function answer(socket: Socket, request: string): void {
  const [, size, kind = ""] = /^GET \/(small|endless)\/(\w+)/.exec(request) ?? [];
  if (kind === "websocket") return void send(socket, webSocket(request));
  const coding = kind === "plain" ? "" : `Content-Encoding: ${kind}\r\n`;
  const body = small[kind] ?? Buffer.alloc(0);
  const head = (more: string) => Buffer.from(`HTTP/1.1 200 OK\r\n${coding}${more}\r\n`);
  if (size === "small") {
    socket.end(Buffer.concat([head(`Content-Length: ${body.length}\r\n`), body]));
    return;
  }
  const { start, repeated } = endless[kind] as Endless;
  send(socket, { start: Buffer.concat([head(""), start]), repeated });
}

/** As fast as it is taken. */
function send(socket: Socket, { start, repeated }: Endless): void {
  const go = () => {
    while (!socket.destroyed && socket.write(repeated));
  };
  socket.on("drain", go);
  socket.write(start);
  go();
}

/** A block of deflate without compression (RFC 1951, 3.2.4). */
function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

/** Blocks without compression can be repeated. */
async function brotliPieces(): Promise<Endless> {
  const encoder = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  const pieces: Buffer[] = [];
  let piece: Buffer[] = [];
  encoder.on("data", (bytes: Buffer) => piece.push(bytes));
  for (const bytes of [random.subarray(0, MIB), random.subarray(MIB)]) {
    encoder.write(bytes);
    await new Promise<void>((done) => encoder.flush(done));
    pieces.push(Buffer.concat(piece));
    piece = [];
  }
  const [start = Buffer.alloc(0), repeated = start] = pieces;
  return { start, repeated };
}

function webSocket(request: string): Endless {
  const [, key = ""] = /^Sec-WebSocket-Key: (.+)\r$/im.exec(request) ?? [];
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
  const frame = Buffer.concat([Buffer.from([0x82, 126, 0x7f, 0xff]), random.subarray(0, 0x7fff)]);
  return { start: Buffer.from(head), repeated: Buffer.concat(Array(64).fill(frame)) };
}

function listen(server: Server): Promise<number> {
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", 511, () => done((server.address() as AddressInfo).port));
  });
}
