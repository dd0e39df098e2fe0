import { readFileSync, readdirSync } from "node:fs";
import { test } from "bun:test";
import { describeTwoNodes } from "./store/postgres/two-nodes.ts";
import { NOW, MINUTE } from "./store/contract/world.ts";
import { sharedCluster } from "./support/store/postgres/cluster.ts";
describeTwoNodes("bench", (nodes) => {
  test("all", async () => {
    const { world, a, execute } = nodes();
    const master = (await sharedCluster()).pid();
    const cpu = () => readdirSync("/proc").filter((d) => /^\d+$/.test(d)).reduce((sum, d) => {
      try { const f = readFileSync(`/proc/${d}/stat`, "utf8").replace(/^.*\) /, "").split(" "); return Number(f[1]) === master ? sum + Number(f[11]) + Number(f[12]) : sum; } catch { return sum; }
    }, 0) * 10;
    const org = (await execute<{pk:number}>("SELECT pk FROM organizations LIMIT 1"))[0]!.pk;
    await execute(`INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
      SELECT 'site' || n, ${org}, 'n' || n, 'TCP', '{"host":"a","port":1,"interval":60}', true, ${NOW}, ${NOW} FROM generate_series(1, 20000) n`);
    await execute(`INSERT INTO monitor_states (monitor_pk, organization_pk, status, next_check_at)
      SELECT pk, organization_pk, 0, CASE WHEN type = 'TCP' THEN ${NOW} + (pk * 3) % 60000 END FROM monitors`);
    await execute("VACUUM ANALYZE");
    const me = { node: 11, place: 0, nodes: 1 };
    for (const size of [333, 333, 2500]) {
      const all = await a.store.checks.listDueSlots(me, { now: NOW, before: NOW + 2 * MINUTE });
      const c = cpu(), t = performance.now();
      for (let at = 0; at < 20000; at += size) await a.store.checks.claim(all.slice(at, at + size), me, NOW + 1);
      console.log("claim", size, "cpu/slot ms", ((cpu() - c) / 20000).toFixed(4), "wall", (performance.now() - t) | 0);
    }
    { const c = cpu(); for (let i = 0; i < 100; i++) await a.store.checks.listDueSlots(me, { now: NOW, before: NOW + 1500 }); console.log("list 500: cpu ms", (cpu() - c) / 100); }
    await execute("UPDATE monitor_states SET claimed_by = 5, claimed_until = claimed_until + 100000000");
    { const c = cpu(); for (let i = 0; i < 100; i++) await a.store.checks.listDueSlots(me, { now: NOW, before: NOW + 11500 }); console.log("list 3800 claimed by others: cpu ms", (cpu() - c) / 100); }
  }, 300000);
});
