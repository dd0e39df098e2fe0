import { expect, test } from "bun:test";
import type { Fault } from "../../../scripts/simulator/ledger.ts";
import { judgedFromOf } from "../../../scripts/simulator/oracle/judged-from.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Hours after the edge of what is deleted. */
function judgedFrom(...steps: [from: number, to: number, by: number][]): number {
  const edge = 24 * DAY;
  const faults = steps.map(
    ([from, to, by]): Fault => ({
      kind: "clock-step",
      from: edge + from * HOUR,
      to: edge + to * HOUR,
      byMs: by * HOUR,
    }),
  );
  const scenario = { seed: 1, from: 0, to: 30 * DAY, retentionDays: 7, monitors: [], channels: [], faults };
  return (judgedFromOf(scenario) - edge) / HOUR;
}

test.each<[string, [number, number, number][], number]>([
  ["is right", [], 0],
  ["was ahead and is right again", [[-5, -4, 2]], 0],
  ["was so far ahead that its results are kept", [[-5, -4, 9]], 5],
  ["is ahead", [[-1, 1, 2]], 3],
  ["is set back", [[-1, 1, -2]], 1],
  ["is set back soon, behind the edge", [[1, 2, -3]], 2],
  ["is set ahead later", [[1, 2, 3]], 0],
  [
    "was ahead, and is set back at that time",
    [
      [-5, -4, 9],
      [4.5, 6, -1],
    ],
    6,
  ],
])(
  "results are judged from where their order is that of the checks, if the clock %s",
  (_, steps, expected) => {
    expect(judgedFrom(...steps)).toBe(expected);
  },
);

test("without deletion, all results are judged", () => {
  const scenario = { seed: 1, from: 0, to: DAY, monitors: [], channels: [], faults: [] };
  expect(judgedFromOf(scenario)).toBe(Number.NEGATIVE_INFINITY);
});
