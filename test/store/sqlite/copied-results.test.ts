import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { packTimings } from "../../../src/store/results/timings.ts";
import { openEngine } from "../../../src/store/sqlite/engine.ts";
import { migrate, migrations } from "../../../src/store/sqlite/migrate.ts";
import { createStore } from "../../../src/store/store.ts";
import { down } from "../../support/alerts/transitions.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { allSlices, DAY, NOW } from "../contract/world.ts";

/** The migrations before outages, changes of the status and states of monitors had copies of results. */
const OLDER = migrations.slice(0, 15);

const ROWS = `
  INSERT INTO organizations (pk, id, name, plan, subscription, created_at) VALUES (1, 'o1', 'A', 'enterprise', 'active', 0);
  INSERT INTO monitors (pk, id, organization_pk, name, type, config, enabled, created_at, updated_at)
    VALUES (1, 'm1', 1, 'site', 'HTTP', '{"url":"http://127.0.0.1:1/","interval":60}', 1, 0, 0);
  INSERT INTO alert_channels (pk, id, organization_pk, name, type, config, enabled, notify_on, created_at, updated_at)
    VALUES (1, 'c1', 1, 'c', 'WEBHOOK', '{"url":"http://127.0.0.1:1/"}', 1, '["down"]', 0, 0);
  INSERT INTO details (pk, monitor_pk, hash, text, used_at) VALUES (1, 1, x'00', '{"reason":"refused"}', ${NOW});
  INSERT INTO check_results (pk, monitor_pk, status, timings, detail_pk, created_at)
    VALUES (7, 1, 1, ?1, NULL, ${NOW - 2000}), (8, 1, 2, ?1, 1, ${NOW - 1000});
  INSERT INTO outages (pk, id, monitor_pk, organization_pk, started_at, status, reason, result_pk)
    VALUES (1, 'o', 1, 1, ${NOW - 1000}, 2, 'refused', 8), (2, 'p', 1, 1, ${NOW - DAY}, 2, 'timeout', 3);
  INSERT INTO monitor_states (monitor_pk, organization_pk, status, last_result_pk) VALUES (1, 1, 2, 8);
  INSERT INTO status_changes (result_pk, organization_pk, monitor_pk, previous_status, created_at)
    VALUES (8, 1, 1, 1, ${NOW - 1000});
  INSERT INTO deliveries (pk, id, result_pk, monitor_pk, channel_pk, channel_id, channel_type, transition, status, created_at)
    VALUES (90, 'd', 8, 1, 1, 'c1', 'WEBHOOK', '${JSON.stringify(down)}', 1, ${NOW});
  DELETE FROM deliveries;
  INSERT INTO deliveries (pk, id, result_pk, monitor_pk, channel_pk, channel_id, channel_type, transition, status, created_at)
    VALUES (5, 'e', 8, 1, 1, 'c1', 'WEBHOOK', '${JSON.stringify(down)}', 1, ${NOW})`;

test("the results of an older version stay with their outages, changes, monitors and deliveries", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "data"), { mode: 0o700 });
  const older = new Sqlite(join(dir.path, "data/stillup.db"));
  migrate(older, () => {}, OLDER);
  const timings = packTimings({ latencyMs: 12.34, phases: { connect: 1.5 } });
  for (const sql of ROWS.split(";\n")) older.query(sql).run(...(sql.includes("?1") ? [timings] : []));
  older.close();

  const engine = openEngine(join(dir.path, "data"));
  const store = createStore(engine);
  const detail = { reason: "refused", phases: { connect: 1.5 } };
  const { outages } = await store.monitors.findReport("o1", { id: "m1", range: "90d" }, NOW);
  expect(outages).toMatchObject([{ detail: { reason: "timeout" } }, { detail }]);
  const [listed] = await allSlices(store.monitors.list("o1", { type: undefined, range: "90d" }, NOW));
  expect(listed?.latestResult).toEqual({ status: "down", latencyMs: 12.34, createdAt: NOW - 1000 });
  const [snapshot] = await allSlices(store.monitors.listSnapshots("o1", { now: NOW }));
  expect(snapshot?.detail).toEqual({ reason: "refused" });
  const { items } = await store.results.listEvents("o1", { changes: true, limit: 9 });
  const change = { status: "down", previousStatus: "up", latencyMs: 12.34, detail, createdAt: NOW - 1000 };
  expect(items).toMatchObject([{ ...change, alertOutcome: { status: "delivered" } }]);
  // No number of a deleted delivery is given again.
  const { seq } = engine.writer.$client
    .query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'")
    .get() ?? { seq: 0 };
  expect(seq).toBe(90);
  await store.close();
});
