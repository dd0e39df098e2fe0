import { expect, test } from "bun:test";
import { judge, type Run } from "../scripts/bench/faults/judge.ts";

const SECOND = 1000;
const START = 1_800_000_000_000;
const HOUR = 3_600_000;
const after = (seconds: number) => START + seconds * SECOND;

/** One HTTP target. The fault lasts from 10 s to 20 s, and the target is down from 15 s to 44 s. */
function run(statuses: [status: string, at: number][], received: number[], offsets = [0]): Run {
  const rows = statuses.map(([status, at]) => ({
    ...{ id: String(at), status, createdAt: after(at), detail: null },
  }));
  const notifications = received.map((at) => {
    const row = rows.find(({ id }) => id === String(at));
    if (!row) throw new Error(`no result at ${at} s`);
    const { id: resultId, status, createdAt } = row;
    return { id: `delivery ${at}`, at: createdAt, monitor: "site", status, resultId, createdAt };
  });
  return {
    targets: [{ name: "site", type: "HTTP", course: "falls" }],
    results: new Map([["site", rows]]),
    report: {
      outages: { site: [{ from: after(15), to: after(44) }] },
      attempts: {},
      haveCheckedIn: true,
      notifications,
      stalls: [],
    },
    whole: { from: START, to: after(60) },
    fault: { from: after(10), to: after(20) },
    offsets,
  };
}

const RIGHT: [string, number][] = [
  ["up", 5],
  ["down", 21],
  ["up", 45],
];

function countsOf(one: Run) {
  const { falseStatuses, falseNotifications, missed, lostOrRepeated } = judge(one);
  return [falseStatuses, falseNotifications, missed, lostOrRepeated].map(({ length }) => length);
}

test("statuses and notifications that the log of the target explains are right", () => {
  expect(countsOf(run(RIGHT, [21, 45]))).toEqual([0, 0, 0, 0]);
});

test("a status that the log does not explain is false, and so is its notification", () => {
  const wrong: [string, number][] = [["up", 5], ["down", 8], ["up", 9], ...RIGHT.slice(1)];
  expect(countsOf(run(wrong, [8, 9, 21, 45]))).toEqual([1, 1, 0, 0]);
  expect(countsOf(run([["up", 5], ["degraded", 8], ["up", 9], ...RIGHT.slice(1)], [8, 9, 21, 45]))).toEqual([
    1, 1, 0, 0,
  ]);
  // Long after the outage began.
  expect(
    countsOf(run([...RIGHT.slice(0, 2), ["up", 30], ["down", 31], ...RIGHT.slice(2)], [21, 30, 31, 45])),
  ).toEqual([1, 1, 0, 0]);
});

test("an outage that is noticed too late, and a monitor without a check after the fault, are missed", () => {
  expect(
    countsOf(
      run(
        [
          ["up", 5],
          ["down", 40],
          ["up", 45],
        ],
        [40, 45],
      ),
    ),
  ).toEqual([0, 0, 1, 0]);
  expect(
    countsOf(
      run(
        [
          ["up", 5],
          ["down", 21],
        ],
        [21],
      ),
    ),
  ).toEqual([0, 0, 2, 0]);
});

test("a transition without a notification is lost, and one with two is repeated", () => {
  expect(countsOf(run(RIGHT, [21]))).toEqual([0, 0, 1, 1]);
  expect(countsOf(run(RIGHT, [21, 21, 45]))).toEqual([0, 0, 0, 1]);
});

test("times of a clock that was wrong are those of its offsets", () => {
  const shifted: [string, number][] = [
    ["up", 5],
    ["down", 21 + HOUR / SECOND],
    ["up", 45],
  ];
  const one = run(shifted, [45]);
  expect(countsOf(one)[0]).toBe(1);
  expect(countsOf({ ...one, offsets: [0, HOUR] })[0]).toBe(0);
});
