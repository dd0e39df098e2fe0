import type { Socket } from "node:net";
import { answer } from "../../../test/support/servers/http-answers.ts";
import type { Answering } from "./changes.ts";
import type { Handler, Spot } from "./spot.ts";

/** @property nth number of the request, from 1: a connection without one, like a look after a failed check, counts for nothing */
export interface HttpRequest {
  path: string;
  /** All of it. */
  text: string;
  nth: number;
}

type Sent = Uint8Array | string;
/** The bytes that are sent before the connection ends, or a function that sends it itself or returns it. */
type HttpReply = Sent | ((socket: Socket, request: HttpRequest) => unknown);

export const OK = answer("200 OK", ["Content-Length: 2"], "ok");
export const BROKEN = answer("503 Service Unavailable", ["Content-Length: 5"], "sorry");

/** A server that answers each request. */
export function http(reply: HttpReply): Answering {
  return () => onRequest(reply);
}

/** Like `http`. @param replyOf for what the answer needs to know of the place */
export function httpOf(replyOf: (spot: Spot) => HttpReply): Answering {
  return (spot) => onRequest(replyOf(spot));
}

function onRequest(reply: HttpReply): Handler {
  let nth = 0;
  return (socket) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      if (text.includes("\r\n\r\n")) return;
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const request = { path: text.split(" ")[1] ?? "", text, nth: ++nth };
      const sent = typeof reply === "function" ? reply(socket, request) : reply;
      if (typeof sent === "string" || sent instanceof Uint8Array) socket.end(sent);
    });
  };
}

/** Sends parts with a pause before each. @param ms of each pause @param end whether the connection ends then */
export async function dribble(
  socket: Socket,
  parts: Iterable<Sent>,
  { ms, end = true }: { ms: number; end?: boolean },
): Promise<void> {
  for (const part of parts) {
    await Bun.sleep(ms);
    if (socket.destroyed) return;
    socket.write(part);
  }
  if (end) socket.end();
}

/** @param after milliseconds */
export const late =
  (after: number, sent: Sent = OK) =>
  (socket: Socket): void => {
    setTimeout(() => socket.end(sent), after);
  };
