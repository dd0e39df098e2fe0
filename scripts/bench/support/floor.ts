/**
 * The floor of an HTTP check: a fresh connection of Bun, a request, and the first line of the answer, at a rate or as many as
 * possible. Serves the number of answers over HTTP. Its first line of output is the port of that server.
 *
 * floor.ts TARGET_PORT ADDRESSES RATE_OR_0 CONNECTIONS_AT_ONCE http|https
 */
const [port = 0, addresses = 1, rate = 0, atOnce = 1] = Bun.argv.slice(2, 6).map(Number);
const tls = Bun.argv[6] === "https" ? { tls: { serverName: "", rejectUnauthorized: false } } : {};
let asked = 0;
let answered = 0;

/** Shared by all connections, as the probes do. */
const socket: Bun.SocketHandler<string> = {
  open: (opened) => void opened.write(opened.data),
  data(opened, chunk) {
    if (chunk.toString("latin1", 0, 12) === "HTTP/1.1 200") answered++;
    opened.end();
    if (rate === 0) ask();
  },
};

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(String(answered)) });
process.on("SIGTERM", () => process.exit(0));
console.log(server.port);
const start = performance.now();
if (rate > 0) askWhenDue();
else for (let at = 0; at < atOnce; at++) ask();

/** One timer for each, as they start at milliseconds of their own. */
function askWhenDue(): void {
  while (asked <= ((performance.now() - start) / 1000) * rate) ask();
  setTimeout(askWhenDue, start + (asked / rate) * 1000 - performance.now());
}

function ask(): void {
  const at = asked++;
  const hostname = `127.0.1.${1 + (at % addresses)}`;
  const data = `GET /${at} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
  // The queue of the target may be full for a moment.
  Bun.connect({ hostname, port, data, socket, ...tls }).catch(() => rate === 0 && ask());
}
