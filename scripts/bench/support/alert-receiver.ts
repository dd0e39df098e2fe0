/**
 * Receives webhooks. `/wait` responds when COUNT webhooks have arrived since the last request, with the times of the
 * first and the last.
 *
 * alert-receiver.ts COUNT
 */
const count = Number(process.argv[2]);
let all = Promise.withResolvers<void>();
let times: number[] = [];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === "POST") return receive(request);
    await all.promise;
    const answer = Response.json([times[0], times.at(-1)]);
    all = Promise.withResolvers();
    times = [];
    return answer;
  },
});

async function receive(request: Request): Promise<Response> {
  await request.arrayBuffer();
  if (times.push(Date.now()) === count) all.resolve();
  return new Response("ok");
}

process.on("SIGTERM", () => process.exit(0));
console.log(server.url.origin);
