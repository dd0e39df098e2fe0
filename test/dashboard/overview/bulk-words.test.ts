import { describe, expect, test } from "bun:test";
import {
  deletionFaults,
  describeOutcome,
  describePreview,
  listNames,
} from "../../../src/dashboard/web/overview/bulk/selection.ts";
import { sentencesOf } from "../form/said.ts";

test.each([
  [["web"], 1, "web"],
  [["web", "shop"], 2, "web and shop"],
  [["web", "shop", "mail"], 3, "web, shop and mail"],
  [["web", "shop", "mail", "db"], 4, "web, shop, mail and 1 other"],
  [["web", "shop", "mail", "db"], 1005, "web, shop, mail and 1,002 others"],
  [[], 5, "5 monitors"],
])("%j of %d monitors are named in words", (names, count, expected) => {
  expect(listNames(names, count)).toBe(expected);
});

describe("behavior 16.314: the preview of a change", () => {
  const outcome = { matched: 4, changedCount: 2, changed: [{ name: "a" }, { name: "b" }], refusedCount: 1 };

  test("says how many change, which, how many stay the same, and how many cannot change", () => {
    expect(describePreview(outcome)).toBe(
      "2 monitors will change: a and b. 1 monitor will stay the same. 1 monitor cannot change:",
    );
    expect(describePreview({ ...outcome, matched: 2, refusedCount: 0 }, "deletes")).toBe(
      "2 monitors will be deleted: a and b.",
    );
    expect(describePreview({ matched: 2, changedCount: 0, changed: [], refusedCount: 0 })).toBe(
      "No monitor will change. 2 monitors will stay the same.",
    );
  });

  test("is followed by what was done", () => {
    expect(describeOutcome("tags", outcome)).toBe(
      "Changed the tags of 2 monitors. 1 monitor could not change.",
    );
    expect(describeOutcome("delete", { ...outcome, refusedCount: 0 })).toBe("Deleted 2 monitors.");
  });
});

test.each([
  [10, "", []],
  [11, "11", []],
  [1005, "1,005", []],
  [1005, " 1005 ", []],
  [11, "", ["typed: Must be 11."]],
  [1005, "105", ["typed: Must be 1,005."]],
])(
  "behavior 16.314: a deletion of %d monitors that is confirmed by %j has the errors %j",
  (matched, typed, faults) => {
    expect(sentencesOf(deletionFaults(typed, matched))).toEqual(faults);
  },
);
