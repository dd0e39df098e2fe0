import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { startServer, type TestServer } from "./tcp-server.ts";

/** Writes part of an answer. @param headers lines without CRLF */
export function answer(status: string, headers: string[] = [], body: string | Uint8Array = ""): Buffer {
  const head = [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head), Buffer.from(body as string)]);
}

export function chunked(...chunks: string[]): string {
  return [
    ...chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`),
    "0\r\n\r\n",
  ].join("");
}

/** A server that answers each connection by the path of its request, and closes it. */
export function startHttpServer(
  answers: (path: string, request: string) => Uint8Array | string | ((socket: Socket) => void),
  options: { host?: string; port?: number; tls?: TlsOptions } = {},
): Promise<TestServer> {
  return startServer((socket) => {
    let read = "";
    socket.on("data", (chunk: Buffer) => {
      if (read.includes("\r\n\r\n")) return;
      read += chunk.toString();
      if (!read.includes("\r\n\r\n")) return;
      const answered = answers(read.split(" ")[1] ?? "", read);
      if (typeof answered === "function") answered(socket);
      else socket.end(answered);
    });
  }, options);
}

/** Writes the same bytes until the connection ends, as fast as they are read. */
export const endless =
  (start: string | Uint8Array, repeated: string | Uint8Array) =>
  (socket: Socket): void => {
    const go = () => {
      while (!socket.destroyed && socket.write(repeated));
    };
    socket.on("drain", go);
    socket.write(start);
    go();
  };
