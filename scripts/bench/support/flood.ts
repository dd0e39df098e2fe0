/**
 * Floods a server until SIGTERM: idle connections, connections that send a head byte by byte, bad keys and check-ins
 * of one monitor. It prints a line when all connections are open. At SIGTERM, it writes the responses it got.
 *
 * flood.ts URL MONITOR RATE IDLE SLOW FILE
 */
import type { Socket } from "bun";

const [url = "", monitor, rate, idle, slow, seen = ""] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const at = { hostname, port: Number(port) };
const HEAD = "GET / HTTP/1.1\r\nHost: flood\r\nX-Slow: ";

/** Milliseconds between two batches of a flood, and its number of connections. */
const BEAT = 10;
const CONNECTIONS = 64;

/** Number of responses of each status, by flood. */
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

/** Sends requests over some connections, each when it is due and the previous one is answered. */
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
