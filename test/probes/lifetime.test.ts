import { expect, test } from "bun:test";
import { Lifetime } from "../../src/probes/lifetime.ts";

test("a lifetime closes what was added in its order, once", () => {
  const lifetime = new Lifetime();
  const closed: string[] = [];
  for (const name of ["first", "second"]) lifetime.add({ close: () => void closed.push(name) });
  lifetime.close();
  lifetime.close();
  expect(closed).toEqual(["first", "second"]);
  expect(() => lifetime.assertOngoing()).toThrow("the check has ended");
});

test("what is added after the end is closed at once", () => {
  const lifetime = new Lifetime();
  lifetime.close();
  let isClosed = false;
  lifetime.add({
    close() {
      isClosed = true;
    },
  });
  expect(isClosed).toBeTrue();
});
