/**
 * Floods a server until it is ended: idle connections, connections that drip a head, bad keys and checkins of one monitor.
 * It writes a line when all connections stand. At its end, on SIGTERM, it writes what it was answered.
 *
 * flood.ts URL MONITOR RATE IDLE SLOW FILE
 */
import type { Socket } from "bun";

const [url = "", monitor, rate, idle, slow, seen = ""] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const at = { hostname, port: Number(port) };
const HEAD = "GET / HTTP/1.1\r\nHost: flood\r\nX-Slow: ";

/** Milliseconds between two handfuls of a flood, and over how many connections it comes. */
const BEAT = 10;
const CONNECTIONS = 64;

/** How many answers of each status there were, by flood. */
const answered: Record<string, Record<string, number>> = {};

async function hold(said: string, drip: string): Promise<void> {
  let timer: Timer | undefined;
  const again = () => {
    clearInterval(timer);
    setTimeout(() => hold(said, drip).catch(() => {}), 100);
  };
  await Bun.connect({
    ...at,
    socket: {
      open(socket: Socket) {
        socket.write(said);
        if (drip) timer = setInterval(() => socket.write(drip), 1000);
      },
      data() {},
      close: again,
    },
  });
}

/** Sends requests over some connections, each as soon as it is due and the one before is answered. */
async function flood(name: string, requestOf: () => string): Promise<void> {
  const counts: Record<string, number> = {};
  answered[name] = counts;
  const free: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    await Bun.connect({
      ...at,
      socket: {
        open: (socket) => void free.push(socket),
        data(socket, answer) {
          const status = answer.toString("latin1", 9, 12);
          counts[status] = (counts[status] ?? 0) + 1;
          free.push(socket);
        },
      },
    });
  }
  let due = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    due += ((now - last) / 1000) * Number(rate);
    last = now;
    for (; due >= 1 && free.length > 0; due--) free.shift()?.write(requestOf());
  }, BEAT);
}

const key = () => `stillup_${crypto.randomUUID().replaceAll("-", "")}`;
for (let count = 0; count < Number(idle); count++) await hold("", "");
for (let count = 0; count < Number(slow); count++) await hold(HEAD, "x");
await flood(
  "bad keys",
  () => `GET /api/v1/status HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key()}\r\n\r\n`,
);
await flood("checkins", () => `GET /api/v1/monitors/${monitor}/checkin HTTP/1.1\r\nHost: a\r\n\r\n`);
process.on("SIGTERM", async () => {
  await Bun.write(seen, JSON.stringify(answered));
  process.exit(0);
});
console.log("flooding");
