import { test } from "bun:test";
import { describeTwoNodes } from "./store/postgres/two-nodes.ts";
import { NOW } from "./store/contract/world.ts";
describeTwoNodes("bench", (nodes) => {
  test("all", async () => {
    const { world, a, execute } = nodes();
    const org = (await execute<{pk:number}>("SELECT pk FROM organizations LIMIT 1"))[0]!.pk;
    await execute(`INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
      SELECT 'site' || n, ${org}, 'n' || n, 'TCP', '{"host":"a","port":1,"interval":60}', true, ${NOW}, ${NOW} FROM generate_series(1, 20000) n`);
    await execute(`INSERT INTO monitor_states (monitor_pk, organization_pk, status, next_check_at)
      SELECT pk, organization_pk, 0, ${NOW} + (pk * 3) % 60000 FROM monitors`);
    await execute("VACUUM ANALYZE");
    const pks = `(SELECT array_agg(pk) FROM (SELECT pk FROM monitors ORDER BY pk LIMIT 333) x)`;
    const list = (await execute<{a: string}>(`SELECT string_agg(pk::text, ',') a FROM (SELECT pk FROM monitors ORDER BY pk LIMIT 333) x`))[0]!.a;
    const times = list.split(",").map((pk) => NOW + (Number(pk) * 3) % 60000).join(",");
    const show = async (sql: string) => console.log((await execute<any>("EXPLAIN ANALYZE " + sql)).map((r: any) => r["QUERY PLAN"]).join("\n"), "\n");
    await show(`SELECT monitor.pk, monitor.id, monitor.config, state.claim + 1 AS claim
  FROM unnest('{${list}}'::integer[], '{${times}}'::bigint[]) WITH ORDINALITY AS wanted (pk, slot, place)
  JOIN monitor_states AS state ON state.monitor_pk = wanted.pk
  JOIN monitors AS monitor ON monitor.pk = wanted.pk
  WHERE state.next_check_at = wanted.slot
    AND (state.claimed_slot IS DISTINCT FROM state.next_check_at OR state.claimed_until < 3 OR state.claimed_by = 4)
  ORDER BY wanted.place
  FOR UPDATE OF state SKIP LOCKED`);
    await show(`SELECT monitor.pk, monitor.id, monitor.config, state.claim + 1 AS claim
  FROM unnest('{${list}}'::integer[], '{${times}}'::bigint[]) WITH ORDINALITY AS wanted (pk, slot, place)
  CROSS JOIN LATERAL (SELECT * FROM monitor_states AS state WHERE monitor_pk = wanted.pk AND state.next_check_at = wanted.slot
    AND (state.claimed_slot IS DISTINCT FROM state.next_check_at OR state.claimed_until < 3 OR state.claimed_by = 4) FOR UPDATE SKIP LOCKED) AS state
  CROSS JOIN LATERAL (SELECT * FROM monitors WHERE pk = wanted.pk OFFSET 0) AS monitor
  ORDER BY wanted.place`);
    await show(`UPDATE monitor_states
  SET claim = claim + 1, claimed_by = 3, claimed_slot = next_check_at, claimed_until = claimed.until
  FROM unnest('{${list}}'::integer[], '{${times}}'::bigint[]) AS claimed (pk, until)
  WHERE monitor_pk = claimed.pk`);
    await show(`UPDATE monitor_states
  SET claim = claim + 1, claimed_by = 3, claimed_slot = next_check_at, claimed_until = 5
  WHERE monitor_pk = ANY('{${list}}')`);
    await show(`UPDATE monitor_states
  SET claim = claim + 1, claimed_by = 3, claimed_slot = next_check_at, claimed_until = claimed.until
  FROM (SELECT state.tid, c.until FROM unnest('{${list}}'::integer[], '{${times}}'::bigint[]) AS c (pk, until), LATERAL (SELECT ctid AS tid FROM monitor_states WHERE monitor_pk = c.pk OFFSET 0) state) AS claimed
  WHERE monitor_states.ctid = claimed.tid`);
  }, 300000);
});
