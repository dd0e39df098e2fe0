/** Receives webhooks; `/wait` answers when all have come, with the times of the first and the last. alert-receiver.ts COUNT */
const count = Number(process.argv[2]);
const all = Promise.withResolvers<void>();
let [arrived, first, last] = [0, 0, 0];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === "POST") return receive(request);
    await all.promise;
    return Response.json({ first, last });
  },
});

async function receive(request: Request): Promise<Response> {
  await request.arrayBuffer();
  last = Date.now();
  first ||= last;
  if (++arrived === count) all.resolve();
  return new Response("ok");
}

process.on("SIGTERM", () => process.exit(0));
console.log(server.url.origin);
