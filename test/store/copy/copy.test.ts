import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { dayOf } from "../../../src/domain/results/rollup.ts";
import { AppError, StorageFault } from "../../../src/errors.ts";
import { createLogger } from "../../../src/log.ts";
import { COPIED_TABLES, OTHER_TABLES } from "../../../src/store/copy.ts";
import { copyStore, openStore, openStoreForServer } from "../../../src/store/open-store.ts";
import { eachRow, readSegment } from "../../../src/store/results/segment-rows.ts";
import type { Store } from "../../../src/store/store.ts";
import { eventually } from "../../support/eventually.ts";
import { isLong } from "../../support/long.ts";
import {
  type CopyEnd,
  type CreateEnd,
  createBareEnd,
  createPostgresEnd,
  createSqliteEnd,
  type Dump,
  runAtOnce,
} from "../../support/store/copy-ends.ts";
import { packAll } from "../../support/store/packed.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { untilEndOfFile } from "../../support/until-end.ts";
import { DAY, NOW } from "../contract/world.ts";
import { fillStore, readStore } from "./eventful.ts";

// The first test on PostgreSQL starts the cluster.
setDefaultTimeout(300_000);

const lacksPostgres = findPrograms() === undefined;
if (lacksPostgres)
  process.stderr.write("LEFT OUT: copies to PostgreSQL, which is not installed or not wanted\n");
const onPostgres = test.skipIf(lacksPostgres);
/** The run on SQLite has it. */
const onSqlite = test.skipIf(process.env.TEST_ENGINE === "postgres");

const ends: [string, CreateEnd][] = [
  ["a data directory", createSqliteEnd],
  ["a PostgreSQL database without rows", createPostgresEnd],
  ["a PostgreSQL database without tables", createBareEnd],
];
/** An ordinary run copies to each of them once. */
const sampled = (leftOut: CreateEnd) => ends.filter(([, create]) => isLong || create !== leftOut);
const testOf = (create: CreateEnd) => (create === createSqliteEnd ? onSqlite : onPostgres);

const source = await untilEndOfFile(createSqliteEnd());
await withStore(source, fillStore);

/** By default a filled data directory, a copy of the files of one. */
async function createFilled(create: CreateEnd = createSqliteEnd): Promise<CopyEnd> {
  const end = await create();
  if (create === createSqliteEnd) cpSync(source.settings.dataDir, end.settings.dataDir, { recursive: true });
  else await withStore(end, fillStore);
  return end;
}

async function withStore<Result>(
  { settings }: CopyEnd,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(settings);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** @param now by default some days have results that PostgreSQL does not pack yet */
const copy = (from: CopyEnd, to: CopyEnd, now = NOW) =>
  copyStore({ from: from.settings, to: to.settings, now }, () => {});

/** The rows of the copied tables, with the columns that both engines have. */
function common(dump: Dump, other: Dump): Dump {
  return new Map(
    COPIED_TABLES.map((table) => {
      const columns = new Set(Object.keys(other.get(table)?.[0] ?? {}));
      const rows = (dump.get(table) ?? []).map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => columns.has(name))
            .sort(),
        ),
      );
      return [table, rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}

function dayOfChange({ created_at }: Record<string, unknown>): number {
  return dayOf(Number(created_at));
}

/** The rows of the copied tables, as if no result were packed. */
function copied(dump: Dump): Dump {
  const packed = (dump.get("result_segments") ?? []).flatMap(unpacked);
  const byNumber = (a: Record<string, unknown>, b: Record<string, unknown>) => Number(a.pk) - Number(b.pk);
  return new Map(
    COPIED_TABLES.map((table) => {
      const rows = dump.get(table) ?? [];
      return [table, table === "check_results" ? [...rows, ...packed].sort(byNumber) : rows];
    }),
  );
}

/** @param row of `result_segments` */
function unpacked(row: Record<string, unknown>): Record<string, unknown>[] {
  const numbers = ["first_pk", "last_pk", "first_at", "last_at", "statuses", "count"].map((name) =>
    Number(row[name]),
  );
  const [firstPk = 0, lastPk = 0, firstAt = 0, lastAt = 0, statuses = 0, count = 0] = numbers;
  const monitorPk = Number(row.monitor_pk);
  const data = Uint8Array.fromHex(String(row.data));
  const columns = readSegment({ monitorPk, firstPk, lastPk, firstAt, lastAt, statuses, count, data });
  return eachRow(columns, monitorPk).map((result) => ({
    ...{
      pk: result.pk,
      monitor_pk: monitorPk,
      status: result.status,
      timings: result.timings?.toHex() ?? null,
    },
    ...{ detail_pk: result.detailPk, created_at: result.createdAt },
  }));
}

describe("a copy", () => {
  for (const [kind, create] of sampled(createPostgresEnd))
    testOf(create)(
      `behavior 12.50: from a data directory to ${kind} has every row of every table, and back again`,
      async () => {
        await using from = await createFilled();
        await using to = await create();
        await using back = await createSqliteEnd();
        const original = await from.dump();
        for (const table of COPIED_TABLES)
          expect([table, original.get(table)?.length]).not.toEqual([table, 0]);
        const { rows } = await copy(from, to);
        expect(rows).toBe(COPIED_TABLES.reduce((sum, table) => sum + (original.get(table)?.length ?? 0), 0));
        const dump = await to.dump();
        expect(common(dump, original)).toEqual(common(original, dump));
        expect(await from.dump()).toEqual(original);
        await copy(to, back);
        expect(copied(await back.dump())).toEqual(copied(original));
        expect(await back.dumpStructure()).toEqual(await from.dumpStructure());
      },
    );

  for (const [kind, create, other] of [
    ["a data directory", createSqliteEnd, createPostgresEnd],
    ["PostgreSQL", createPostgresEnd, createSqliteEnd],
  ] as const)
    onPostgres(
      `behavior 12.50, 27.28: users of a copy from ${kind} to the other engine read the same, and it goes on`,
      async () => {
        await using from = await createFilled(create);
        await using to = await other();
        await copy(from, to);
        const original = await withStore(from, readStore);
        await withStore(to, async (store) => {
          expect(await readStore(store)).toEqual(original);
          await fillStore(store);
          expect(await readStore(store)).toMatchObject([...(original as unknown[]), {}, {}]);
        });
      },
    );

  for (const [kind, create] of sampled(createBareEnd))
    testOf(create)(
      `behavior 12.50: from a data directory whose results are packed to ${kind} reads the same, and back again`,
      async () => {
        await using from = await createFilled();
        const unpacked = await from.dump();
        await withStore(from, packAll);
        const packed = await from.dump();
        expect(packed.get("check_results")).toEqual([]);
        const original = await withStore(from, readStore);
        for (const now of [NOW, NOW + 10 * DAY]) {
          await using to = await create();
          await using back = await createSqliteEnd();
          const { rows } = await copy(from, to, now);
          expect(rows).toBe(
            COPIED_TABLES.reduce((sum, table) => sum + (unpacked.get(table)?.length ?? 0), 0),
          );
          const dump = await to.dump();
          expect(dump.get("result_segments")).not.toEqual([]);
          // PostgreSQL packs the results of yesterday tomorrow.
          expect(dump.get("check_results")?.length).toBe(
            to.engine === "sqlite" || now > NOW
              ? 0
              : unpacked.get("check_results")?.filter((row) => dayOf(Number(row.created_at)) > NOW - 2 * DAY)
                  .length,
          );
          await copy(to, back);
          // It stays the limit of what was packed.
          for (const end of [back, from]) await end.run("UPDATE service SET sealed_until = NULL");
          expect(copied(await back.dump())).toEqual(copied(unpacked));
          for (const end of [to, back]) expect(await withStore(end, readStore)).toEqual(original);
        }
      },
    );

  for (const [rows, days] of [
    ["and are rows as well", 0],
    ["and are no rows any more", 1],
  ] as const)
    (isLong || days === 0 ? onPostgres : test.skip)(
      `behavior 12.50: from PostgreSQL whose results are packed ${rows} reads the same`,
      async () => {
        await using filled = await createFilled();
        await using from = await createPostgresEnd();
        await copy(filled, from);
        const unpacked = await from.dump();
        await withStore(from, async (store) => {
          await packAll(store);
          if (days > 0) await packAll(store, days * DAY);
        });
        const packed = await from.dump();
        expect(packed.get("result_segments")).not.toEqual([]);
        expect(packed.get("check_results")).toEqual(days > 0 ? [] : unpacked.get("check_results"));
        await using to = await createSqliteEnd();
        const { rows } = await copy(from, to);
        expect(rows).toBe(COPIED_TABLES.reduce((sum, table) => sum + (unpacked.get(table)?.length ?? 0), 0));
        await using again = await createPostgresEnd();
        await copy(to, again);
        expect(copied(await again.dump())).toEqual(copied(unpacked));
        expect(await withStore(from, readStore)).toEqual(await withStore(filled, readStore));
      },
    );

  onPostgres(
    "behavior 12.50: from PostgreSQL to PostgreSQL has every column, index, partition and number",
    async () => {
      await using filled = await createFilled();
      await using from = await createPostgresEnd();
      await using to = await createBareEnd();
      await copy(filled, from);
      await from.run(`UPDATE monitor_states SET late_results = 3, claim = 7, claimed_by = 9, claimed_slot = 1, claimed_until = 2;
      UPDATE alert_channels SET claim = 4, claimed_by = 9, claimed_until = 2`);
      await copy(from, to);
      expect(copied(await to.dump())).toEqual(copied(await from.dump()));
      expect(await to.dumpStructure()).toEqual(await from.dumpStructure());
    },
  );

  onPostgres(
    "behavior 12.50: stores the latest result of a monitor and the first one of an outage with them",
    async () => {
      await using from = await createFilled();
      await using to = await createPostgresEnd();
      await copy(from, to);
      const dump = await to.dump();
      const results = new Map(dump.get("check_results")?.map((row) => [row.pk, row]));
      const states = dump.get("monitor_states") ?? [];
      for (const state of states) {
        const { status, timings, detail_pk, created_at } = results.get(state.last_result_pk) ?? {};
        expect([state.last_status, state.last_timings, state.last_detail_pk, state.last_result_at]).toEqual([
          status ?? null,
          timings ?? null,
          detail_pk ?? null,
          created_at ?? null,
        ]);
      }
      expect(states.some(({ last_timings }) => last_timings !== null)).toBe(true);
      for (const outage of dump.get("outages") ?? []) {
        const { timings, detail_pk } = results.get(outage.result_pk) ?? {};
        expect([outage.timings, outage.detail_pk]).toEqual([timings, detail_pk]);
      }
    },
  );

  onPostgres("behavior 12.51: gives no number of a deleted row again, on either engine", async () => {
    await using from = await createFilled();
    await from.run(
      `DELETE FROM evidence; DELETE FROM cause_members; DELETE FROM outage_downs; DELETE FROM outages; DELETE FROM deliveries; DELETE FROM status_changes; DELETE FROM check_results;
       DELETE FROM deleted_monitors`,
    );
    await using to = await createPostgresEnd();
    await using back = await createSqliteEnd();
    const numbers = await from.dumpStructure();
    await copy(from, to);
    const [sequences] = (await to.dumpStructure()) as [{ sequencename: string; last_value: number | null }[]];
    expect(sequences?.find((one) => one.sequencename === "check_results_pk")?.last_value).toBeGreaterThan(50);
    expect(sequences?.find((one) => one.sequencename === "outages_pk_seq")?.last_value).toBe(null);
    await copy(to, back);
    expect(await back.dumpStructure()).toEqual(numbers);
  });

  onPostgres(
    "behavior 12.50: leaves out deliveries and changes of the status whose results have expired already",
    async () => {
      await using filled = await createFilled();
      await using from = await createPostgresEnd();
      await using to = await createSqliteEnd();
      await copy(filled, from);
      const day = new Date(NOW - DAY).toISOString().slice(0, 10).replaceAll("-", "");
      await from.run(`DROP TABLE check_results_${day}`);
      // Like a notice, which has no result.
      await from.run(`UPDATE deliveries SET result_pk = NULL, monitor_pk = NULL
      WHERE pk = (
      SELECT max(pk) FROM deliveries WHERE created_at / ${DAY} = ${dayOf(NOW - DAY) / DAY})`);
      const before = (await from.dump()).get("deliveries") ?? [];
      const kept = before.filter(
        ({ created_at, result_pk }) => result_pk === null || dayOf(Number(created_at)) !== dayOf(NOW - DAY),
      );
      expect(kept.some(({ result_pk }) => result_pk === null)).toBeTrue();
      expect(kept.length).toBeLessThan(before.length);
      await copy(from, to);
      expect((await to.dump()).get("deliveries")?.map(({ pk }) => pk)).toEqual(kept.map(({ pk }) => pk));
      expect((await from.dump()).get("status_changes")?.map(dayOfChange)).toContain(dayOf(NOW - DAY));
      expect((await to.dump()).get("status_changes")?.map(dayOfChange)).not.toContain(dayOf(NOW - DAY));
    },
  );

  onPostgres("moves every table of both engines, except those that belong to processes", async () => {
    await using sqlite = await createFilled();
    await using postgres = await createPostgresEnd();
    const [small, large] = [[...(await sqlite.dump()).keys()], [...(await postgres.dump()).keys()]];
    const known = [...COPIED_TABLES, ...OTHER_TABLES];
    expect([...large].sort()).toEqual([...known].sort());
    expect(small.filter((table) => !known.includes(table))).toEqual([]);
    expect(COPIED_TABLES.filter((table) => !small.includes(table))).toEqual([]);
  });

  onSqlite("leaves no file beside either database, and the log of a crash as it was", async () => {
    await using crashed = await createFilled();
    await using from = await createSqliteEnd();
    await using to = await createSqliteEnd();
    const filesOf = ({ settings }: CopyEnd) =>
      [...new Bun.Glob("*").scanSync(settings.dataDir)].filter((name) => name !== "serve.lock").sort();
    const before = filesOf(crashed);
    await copy(crashed, from);
    expect(filesOf(crashed)).toEqual(before);
    await copy(from, to);
    expect([filesOf(from), filesOf(to)]).toEqual([["stillup.db"], ["stillup.db"]]);
  });
});

/** Ends the connections of other programs to the database. */
const CUT_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const kinds: [string, CreateEnd][] = [
  ["a data directory", createSqliteEnd],
  ["PostgreSQL", createPostgresEnd],
];

describe("a refused copy", () => {
  for (const [kind, create] of kinds) {
    testOf(create)(`behavior 12.52: does not change a target that has data, on ${kind}`, async () => {
      await using from = await createFilled();
      await using to = await create();
      await copy(from, to);
      const before = await to.dump();
      await expect(copy(from, to)).rejects.toMatchObject({ kind: "refused" });
      await expect(copy(from, to)).rejects.toThrow("a copy overwrites nothing");
      expect(await to.dump()).toEqual(before);
    });

    testOf(create)(
      `behavior 12.52: does not change a target that has only a key pair, on ${kind}`,
      async () => {
        await using from = await createFilled();
        await using to = await create();
        const pair = { publicKey: new Uint8Array(65).fill(1), privateKey: new Uint8Array(32).fill(2) };
        await withStore(to, (store) => store.pushKeys.store(pair));
        const before = await to.dump();
        await expect(copy(from, to)).rejects.toThrow("a copy overwrites nothing");
        expect(await to.dump()).toEqual(before);
        expect(await withStore(to, ({ pushKeys }) => pushKeys.find())).toEqual(pair);
      },
    );

    testOf(create)(`behavior 12.53: has a source of another version, on ${kind}`, async () => {
      await using filled = await createFilled();
      await using from = await create();
      await using to = await createSqliteEnd();
      await copy(filled, from);
      for (const [version, way] of [
        [99, "use that version"],
        [1, "older than the first release"],
      ] as const) {
        if (from.engine === "postgres" && version === 1) continue;
        await from.run(
          from.engine === "sqlite"
            ? `PRAGMA user_version = ${version}`
            : `INSERT INTO schema_versions VALUES (${version}, 1)`,
        );
        await expect(copy(from, to)).rejects.toThrow(way);
      }
      expect(await to.isEmpty()).toBe(true);
    });

    testOf(create)(
      `behavior 12.54: leaves the target as empty as before if it fails halfway, on ${kind}`,
      async () => {
        await using from = await createFilled();
        await using to = await create();
        const settings = { from: from.settings, to: to.settings, now: NOW };
        const failing = copyStore(settings, ({ step }) => {
          if (step === "outages") throw new AppError("unavailable", "fault");
        });
        await expect(failing).rejects.toThrow("fault");
        expect(await to.isEmpty()).toBe(true);
        await copy(from, to);
      },
    );

    testOf(create)(
      `behavior 12.54: leaves the target as empty as before if it is killed halfway, on ${kind}`,
      async () => {
        await using from = await createFilled();
        await using to = await create();
        const databases = JSON.stringify({ from: from.settings, to: to.settings, now: NOW });
        for (const step of ["outages", ...(isLong ? ["monitors", "indexes and counts"] : [])]) {
          const script = "test/support/store/copy-and-die.ts";
          const { signalCode } = Bun.spawnSync([process.execPath, script, databases, step]);
          expect(signalCode).toBe("SIGKILL");
          expect(await to.isEmpty()).toBe(true);
        }
        // The server notices a little later that its client is gone.
        await eventually(() => copy(from, to).catch(() => false as const));
        expect(common(await to.dump(), await from.dump())).toEqual(
          common(await from.dump(), await to.dump()),
        );
        const { dataDir } = to.settings;
        if (to.engine === "sqlite") expect([...new Bun.Glob("*.copying*").scanSync(dataDir)]).toEqual([]);
      },
    );
  }

  onPostgres(
    "behavior 12.54: leaves the target as empty as before if PostgreSQL ends a connection, of either database",
    async () => {
      await using filled = await createFilled();
      await using from = await createPostgresEnd();
      await using to = await createPostgresEnd();
      await copy(filled, from);
      for (const broken of [from, to]) {
        const copying = copyStore({ from: from.settings, to: to.settings, now: NOW }, ({ step }) => {
          if (step === "details") runAtOnce(broken, CUT_OTHERS);
        });
        await expect(copying).rejects.toBeInstanceOf(StorageFault);
        expect(await to.isEmpty()).toBe(true);
      }
      await copy(from, to);
    },
  );

  onPostgres(
    "behavior 12.52: has a target with tables of another program, or a source without a database",
    async () => {
      await using from = await createFilled();
      await using to = await createBareEnd();
      await expect(copy(to, from)).rejects.toThrow("has no data of stillup");
      await to.run("CREATE TABLE monitors (name text)");
      await expect(copy(from, to)).rejects.toThrow("has a table monitors of another program");
      await using missing = await createSqliteEnd();
      await expect(copy(missing, to)).rejects.toThrow("stillup.db does not exist");
    },
  );
});

const log = createLogger({ level: "error" });

describe("a copy while a server runs", () => {
  onSqlite("behavior 12.55: is refused on a data directory, in both directions", async () => {
    await using from = await createFilled();
    await using to = await createSqliteEnd();
    for (const busy of [from, to]) {
      const server = await openStoreForServer(busy.settings, log);
      await expect(copy(from, to)).rejects.toThrow("a stillup server or another copy uses");
      await server.close();
    }
  });

  onPostgres(
    "behavior 12.55: is refused on PostgreSQL until its nodes were silent for 30 s, in both directions",
    async () => {
      await using filled = await createFilled();
      await using from = await createPostgresEnd();
      await using to = await createPostgresEnd();
      await copy(filled, from);
      const seen = (ago: number) =>
        `DELETE FROM nodes; INSERT INTO nodes VALUES (1, 'web', '1.0.0', 0, extract(epoch FROM now()) * 1000 - ${ago}, 0)`;
      for (const busy of [from, to]) {
        await busy.run(seen(25_000));
        await expect(copy(from, to)).rejects.toThrow(
          /a stillup server runs on the database "\w+" at .*: web gave/,
        );
        await busy.run(seen(31_000));
      }
      await copy(from, to);
      expect((await to.dump()).get("nodes")).toHaveLength(1);
    },
  );

  onPostgres("behavior 12.55: is undone if a node was started on the source meanwhile", async () => {
    await using filled = await createFilled();
    await using from = await createPostgresEnd();
    await using to = await createSqliteEnd();
    await copy(filled, from);
    const copying = copyStore({ from: from.settings, to: to.settings, now: NOW }, ({ step, done }) => {
      if (step !== "deleted_channels" || done > 0) return;
      runAtOnce(from, "INSERT INTO nodes VALUES (1, 'web', '1.0.0', 0, extract(epoch FROM now()) * 1000, 0)");
    });
    await expect(copying).rejects.toThrow("a stillup server runs on");
    expect(await to.isEmpty()).toBe(true);
  });

  onPostgres("behavior 12.55: keeps servers and copies from starting on either database", async () => {
    await using from = await createFilled();
    await using to = await createBareEnd();
    await using other = await createSqliteEnd();
    let refused: Promise<unknown> | undefined;
    let started: Promise<Store> | undefined;
    await copyStore({ from: from.settings, to: to.settings, now: NOW }, ({ step }) => {
      if (step !== "outages" || refused) return;
      const busy = "a stillup server or another copy uses";
      refused = Promise.all([
        expect(openStoreForServer(from.settings, log)).rejects.toThrow("another stillup server is running"),
        expect(copy(from, other)).rejects.toThrow(busy),
      ]);
      started = openStoreForServer(to.settings, log);
    });
    await refused;
    // It has waited for the copy.
    const server = await started;
    expect(await server?.organizations.list()).toHaveLength(2);
    await server?.close();
  });
});
