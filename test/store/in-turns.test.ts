import { expect, test } from "bun:test";
import { inTurns } from "../../src/store/turns.ts";
import { readInBatches } from "../../src/store/tx.ts";

test("behavior 16.40: other work runs between the steps of a long computation", async () => {
  let isOtherDone = false;
  setImmediate(() => {
    isOtherDone = true;
  });
  function* steps(): Generator<void, string> {
    for (let step = 0; step < 1e8 && !isOtherDone; step++) yield;
    return isOtherDone ? "after other work" : "without other work";
  }
  expect(await inTurns(steps())).toBe("after other work");
});

test("behavior 16.40: rows are read in batches, each once, and other work runs between them", async () => {
  const rows = Array.from({ length: 4500 }, (_, at) => ({ pk: 2 * at + 1 }));
  const asked: { after: number; isOtherDone: boolean }[] = [];
  let isOtherDone = false;
  setImmediate(() => {
    isOtherDone = true;
  });
  const read = await readInBatches(async (after, limit) => {
    asked.push({ after, isOtherDone });
    return rows.filter(({ pk }) => pk > after).slice(0, limit);
  });
  expect(read).toEqual(rows);
  expect(asked).toEqual([
    { after: 0, isOtherDone: false },
    { after: 3999, isOtherDone: true },
    { after: 7999, isOtherDone: true },
  ]);
});
