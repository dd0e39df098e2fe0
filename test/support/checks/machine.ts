import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { createLogger } from "../../../src/log.ts";
import type { Check, CheckListeners } from "../../../src/probes/probe-thread.ts";
import { maxChecks } from "../../../src/runner/checks/concurrency-limit.ts";
import type { CheckRecorder } from "../../../src/runner/checks/run-check.ts";
import { createScheduler } from "../../../src/runner/checks/scheduler.ts";
import type { DueMonitor, Slot } from "../../../src/store/store.ts";
import { createTestClock } from "../clock.ts";
import { alone } from "../store/alone.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** A machine that is given monitors which are all overdue. */
export interface Machine {
  monitors: number;
  /** Seconds. With 1,500 monitors at the default of 15 s, 100 are due each second, as with 6,000 at 60 s. */
  interval?: number;
  descriptors: number;
  /** How long a check takes, in milliseconds. */
  takes: (monitor: number) => number;
  /** How many due checks a list has at most; by default as many as in the product. */
  pageSize?: number;
  /** How many sockets a check reports. */
  sockets: number;
  /** How long a result waits for its commit, in milliseconds; 0 by default. */
  commits?: number;
  /** How long a list of what is due takes, in milliseconds; 0 by default. */
  lists?: number;
  /** How long a claim takes, in milliseconds; 0 by default. */
  claims?: number;
}

/**
 * @property checked how many monitors had a check
 * @property perSecond starts in each second
 * @property latest how late a check started after the second one of its monitor, in milliseconds
 * @property early how many were claimed before they were due while something overdue was not claimed
 * @property overtaken how many were claimed for the first time after a monitor that is less overdue
 */
export interface Figures {
  checked: number;
  /** How many checks each monitor had, by its number. */
  counts: ReadonlyMap<number, number>;
  inFlight: number;
  perSecond: number[];
  latest: number;
  early: number;
  overtaken: number;
}

/** The slots in memory, the earliest first. */
function createSlots(monitors: number, { begin, interval }: { begin: number; interval: number }) {
  const slots: Slot[] = Array.from({ length: monitors }, (_, pk) => ({ pk, nextCheckAt: begin - HOUR + pk }));
  const byMonitor = [...slots];
  const claimed = new Set<number>();
  /** How many slots are earlier. */
  function countBefore(time: number): number {
    let [from, to] = [0, slots.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((slots[middle]?.nextCheckAt ?? time) < time) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    dueBy(time: number, page?: { after: Slot; limit: number }): Slot[] {
      const due = slots.slice(0, countBefore(time)).sort(compareSlots);
      return page ? due.filter((slot) => compareSlots(slot, page.after) > 0).slice(0, page.limit) : due;
    },
    claim(wanted: readonly Slot[]): DueMonitor[] {
      for (const { pk } of wanted) claimed.add(pk);
      const monitor = { type: "HTTP", status: "unknown", revision: 1, claim: 0 } as const;
      return wanted.map((slot) => ({
        ...{ ...monitor, ...slot, id: String(slot.pk) },
        config: { url: `http://127.0.0.1/${slot.pk}`, interval },
      }));
    },
    /** Whether something is overdue that is not claimed. */
    isAnyWaiting(now: number): boolean {
      for (const { pk, nextCheckAt: at } of slots) {
        if (at >= now) return false;
        if (!claimed.has(pk)) return true;
      }
      return false;
    },
    /** @returns when the monitor is due again */
    end(id: string, startAt: number): number {
      const pk = Number(id);
      const slot = { pk, nextCheckAt: nextCheckAt(id, interval, startAt) };
      slots.splice(slots.indexOf(byMonitor[pk] as Slot, countBefore(byMonitor[pk]?.nextCheckAt ?? 0)), 1);
      slots.splice(countBefore(slot.nextCheckAt), 0, slot);
      byMonitor[pk] = slot;
      claimed.delete(pk);
      return slot.nextCheckAt;
    },
  };
}

/** The number of the monitor, from its URL. */
function numberOf({ config }: Check): number {
  return "url" in config ? Number(new URL(config.url).pathname.slice(1)) : Number.NaN;
}

function compareSlots(a: Slot, b: Slot): number {
  return a.nextCheckAt - b.nextCheckAt || a.pk - b.pk;
}

/** Runs the scheduler with its limits. Only the database and the network are replaced. */
export async function runFor(seconds: number, machine: Machine): Promise<Figures> {
  const { monitors, interval = 15, descriptors, takes, sockets, commits = 0 } = machine;
  const { lists = 0, claims = 0, pageSize } = machine;
  const clock = createTestClock();
  const begin = clock.now();
  const slots = createSlots(monitors, { begin, interval });
  const starts: number[] = [];
  const counts = new Map<number, number>();
  let inFlight = 0;
  const figures = { inFlight: 0, latest: 0, early: 0, overtaken: 0 };
  let lastFirst = Number.NEGATIVE_INFINITY;
  const run = async (check: Check, { onEnd }: CheckListeners = {}): Promise<Observation> => {
    starts.push(check.startAt);
    await clock.sleep(Math.max(0, check.startAt - clock.now()));
    figures.inFlight = Math.max(figures.inFlight, ++inFlight);
    await clock.sleep(takes(numberOf(check)));
    inFlight--;
    onEnd?.(clock.now(), sockets);
    return { outcome: "reached", latencyMs: 1, detail: {} };
  };
  const recorder: CheckRecorder = {
    async record({ monitorId, startAt = 0, dueAt = 0 }) {
      const count = (counts.get(Number(monitorId)) ?? 0) + 1;
      counts.set(Number(monitorId), count);
      if (commits > 0) await clock.sleep(commits);
      if (count > 2) figures.latest = Math.max(figures.latest, startAt - dueAt);
      return { resultId: null, nextCheckAt: slots.end(monitorId, startAt) };
    },
    holdsClaims: () => false,
  };
  const scheduler = createScheduler({
    store: {
      checks: {
        async listDueSlots(_by, { before, page }) {
          if (lists > 0) await clock.sleep(lists);
          return slots.dueBy(before, page);
        },
        async claim(wanted, _by, now) {
          if (claims > 0) await clock.sleep(claims);
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
    log: createLogger({ level: "silent" }),
    max: maxChecks(descriptors),
    ...(pageSize !== undefined && { pageSize }),
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
    ...{ checked: counts.size, counts },
    perSecond: Array.from({ length: seconds }, (_, second) => perSecond.get(second)?.length ?? 0),
  };
}
