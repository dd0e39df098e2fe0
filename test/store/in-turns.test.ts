import { expect, test } from "bun:test";
import { inTurns } from "../../src/store/configuration/batches.ts";

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
