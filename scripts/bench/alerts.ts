/**
 * Time from the end of a failed check to the arrival of the notification. 10 HTTP monitors at 1 s whose target fails and
 * recovers with every check make 10 changes a second: first with a webhook, then with the webhook and a device of each
 * monitor (Web Push), whose messages are verified and decrypted, then with the webhook and a channel that never responds. For
 * comparison, the same run measures a plain POST from this process to the same receiver. Recoveries are not measured: a
 * success is reported up to 20 ms later, together with others.
 *
 * With --burst, runs only `support/alert-burst.ts`, to devices with --webpush.
 *
 * alerts.ts [seconds] [--burst NOTIFICATIONS [--sync-ms N] [--webpush]]
 */
import { parseArgs } from "node:util";
import type { WebhookConfig } from "../../src/domain/alerts/webhook-format.ts";
import { PushService } from "../../test/support/servers/push-service.ts";
import { measureBurst } from "./support/alert-burst.ts";
import { quantile, quantiles } from "./support/figures.ts";
import { createStore, serve } from "./support/processes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    burst: { type: "string" },
    "sync-ms": { type: "string", default: "0" },
    webpush: { type: "boolean", default: false },
  },
});
if (values.burst) {
  await measureBurst(Number(values.burst), { syncMs: Number(values["sync-ms"]), isPush: values.webpush });
  process.exit(0);
}
const SECONDS = Number(positionals[0] ?? 30);
const MONITORS = 10;

const delays: number[] = [];
const answered = new Map<string, number>();
const receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: receive });
const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
const target = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { open: () => {}, data: answer } });
using store = await createStore(Array.from({ length: MONITORS }, (_, at) => monitor(at)));
const server = await serve(store.folder, "--log-level", "error");

console.log(`${MONITORS} changes a second for ${SECONDS} s each\n`);
console.log(`bare POST                        ${quantiles(await postBare())}`);
const channel = await createChannel({ url: receiver.url.href });
for (const id of store.ids) await bind(id, [channel]);
console.log(`webhook                          ${quantiles(await collect())}`);
await comparePush();
const hanging = await createChannel({ url: silent.url.href });
for (const id of store.ids) await bind(id, [channel, hanging]);
console.log(`webhook beside one that hangs    ${quantiles(await collect())}`);
await server.stop();
await Promise.all([receiver.stop(true), silent.stop(true)]);
target.stop(true);

async function receive(request: Request): Promise<Response> {
  const arrived = Date.now();
  const { data } = (await request.json()) as {
    data?: { status: string; result: { createdAt: string } };
  };
  if (data?.status === "down") delays.push(arrived - Date.parse(data.result.createdAt));
  return new Response("ok");
}

/** Every other response for a path is not HTTP, so that each check changes the status. */
function answer(socket: { end(data: string): number }, data: Buffer): void {
  const [, path = ""] = data.toString().split(" ");
  const count = (answered.get(path) ?? 0) + 1;
  answered.set(path, count);
  socket.end(count % 2 === 0 ? "garbage\n" : "HTTP/1.1 200 OK\r\n\r\n");
}

async function postBare(): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < 200; at++) {
    const start = performance.now();
    await fetch(receiver.url, { method: "POST", body: "{}", keepalive: false });
    times.push(performance.now() - start);
    await Bun.sleep(20);
  }
  return times;
}

/** Each monitor has a device of its own, because a device gets at most one message a second. */
async function comparePush(): Promise<void> {
  await using service = new PushService();
  for (const id of store.ids) await bind(id, [channel, await createChannel(service.subscribe())]);
  const webhooks = await collect();
  const failures = service.accepted.filter(({ headers }) => headers.urgency === "high");
  const messages = failures.map(({ at, payload }) => at - payload.at);
  const first = messages.shift();
  const pushes = messages.slice(-webhooks.length);
  if (first === undefined || service.refusals.length > 0)
    throw new Error(service.refusals[0] ?? "no message");
  console.log(`webhook beside Web Push          ${quantiles(webhooks)}`);
  console.log(`Web Push                         ${quantiles(pushes)}`);
  const ratios = [0.5, 0.99].map((share) => (quantile(pushes, share) / quantile(webhooks, share)).toFixed(2));
  console.log(`  ${ratios.join(" and ")} times the webhook (p50, p99); the first message took ${first} ms`);
}

async function collect(): Promise<number[]> {
  await Bun.sleep(2000);
  delays.length = 0;
  await Bun.sleep(SECONDS * 1000);
  return [...delays];
}

function monitor(at: number) {
  return { type: "HTTP" as const, config: { url: `http://127.0.0.1:${target.port}/${at}`, interval: 1 } };
}

async function createChannel(config: WebhookConfig): Promise<string> {
  const hook = { name: "hook", type: "WEBHOOK", config };
  const { data } = (await send("POST", "alerts", hook)) as { data: { id: string } };
  return data.id;
}

async function bind(monitorId: string, alertChannelIds: string[]): Promise<void> {
  await send("PATCH", `monitors/${monitorId}`, { alertChannelIds });
}

async function send(method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${server.said}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${store.key}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
