import { describe, expect, test } from "bun:test";
import { countTags, parseTags, toggleTag } from "../../../src/dashboard/web/overview/select-monitors.ts";
import { isMatch } from "../../../src/domain/overview/selection.ts";

const UP = {
  ...({ text: "", type: "HTTP", kind: "HTTP", status: "up", enabled: true } as const),
  ...{ maintenance: null, acknowledgement: null },
};
const NO_FILTERS = { search: "", type: "", state: "" } as const;

describe("behavior 14.93: the selected tags", () => {
  test.each([
    [null, []],
    ["", []],
    ["web", ["web"]],
    ["web,prod:eu", ["web", "prod:eu"]],
    ["web,,web,prod", ["web", "prod"]],
  ])("in the address %j are %j", (text, expected) => {
    expect(parseTags(text)).toEqual(expected);
  });

  test("gain a tag, and lose one that is selected", () => {
    expect(toggleTag([], "web")).toBe("web");
    expect(toggleTag(["web"], "prod")).toBe("web,prod");
    expect(toggleTag(["web", "prod"], "web")).toBe("prod");
    expect(toggleTag(["web"], "web")).toBe("");
  });

  test("are those that a monitor must all have", () => {
    const monitor = { ...UP, tags: ["web", "prod"] };
    expect(isMatch(monitor, { ...NO_FILTERS, tags: [] })).toBe(true);
    expect(isMatch(monitor, { ...NO_FILTERS, tags: ["prod", "web"] })).toBe(true);
    expect(isMatch(monitor, { ...NO_FILTERS, tags: ["prod", "db"] })).toBe(false);
    expect(isMatch({ ...UP, tags: [] }, { ...NO_FILTERS, tags: ["web"] })).toBe(false);
  });
});

test("behavior 14.93: tags are offered with the number of their monitors, most used first", () => {
  const monitors = [["web", "eu"], ["web"], [], ["db", "eu", "web"]].map((tags) => ({ tags }));
  expect(countTags(monitors)).toEqual([
    { tag: "web", count: 3 },
    { tag: "eu", count: 2 },
    { tag: "db", count: 1 },
  ]);
});
