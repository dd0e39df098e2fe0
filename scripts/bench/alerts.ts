/**
 * How long it takes from the end of a check that changes a monitor's status to the arrival of the webhook: 10 HTTP
 * monitors at 1 s whose target turns from good to bad and back with every check, so 10 changes a second; first alone,
 * then while a second channel of the same monitors never answers. Beside it, in the same run, a bare POST from this
 * process to the same receiver.
 *
 * Usage: bun scripts/bench/alerts.ts [seconds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SECONDS = Number(process.argv[2] ?? 30);
const MONITORS = 10;

const dir = mkdtempSync(join(tmpdir(), "stillup-bench-"));
const delays: number[] = [];
const answered = new Map<string, number>();
const receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: receive });
const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
const target = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { open: () => {}, data: answer } });
const server = Bun.spawn([resolve("dist/stillup"), "serve", "--port", "0", "--data-dir", dir], {
  stdout: "pipe",
  stderr: "ignore",
});
const url = await listening(server.stdout);
const key = (await Bun.file(join(dir, "initial-owner-key")).text()).trim();

console.log(
  `${MONITORS} changes a second for ${SECONDS} s each; milliseconds, p50 / p99 / most, and how many\n`,
);
report("bare POST", await postBare());
const channel = await create("alerts", hook(receiver.url));
for (let at = 0; at < MONITORS; at++) await create("monitors", monitor(at, [channel]));
report("webhook", await collect());
const hanging = await create("alerts", hook(silent.url));
for (const { id } of await list("monitors")) await patch(id, [channel, hanging]);
report("webhook beside one that hangs", await collect());

server.kill("SIGKILL");
rmSync(dir, { recursive: true });
process.exit();

async function receive(request: Request): Promise<Response> {
  const arrived = Date.now();
  const { data } = (await request.json()) as { data?: { result: { createdAt: string } } };
  if (data) delays.push(arrived - Date.parse(data.result.createdAt));
  return new Response("ok");
}

/** Every other answer for a path is no HTTP, so that each check changes the status. */
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

function report(name: string, values: number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
  console.log(`${name.padEnd(32)} ${at(0.5)} / ${at(0.99)} / ${at(1)}, ${values.length}`);
}

function hook(to: URL) {
  return { name: "hook", type: "WEBHOOK", config: { url: to.href } };
}

function monitor(at: number, alertChannelIds: string[]) {
  const config = { url: `http://127.0.0.1:${target.port}/${at}`, interval: 1 };
  return { name: `monitor ${at}`, type: "HTTP", config, alertChannelIds };
}

async function create(what: string, body: object): Promise<string> {
  const { data } = await request("POST", what, body);
  return (data as { id: string }).id;
}

async function list(what: string): Promise<{ id: string }[]> {
  return (await request("GET", what)).data as { id: string }[];
}

async function patch(id: string, alertChannelIds: string[]): Promise<void> {
  await request("PATCH", `monitors/${id}`, { alertChannelIds });
}

async function request(method: string, path: string, body?: object): Promise<{ data: unknown }> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { data: unknown };
}

async function listening(stdout: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stdout) {
    const [, found] = /listening on (\S+)/.exec(new TextDecoder().decode(chunk)) ?? [];
    if (found) return found;
  }
  throw new Error("the server ended before it listened");
}
