import { expect, setDefaultTimeout, test } from "bun:test";
import { maxChecks } from "../../../src/runner/checks/concurrency-limit.ts";
import { runFor } from "../../support/checks/machine.ts";
import { isLong } from "../../support/long.ts";

setDefaultTimeout(300_000);

/** Checks take 70 % of 1,024 descriptors: enough for 89 with 8 sockets each. */
const SOCKETS = 89 * 8;

test("behavior 1.12, 1.55: with few file descriptors, all of many overdue monitors are checked, and then each in its slot", async () => {
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 5, sockets: 1 };
  const figures = await runFor(34, machine);
  expect(figures.checked).toBe(1500);
  expect(figures.inFlight).toBeLessThanOrEqual(SOCKETS);
  // One overdue check each millisecond, and those that are due.
  expect(Math.max(...figures.perSecond)).toBeLessThanOrEqual(1170);
  expect(figures.latest).toBe(0);
  expect(figures.perSecond.slice(18, 32).every((count) => count > 50 && count < 170)).toBe(true);
});

/** At the rates at which checks that are claimed before they are due could take all the sockets from overdue ones. */
const rates = [
  { descriptors: 1024, monitors: 1500, interval: 15 },
  { descriptors: 20_000, monitors: 10_000, interval: 6 },
  { descriptors: 65_536, monitors: 12_000, interval: 2 },
];

test.each(isLong ? rates : rates.slice(0, 1))(
  "behavior 1.12, 1.55: with $descriptors file descriptors, $monitors overdue monitors are all checked within 9 s, evenly",
  async (given) => {
    const { descriptors, monitors } = given;
    const figures = await runFor(9, { ...given, takes: () => 5, sockets: 1, lists: 10, claims: 2 });
    expect(figures.checked).toBe(monitors);
    expect(figures.inFlight).toBeLessThanOrEqual(maxChecks(descriptors) * 8);
    const [first = 0, second = 0] = figures.perSecond;
    expect(first).toBeWithin(Math.min(900, monitors / 9), Math.max(1000, (monitors / 8) * 1.1));
    expect(first + second).toBeGreaterThan((2 * monitors) / 9);
  },
);

test("behavior 1.55: while the sockets do not suffice, nothing starts early, and all monitors are checked in turn", async () => {
  // 89 whole checks at once are 111 each second.
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 800, sockets: 8 };
  const figures = await runFor(34, machine);
  expect(figures.checked).toBe(1500);
  expect(figures.inFlight).toBeLessThanOrEqual(89);
  expect(figures.early).toBe(0);
});

test("behavior 1.55: a socket that gets free is used again at once, in the order of the slots", async () => {
  // 77 of the 89 whole checks at once are for new monitors: 1,540 each second if each takes 50 ms.
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 50, sockets: 8, lists: 100 };
  const figures = await runFor(3, machine);
  expect(figures.inFlight).toBeLessThanOrEqual(89);
  expect(figures.perSecond[0]).toBeGreaterThan(700);
  expect(figures.checked).toBe(1500);
  expect(figures.early).toBe(0);
  expect(figures.overtaken).toBe(0);
});

test("behavior 1.55: a result that waits for its commit holds no sockets", async () => {
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 5, sockets: 8, commits: 2000 };
  const figures = await runFor(3, machine);
  expect(figures.inFlight).toBeLessThanOrEqual(89);
  expect(figures.perSecond[0]).toBeGreaterThan(700);
});

test("behavior 1.13, 1.55: monitors that hang keep none of the others from their checks", async () => {
  const takes = (at: number) => (at % 20 === 0 ? 10_000 : 5);
  const figures = await runFor(34, { monitors: 300, descriptors: 1024, takes, sockets: 1 });
  expect(figures.checked).toBe(300);
  expect(figures.inFlight).toBeLessThanOrEqual(SOCKETS);
});

test("behavior 1.13: more hanging monitors than one list has hide none of the others", async () => {
  const takes = (monitor: number) => (monitor % 2 === 0 ? 10_000 : 5);
  const figures = await runFor(60, { monitors: 300, descriptors: 1024, takes, sockets: 8, pageSize: 20 });
  const counts = [...figures.counts].filter(([monitor]) => monitor % 2 === 1).map(([, count]) => count);
  expect(counts).toHaveLength(150);
  // Overdue at first, and then each 15 s, of which the hanging ones delay the first by 10 s.
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
});
