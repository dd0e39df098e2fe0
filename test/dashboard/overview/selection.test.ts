import { describe, expect, test } from "bun:test";
import {
  afterClick,
  among,
  isSelected,
  NOTHING,
  Selection,
  selectorOf,
} from "../../../src/dashboard/web/overview/bulk/selection.ts";
import { directSelector } from "../../../src/dashboard/web/overview/bulk/selection-bar.tsx";

const shown = ["a", "b", "c", "d", "e"];
const noFilters = { search: "", type: "", state: "", tags: [] } as const;
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join("");
const these = (ids: string) => ({ ids: new Set(ids) });

describe("behavior 16.313: a click on a check box", () => {
  test.each([
    ["", "b", undefined, "b"],
    ["b", "b", undefined, ""],
    ["b", "d", "b", "bcd"],
    ["d", "b", "d", "bcd"],
    ["abcde", "c", "a", "de"],
    ["x", "b", undefined, "bx"],
    ["", "c", "gone", "c"],
  ])("with %j selected, on %s, with Shift after %s, selects %j", (before, id, from, after) => {
    expect(idsOf(afterClick(these(before), { id, from, shown }))).toBe(after);
  });

  test("takes one from all that match the filters: the others of the list stay", () => {
    const all = { ...NOTHING, matching: { ...noFilters } };
    expect(isSelected(all, "b")).toBe(true);
    expect(afterClick(all, { id: "b", shown })).toEqual(these("acde"));
  });

  test("with Shift begins at the latest one, and only listeners of what changed need to react", () => {
    const selection = new Selection();
    selection.shown = shown;
    let changes = 0;
    const stop = selection.subscribe(() => changes++);
    selection.click("b", true);
    selection.click("d", true);
    expect(idsOf(selection.current())).toBe("bcd");
    selection.set(selection.current());
    expect(changes).toBe(2);
    stop();
    selection.set(NOTHING);
    expect(changes).toBe(2);
  });
});

test("deleted monitors leave the selection", () => {
  const before = these("abx");
  expect(among(before, new Set(shown))).toEqual(these("ab"));
  expect(among(before, new Set("abx"))).toBe(before);
});

describe("behavior 16.313: the selected monitors are named", () => {
  test.each([
    [these("ab"), { monitorIds: ["a", "b"] }],
    [{ ...NOTHING, matching: { ...noFilters, search: " " } }, { all: true as const }],
    [
      { ...NOTHING, matching: { search: " web ", type: "HTTP", state: "down", tags: ["eu"] } as const },
      { matching: { search: "web", type: "HTTP" as const, status: "down" as const, tags: ["eu"] } },
    ],
  ])("%j for the API as %j", (selected, selector) => {
    expect(selectorOf(selected)).toEqual(selector);
  });

  test.each([
    [{ monitorIds: ["a"] }, { monitorIds: ["a"] }],
    [{ monitorIds: [] }, { monitorIds: [] }],
    [{ all: true as const }, { all: true as const }],
    [{ matching: { tags: ["eu"] } }, { tags: ["eu"] }],
    [{ matching: { tags: ["eu", "web"] } }, undefined],
    [{ matching: { tags: ["eu"], search: "a" } }, undefined],
  ])("%j for a maintenance as %j", (selector, expected) => {
    expect(directSelector(selector)).toEqual(expected);
  });
});
