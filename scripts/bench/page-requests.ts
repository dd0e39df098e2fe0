/**
 * The requests of the dashboard with many monitors in one organization: one parent that all others depend on, a
 * channel that all notify, a maintenance of 200 single monitors and a public page of 500. Opens each view in a Chromium, and
 * searches where it can. Then sends each of these requests again, alone, with curl: its bytes without compression and its
 * time; and once more while another process requests `/healthz` without a break, for the longest pause of the server. A busy
 * machine only adds to the times, so the least of all rounds counts. Without a request, `/healthz` shows what the machine adds.
 *
 * page-requests.ts [--monitors N] [--rounds N]
 */
import { Database } from "bun:sqlite";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Request } from "playwright-core";
import { TestBrowser } from "../../test/support/browser/browser.ts";
import { serve } from "./support/processes.ts";
import { fillRollups } from "./support/rollups.ts";
import { createStoreByApi } from "./support/store-by-api.ts";

const { values } = parseArgs({
  options: { monitors: { type: "string", default: "50000" }, rounds: { type: "string", default: "7" } },
});
const [monitors, rounds] = [Number(values.monitors), Number(values.rounds)];
/** The goals: bytes and milliseconds of a response, and milliseconds of a pause. */
const [MAX_BYTES, MAX_TIME, MAX_PAUSE] = [1e6, 100, 20];

using store = await createStoreByApi(resolve("dist/stillup"), {
  urls: ["http://127.0.0.1:1/"],
  interval: 86_400,
});
fillRollups(store.folder, monitors);
const ids = relate();
const server = await serve(store.folder, "--log-level", "warn");
const objects = await createObjects();
const browser = await TestBrowser.start();
const reader = await browser.reader(server.said);
await reader.signIn(store.key);
const found = new Map<string, string>();
for (const [view, search] of views()) for (const path of await pathsOf(view, search)) found.set(path, view);
await browser[Symbol.asyncDispose]();
await Bun.sleep(2000);
console.log(`${monitors} monitors; ${found.size} requests, each ${rounds} times; the least, and the most`);
const idle = await Array.fromAsync({ length: rounds }, () => pauseDuring(() => Bun.sleep(300)));
console.log(`without a request: /healthz ${figures(idle)} ms\n`);
let missed = 0;
for (const [path, view] of found) await report(path, view);
console.log(`\n${missed === 0 ? "all are within the goal" : `MISSED by ${missed}`}`);
await server.stop();

/** Tags, a parent, and a channel of all monitors. @returns the IDs of the monitors */
function relate(): string[] {
  using db = new Database(join(store.folder, "stillup.db"));
  db.run(`UPDATE monitors SET tags = '["all","tag' || (pk % 100) || '"]'`);
  db.run(
    "INSERT INTO monitor_dependencies (monitor_pk, depends_on_pk) SELECT pk, 1 FROM monitors WHERE pk > 1",
  );
  db.run(`INSERT INTO alert_channels (id, organization_pk, name, type, config, enabled, notify_on, created_at, updated_at)
    VALUES ('channel', 1, 'channel', 'WEBHOOK', '{"url":"http://127.0.0.1:1/"}', 1, '["down","warning","healthy"]', 0, 0)`);
  db.run("INSERT INTO alert_bindings (monitor_pk, channel_pk) SELECT pk, 1 FROM monitors");
  return db
    .query<{ id: string }, []>("SELECT id FROM monitors ORDER BY pk")
    .all()
    .map(({ id }) => id);
}

async function createObjects() {
  const create = async (path: string, body: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${store.key}`, "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.said}/api/v1/${path}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${text}`);
    return JSON.parse(text).data.id;
  };
  const [startsAt, endsAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const maintenance = await create("maintenances", {
    ...{ title: "Upgrade", startsAt, endsAt },
    selector: { monitorIds: ids.slice(-200), tags: ["tag1"] },
  });
  const components = ids.slice(0, 500).map((monitorId) => ({ monitorId }));
  return { maintenance, page: await create("pages", { slug: "shop", title: "Shop", components }) };
}

/** The paths of views, and the search of a view that is used too. */
function views(): [path: string, search?: string][] {
  const { maintenance, page } = objects;
  return [
    ["/", "Search by name, target or tag"],
    ["/monitors/new", "Search for Depends on"],
    [`/monitors/${ids[0]}`],
    [`/monitors/${ids.at(-1)}`],
    [`/monitors/${ids[0]}/edit`, "Search for Depends on"],
    [`/monitors/${ids.at(-1)}/edit`, "Search for Depends on"],
    ["/outages", "Search for a monitor"],
    ["/events"],
    ["/channels"],
    ["/channels/channel"],
    ["/locations"],
    ["/maintenances"],
    ["/maintenances/new", "Search for Single monitors"],
    [`/maintenances/${maintenance}/edit`, "Search for Single monitors"],
    ["/pages"],
    ["/pages/new", "Search for monitors to add"],
    [`/pages/${page}`, "Search for monitors to add"],
    [`/pages/${page}/incidents`],
    [`/pages/${page}/incidents/new`],
    ["/reports"],
    ["/keys"],
    ["/settings"],
    ["/settings/audit"],
  ];
}

/** The paths, with their queries, that a view requests. */
async function pathsOf(view: string, search?: string): Promise<string[]> {
  const { page } = reader;
  const paths = new Set<string>();
  let last = performance.now();
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith("/api/v1/") || pathname === "/api/v1/stream" || request.method() !== "GET")
      return;
    paths.add(pathname + search);
    last = performance.now();
  };
  page.on("request", note);
  const settled = async () => {
    while (performance.now() - last < 1500) await Bun.sleep(100);
  };
  await page.goto(server.said + view);
  await settled();
  if (search) {
    await page.getByLabel(search, { exact: true }).fill("monitor 49");
    last = performance.now();
    await settled();
  }
  page.off("request", note);
  // So that the next view does not show what this one has fetched.
  await page.goto("about:blank");
  return [...paths];
}

async function report(path: string, view: string): Promise<void> {
  const [times, pauses]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const answer = await request(path);
    bytes = Math.max(bytes, answer.bytes);
    times.push(answer.time);
    pauses.push(await pauseDuring(() => request(path)));
  }
  const isMissed = bytes > MAX_BYTES || Math.min(...times) > MAX_TIME || Math.min(...pauses) > MAX_PAUSE;
  if (isMissed) missed++;
  console.log(
    `${isMissed ? "MISSED " : ""}${(bytes / 1000).toFixed(1)} kB, ${figures(times)} ms, /healthz ${figures(pauses)} ms  ` +
      `${path.slice(0, 110)}  of ${view}`,
  );
}

function figures(values: number[]): string {
  return `${Math.min(...values).toFixed(0)} (${Math.max(...values).toFixed(0)})`;
}

/** Uses curl, so that the work of this program does not affect the measurement. */
async function request(path: string): Promise<{ bytes: number; time: number }> {
  const format = "%{http_code} %{time_total} %{size_download}";
  const authorization = `Authorization: Bearer ${store.key}`;
  const command = ["curl", "-s", "-o", "/dev/null", "-w", format, "-H", authorization, server.said + path];
  const said = await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).text();
  const [status, seconds = 0, bytes = 0] = said.split(" ").map(Number);
  if (status !== 200) throw new Error(`${path} was answered ${status}`);
  return { bytes, time: seconds * 1000 };
}

/** @returns the longest response time of `/healthz` during a task, in milliseconds */
async function pauseDuring(task: () => Promise<unknown>): Promise<number> {
  const command = [process.execPath, join(import.meta.dir, "support/pings.ts"), `${server.said}/healthz`];
  const pings = Bun.spawn(command, { stdout: "pipe" });
  const said = pings.stdout.getReader();
  await said.read();
  await Bun.sleep(100);
  await task();
  pings.kill("SIGTERM");
  const { value } = await said.read();
  return Number(new TextDecoder().decode(value).split(" ")[0]);
}
