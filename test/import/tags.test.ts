import { expect, test } from "bun:test";
import { createReport, tagOf, tagsOf } from "../../src/import/imported.ts";

test("a tag has the characters that a tag may have", () => {
  expect(tagOf("Group: Über shops & more!")).toBe("group:uber-shops-more");
  expect(tagOf("Größe: XL")).toBe("grosse:xl");
  expect(tagOf("!!!")).toBeUndefined();
  expect(tagOf("x".repeat(60))).toHaveLength(50);
});

test("behavior 16.99: a monitor has each tag once, at most twenty, and what differs is said", () => {
  const report = createReport();
  const tags = (texts: string[]) => tagsOf(texts, { what: 'monitor "Shop"', report });
  expect(tags(["Web", "web", "日本", "Größe: XL"])).toEqual(["web", "grosse:xl"]);
  expect(tags(Array.from({ length: 22 }, (_, at) => `t${at}`))).toHaveLength(20);
  expect(report.notes()).toEqual(['the tag "Größe: XL" is grosse:xl']);
  expect(report.omitted()).toEqual([
    { what: 'monitor "Shop", tag "日本"', why: "a tag has letters, digits and : _ . -" },
    { what: 'monitor "Shop", tags', why: "a monitor has at most 20: without t20, t21" },
  ]);
});
