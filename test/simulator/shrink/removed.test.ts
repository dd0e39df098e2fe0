import { expect, test } from "bun:test";
import { compacted, expanded } from "../../../scripts/simulator/shrink/removed.ts";

test("parts that follow one another have one name, and a part of a removed part has none", () => {
  const parts = ["monitors/2", "monitors/1", "faults/0", "monitors/4", "monitors/3/tags", "monitors/4/tags"];
  expect(compacted(parts)).toEqual(["monitors/1-2", "monitors/4", "faults/0", "monitors/3/tags"]);
});

test("a name of several parts is each of them", () => {
  const parts = ["locations/1/faults/9-11", "monitors/3/tags"];
  expect([...expanded(parts)]).toEqual([
    "locations/1/faults/9",
    "locations/1/faults/10",
    "locations/1/faults/11",
    "monitors/3/tags",
  ]);
});
