import { quantiles } from "./figures.ts";
import { createStore, type Store, serve } from "./processes.ts";

/** Milliseconds between two notifications of the other organization. */
const EVERY = 1000;

/**
 * Time from a check-in to the arrival of its notification for one organization, alone and while many receivers of another
 * organization never respond.
 */
export async function measureSilentReceivers(count: number, seconds: number): Promise<void> {
  console.log(
    `a notification a second to one webhook, for ${seconds} s alone, and beside ${count} webhooks of another organization that never answer`,
  );
  let arrival = Promise.withResolvers<number>();
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      arrival.resolve(performance.now());
      return new Response("ok");
    },
  });
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const job = { type: "SCHEDULED" as const, config: { interval: 300 } };
  using store = await createStore([job, job]);
  bindWebhooks(store, count, `http://127.0.0.1:${silent.port}`, receiver.url.href);
  const server = await serve(store.folder, "--log-level", "error");
  const [many = "", one = ""] = store.ids;
  const report = (id: string, status: string) =>
    fetch(`${server.said}/api/v1/monitors/${id}/checkin?status=${status}`);

  let status = "ok";
  async function delays(): Promise<number[]> {
    const taken: number[] = [];
    for (let at = 0; at < seconds; at++) {
      arrival = Promise.withResolvers();
      const start = performance.now();
      status = status === "ok" ? "fail" : "ok";
      await report(one, status);
      taken.push((await arrival.promise) - start);
      await Bun.sleep(EVERY);
    }
    return taken;
  }

  console.log(`alone    ${quantiles(await delays())}`);
  await report(many, "fail");
  await Bun.sleep(EVERY);
  console.log(`beside   ${quantiles(await delays())}`);
  await server.stop();
  silent.stop(true);
  await receiver.stop(true);
}

/** Moves the second monitor to a second organization. */
function bindWebhooks(store: Store, count: number, silent: string, receiver: string): void {
  store.query(`INSERT INTO organizations (id, name, plan, subscription, created_at)
    VALUES ('other', 'Other', 'enterprise', 'active', 0)`);
  store.query("UPDATE monitors SET organization_pk = 2 WHERE pk = 2");
  store.query("UPDATE monitor_states SET organization_pk = 2 WHERE monitor_pk = 2");
  const columns = "id, organization_pk, name, type, config, enabled, notify_on, created_at, updated_at";
  const all = `1, '["down","warning","healthy"]', 0, 0`;
  store.query(`INSERT INTO alert_channels (${columns})
    WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${count})
    SELECT 'silent' || at, 1, 'hook', 'WEBHOOK', json_object('url', '${silent}/' || at), ${all} FROM n`);
  store.query(`INSERT INTO alert_channels (${columns})
    VALUES ('other', 2, 'hook', 'WEBHOOK', json_object('url', '${receiver}'), ${all})`);
  store.query(`INSERT INTO alert_bindings (monitor_pk, channel_pk)
    SELECT organization_pk, pk FROM alert_channels`);
}
