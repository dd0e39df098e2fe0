import { expect, test } from "bun:test";
import { type Draft, parseDrafts } from "../../../src/dashboard/web/form/use-draft.tsx";

const DAY = 86_400_000;
const NOW = 100 * DAY;
const draft = (at: number): Draft => ({ at, fields: {}, rows: {}, lacksSecrets: false });

test("behavior 16.264: drafts are kept for a week", () => {
  const stored = { "k /monitors/new": draft(NOW - 6 * DAY), "k /channels/new": draft(NOW - 7 * DAY) };
  expect(Object.keys(parseDrafts(JSON.stringify(stored), NOW))).toEqual(["k /monitors/new"]);
});

test.each([null, "", "{", "[]", "null", "1", '{"k /":null}'])("a stored text %j has no drafts", (text) => {
  expect(parseDrafts(text, NOW)).toEqual({});
});
