import { type Clock, createJumpDetector, createJumpListeners, type Task } from "../../../src/clock.ts";
import type { Logger } from "../../../src/log.ts";
import type { DueTimes, Part } from "./due-times.ts";
import type { Machine } from "./machine.ts";
import { Ticker } from "./ticker.ts";
import type { EventLoop } from "./virtual-time.ts";

const SECOND = 1000;
const HOUR = 3_600_000;

const LONG_GAP = 12 * HOUR;

/** See `patternOf` of the system clock. */
const PHASE_OF_HOUR = (3 * 60 + 17) * SECOND;

/** After a request of an operator, milliseconds. */
const WINDOWS_DENSE = 5 * SECOND;

const MAX_GAPS = {
  heartbeats: LONG_GAP,
  scheduler: LONG_GAP,
  dispatcher: LONG_GAP,
  review: LONG_GAP,
  maintenances: LONG_GAP,
  // Old rows are deleted later because of it, which makes no difference to the rest.
  housekeeping: LONG_GAP,
};

/** Only the heartbeats do something in a second in which nothing is due: they note that the server is alive. */
const DENSITIES: Record<Exclude<Part, "maintenances">, (machine: Machine) => () => number> = {
  heartbeats: (machine) => () => machine.denseFrom(),
  scheduler: (machine) => () => machine.denseAfterFault(),
  dispatcher: (machine) => () => machine.denseAfterFault(),
  review: (machine) => () => machine.denseAfterFault(),
  housekeeping: () => () => Number.POSITIVE_INFINITY,
};

export interface ServerClock {
  /** The clock for one part: all show the same time. */
  of(part: Part): Clock;
  /** Plans the ticks of a part again. */
  refresh(part: Part): void;
  refreshAll(): void;
  /** Leaves out no look at the windows for some seconds. */
  lookAtWindows(): void;
  /** Whether the running tick of the heartbeats represents those that were left out before it. */
  isMakingUp(): boolean;
  /** No tick runs any more. */
  stop(): void;
}

/** The clock of one life of the server. It differs from the system clock only in its source of time. */
export function createServerClock({
  machine,
  loop,
  log,
  due,
  everyTick = false,
}: {
  machine: Machine;
  loop: EventLoop;
  log: Logger;
  due: DueTimes;
  /** Leaves out no tick. */
  everyTick?: boolean;
}): ServerClock {
  const { time } = machine;
  /** True time. */
  let windowsDenseUntil = Number.NEGATIVE_INFINITY;
  const jumps = createJumpListeners();
  const read = () => ({ wall: machine.wall(), monotonic: loop.monotonic() });
  const detectJump = createJumpDetector(read());
  const tickers = new Map<Part, Set<Ticker>>();

  async function run(task: Task): Promise<void> {
    try {
      await task();
    } catch (error) {
      log.error({ err: error }, "a scheduled task failed");
    }
  }

  const shared = {
    now() {
      const reading = read();
      const jump = detectJump(reading);
      if (jump) jumps.notify(jump);
      return reading.wall;
    },
    monotonic: () => loop.monotonic(),
    sleep: (ms: number) => new Promise<void>((resolve) => void loop.after(ms, resolve)),
    after: (ms: number, task: Task) => loop.after(ms, () => void run(task)),
    onJump: jumps.add,
  };

  function every(part: Part, period: number, task: Task) {
    const ticker = new Ticker(machine, loop, {
      period,
      phase: period === HOUR ? PHASE_OF_HOUR : 0,
      longestGap: everyTick ? period : Math.max(period, MAX_GAPS[part]),
      noticesGaps: part === "heartbeats",
      denseFrom: part === "maintenances" ? windowsDenseFrom : DENSITIES[part](machine),
      dueAt: everyTick ? () => Number.NEGATIVE_INFINITY : () => due.of(part),
      task: () => run(task),
    });
    const ofPart = tickers.get(part) ?? new Set();
    tickers.set(part, ofPart.add(ticker));
    time.add(ticker);
    return () => {
      ofPart.delete(ticker);
      time.remove([ticker]);
    };
  }

  const windowsDenseFrom = () => (time.now < windowsDenseUntil ? time.now : machine.denseAfterFault());
  const refresh = (part: Part) => {
    due.changed(part);
    for (const ticker of tickers.get(part) ?? []) ticker.refresh();
  };
  return {
    of: (part) => ({ ...shared, every: (ms, task) => every(part, ms, task) }),
    refresh,
    lookAtWindows() {
      windowsDenseUntil = time.now + WINDOWS_DENSE;
      refresh("maintenances");
    },
    isMakingUp: () => [...(tickers.get("heartbeats") ?? [])].some((ticker) => ticker.isMakingUp()),
    refreshAll() {
      for (const part of tickers.keys()) refresh(part);
    },
    stop: () => time.remove([...tickers.values()].flatMap((ofPart) => [...ofPart])),
  };
}
