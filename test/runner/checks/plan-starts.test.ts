import { expect, test } from "bun:test";
import type { Limits } from "../../../src/runner/checks/concurrency-limit.ts";
import { planStarts } from "../../../src/runner/checks/plan-starts.ts";

interface Case {
  /** The slots that are due, by monitor. */
  due: Record<number, number>;
  /** The slots of running checks, by monitor. */
  running?: Record<number, number>;
  postponed?: number[];
  slow?: number[];
  /** For how many checks there are sockets. */
  max?: number;
}

function plan({ due, running = {}, postponed = [], slow = [], max = 100 }: Case) {
  const usage = (pk: number) => ({ checks: 1, sockets: 8, slowSockets: slow.includes(pk) ? 8 : 0 });
  const pks = Object.keys(running).map(Number);
  const limits: Limits = {
    sockets: max * 8,
    used: {
      checks: pks.length,
      sockets: pks.length * 8,
      slowSockets: pks.filter((pk) => slow.includes(pk)).length * 8,
    },
    usageOf: usage,
    usageOfNew: usage,
    isQuick: (pk) => !slow.includes(pk),
    isSlow: (pk) => slow.includes(pk),
  };
  const slots = Object.entries(due).map(([pk, nextCheckAt]) => ({ pk: Number(pk), nextCheckAt }));
  const { start, ...others } = planStarts(slots, {
    running: new Map(Object.entries(running).map(([pk, slot]) => [Number(pk), { slot }])),
    isPostponed: ({ pk }) => postponed.includes(pk),
    limits,
  });
  return { start: start.map(({ pk }) => pk), ...others };
}

test.each<[string, Case, Partial<ReturnType<typeof plan>>]>([
  ["nothing is due", { due: {} }, { start: [] }],
  ["all that is due starts", { due: { 1: 10, 2: 20 } }, { start: [1, 2] }],
  [
    "behavior 1.9: a check that is running does not start again",
    { due: { 1: 10 }, running: { 1: 10 } },
    { start: [] },
  ],
  [
    "a changed monitor cancels its check",
    { due: { 1: 20 }, running: { 1: 10 } },
    { start: [1], cancel: [1] },
  ],
  ["a postponed check waits", { due: { 1: 10, 2: 20 }, postponed: [1] }, { start: [2] }],
  [
    "a changed monitor cancels its check, also if the new one is postponed",
    { due: { 1: 20 }, running: { 1: 10 }, postponed: [1] },
    { start: [], cancel: [1] },
  ],
  ["what does not fit waits", { due: { 1: 1, 2: 2, 3: 3 }, max: 2 }, { start: [1, 2], moreWaiting: true }],
  [
    "running checks count",
    { due: { 1: 1, 2: 2 }, running: { 9: 1 }, max: 2 },
    { start: [1], moreWaiting: true },
  ],
  [
    "a cancelled check leaves its place",
    { due: { 1: 20 }, running: { 1: 10, 2: 10 }, max: 2 },
    { start: [1], cancel: [1] },
  ],
  [
    "slow checks get half of the places, and quick ones follow them",
    { due: { 1: 1, 2: 2, 3: 3, 4: 4 }, slow: [1, 2, 3], max: 4 },
    { start: [1, 2, 4], moreWaiting: true },
  ],
])("%s", (_, given, expected) => {
  expect(plan(given)).toEqual({ start: [], cancel: [], moreWaiting: false, ...expected });
});
