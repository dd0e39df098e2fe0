import type { Draw } from "../../simulator/truth/draw.ts";
import { mutated } from "../bytes/mutate.ts";
import { drawCuts } from "../bytes/pieces.ts";
import type { Answer } from "./draw-answer.ts";
import { SERVER_TEXT } from "./draw-head.ts";
import type { Sent } from "./input.ts";

// prettier-ignore
const TOKENS = [
  "\r\n",
  "\n",
  "\r",
  "\r\n\r\n",
  "0\r\n\r\n",
  ":",
  ";",
  " ",
  "\t",
  "\0",
  "\xff",
  "-",
  "+",
  "0x",
  "5",
  "ffffffff",
  "99999999999999999999",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: 0\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip\r\n",
  "Content-Encoding: gzip\r\n",
  "Content-Encoding: br\r\n",
  "Content-Encoding: deflate\r\n",
  "Location: /\r\n",
  "\x1f\x8b\x08\0",
  " \r\n",
  SERVER_TEXT,
] as const;

/** Sends a valid answer as it is, cut off, or changed at random. */
export function drawSent(draw: Draw, { bytes, truth }: Pick<Answer, "bytes" | "truth">): Sent {
  const kind = draw.fraction();
  if (kind < 0.4) return { bytes, truth, cuts: drawCuts(draw, bytes.length) };
  const cut = kind < 0.55;
  const sent = cut ? bytes.slice(0, draw.whole(0, bytes.length)) : mutated(bytes, draw, TOKENS);
  return { bytes: sent, truth: cut ? truth : null, cuts: drawCuts(draw, sent.length) };
}
