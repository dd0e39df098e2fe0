import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { createSqliteDatabase, type SqliteDatabase } from "../../support/store/sqlite/sqlite-database.ts";

const NOW = Date.UTC(2027, 0, 1);
const DAY = 24 * 60 * 60 * 1000;

let database: SqliteDatabase;
let monitorId: string;

beforeEach(async () => {
  database = await createSqliteDatabase();
  const values = { name: "m", type: "HTTP", config: { url: "http://a/", interval: 60 } } as const;
  monitorId = (await database.store.monitors.create(database.owner, values, NOW)).id;
});

afterEach(() => database[Symbol.dispose]());

async function check(evidence: Evidence, at = NOW): Promise<void> {
  await database.store.recording.record([{ kind: "check", monitorId, revision: 0, evidence, at }]);
}

async function details() {
  const { items } = await database.store.results.list(database.owner.organizationId, {
    monitorId,
    limit: 50,
  });
  return items.map(({ detail }) => detail);
}

function reached(latencyMs: number, detail: object): Evidence {
  return { outcome: "reached", latencyMs, detail: { ...detail } };
}

function stored(): number {
  return database.db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM details").get()?.n ?? 0;
}

test("equal details are stored once, and combined with the timings of each result when they are read", async () => {
  const answer = { statusCode: 200, address: "192.0.2.1" };
  await check(reached(10, { ...answer, phases: { connect: 4 } }));
  await check(reached(11, { ...answer, phases: { connect: 5 } }));
  await check({ outcome: "failed", reason: "refused", detail: { message: "no", phases: { resolve: 1 } } });
  expect(stored()).toBe(2);
  expect(await details()).toEqual([
    { reason: "refused", message: "no", phases: { resolve: 1 } },
    { ...answer, phases: { connect: 5 } },
    { ...answer, phases: { connect: 4 } },
  ]);
});

test("a result without detail has none", async () => {
  await check(reached(10, {}));
  expect(await details()).toEqual([null]);
  expect(stored()).toBe(0);
});

test("a detail is kept as long as a result may refer to it", async () => {
  await check(reached(10, { statusCode: 200 }), NOW);
  await check(reached(10, { statusCode: 503 }), NOW);
  await check(reached(10, { statusCode: 200 }), NOW + 50 * DAY);
  await database.store.housekeeping.pruneDetails(NOW + 1.5 * DAY, 0);
  expect(stored()).toBe(2);
  await database.store.housekeeping.pruneDetails(NOW + 45 * DAY, 0);
  expect(stored()).toBe(1);
  expect((await details())[0]).toEqual({ statusCode: 200 });
});
