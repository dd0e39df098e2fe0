import { expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { createLogger } from "../../../src/log.ts";
import type { Check } from "../../../src/probes/probe-messages.ts";
import type { CheckListeners } from "../../../src/probes/probe-thread.ts";
import { maxChecks } from "../../../src/runner/checks/concurrency-limit.ts";
import type { CheckRecorder } from "../../../src/runner/checks/run-check.ts";
import { createScheduler } from "../../../src/runner/checks/scheduler.ts";
import type { DueMonitor, Slot } from "../../../src/store/store.ts";
import { createTestClock } from "../../support/clock.ts";
import { alone } from "../../support/store/alone.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** With 1,500 monitors, 100 are due each second, as with 6,000 at 60 s. */
const INTERVAL = 15;

const MONITOR: Omit<DueMonitor, keyof Slot | "id"> = {
  type: "HTTP",
  config: { url: "http://127.0.0.1/", interval: INTERVAL },
  status: "unknown",
  revision: 1,
  claim: 0,
};

/** Checks take 70 % of 1,024 descriptors: enough for 89 with 8 sockets each. */
const SOCKETS = 89 * 8;

/** A machine that is given monitors which are all overdue. */
interface Machine {
  monitors: number;
  descriptors: number;
  /** How long a check takes, in milliseconds. */
  takes: (monitor: number) => number;
  /** How many sockets a check reports. */
  sockets: number;
  /** How long a result waits for its commit, in milliseconds; 0 by default. */
  commits?: number;
  /** How long a list of what is due takes, in milliseconds; 0 by default. */
  lists?: number;
}

/**
 * @property perSecond starts in each second
 * @property latest how late a check started after the second one of its monitor, in milliseconds
 * @property early how many were claimed before they were due while something overdue was not claimed
 * @property overtaken how many were claimed for the first time after a monitor that is less overdue
 */
interface Figures {
  checked: number;
  inFlight: number;
  perSecond: number[];
  latest: number;
  early: number;
  overtaken: number;
}

/** The due slots in memory, by monitor. */
function createSlots(monitors: number, begin: number) {
  const slots = new Map(Array.from({ length: monitors }, (_, pk) => [pk, begin - HOUR + pk]));
  const claimed = new Set<number>();
  const dueBy = (time: number): Slot[] =>
    [...slots]
      .filter(([, at]) => at < time)
      .map(([pk, nextCheckAt]) => ({ pk, nextCheckAt }))
      .sort((a, b) => a.nextCheckAt - b.nextCheckAt);
  return {
    dueBy,
    claim(wanted: readonly Slot[]): DueMonitor[] {
      for (const { pk } of wanted) claimed.add(pk);
      return wanted.map((slot) => ({ ...MONITOR, ...slot, id: String(slot.pk) }));
    },
    /** Whether something is overdue that is not claimed. */
    isAnyWaiting: (now: number) => dueBy(now).some(({ pk }) => !claimed.has(pk)),
    /** @returns when the monitor is due again */
    end(id: string, startAt: number): number {
      const next = nextCheckAt(id, INTERVAL, startAt);
      slots.set(Number(id), next);
      claimed.delete(Number(id));
      return next;
    },
  };
}

/** Runs the scheduler with its limits. Only the database and the network are replaced. */
async function runFor(seconds: number, machine: Machine): Promise<Figures> {
  const { monitors, descriptors, takes, sockets, commits = 0, lists = 0 } = machine;
  const clock = createTestClock();
  const begin = clock.now();
  const slots = createSlots(monitors, begin);
  const starts: number[] = [];
  const counts = new Map<string, number>();
  let inFlight = 0;
  const figures = { inFlight: 0, latest: 0, early: 0, overtaken: 0 };
  let lastFirst = Number.NEGATIVE_INFINITY;
  const run = async (check: Check, { onEnd }: CheckListeners = {}): Promise<Observation> => {
    starts.push(check.startAt);
    await clock.sleep(Math.max(0, check.startAt - clock.now()));
    figures.inFlight = Math.max(figures.inFlight, ++inFlight);
    await clock.sleep(takes(starts.length));
    inFlight--;
    onEnd?.(clock.now(), sockets);
    return { outcome: "reached", latencyMs: 1, detail: {} };
  };
  const recorder: CheckRecorder = {
    async record({ monitorId, startAt = 0, dueAt = 0 }) {
      const count = (counts.get(monitorId) ?? 0) + 1;
      counts.set(monitorId, count);
      if (commits > 0) await clock.sleep(commits);
      if (count > 2) figures.latest = Math.max(figures.latest, startAt - dueAt);
      return { resultId: null, nextCheckAt: slots.end(monitorId, startAt) };
    },
    holdsClaims: () => false,
  };
  const scheduler = createScheduler({
    store: {
      checks: {
        async listDueSlots(_by, { before }) {
          if (lists > 0) await clock.sleep(lists);
          return slots.dueBy(before);
        },
        async claim(wanted, _by, now) {
          const monitors = slots.claim(wanted);
          for (const { nextCheckAt } of wanted.filter(({ nextCheckAt: at }) => at < begin)) {
            if (nextCheckAt < lastFirst) figures.overtaken++;
            lastFirst = nextCheckAt;
          }
          if (slots.isAnyWaiting(now))
            figures.early += wanted.filter(({ nextCheckAt: at }) => at > now).length;
          return monitors;
        },
        recall: async () => 0,
      },
    },
    clock,
    probes: { run, cancel() {}, ping: async () => {} },
    recorder,
    claimant: () => alone,
    log: createLogger({ level: "silent", format: "json" }),
    max: maxChecks(descriptors),
  });
  scheduler.start();
  await clock.settle();
  await clock.advance(seconds * SECOND);
  const stopped = scheduler.stop(0);
  await clock.advance(1);
  await stopped;
  const perSecond = Map.groupBy(starts, (at) => Math.floor((at - begin) / SECOND));
  return {
    ...figures,
    checked: counts.size,
    perSecond: Array.from({ length: seconds }, (_, second) => perSecond.get(second)?.length ?? 0),
  };
}

test("behavior 1.12, 1.55: with few file descriptors, all of many overdue monitors are checked, and then each in its slot", async () => {
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 5, sockets: 1 };
  const figures = await runFor(34, machine);
  expect(figures.checked).toBe(1500);
  expect(figures.inFlight).toBeLessThanOrEqual(SOCKETS);
  // One overdue check each millisecond, and those that are due.
  expect(Math.max(...figures.perSecond)).toBeLessThanOrEqual(1170);
  expect(figures.latest).toBe(0);
  expect(figures.perSecond.slice(18, 32).every((count) => count > 50 && count < 170)).toBe(true);
}, 60_000);

test("behavior 1.55: while the sockets do not suffice, nothing starts early, and all monitors are checked in turn", async () => {
  // 89 whole checks at once are 111 each second.
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 800, sockets: 8 };
  const figures = await runFor(34, machine);
  expect(figures.checked).toBe(1500);
  expect(figures.inFlight).toBeLessThanOrEqual(89);
  expect(figures.early).toBe(0);
}, 60_000);

test("behavior 1.55: a socket that gets free is used again at once, in the order of the slots", async () => {
  // 77 of the 89 whole checks at once are for new monitors: 1,540 each second if each takes 50 ms.
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 50, sockets: 8, lists: 100 };
  const figures = await runFor(3, machine);
  expect(figures.inFlight).toBeLessThanOrEqual(89);
  expect(figures.perSecond[0]).toBeGreaterThan(700);
  expect(figures.checked).toBe(1500);
  expect(figures.early).toBe(0);
  expect(figures.overtaken).toBe(0);
}, 60_000);

test("behavior 1.55: a result that waits for its commit holds no sockets", async () => {
  const machine = { monitors: 1500, descriptors: 1024, takes: () => 5, sockets: 8, commits: 2000 };
  const figures = await runFor(3, machine);
  expect(figures.inFlight).toBeLessThanOrEqual(89);
  expect(figures.perSecond[0]).toBeGreaterThan(700);
}, 60_000);

test("behavior 1.13, 1.55: monitors that hang keep none of the others from their checks", async () => {
  const takes = (at: number) => (at % 20 === 0 ? 10_000 : 5);
  const figures = await runFor(34, { monitors: 300, descriptors: 1024, takes, sockets: 1 });
  expect(figures.checked).toBe(300);
  expect(figures.inFlight).toBeLessThanOrEqual(SOCKETS);
}, 60_000);
