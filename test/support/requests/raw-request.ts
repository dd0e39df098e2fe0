import { connect } from "node:net";

/**
 * Sends raw bytes, also of an invalid request.
 *
 * @returns what the server sent until the response was complete or the connection closed
 */
export function sendRaw(url: string, request: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname, () => socket.write(request));
  let answer = "";
  const end = () => {
    socket.destroy();
    resolve(answer);
  };
  socket.on("data", (bytes) => {
    answer += bytes.toString("utf8");
    if (isComplete(answer)) end();
  });
  socket.on("error", end).on("close", end);
  return promise;
}

/** The status and the parsed body of a response. */
export function parseAnswer(answer: string): { status: number; body: unknown } {
  const end = answer.indexOf("\r\n\r\n");
  const [head, rest] = end < 0 ? [answer, ""] : [answer.slice(0, end), answer.slice(end + 4)];
  const body = CHUNKED.test(head) ? unchunked(rest) : rest;
  return { status: Number(head.split(" ")[1]), body: body && JSON.parse(body) };
}

const CHUNKED = /^transfer-encoding: chunked/im;

/** Joins the chunks of a body, which must be ASCII. */
function unchunked(body: string): string {
  let [text, at] = ["", 0];
  for (;;) {
    const end = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.slice(at, end), 16);
    if (!(length > 0)) return text;
    text += body.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}

function isComplete(answer: string): boolean {
  const [head = "", body] = answer.split("\r\n\r\n");
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (CHUNKED.test(head)) return answer.endsWith("\r\n0\r\n\r\n");
  return body !== undefined && Buffer.byteLength(body) >= Number(length ?? 0);
}
