import { resolve } from "node:path";
import type { WebhookConfig } from "../../../src/domain/alerts/webhook-format.ts";
import { quantiles } from "./figures.ts";
import { createStore, run, type Store } from "./processes.ts";

/** Jobs that report a failure at the same time. Each is bound to an equal share of the channels. */
const JOBS = 20;

/** Milliseconds between two requests of the prober, and of its measurement before the burst. */
const PROBE_EVERY = 5;
const REST = 3000;

/** Statuses of the check-ins. At the first one, the code of the server is not compiled yet. */
const ROUNDS = ["fail", "ok", "fail", "ok"];

/**
 * Many notifications at once: JOBS jobs report a failure together, each to its share of the webhooks in a separate
 * process. The rate is their number over the time from the first check-in to the last arrival. Meanwhile another thread
 * requests /healthz every 5 ms over one connection: its longest response time is the longest pause of the main thread. The
 * same value before the burst shows the share of the machine.
 *
 * @param syncMs delay of each fdatasync of the server, by strace
 * @param isPush to devices (Web Push) instead; the receiver decrypts some of the messages
 */
export async function measureBurst(
  notifications: number,
  { syncMs, isPush }: { syncMs: number; isPush: boolean },
): Promise<void> {
  console.log(
    `${notifications} notifications at once, of ${JOBS} jobs, to as many ${isPush ? "devices" : "webhooks"}; each sync ${syncMs} ms late`,
  );
  const receiver = await run([
    process.execPath,
    `${import.meta.dir}/alert-receiver.ts`,
    String(notifications),
  ]);
  const job = { type: "SCHEDULED" as const, config: { interval: 300 } };
  using store = await createStore(Array.from({ length: JOBS }, () => job));
  const url = receiver.said;
  const config = isPush ? { ...(await subscriptionAt(url)), url } : { url };
  bindChannels(store, notifications, config);
  const server = await serveSlowly(store.folder, syncMs);
  const prober = new Worker(`${import.meta.dir}/health-prober.ts`);
  prober.postMessage({ url: `${server.said}/healthz`, every: PROBE_EVERY });
  await Bun.sleep(REST);
  console.log(`/healthz before   ${quantiles(await take(prober))}`);
  for (const status of ROUNDS) {
    const start = Date.now();
    await Promise.all(
      store.ids.map((id) => fetch(`${server.said}/api/v1/monitors/${id}/checkin?status=${status}`)),
    );
    const times = await (await fetch(`${receiver.said}/wait`)).json();
    const [first, last] = (times as [number, number]).map((time) => time - start);
    await settled(store);
    console.log(
      `first arrival after ${first} ms, all after ${last} ms, recorded after ${Date.now() - start} ms: ${((notifications / (last ?? 0)) * 1000).toFixed(0)} per second; /healthz ${quantiles(await take(prober))}`,
    );
  }
  prober.terminate();
  await Promise.all([server.stop(), receiver.stop()]);
}

async function subscriptionAt(receiver: string): Promise<WebhookConfig<"webpush">> {
  return (await fetch(`${receiver}/subscription`)).json() as Promise<WebhookConfig<"webpush">>;
}

function bindChannels(store: Store, count: number, config: WebhookConfig): void {
  store.query(`
    INSERT INTO alert_channels (id, organization_pk, name, type, config, enabled, notify_on, created_at, updated_at)
    WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${count})
    SELECT 'bench' || at, 1, 'hook', 'WEBHOOK', json_set('${JSON.stringify(config)}', '$.url', '${config.url}/' || at), 1,
      '["down","warning","healthy"]', 0, 0 FROM n`);
  store.query(`
    INSERT INTO alert_bindings (monitor_pk, channel_pk) SELECT 1 + pk % ${JOBS}, pk FROM alert_channels`);
}

function serveSlowly(folder: string, syncMs: number) {
  const late = `inject=fdatasync,fsync:delay_enter=${syncMs * 1000}`;
  const strace = ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null"];
  const traced = syncMs > 0 ? [...strace, "-e", "trace=fdatasync,fsync", "-e", late] : [];
  const serve = ["serve", "--port", "0", "--data-dir", folder, "--log-level", "error"];
  return run([...traced, resolve("dist/stillup"), ...serve]).then((running) => ({
    ...running,
    said: running.said.replace(/.*listening on /, ""),
  }));
}

/** Measurements of the prober since the last call, in milliseconds. */
function take(prober: Worker): Promise<number[]> {
  const { promise, resolve: done } = Promise.withResolvers<number[]>();
  prober.onmessage = ({ data }) => done(data);
  prober.postMessage("take");
  return promise;
}

async function settled(store: Store): Promise<void> {
  const waiting = () =>
    store.query<{ n: number }>("SELECT count(*) AS n FROM deliveries WHERE status = 0")[0]?.n ?? 0;
  while (waiting() > 0) await Bun.sleep(5);
}
