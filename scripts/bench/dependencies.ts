/**
 * 1,000 monitors behind one parent, all on a target that ends and later listens again. For each of two channels, a webhook and
 * a chat: how many notifications arrive, and how long it takes until every notification is decided.
 *
 * The goal (behavior 14.10 to 14.15): one notification of the outage on each channel, decided within 15 s of the end of the
 * target, and one of the recovery.
 *
 * dependencies.ts [monitors] [interval in seconds]
 */
import { createStore, type Running, run, type Store, serve } from "./support/processes.ts";

const [MONITORS = 1000, INTERVAL = 10] = process.argv.slice(2).map(Number);
const DECIDED_WITHIN = 15_000;
/** Milliseconds until the bench gives up. */
const PATIENCE = 120_000;

const arrived = { hook: 0, chat: 0 };
const receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: receive });
let target = await listen("0");
const port = target.said;
const monitor = {
  type: "TCP" as const,
  config: { host: "127.0.0.1", port: Number(port), interval: INTERVAL },
};
using store = await createStore(Array.from({ length: MONITORS + 1 }, () => monitor));
createChannels(store);
const server = await serve(store.folder, "--log-level", "error");
console.log(`${MONITORS} monitors at ${INTERVAL} s behind one parent, two channels`);
await until(() => count("SELECT count(*) AS n FROM monitor_states WHERE status = 0") === 0);
// Their checks are spread over the interval.
await Bun.sleep(INTERVAL * 1000);

const outage = await measure("outage", () => target.stop());
const recovery = await measure("recovery", async () => {
  target = await listen(port);
});
const isReached =
  [outage, recovery].every(({ hook, chat }) => hook === 1 && chat === 1) && outage.took <= DECIDED_WITHIN;
console.log(isReached ? "the goal is reached" : "MISSED");
await Promise.all([server.stop(), target.stop(), receiver.stop(true)]);
process.exit(isReached ? 0 : 1);

/** @returns the notifications by channel, and milliseconds until all monitors have changed and nothing is undecided */
async function measure(label: string, change: () => Promise<void>) {
  const [before, at] = [resultsOf(label), Date.now()];
  Object.assign(arrived, { hook: 0, chat: 0 });
  await change();
  await until(() => resultsOf(label) >= before + MONITORS + 1 && undecided() === 0);
  const took = Date.now() - at;
  const figures = { ...arrived, took };
  const statuses = store.query<{ status: number; n: number }>(
    "SELECT status, count(*) AS n FROM deliveries GROUP BY status ORDER BY status",
  );
  console.log(
    `${label}: ${figures.hook} on the webhook, ${figures.chat} on the chat, decided after ${(took / 1000).toFixed(1)} s; ` +
      `deliveries by status: ${statuses.map(({ status, n }) => `${status}: ${n}`).join(", ")}`,
  );
  // A notification that was wrong to send could be late.
  await Bun.sleep(3000);
  if (arrived.hook + arrived.chat > figures.hook + figures.chat)
    console.log(`  later ${arrived.hook} and ${arrived.chat}`);
  return { ...figures, ...arrived };
}

/** How many monitors have begun, or ended, an outage. */
function resultsOf(label: string): number {
  return count(
    `SELECT count(*) AS n FROM outages WHERE ${label === "outage" ? "started_at" : "ended_at"} IS NOT NULL`,
  );
}

function undecided(): number {
  return count(
    "SELECT count(*) AS n FROM deliveries WHERE status IN (0, 5, 6) OR hold ->> 'kind' = 'recheck'",
  );
}

function count(sql: string): number {
  return store.query<{ n: number }>(sql)[0]?.n ?? 0;
}

async function until(look: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!look() && Date.now() < end) await Bun.sleep(50);
}

/** The first monitor is the parent. The chat is on another host than the API allows, and without TLS. */
function createChannels({ query }: Store): void {
  const url = (path: string) => `${receiver.url.href}${path}`;
  const channels = [
    ["hook", "WEBHOOK", JSON.stringify({ url: url("hook") })],
    ["chat", "SLACK", JSON.stringify({ webhookUrl: url("chat") })],
  ];
  for (const [id, type, config] of channels)
    query(`
      INSERT INTO alert_channels (id, organization_pk, name, type, config, enabled, notify_on, created_at, updated_at)
      VALUES ('${id}', 1, '${id}', '${type}', '${config}', 1, '["down","warning","healthy"]', 0, 0)`);
  query(`INSERT INTO alert_bindings (monitor_pk, channel_pk)
    SELECT monitors.pk, alert_channels.pk FROM monitors CROSS JOIN alert_channels`);
  query(
    "INSERT INTO monitor_dependencies (monitor_pk, depends_on_pk) SELECT pk, 1 FROM monitors WHERE pk > 1",
  );
}

/** @param on its port, `0` for any */
function listen(on: string): Promise<Running> {
  const listener = `const server = Bun.listen({ hostname: "127.0.0.1", port: ${on}, socket: { data() {} } });
    console.log(server.port);`;
  return run([process.execPath, "-e", listener]);
}

async function receive(request: Request): Promise<Response> {
  arrived[new URL(request.url).pathname === "/hook" ? "hook" : "chat"]++;
  await request.arrayBuffer();
  return new Response("ok");
}
