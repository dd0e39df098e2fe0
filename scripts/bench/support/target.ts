/**
 * A light HTTP server in a separate process: it responds to each connection once, at the first data or after a delay,
 * and closes it. Its first line of output is its port. At SIGTERM, it writes what it has seen.
 *
 * target.ts [--delay MS] [--seen FILE] [--json BYTES] [--tls FOLDER_WITH_CERT_PEM_AND_KEY_PEM]
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Socket } from "bun";

const { values } = parseArgs({
  options: {
    delay: { type: "string" },
    seen: { type: "string" },
    json: { type: "string" },
    tls: { type: "string" },
  },
});
const delay = Number(values.delay ?? 0);
const tls = values.tls === undefined ? {} : { tls: certificateIn(values.tls) };
const body = values.json ? jsonOf(Number(values.json)) : "ok";
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
);

/** Each response: the number in the path, its time (milliseconds since 1970), its delay. */
const seen: [path: number, at: number, late: number][] = [];

/** The queue of a socket of Bun holds 512 connections, and thousands of checks may start while this process has no core. */
const LISTENERS = 32;

const { port } = listen(0);
for (let more = 1; more < LISTENERS; more++) listen(port);
process.on("SIGTERM", async () => {
  if (values.seen) await Bun.write(values.seen, JSON.stringify(seen));
  process.exit(0);
});
console.log(port);

function listen(port: number) {
  // The types of Bun 1.4.5 lack this option.
  const shared = { reusePort: true };
  return Bun.listen({
    ...shared,
    ...tls,
    hostname: "0.0.0.0",
    port,
    socket: {
      data: (socket, request) => {
        if (delay > 0) return wait(socket, pathOf(request));
        if (values.seen) seen.push([pathOf(request), performance.timeOrigin + performance.now(), 0]);
        socket.end(answer);
      },
      error: () => {},
    },
  });
}

function certificateIn(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { cert: read("cert.pem"), key: read("key.pem") };
}

/** A document of about this many bytes, as a health endpoint sends it. */
function jsonOf(bytes: number): string {
  const parts = Array.from({ length: Math.ceil(bytes / 40) }, (_, at) => ({
    name: `part ${at}`,
    ok: true,
    took: at,
  }));
  return JSON.stringify({ parts, queue: { depth: 3 } });
}

function wait(socket: Socket, path: number): void {
  const due = performance.now() + delay;
  setTimeout(() => {
    const late = performance.now() - due;
    socket.end(answer);
    seen.push([path, performance.timeOrigin + performance.now(), late]);
  }, delay);
}

function pathOf(request: Buffer): number {
  const [, path] = /^GET \/(\d+)/.exec(request.toString("latin1", 0, 40)) ?? [];
  return Number(path ?? 0);
}
