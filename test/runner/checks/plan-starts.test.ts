import { expect, test } from "bun:test";
import { add, type Limits, NOTHING } from "../../../src/runner/checks/concurrency-limit.ts";
import { planStarts } from "../../../src/runner/checks/plan-starts.ts";

interface Case {
  /** The slots that are due, by monitor. */
  due: Record<number, number>;
  /** The slots of running checks, by monitor. */
  running?: Record<number, number>;
  /** When running checks were claimed of whose slot a result was held then, by monitor. */
  heldUntil?: Record<number, number>;
  postponed?: number[];
  slow?: number[];
  /** Monitors whose check holds 2 sockets. */
  quick?: number[];
  /** For how many checks there are sockets. */
  max?: number;
  /** `due` has all slots before this time. */
  before?: number;
}

/** The slots of the cases until this time are overdue. */
const NOW = 100;

function plan({
  due,
  running = {},
  heldUntil = {},
  postponed = [],
  slow = [],
  quick = [],
  max = 100,
  before = 0,
}: Case) {
  const usage = (pk: number) => {
    const sockets = quick.includes(pk) ? 2 : 8;
    const isSlow = slow.includes(pk);
    return { checks: 1, sockets, unprovenSockets: isSlow ? sockets : 0, slowSockets: isSlow ? sockets : 0 };
  };
  const used = { ...NOTHING };
  for (const pk of Object.keys(running)) add(used, usage(Number(pk)));
  const limits: Limits = {
    sockets: max * 8,
    used,
    usageOfNew: usage,
  };
  const slots = Object.entries(due).map(([pk, nextCheckAt]) => ({ pk: Number(pk), nextCheckAt }));
  slots.sort((a, b) => a.nextCheckAt - b.nextCheckAt);
  const { overdue, early, waiting, ...others } = planStarts(slots, {
    now: NOW,
    listed: { after: { nextCheckAt: 0, pk: 0 }, until: { nextCheckAt: before, pk: 0 } },
    running: new Map(
      Object.entries(running).map(([pk, slot]) => [
        Number(pk),
        { slot, heldUntil: heldUntil[Number(pk)], usage: usage(Number(pk)) },
      ]),
    ),
    isPostponed: ({ pk }) => postponed.includes(pk),
    limits,
  });
  const pksOf = (found: { pk: number }[]) => found.map(({ pk }) => pk);
  return { start: pksOf(overdue), early: pksOf(early), waiting: pksOf(waiting), ...others };
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
    { due: { 1: 20 }, running: { 1: 10 }, before: 100 },
    { start: [1], cancel: [1] },
  ],
  [
    "behavior 1.57: a check is cancelled whose monitor is paused, deleted or no longer checked from here",
    { due: { 1: 10 }, running: { 1: 10, 2: 10, 3: 20 }, before: 20 },
    { cancel: [2] },
  ],
  [
    "behavior 1.9, 1.17: a running check whose slot is ahead since the clock was set back ends before the next one starts",
    { due: { 1: 50 }, running: { 1: 900, 2: 900 }, before: 150 },
    { start: [1], cancel: [1] },
  ],
  [
    "behavior 1.50: a held result that is written, which moves the slot, does not cancel the check that began meanwhile",
    {
      due: { 1: 30, 2: 50, 3: 51 },
      running: { 1: 10, 2: 10, 3: 10 },
      heldUntil: { 1: 50, 2: 50, 3: 50 },
      before: 100,
    },
    {
      start: [3],
      cancel: [3],
      moved: [
        { pk: 1, nextCheckAt: 30 },
        { pk: 2, nextCheckAt: 50 },
      ],
    },
  ],
  ["a postponed check waits", { due: { 1: 10, 2: 20 }, postponed: [1] }, { start: [2] }],
  [
    "a changed monitor cancels its check, also if the new one is postponed",
    { due: { 1: 20 }, running: { 1: 10 }, postponed: [1], before: 100 },
    { start: [], cancel: [1] },
  ],
  [
    "what does not fit waits",
    { due: { 1: 1, 2: 2, 3: 3 }, max: 2 },
    { start: [1, 2], waiting: [3], moreWaiting: true },
  ],
  [
    "running checks count",
    { due: { 1: 1, 2: 2 }, running: { 9: 1 }, max: 2 },
    { start: [1], waiting: [2], moreWaiting: true },
  ],
  [
    "a cancelled check leaves its place",
    { due: { 1: 20, 2: 10 }, running: { 1: 10, 2: 10 }, max: 2, before: 100 },
    { start: [1], cancel: [1] },
  ],
  [
    "slow checks get half of the places, and quick ones follow them",
    { due: { 1: 1, 2: 2, 3: 3, 4: 4 }, slow: [1, 2, 3], max: 4 },
    { start: [1, 2, 4], moreWaiting: true },
  ],
  [
    "behavior 1.55: what is due later starts if everything overdue fits",
    { due: { 1: 10, 2: 900 }, max: 2 },
    { start: [1], early: [2] },
  ],
  [
    "behavior 1.55: nothing that is due later starts while something overdue does not fit",
    { due: { 1: 10, 2: 20, 3: 900 }, quick: [3], running: { 9: 1 }, max: 2 },
    { start: [1], waiting: [2], moreWaiting: true },
  ],
  [
    "behavior 1.55: overdue checks that need few sockets do not overtake one that needs many",
    { due: { 1: 10, 2: 20, 3: 30 }, quick: [1, 3, 9], running: { 9: 1 }, max: 1 },
    { start: [1], waiting: [2, 3], moreWaiting: true },
  ],
  [
    "behavior 1.13, 1.55: slow checks that wait for other slow ones keep nothing else from starting",
    { due: { 1: 1, 2: 2, 3: 30, 4: 900 }, slow: [1, 2], max: 2, quick: [3, 4] },
    { start: [1, 3], early: [4], moreWaiting: true },
  ],
  [
    "what waits still cancels its outdated check",
    { due: { 3: 1, 1: 10, 2: 20 }, running: { 2: 5, 3: 1 }, quick: [2], max: 1, before: 100 },
    { cancel: [2], waiting: [1, 2], moreWaiting: true },
  ],
])("%s", (_, given, expected) => {
  expect(plan(given)).toEqual({
    start: [],
    early: [],
    cancel: [],
    moved: [],
    waiting: [],
    moreWaiting: false,
    ...expected,
  });
});
