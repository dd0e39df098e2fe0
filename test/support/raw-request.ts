import { connect } from "node:net";

/**
 * Sends bytes that no well-behaved client would send, and gives what is answered until the server closes the connection
 * or falls silent after an answer.
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

/** The status and the parsed body of an answer. */
export function parseAnswer(answer: string): { status: number; body: unknown } {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body: body && JSON.parse(body) };
}

function isComplete(answer: string): boolean {
  const [head = "", body] = answer.split("\r\n\r\n");
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  return body !== undefined && Buffer.byteLength(body) >= Number(length ?? 0);
}
