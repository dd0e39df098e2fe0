import { expect, test } from "bun:test";
import { tagsIn } from "../../../src/dashboard/web/data/monitor-lists.ts";
import { countTags } from "../../../src/dashboard/web/overview/select-monitors.ts";

test("behavior 14.96: spaces and commas separate tags, and repeated ones count once", () => {
  expect(tagsIn(" web, db:main\tweb  eu-1 ")).toEqual(["web", "db:main", "eu-1"]);
  expect(tagsIn("")).toEqual([]);
  expect(tagsIn(null)).toEqual([]);
});

test("the most frequent tags of monitors are offered first, then by name", () => {
  const monitors = [{ tags: ["web", "a"] }, { tags: ["b", "web"] }, { tags: [] }];
  expect(countTags(monitors).map(({ tag }) => tag)).toEqual(["web", "a", "b"]);
});
