import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../src/store/sqlite/engine.ts";
import { migrate, migrations } from "../../../src/store/sqlite/migrate.ts";
import { createStore } from "../../../src/store/store.ts";
import { down } from "../../support/alerts/transitions.ts";
import { alone } from "../../support/store/alone.ts";
import { FlappingLocation } from "../../support/store/flapping-location.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NOW = Date.UTC(2027, 5, 1, 12);

/** The migrations before deliveries could report anything other than a result. */
const OLDER = migrations.slice(0, 2);

const ROWS = `
  INSERT INTO organizations VALUES (1, 'o1', 'A', 'enterprise', 'active', 0);
  INSERT INTO monitors VALUES (1, 'm1', 1, 'job', 'SCHEDULED', '{"interval":300}', 1, 0, 0, 0, 0, 0);
  INSERT INTO alert_channels VALUES (1, 'c1', 1, 'c', 'WEBHOOK', '{"url":"http://127.0.0.1:1/"}', 1, '["down"]', 0, 0, 0);
  INSERT INTO default_channels VALUES (1, 1);
  INSERT INTO check_results (pk, monitor_pk, status, created_at) VALUES (1, 1, 12, 0), (2, 1, 11, 0), (3, 1, 12, 0);
  INSERT INTO deliveries (pk, id, result_pk, monitor_pk, channel_pk, channel_id, channel_type, transition, status,
      attempts, next_attempt_at, created_at)
    SELECT pk, printf('%010d%022d', pk, 0), pk, 1, 1, 'c1', 'WEBHOOK', ?, pk = 1, pk = 1, iif(pk = 1, NULL, 0), 0
    FROM check_results`;

test("the deliveries of an older version keep their numbers and order, and notices follow them", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "data"), { mode: 0o700 });
  const older = new Sqlite(join(dir.path, "data/stillup.db"));
  migrate(older, () => {}, OLDER);
  for (const sql of ROWS.split(";"))
    older.query(sql).run(...(sql.includes("?") ? [JSON.stringify(down)] : []));
  older.close();

  const store = createStore(openEngine(join(dir.path, "data")));
  const list = async () => (await store.deliveries.list("o1", "c1", { limit: 9, cursor: undefined })).items;
  expect((await list()).map(({ id, type, status }) => [Number(id.slice(0, 10)), type, status])).toEqual([
    [3, "monitor.status_changed", "pending"],
    [2, "monitor.status_changed", "pending"],
    [1, "monitor.status_changed", "delivered"],
  ]);
  expect(await store.deliveries.listDue(alone, { now: NOW, limit: 9 })).toMatchObject([{ pk: 2 }]);
  await store.monitors.delete("o1", "m1");
  while (await store.housekeeping.sweepDeletedMonitors());
  await new FlappingLocation(() => store, "o1").turn(NOW);
  expect(await store.deliveries.listDue(alone, { now: NOW, limit: 9 })).toMatchObject([{ pk: 4 }]);
  await store.close();
});
