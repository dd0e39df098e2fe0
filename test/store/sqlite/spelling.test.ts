import { expect, test } from "bun:test";
import { spelled } from "../../../src/store/sqlite/spelling.ts";

test.each([
  ["SELECT $2::text, NULL::bigint, $1", "SELECT +?2, NULL, +?1"],
  ["WHERE pk = ANY($1::bigint[])", "WHERE pk IN (SELECT value FROM json_each(+?1))"],
  ["WHERE tags::jsonb ? $3", "WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = +?3)"],
])("%s is a text of SQLite", (text, sqlite) => expect(spelled(text)).toBe(sqlite));

test("each parameter is an expression, so that no run of a statement prepares it again", () => {
  expect(spelled("WHERE pk = ? AND start > ?12 LIMIT ?")).toBe("WHERE pk = +? AND start > +?12 LIMIT +?");
});
