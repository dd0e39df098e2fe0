import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { statusesOf } from "../../../src/domain/monitors/status.ts";
import { newestOf, newestOfMany } from "../../../src/store/sqlite/results/reads.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import { createSqliteDatabase, type SqliteDatabase } from "../../support/store/sqlite/sqlite-database.ts";

let database: SqliteDatabase;

beforeEach(async () => {
  database = await createSqliteDatabase();
});

afterEach(() => database[Symbol.dispose]());

const MONITORS = 40;
const STATUSES = statusesOf.TLS;

test("the newest results of any monitors and statuses equal those of a full scan", () => {
  const { $client } = database.db;
  const monitorPk = fc.integer({ min: 1, max: MONITORS });
  const status = fc.constantFrom(...STATUSES);
  const page = fc.record({
    before: fc.integer({ min: 1, max: 400 }),
    from: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
    limit: fc.integer({ min: 1, max: 60 }),
  });
  const selection = fc.record({ monitorPks: fc.uniqueArray(monitorPk), statuses: fc.uniqueArray(status) });
  fc.assert(
    fc.property(
      fc.array(fc.record({ monitorPk, status }), { maxLength: 300 }),
      selection,
      selection,
      page,
      (results, one, other, page) => {
        $client.run("DELETE FROM check_results");
        const insert = $client.query(
          "INSERT INTO check_results (pk, monitor_pk, status, created_at) VALUES (?, ?, ?, 0)",
        );
        for (const [at, result] of results.entries())
          insert.run(at + 1, result.monitorPk, statusCodes[result.status]);
        const second = {
          ...other,
          monitorPks: other.monitorPks.filter((pk) => !one.monitorPks.includes(pk)),
        };
        const scanned = (selections: (typeof one)[]) =>
          results
            .map((result, at) => ({ ...result, pk: at + 1 }))
            .filter(({ pk }) => pk >= page.from && pk < page.before)
            .filter((result) =>
              selections.some(
                ({ monitorPks, statuses }) =>
                  monitorPks.includes(result.monitorPk) && statuses.includes(result.status),
              ),
            )
            .map(({ pk }) => pk)
            .reverse()
            .slice(0, page.limit);
        const many = [one, second];
        expect(newestOfMany(database.db, many, page)).toEqual(scanned(many));
        const single = { monitorPks: one.monitorPks.slice(0, 1), statuses: one.statuses };
        expect(newestOf(database.db, single, page)).toEqual(scanned([single]));
      },
    ),
  );
});
