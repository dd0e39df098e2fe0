import { quantiles } from "../support/figures.ts";
import { createMonitors, type Server } from "./scene.ts";

const MONITORS = 100;
const INTERVAL = 10;
/** Milliseconds for which a target fails, and then for which it is healthy. */
const PERIOD = 3 * INTERVAL * 1000;

interface Result {
  createdAt: string;
  detail: { seen?: { status: string } } | null;
}

/**
 * Prints how long it takes from the end of the first check that failed, at any location, to the arrival of the webhook.
 *
 * @param seconds how long the targets change
 */
export async function measureAgreement(
  server: Server,
  { locations, seconds }: { locations: string[]; seconds: number },
): Promise<void> {
  const arrived: { monitorId: string; at: number; createdAt: number }[] = [];
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const at = Date.now();
      const { data } = (await request.json()) as {
        data: { status: string; monitor: { id: string }; result: { createdAt: string } };
      };
      if (data.status === "down")
        arrived.push({ monitorId: data.monitor.id, at, createdAt: Date.parse(data.result.createdAt) });
      return new Response("ok");
    },
  });
  // Each target has its own time at which it changes.
  const start = Date.now();
  const fails = (path: number) =>
    Math.floor((Date.now() - start + (path * 2 * PERIOD) / MONITORS) / PERIOD) % 2 === 1;
  const target = Bun.listen({
    port: 0,
    hostname: "127.0.0.1",
    socket: {
      data(socket, request) {
        const [, path = "0"] = /^GET \/(\d+)/.exec(request.toString("latin1", 0, 40)) ?? [];
        socket.end(fails(Number(path)) ? "garbage\n" : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      },
      error: () => {},
    },
  });
  const hook = { name: "hook", type: "WEBHOOK", config: { url: receiver.url.href } };
  const channel = await server.api("POST", "alerts", hook);
  const ids = await createMonitors(server, MONITORS, (at) => ({
    config: { url: `http://127.0.0.1:${target.port}/${at}`, interval: INTERVAL },
    locations,
    alertChannelIds: [channel.id],
  }));
  await Bun.sleep(2 * PERIOD);
  const from = Date.now();
  await Bun.sleep(seconds * 1000);
  const some = arrived.filter(({ createdAt }) => createdAt >= from);
  target.stop(true);

  const results = new Map<string, Result[]>();
  for (const id of ids)
    results.set(id, await server.api<Result[]>("GET", `monitors/${id}/results?limit=200`));
  const delays = some.map(
    ({ monitorId, at, createdAt }) => at - firstFailure(results.get(monitorId) ?? [], createdAt),
  );
  console.log(`from the first check that failed to the webhook: ${quantiles(delays, 0)}`);
  await receiver.stop(true);
}

/** When the first check of the outage ended. @param results newest first @param decidedAt the time of the deciding one */
function firstFailure(results: Result[], decidedAt: number): number {
  let first = decidedAt;
  for (const { createdAt, detail } of results) {
    const at = Date.parse(createdAt);
    if (at >= decidedAt) continue;
    if (detail?.seen?.status !== "down") break;
    first = at;
  }
  return first;
}
