import { expect, test } from "bun:test";
import { toBlocks } from "../../../src/dashboard/web/overview/overview.tsx";

test("only the block with a changed row is a new one", () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ at }));
  const before = toBlocks(rows, []);
  expect(before.map((block) => block.length)).toEqual([12, 12, 6]);
  const after = toBlocks(rows.with(13, { at: 13 }), before);
  expect(after.map((block, at) => block === before[at])).toEqual([true, false, true]);
});
