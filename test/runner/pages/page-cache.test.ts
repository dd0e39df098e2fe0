import { expect, test } from "bun:test";
import { type CachedPage, createPageCache } from "../../../src/runner/pages/public-pages.ts";

const kept = (read: object | null): CachedPage => ({
  read: read as CachedPage["read"],
  confirmedAt: 0,
  refresh: undefined,
});

test("behavior 15.35: the 1,000 pages that were read last are kept", () => {
  const pages = createPageCache();
  const [first, second] = [kept({}), kept({})];
  pages.keep("first", first);
  pages.keep("second", second);
  for (let index = 0; index < 998; index++) pages.keep(`page ${index}`, kept({}));
  pages.keep("first", first);
  pages.keep("last", kept({}));
  expect(pages.find("first")).toBe(first);
  expect(pages.find("second")).toBeUndefined();
});

test("behavior 15.35: slugs without a page do not replace pages, and are bounded too", () => {
  const pages = createPageCache();
  pages.keep("page", kept({}));
  for (let index = 0; index <= 10_000; index++) pages.keep(`missing ${index}`, kept(null));
  expect(pages.find("page")).toBeDefined();
  expect(pages.find("missing 0")).toBeUndefined();
  expect(pages.find("missing 1")).toBeDefined();
});

test("behavior 15.35: a page that begins or ends to exist is kept once", () => {
  const pages = createPageCache();
  const page = kept(null);
  pages.keep("a", page);
  page.read = {} as CachedPage["read"];
  pages.keep("a", page);
  for (let index = 0; index <= 10_000; index++) pages.keep(`missing ${index}`, kept(null));
  expect(pages.find("a")).toBe(page);
});
