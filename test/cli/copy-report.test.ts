import { expect, test } from "bun:test";
import { createCopyReport } from "../../src/cli/copy.ts";
import type { CopyProgress } from "../../src/store/copy.ts";

const STEPS: CopyProgress[] = [
  { step: "monitors", done: 0, total: 1, share: 0 },
  { step: "monitors", done: 1, total: 1, share: 0.0001 },
  { step: "check_results", done: 5000, total: 9000, share: 0.5 },
  { step: "check_results", done: 5001, total: 9000, share: 0.5001 },
  { step: "check_results", done: 9000, total: 9000, share: 0.9999 },
  { step: "service", done: 0, total: 0, share: 1 },
  { step: "indexes and counts", done: 0, total: 0, share: 1 },
];

function shown(isTerminal: boolean): string[] {
  const written: string[] = [];
  const report = createCopyReport((text) => written.push(text), isTerminal);
  for (const step of STEPS) report.show(step);
  report.end();
  return written;
}

test("behavior 12.56: a copy shows a bar on a terminal, which each change replaces and the end removes", () => {
  const bar = (full: number, text: string) => `\r[${"#".repeat(full).padEnd(30)}] ${text}\x1b[K`;
  expect(shown(true)).toEqual([
    bar(0, "  0 % monitors"),
    bar(15, " 50 % check results"),
    bar(29, " 99 % check results"),
    bar(30, "100 % service"),
    bar(30, "100 % indexes and counts"),
    "\r\x1b[K",
  ]);
});

test("behavior 12.56: a copy shows a line for each table with rows if there is no terminal", () => {
  expect(shown(false)).toEqual(["monitors: 1 row\n", "check results: 9,000 rows\n"]);
});
