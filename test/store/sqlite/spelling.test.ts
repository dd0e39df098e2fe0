import { expect, test } from "bun:test";
import { spelled } from "../../../src/store/sqlite/database.ts";

test.each([
  ["SELECT $2::text, NULL::bigint, $1", "SELECT +?2, NULL, +?1"],
  ["WHERE pk = ANY($1::bigint[])", "WHERE pk IN (SELECT value FROM json_each(+?1))"],
  ["WHERE tags::jsonb ? $3", "WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = +?3)"],
])("%s is a text of SQLite", (text, sqlite) => expect(spelled(text)).toBe(sqlite));

test("each parameter is an expression, so that no run of a statement prepares it again", () => {
  expect(spelled("WHERE pk = ? AND start > ?12 LIMIT ?")).toBe("WHERE pk = +? AND start > +?12 LIMIT +?");
});

test("rows in JSON are rows of SQLite", () => {
  expect(spelled("FROM json_to_recordset($2) AS made (pk bigint, at bigint) WHERE true")).toBe(
    "FROM (SELECT value ->> 'pk' AS pk, value ->> 'at' AS at FROM json_each(+?2)) AS made WHERE true",
  );
});

test("SQLite locks no rows", () => {
  expect(
    spelled("SELECT pk FROM a WHERE b = 0\n  ORDER BY pk LIMIT 1 FOR NO KEY UPDATE OF a SKIP LOCKED"),
  ).toBe("SELECT pk FROM a WHERE b = 0\n  ORDER BY pk LIMIT 1");
  expect(spelled("UPDATE a SET b = least(b, 1)")).toBe("UPDATE a SET b = min(b, 1)");
});
