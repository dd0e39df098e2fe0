import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { newestOf } from "../../../src/store/sqlite/results/series.ts";
import { createDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(() => database[Symbol.dispose]());

const SERIES = 120;

test("the newest results over any series are those that a full scan finds", () => {
  const { $client } = database.db;
  const result = fc.integer({ min: 0, max: SERIES - 1 });
  const page = fc.record({
    before: fc.integer({ min: 1, max: 400 }),
    limit: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(
      fc.array(result, { maxLength: 300 }),
      fc.uniqueArray(result),
      page,
      (results, wanted, { before, limit }) => {
        $client.run("DELETE FROM check_results");
        const insert = $client.query("INSERT INTO check_results (pk, series, created_at) VALUES (?, ?, 0)");
        for (const [at, series] of results.entries()) insert.run(at + 1, series);
        const scanned = results
          .map((series, at) => ({ series, pk: at + 1 }))
          .filter(({ series, pk }) => wanted.includes(series) && pk < before)
          .map(({ pk }) => pk)
          .reverse()
          .slice(0, limit);
        expect(newestOf(database.db, wanted, { before, limit })).toEqual(scanned);
      },
    ),
  );
});
