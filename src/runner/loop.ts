import type { Cancel, Clock, ClockJump } from "../clock.ts";
import { StorageFault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { NetworkView } from "../probes/probe-thread.ts";
import type { Claimant, Store } from "../store/store.ts";

/** A task in the background. Two runs of it never overlap. */
export interface Loop {
  /** Starts the timer, and follows the clock. */
  start(): void;
  /** Requests a run: it begins now, or after the current run and the pause. All requests until then share it. */
  wake(): void;
  /** Requests a run. Resolves after it, also if it failed; if the loop is stopped, after the current run. */
  run(): Promise<void>;
  isStopped(): boolean;
  /** Starts no more runs, and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * @property faults gets the outcome of each run
 * @property every milliseconds between two ticks of the timer: see `Clock.every`. Default: runs only if it is requested
 * @property onTick what a tick does. Default: it runs the task, and is skipped while the run of an earlier tick lasts
 * @property pause milliseconds from the end of one run to the start of the next; read at a request. Requests in the same turn
 *   of the event loop then share a run too. Default: a run begins within the call that requests it
 */
interface LoopOptions {
  clock: Clock;
  task: () => Promise<void>;
  faults: FaultLog;
  every?: number;
  onTick?: () => void;
  pause?: () => number;
  onJump?: (jump: ClockJump) => void;
}

export function createLoop({ clock, task, faults, every, onTick, pause, onJump }: LoopOptions): Loop {
  const cancels: Cancel[] = [];
  let current: Promise<void> | undefined;
  /** The run that is requested and has not begun. */
  let next: PromiseWithResolvers<void> | undefined;
  let cancelNext: Cancel | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  function run(): Promise<void> {
    if (isStopped) return current ?? Promise.resolve();
    if (next) return next.promise;
    const requested = Promise.withResolvers<void>();
    next = requested;
    if (!current) plan(requested);
    return requested.promise;
  }

  function plan(requested: PromiseWithResolvers<void>): void {
    if (!pause) void begin(requested);
    else cancelNext = clock.after(Math.max(0, endedAt + pause() - clock.monotonic()), () => begin(requested));
  }

  async function begin({ promise, resolve }: PromiseWithResolvers<void>): Promise<void> {
    next = undefined;
    current = promise;
    try {
      await task();
      faults.succeeded();
    } catch (error) {
      faults.failed(error);
    }
    endedAt = clock.monotonic();
    current = undefined;
    resolve();
    if (next && !isStopped) plan(next);
  }

  return {
    start() {
      if (every !== undefined) cancels.push(clock.every(every, onTick ?? run));
      if (onJump) cancels.push(clock.onJump(onJump));
    },
    wake: () => void run(),
    run,
    isStopped: () => isStopped,
    async stop() {
      isStopped = true;
      for (const cancel of cancels) cancel();
      cancelNext?.();
      await current;
      next?.resolve();
    },
  };
}

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A smaller jump makes no difference to what is old enough to be deleted. */
const TOLERANCE = MINUTE;

/** How long the clock must run without a jump before it is trusted again. */
const TRUSTED_AFTER = HOUR;

/** After a longer stop of the service, its clock is not trusted at first. */
const MAX_STOP = DAY;

/** Decides whether the wall clock may decide what is deleted. A wrong clock is mostly corrected within an hour. */
export interface SteadyClock {
  isSteady(): boolean;
  stop(): void;
}

/** @param knownAt when the clock was last known to be steady, before the start; null if it never was */
export function createSteadyClock(
  clock: Pick<Clock, "now" | "monotonic" | "onJump">,
  knownAt: number | null,
): SteadyClock {
  const isDoubtful = knownAt !== null && clock.now() - knownAt > MAX_STOP;
  let steadySince = isDoubtful ? clock.monotonic() : Number.NEGATIVE_INFINITY;
  const stop = clock.onJump(({ from, to }) => {
    if (Math.abs(to - from) > TOLERANCE) steadySince = clock.monotonic();
  });
  return { isSteady: () => clock.monotonic() - steadySince >= TRUSTED_AFTER, stop };
}

/** How long a claim lasts by default, in milliseconds. */
const LEASE = 10_000;

/** The share of the lease after which it is extended: enough is left for the work that follows. */
const EXTEND_AFTER = 0.3;

/** A claim of work that only one node at a time does. */
interface WorkClaim {
  /** Takes the claim, or extends it. @returns whether this node may do the work */
  take(): Promise<boolean>;
}

/** @param name of the work @param lease milliseconds, in which one round of the work must end */
export function createWorkClaim(
  name: string,
  {
    store,
    clock,
    claimant,
    lease = LEASE,
  }: {
    store: Pick<Store, "claims">;
    clock: Pick<Clock, "now" | "monotonic">;
    claimant: () => Claimant;
    lease?: number;
  },
): WorkClaim {
  /** In milliseconds of the monotonic clock. */
  let takenAt = Number.NEGATIVE_INFINITY;
  return {
    async take() {
      const startedAt = clock.monotonic();
      if (startedAt - takenAt < lease * EXTEND_AFTER) return true;
      if (!(await store.claims.take(name, claimant(), { now: clock.now(), lease }))) return false;
      takenAt = startedAt;
      return true;
    },
  };
}

/** Logs a lasting fault of something that runs again and again: once, and again after it has passed. */
export interface FaultLog {
  failed(error: unknown): void;
  succeeded(): void;
}

export function createFaultLog(
  log: Pick<Logger, "error" | "warn">,
  message: string,
  level: "error" | "warn" = "error",
): FaultLog {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) log[level]({ err: error }, message);
      isFailing = true;
    },
    succeeded() {
      isFailing = false;
    },
  };
}

/** For how long, and how often, in milliseconds. */
const RETRY_FOR = 30_000;
const RETRY_AFTER = 500;

/**
 * Repeats a step of the start while a database that nodes share is away: it may restart just now (behavior 12.3).
 *
 * @throws what the last repetition threw
 */
export async function withRetry<Result>(
  clock: Pick<Clock, "monotonic" | "sleep">,
  step: () => Promise<Result>,
): Promise<Result> {
  const until = clock.monotonic() + RETRY_FOR;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StorageFault) || clock.monotonic() >= until) throw error;
    }
    await clock.sleep(RETRY_AFTER);
  }
}

/** Logs when the network of this machine goes and comes back (behavior 13.55). @param network undefined without the setting */
export function logNetwork(network: NetworkView | undefined, log: Logger): void {
  network?.onChange((state) => {
    if (state === "online") log.info("the network of this machine is online again");
    else
      log.error(
        "the network of this machine is offline: none of the servers of --network-check can be connected to; checks without any answer are not recorded",
      );
  });
}
