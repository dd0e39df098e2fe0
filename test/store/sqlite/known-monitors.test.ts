import { expect, test } from "bun:test";
import { sqlOf } from "../../../src/store/sqlite/database.ts";
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import { KnownMonitors } from "../../../src/store/statistics/monitor-report.ts";
import { createStore } from "../../../src/store/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NOW = 1_700_000_000_000;
const LATER = NOW + 60_000;
const turn = async () => {};

test("behavior 7.50: of the monitors of an organization, only the changed ones are read again", async () => {
  await using found = await thirtyJobs();
  const { store, owner, ids, sql } = found;
  let rows: number[] = [];
  const counting: typeof sql = {
    async query<Row>(text: string, values?: readonly unknown[]) {
      const found = await sql.query<Row>(text, values);
      rows.push(found.length);
      return found;
    },
  };
  const known = new KnownMonitors();
  const find = async (now: number) => {
    rows = [];
    const { byPk } = await known.find(counting, 1, { turn, now });
    return { names: [...byPk.values()].map(({ name }) => name), rows };
  };
  // The version, the times of the changes, and the monitors.
  expect((await find(LATER)).rows).toEqual([1, 30, 30]);
  expect((await find(LATER)).rows).toEqual([1]);
  await store.monitors.update(owner, ids[3] ?? "", { name: "renamed" }, LATER);
  const renamed = await find(LATER);
  expect(renamed.rows).toEqual([1, 30, 1]);
  expect(renamed.names).toContain("renamed");
  // A change in the same millisecond would not be seen, so the monitor is read until that has passed.
  expect((await find(LATER + 60_000)).rows).toEqual([1, 30, 1]);
  expect((await find(LATER + 60_000)).rows).toEqual([1]);
  await store.monitors.delete(owner.organizationId, ids[3] ?? "");
  const deleted = await find(LATER + 60_000);
  expect(deleted.rows).toEqual([1, 29]);
  expect(deleted.names).not.toContain("renamed");
});

test("behavior 7.50: the version is not read again until an edit, of this process or of another one", async () => {
  await using found = await thirtyJobs();
  const { store, owner, ids, engine, path } = found;
  const [known, sql] = [new KnownMonitors(), sqlOf(engine.reader)];
  const read: string[] = [];
  const query: typeof sql.query = (text, values) => {
    read.push(text);
    return sql.query(text, values);
  };
  const find = async () => {
    const { byPk } = await known.find({ query }, 1, { turn, now: LATER + 60_000, editMark: engine.editMark });
    return [...byPk.values()].map(({ name }) => name);
  };
  await find();
  expect(read.splice(0)).toHaveLength(3);
  await store.recording.record([{ kind: "checkin", monitorId: ids[0] ?? "", status: "ok", at: LATER }]);
  await find();
  expect(read).toEqual([]);
  await store.monitors.update(owner, ids[3] ?? "", { name: "renamed" }, LATER);
  expect(await find()).toContain("renamed");
  const other = createStore(openEngine(path));
  await other.monitors.update(owner, ids[4] ?? "", { name: "renamed elsewhere" }, LATER);
  await other.close();
  expect(await find()).toContain("renamed elsewhere");
});

test("behavior 7.50: the first monitors by name are found again if a change was read while they were looked for", async () => {
  await using found = await thirtyJobs();
  const { store, owner, ids, sql } = found;
  // The change is read at each moment of the search.
  for (let moment = 0; moment < 20; moment++) {
    const known = new KnownMonitors();
    const find = (query: typeof sql.query) => known.find({ query }, 1, { turn, now: LATER + 60_000 });
    await find(sql.query);
    const isChanged = Promise.withResolvers<void>();
    const first: Promise<unknown> = find(async (text, values) => {
      const rows = await sql.query<never>(text, values);
      await store.monitors.update(owner, ids[3] ?? "", { name: `a ${moment}` }, LATER + moment);
      isChanged.resolve();
      for (let turn = 0; turn < 10; turn++) await undefined;
      return rows;
    });
    const second = find(async (text, values) => {
      await (text.includes("count(*)") ? isChanged.promise : first);
      for (let turn = 0; turn < moment; turn++) await undefined;
      return sql.query<never>(text, values);
    });
    await Promise.all([first, second]);
    const { summary } = await find(sql.query);
    expect(summary?.first.slice(0, 2).map(({ name }) => name)).toEqual([`a ${moment}`, "job 0"]);
  }
});

async function thirtyJobs() {
  const dir = tempDir();
  const engine = openEngine(dir.path);
  const store = createStore(engine);
  const plan = "enterprise" as const;
  const { id: organizationId } = await store.organizations.create(
    { name: "Acme", plan, subscription: "active" },
    NOW,
  );
  const owner = { organizationId, plan };
  const ids: string[] = [];
  for (let at = 0; at < 30; at++) {
    const monitor = { name: `job ${at}`, config: { interval: 300 }, alertChannelIds: [] };
    ids.push((await store.monitors.create(owner, { type: "SCHEDULED", ...monitor }, NOW)).id);
  }
  return {
    ...{ store, owner, ids, engine, path: dir.path, sql: sqlOf(engine.writer) },
    async [Symbol.asyncDispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}
