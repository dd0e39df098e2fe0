/**
 * Sends one request repeatedly over some connections, as often as possible or at a rate, without another program. It prints
 * how many answers came, as JSON, and fails if an answer has another length than the first one.
 *
 * storm-client.ts ORDER, in JSON
 */
import type { Socket } from "bun";
import type { Storm } from "./storm.ts";

interface State {
  received: number;
  sentAt: number;
}

/** Milliseconds between two batches of requests at a rate. */
const BEAT = 1;

const { url, headers, connections, seconds, rate = 0 }: Storm = JSON.parse(process.argv[2] ?? "{}");
const { hostname, port, host, pathname, search } = new URL(url);
const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;

const times: number[] = [];
const free: Socket<State>[] = [];
let answered = 0;
let length = 0;
let due = 0;
const start = performance.now();
const end = start + seconds * 1000;

function send(socket: Socket<State>): void {
  socket.data.received = 0;
  socket.data.sentAt = performance.now();
  socket.write(request);
}

/** The length of a response from its head, which must be in one piece. */
function lengthOf(data: Buffer): number {
  const head = data.toString("latin1").split("\r\n\r\n")[0] ?? "";
  if (!/^HTTP\/1\.1 (200|304)/.test(head)) throw new Error(head);
  const [, body = "0"] = /content-length: (\d+)/i.exec(head) ?? [];
  return head.length + 4 + (head.includes(" 304") ? 0 : Number(body));
}

function receive(socket: Socket<State>, data: Buffer): void {
  length ||= lengthOf(data);
  socket.data.received += data.length;
  if (socket.data.received < length) return;
  if (socket.data.received > length) throw new Error(`${socket.data.received} bytes, not ${length}`);
  answered++;
  if (answered % 10 === 0) times.push(performance.now() - socket.data.sentAt);
  if (performance.now() >= end) return;
  if (rate === 0) send(socket);
  else free.push(socket);
}

const open = Array.from({ length: connections }, () =>
  Bun.connect<State>({
    hostname,
    port: Number(port),
    data: { received: 0, sentAt: 0 },
    socket: { data: receive, error: () => {} },
  }),
);
for (const socket of await Promise.all(open)) {
  if (rate === 0) send(socket);
  else free.push(socket);
}
while (performance.now() < end) {
  if (rate > 0) due = ((performance.now() - start) / 1000) * rate;
  for (; due > answered + connections - free.length && free.length > 0; ) {
    const socket = free.pop();
    if (socket) send(socket);
  }
  await Bun.sleep(BEAT);
}
console.log(JSON.stringify({ answered, times }));
process.exit(0);
