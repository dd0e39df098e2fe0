import { expect, test } from "bun:test";
import { clauses, findCoverage } from "./support/clauses.ts";

test("every clause of the interface is in the name of a test, and no test names one that does not exist", async () => {
  const coverage = await findCoverage();
  expect([...coverage.keys()].filter((clause) => !clauses.has(clause))).toEqual([]);
  expect([...clauses.keys()].filter((clause) => !coverage.has(clause))).toEqual([]);
});
