import type { Clock } from "../../../src/clock.ts";
import { checkTimeout, nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Work, WorkItem } from "../../../src/domain/locations/protocol.ts";
import type { PlaceFault } from "../ledger.ts";
import type { EventLoop } from "./virtual-time.ts";

/** Loops that run every second look for work less often, which saves most of the events; milliseconds. */
const TICK = 2000;

/** Ticks begin so long before a slot, and go on so long after the check; milliseconds. */
const AROUND_SLOT = 2 * TICK;

/** Ticks go on for so long after a fault or a start; milliseconds. */
const AFTER_FAULT = 60_000;

const MAX_PAUSE = 600_000;

/** The ticks of a remote probe. Those between its checks are left out: they would find nothing. */
export interface PlaceTicks {
  every: Clock["every"];
  /** Takes an answer of the server, after which other checks may be due. */
  note(work: Work): void;
}

export function createPlaceTicks(loop: EventLoop, faults: readonly PlaceFault[]): PlaceTicks {
  const bornAt = loop.time.now;
  const replans = new Set<() => void>();
  let monitors: readonly WorkItem[] = [];
  let rechecks: readonly number[] = [];

  /** Milliseconds until the next tick. */
  function pause(): number {
    const { now } = loop.time;
    if (now < bornAt + AFTER_FAULT) return TICK;
    const busyAt = [
      ...monitors.map((item) => nextSlot(item, now) - AROUND_SLOT),
      ...rechecks.flatMap((at) => (at > now - AFTER_FAULT ? [at - AROUND_SLOT] : [])),
      ...faults.flatMap(({ from, to }) => (to + AFTER_FAULT > now ? [from - AFTER_FAULT] : [])),
    ];
    return Math.min(MAX_PAUSE, Math.max(TICK, Math.min(...busyAt) - now));
  }

  return {
    every(ms, task) {
      let isRunning = false;
      let cancel = plan();
      function plan() {
        return loop.after(Math.max(ms, pause()), run);
      }
      async function run(): Promise<void> {
        isRunning = true;
        try {
          await task();
        } finally {
          isRunning = false;
          if (replans.has(replan)) cancel = plan();
        }
      }
      function replan(): void {
        if (isRunning) return;
        cancel();
        cancel = plan();
      }
      replans.add(replan);
      return () => {
        replans.delete(replan);
        cancel();
      };
    },
    note(work) {
      if (work.monitors) monitors = work.monitors as WorkItem[];
      const asked = work.rechecks.map(({ at }) => at);
      if (!work.monitors && asked.every((at) => rechecks.includes(at))) return;
      rechecks = asked;
      for (const replan of replans) replan();
    },
  };
}

/** The slot whose check may run now, or else the next one. */
function nextSlot({ monitorId, config, offset }: WorkItem, now: number): number {
  return nextCheckAt(monitorId, config.interval, now - checkTimeout(config) - AROUND_SLOT, offset);
}
