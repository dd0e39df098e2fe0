/**
 * A light HTTP server in a process of its own: it answers each connection once, as soon as something has come, or after
 * a while, and closes it. Its first line of output is its port. At its end, on SIGTERM, it writes what it has seen.
 *
 * target.ts [--delay MS] [--seen FILE]
 */
import { parseArgs } from "node:util";
import type { Socket } from "bun";

const { values } = parseArgs({ options: { delay: { type: "string" }, seen: { type: "string" } } });
const delay = Number(values.delay ?? 0);
const answer = Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");

interface State {
  openedAt: number;
  answered: boolean;
}

/** Of each answer: the number in the request's path, when it came (milliseconds since 1970), how late the answer was. */
const seen: [path: number, at: number, late: number][] = [];

const server = Bun.listen<State>({
  hostname: "0.0.0.0",
  port: 0,
  socket: {
    open: (socket) => {
      socket.data = { openedAt: performance.now(), answered: false };
      if (delay > 0) wait(socket);
    },
    data: (socket, request) => {
      if (values.seen && delay === 0) note(request, 0);
      if (delay === 0) socket.end(answer);
    },
    error: () => {},
  },
});
process.on("SIGTERM", async () => {
  if (values.seen) await Bun.write(values.seen, JSON.stringify(seen));
  process.exit(0);
});
console.log(server.port);

/** Timers are late by up to a millisecond: the rest is waited for at work, for this process has nothing else to do. */
function wait(socket: Socket<State>): void {
  const { openedAt } = socket.data;
  setTimeout(
    () => {
      while (performance.now() - openedAt < delay);
      const late = performance.now() - openedAt - delay;
      seen.push([0, Date.now(), late]);
      socket.end(answer);
    },
    Math.max(0, delay - 2),
  );
}

function note(request: Buffer, late: number): void {
  const at = performance.timeOrigin + performance.now();
  const [, path] = /^GET \/(\d+)/.exec(request.toString("latin1", 0, 40)) ?? [];
  seen.push([Number(path ?? 0), at, late]);
}
