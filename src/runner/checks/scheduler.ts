import type { Clock } from "../../clock.ts";
import { checkTimeout } from "../../domain/checks/check-slot.ts";
import type { Logger } from "../../log.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";
import type { Claimant, DueMonitor, Slot, Store } from "../../store/store.ts";
import { createFaultLog, createLoop } from "../loop.ts";
import {
  createRunningChecks,
  maxChecks,
  NOTHING,
  type RunningCheck,
  type RunningChecks,
} from "./concurrency-limit.ts";
import { createDueStarts, createScanTrigger, LOOK_AHEAD } from "./due-starts.ts";

import {
  AccessFault,
  type CheckRecorder,
  type FindRegistration,
  OfflineError,
  runCheck,
} from "./run-check.ts";

const SCAN_EVERY = 1000;

/** How long a caller waits for a scan, in milliseconds. */
const REFRESH_WITHIN = 1000;

/** Pause after a check that gave no result because of a fault of this machine; milliseconds. */
const PAUSE_AFTER_FAULT = 1000;

/** Starts the checks that are due. */
export interface Scheduler {
  start(): void;
  /** Scans immediately for due checks, for example after a monitor was created. */
  wake(): void;
  /**
   * Scans, and resolves when the probe thread has cancelled the checks that began before a change of their monitor (behavior
   * 1.57). Waits a second at most.
   */
  refresh(): Promise<void>;
  /** When due checks were last scanned, in milliseconds of the monotonic clock. */
  scannedAt(): number;
  /** How many checks are running. */
  running(): number;
  /** Starts no more checks and waits for the running ones. @param timeout milliseconds */
  stop(timeout: number): Promise<void>;
}

export function createScheduler({
  store,
  clock,
  probes,
  recorder,
  claimant,
  log,
  max = maxChecks(),
  running = createRunningChecks(clock, max),
  retries = createRetries(clock),
  pageSize,
  findRegistration = () => undefined,
}: {
  store: Pick<Store, "checks">;
  clock: Clock;
  probes: Pick<ProbeThread, "run" | "cancel" | "ping" | "network">;
  recorder: CheckRecorder;
  claimant: () => Claimant;
  log: Logger;
  /** Concurrent checks. */
  max?: number;
  /** A simulation reads from these which due checks a scan can't start. */
  running?: RunningChecks;
  retries?: Retries;
  /** How many due checks are listed at once. */
  pageSize?: number;
  /** Default: for a location, of whose checks only the server knows the registration. */
  findRegistration?: FindRegistration;
}): Scheduler {
  const faults = createOwnFaults(log);
  const access = createAccessFaults(log);
  const loop = createLoop({
    clock,
    every: SCAN_EVERY,
    // A scan does not look ahead far enough to leave out a tick.
    onTick: wake,
    task: () =>
      scan().catch((error) => {
        due.mustList();
        throw error;
      }),
    onJump({ from, to }) {
      if (to < from) needsRecall = true;
    },
    faults: createFaultLog(log, "due monitors could not be read"),
  });
  const trigger = createScanTrigger({ clock, scan: wake, refill: loop.wake, lookAhead: LOOK_AHEAD });
  const due = createDueStarts({
    ...{ store, clock, claimant, running, retries, trigger, pageSize },
    isStopped: loop.isStopped,
    cancel: cancelCheck,
    start: startAll,
  });
  const parts = { clock, probes, recorder, running, retries, onSettled: trigger.settled, findRegistration };
  let scannedAt = clock.monotonic();
  /** The clock may have been set back, at first while the service was stopped. */
  let needsRecall = true;

  function wake(): void {
    due.mustList();
    loop.wake();
  }

  async function scan(): Promise<void> {
    faults.log();
    const now = clock.now();
    running.update();
    if (!recorder.holdsClaims()) await due.start(now);
    scannedAt = clock.monotonic();
    // Last, because it writes, and a locked database must not keep checks from running.
    if (needsRecall) await recall(now);
  }

  /** Ends a check that began before a change of its monitor, so that the next one need not wait for it. */
  function cancelCheck(pk: number): void {
    const outdated = running.byMonitor.get(pk);
    if (!outdated) return;
    probes.cancel(outdated.check);
    running.end(outdated);
  }

  /** Spreads the starts of overdue checks. The others keep their slots, which are spread already. */
  function startAll(
    monitors: DueMonitor[],
    { delays, claimedAt }: { delays: readonly number[]; claimedAt: number },
  ): void {
    // The time of the start, not of the scan: a check that starts after the end of its slot uses up the next one.
    const now = clock.now();
    for (const [at, monitor] of monitors.entries()) {
      const wait = monitor.nextCheckAt - now;
      startCheck(monitor, { claimedAt, now, delay: wait > 0 ? wait : (delays[at] ?? 0) });
    }
  }

  function startCheck(
    monitor: DueMonitor,
    { claimedAt, now, delay }: { claimedAt: number; now: number; delay: number },
  ): void {
    const { pk, type, config, nextCheckAt: slot } = monitor;
    const heldUntil = retries.wasHeld(monitor) ? claimedAt : undefined;
    const check = { type, config, timeout: checkTimeout(config), startAt: now + delay };
    const startAt = clock.monotonic() + delay;
    const started: RunningCheck = { pk, monitor, slot, heldUntil, startAt, check, usage: NOTHING };
    running.start(started);
    started.ended = run(started);
  }

  /** After a fault of this machine the monitor stays due, so that a later scan checks it again (behavior 1.47). */
  async function run(current: RunningCheck): Promise<void> {
    const { pk, config } = current.monitor;
    try {
      const wait = await runCheck(current, parts);
      access.succeeded(pk);
      running.end(current, current.sockets);
      if (wait !== undefined) trigger.ended(wait);
    } catch (error) {
      postpone(current, config.interval, error);
      if (!loop.isStopped()) await clock.sleep(PAUSE_AFTER_FAULT);
      running.end(current);
    }
  }

  /** A network that is offline is logged once, not with each check. */
  function postpone(current: RunningCheck, interval: number, error: unknown): void {
    const slot = { pk: current.pk, nextCheckAt: current.slot };
    if (error instanceof OfflineError) {
      retries.offline(slot, interval);
      return;
    }
    if (error instanceof AccessFault) access.failed(current.monitor, error);
    else faults.add(error);
    retries.failed(slot, interval);
  }

  function retryOffline(): void {
    retries.online();
    wake();
  }

  /** Makes due what is due later than its interval allows (behavior 1.17). */
  async function recall(now: number): Promise<void> {
    needsRecall = false;
    try {
      if ((await store.checks.recall(now)) > 0) wake();
    } catch (error) {
      needsRecall = true;
      throw error;
    }
  }

  async function refresh(): Promise<void> {
    due.mustList();
    await loop.run();
    // Its commands are in order. A thread that has died makes no checks.
    await probes.ping().catch(() => {});
  }

  return {
    start() {
      scannedAt = clock.monotonic();
      loop.start();
      probes.network?.onChange((state) => {
        if (state === "online") retryOffline();
      });
      wake();
    },
    wake,
    refresh: () => Promise.race([refresh(), clock.sleep(REFRESH_WITHIN)]),
    scannedAt: () => scannedAt,
    running: () => running.byMonitor.size,
    async stop(timeout) {
      const scanned = loop.stop();
      trigger.stop();
      const ends = [...running.byMonitor.values()].map(({ ended }) => ended);
      // A claim that is under way must not follow the release of all claims.
      await Promise.race([Promise.all([scanned, ...ends]), clock.sleep(timeout)]);
    },
  };
}

/** Collects the faults of this service that kept checks from a result. */
interface OwnFaults {
  add(error: unknown): void;
  /** Logs those since the last call, in one line, because most faults affect all checks. */
  log(): void;
}

function createOwnFaults(log: Pick<Logger, "error">): OwnFaults {
  let faults: unknown[] = [];
  return {
    add: (error) => void faults.push(error),
    log() {
      const [first] = faults;
      if (first)
        log.error({ err: first, checks: faults.length }, "checks could not be made and are run again");
      faults = [];
    },
  };
}

/** Logs what keeps the checks of a monitor from its target: once, and again when it is something else, or has passed. */
interface AccessFaults {
  failed(monitor: Pick<DueMonitor, "pk" | "id">, fault: AccessFault): void;
  succeeded(pk: number): void;
}

/** A monitor that is deleted meanwhile stays among them until there are so many. */
const MAX_FAILING = 10_000;

function createAccessFaults(log: Pick<Logger, "warn">): AccessFaults {
  /** The messages by monitor. */
  const failing = new Map<number, string>();
  return {
    failed({ pk, id }, { reason, message }) {
      if (failing.get(pk) === message) return;
      if (failing.size >= MAX_FAILING) failing.clear();
      failing.set(pk, message);
      log.warn({ monitor: id, reason, cause: message }, "a monitor can't be checked");
    },
    succeeded: (pk) => void failing.delete(pk),
  };
}

/** The first failures may be a short fault of this machine. Each pause after them is twice as long; milliseconds. */
const SHORT_FAULTS = 3;

const SHORTEST_PAUSE = 1000;

/** How often the entries of monitors are deleted that are no longer checked, in milliseconds. */
const SWEEP_EVERY = 60 * 60 * 1000;

/**
 * Postpones checks whose slot stays due because nothing was recorded for it. Any change of the monitor gives it another
 * slot, which is not postponed.
 */
export interface Retries {
  isWaiting(check: Slot): boolean;
  /** When a postponed check may start, in milliseconds of the monotonic clock; a past time if it is not postponed. */
  waitsUntil(check: Slot): number;
  /**
   * Because of a fault of this machine the check gave no result. It is repeated soon, and at most once per interval if the fault
   * lasts. @param interval of the monitor, in seconds
   */
  failed(check: Slot, interval: number): void;
  /** The network of this machine was offline. It is repeated when the network is back, and at most once per interval until then. */
  offline(check: Slot, interval: number): void;
  /** The network is back. */
  online(): void;
  /** The result is held in memory. @param pause milliseconds until the next slot */
  held(check: Slot, pause: number): void;
  /** Whether a result of the slot was held: when it is written, the monitor gets a later slot. */
  wasHeld(check: Slot): boolean;
  /** The result is recorded. */
  succeeded(pk: number): void;
}

interface Postponed {
  slot: number;
  failures: number;
  until: number;
  isOffline?: true;
  isHeld?: true;
}

export function createRetries(clock: Pick<Clock, "monotonic">): Retries {
  /** By monitor. */
  const waiting = new Map<number, Postponed>();
  let sweptAt = clock.monotonic();

  function sweep(now: number): void {
    if (now < sweptAt + SWEEP_EVERY) return;
    sweptAt = now;
    for (const [pk, { until }] of waiting) if (now > until + SWEEP_EVERY) waiting.delete(pk);
  }

  function postpone(
    { pk, nextCheckAt: slot }: Slot,
    { pause, ...why }: { pause: number; failures: number; isOffline?: true; isHeld?: true },
  ) {
    const now = clock.monotonic();
    sweep(now);
    waiting.set(pk, { slot, ...why, until: now + pause });
  }

  function waitsUntil({ pk, nextCheckAt }: Slot): number {
    const last = waiting.get(pk);
    return last?.slot === nextCheckAt ? last.until : Number.NEGATIVE_INFINITY;
  }

  return {
    // Most scans ask this for thousands of checks, of which none is postponed.
    isWaiting: (check) => waiting.size > 0 && clock.monotonic() < waitsUntil(check),
    waitsUntil,
    failed(check, interval) {
      const last = waiting.get(check.pk);
      const failures = last?.slot === check.nextCheckAt ? last.failures + 1 : 1;
      const pause = SHORTEST_PAUSE * 2 ** Math.max(0, failures - SHORT_FAULTS);
      postpone(check, { pause: Math.min(pause, interval * 1000), failures });
    },
    offline: (check, interval) => postpone(check, { pause: interval * 1000, failures: 0, isOffline: true }),
    online() {
      for (const [pk, { isOffline }] of waiting) if (isOffline) waiting.delete(pk);
    },
    held: (check, pause) => postpone(check, { pause, failures: 0, isHeld: true }),
    wasHeld: ({ pk, nextCheckAt }) =>
      waiting.get(pk)?.slot === nextCheckAt && waiting.get(pk)?.isHeld === true,
    succeeded: (pk) => void waiting.delete(pk),
  };
}
