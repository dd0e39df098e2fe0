/**
 * Time from the end of a check that changes the status of a monitor to the arrival of the webhook. 10 HTTP monitors
 * at 1 s whose target fails and recovers with every check make 10 changes a second: first alone, then while a second
 * channel of the same monitors never responds. For comparison, the same run measures a plain POST from this process
 * to the same receiver.
 *
 * With --burst, runs only `support/alert-burst.ts`.
 *
 * alerts.ts [seconds] [--burst NOTIFICATIONS [--sync-ms N]]
 */
import { parseArgs } from "node:util";
import { measureBurst } from "./support/alert-burst.ts";
import { quantiles } from "./support/figures.ts";
import { createStore, serve } from "./support/processes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { burst: { type: "string" }, "sync-ms": { type: "string", default: "0" } },
});
if (values.burst) {
  await measureBurst(Number(values.burst), Number(values["sync-ms"]));
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
const channel = await createChannel(receiver.url);
for (const id of store.ids) await bind(id, [channel]);
console.log(`webhook                          ${quantiles(await collect())}`);
const hanging = await createChannel(silent.url);
for (const id of store.ids) await bind(id, [channel, hanging]);
console.log(`webhook beside one that hangs    ${quantiles(await collect())}`);
await server.stop();
await Promise.all([receiver.stop(true), silent.stop(true)]);
target.stop(true);

async function receive(request: Request): Promise<Response> {
  const arrived = Date.now();
  const { data } = (await request.json()) as { data?: { result: { createdAt: string } } };
  if (data) delays.push(arrived - Date.parse(data.result.createdAt));
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

async function collect(): Promise<number[]> {
  await Bun.sleep(2000);
  delays.length = 0;
  await Bun.sleep(SECONDS * 1000);
  return [...delays];
}

function monitor(at: number) {
  return { type: "HTTP" as const, config: { url: `http://127.0.0.1:${target.port}/${at}`, interval: 1 } };
}

async function createChannel(to: URL): Promise<string> {
  const hook = { name: "hook", type: "WEBHOOK", config: { url: to.href } };
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
