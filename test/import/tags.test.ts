import { expect, test } from "bun:test";
import { tagOf, tagsOf } from "../../src/import/tags.ts";

test("a tag has the characters that a tag may have", () => {
  expect(tagOf("Group: Über shops & more!")).toBe("group:-uber-shops-more");
  expect(tagOf("!!!")).toBeUndefined();
  expect(tagOf("x".repeat(60))).toHaveLength(50);
});

test("a monitor has each tag once, and at most twenty", () => {
  expect(tagsOf(["Web", "web", "日本", "db"])).toEqual(["web", "db"]);
  expect(tagsOf(Array.from({ length: 30 }, (_, at) => `t${at}`))).toHaveLength(20);
});
