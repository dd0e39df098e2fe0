import { describe, expect, test } from "bun:test";
import {
  parseViews,
  searchOf,
  withoutView,
  withView,
} from "../../../src/dashboard/web/overview/list-tools.tsx";

const view = (name: string, search = "tag=web") => ({ name, search });

describe("behavior 14.93: a saved view", () => {
  test.each([
    ["", ""],
    ["sort=name&tag=web", "sort=name&tag=web"],
    ["tag=web&search=&sort=name", "sort=name&tag=web"],
    ["search=a%20b", "search=a+b"],
  ])("of the address ?%s is known by %j, whatever the order of the filters", (address, expected) => {
    expect(searchOf(new URLSearchParams(address))).toBe(expected);
  });

  test("replaces the one with its name, and the list is sorted by name", () => {
    const views = withView(withView([], view("prod")), view("db"));
    expect(views.map(({ name }) => name)).toEqual(["db", "prod"]);
    expect(withView(views, view("prod", "tag=prod"))).toEqual([view("db"), view("prod", "tag=prod")]);
  });

  test("is deleted by its name", () => {
    expect(withoutView([view("a"), view("b")], "a")).toEqual([view("b")]);
  });

  test.each([
    [null],
    [""],
    ["{"],
    ["{}"],
    ["7"],
    ["null"],
    ['[null, 1, {"name": "a"}, {"name": "", "search": ""}]'],
  ])("is read from the storage of the browser: %j has none", (text) => {
    expect(parseViews(text)).toEqual([]);
  });

  test("is read without what else the storage has", () => {
    expect(parseViews(JSON.stringify([{ ...view("a"), other: 1 }, "x"]))).toEqual([view("a")]);
  });
});
