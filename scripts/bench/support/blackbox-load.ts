/**
 * Requests probes from blackbox_exporter, at a rate or as many as possible, and serves the number of good responses
 * over HTTP. Its first line of output is the port of that server.
 *
 * blackbox-load.ts PORT TARGET_PORT ADDRESSES RATE_OR_0 REQUESTS_AT_ONCE
 */
const [port = 0, targetPort = 0, addresses = 1, rate = 0, atOnce = 1] = Bun.argv.slice(2).map(Number);
let asked = 0;
let answered = 0;

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(String(answered)) });
process.on("SIGTERM", () => process.exit(0));
console.log(server.port);
if (rate > 0) {
  const start = performance.now();
  setInterval(() => {
    while (asked < ((performance.now() - start) / 1000) * rate) void probe();
  }, 2);
} else {
  for (let at = 0; at < atOnce; at++) void probeForEver();
}

async function probeForEver(): Promise<void> {
  for (;;) await probe();
}

async function probe(): Promise<void> {
  const at = asked++;
  const target = `http://127.0.1.${1 + (at % addresses)}:${targetPort}/${at}`;
  const response = await fetch(`http://127.0.0.1:${port}/probe?module=http_2xx&target=${target}`);
  if ((await response.text()).includes("probe_success 1")) answered++;
}
