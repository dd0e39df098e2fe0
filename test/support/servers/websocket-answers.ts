import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { startServer, type TestServer } from "./tcp-server.ts";

/** A request for a WebSocket. @property accept the right value of `Sec-WebSocket-Accept` */
export interface UpgradeRequest {
  text: string;
  accept: string;
}

/** A server of raw bytes, which is called with each whole request. */
export function startUpgradeServer(
  onRequest: (socket: Socket, request: UpgradeRequest) => void,
  options: { port?: number } = {},
): Promise<TestServer> {
  return startServer((socket) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      socket.off("data", read);
      const [, key = ""] = /^Sec-WebSocket-Key: (.*)\r$/m.exec(text) ?? [];
      onRequest(socket, { text, accept: acceptOf(key) });
    };
    socket.on("data", read);
  }, options);
}

function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** The 101 of a server. @param more lines */
export function switching(accept: string, more: string[] = []): string {
  const lines = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`, ...more];
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`;
}

export const TEXT = 1;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** A frame of a server. @property first the first byte. Default: a final frame with the opcode @property mask makes it masked */
export function frame(
  opcode: number,
  payload: Uint8Array | string = "",
  { first = 0x80 | opcode, mask = false }: { first?: number; mask?: boolean } = {},
): Buffer {
  const bytes = Buffer.from(payload as string);
  const isLong = bytes.length > 125;
  const length = Buffer.alloc(isLong ? 9 : 1);
  if (isLong) length.writeBigUInt64BE(BigInt(bytes.length), 1);
  length[0] = (isLong ? 127 : bytes.length) | (mask ? 0x80 : 0);
  return Buffer.concat([Buffer.from([first]), length, Buffer.alloc(mask ? 4 : 0), bytes]);
}

/** A short frame of a client. */
export interface ClientFrame {
  opcode: number;
  isMasked: boolean;
  payload: Buffer;
}

/** Calls back for each frame of a client. */
export function onFrames(socket: Socket, onFrame: (frame: ClientFrame) => void): void {
  let unread = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const [first = 0, second = 0] = unread;
      const end = 6 + (second & 0x7f);
      if (unread.length < end) return;
      const mask = unread.subarray(2, 6);
      const payload = Buffer.from(unread.subarray(6, end).map((byte, at) => byte ^ (mask[at % 4] as number)));
      unread = unread.subarray(end);
      onFrame({ opcode: first & 0x0f, isMasked: second > 0x7f, payload });
    }
  });
}

/** Upgrades as it should, and answers each ping with its pong. @param before sent ahead of the pong */
export const honest =
  (before: (payload: Buffer) => Uint8Array = () => Buffer.alloc(0), more: string[] = []) =>
  (socket: Socket, { accept }: UpgradeRequest): void => {
    socket.write(switching(accept, more));
    onFrames(socket, ({ opcode, payload }) => {
      if (opcode === PING) socket.write(Buffer.concat([before(payload), frame(PONG, payload)]));
    });
  };
