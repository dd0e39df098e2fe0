import type { Cancel, Clock } from "../../clock.ts";
import { checkTimeout, nextCheckAt } from "../../domain/checks/check-slot.ts";
import type { Evidence, Observation } from "../../domain/checks/observation.ts";
import type { Logger } from "../../log.ts";
import type { Check } from "../../probes/probe-messages.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";
import type { DueMonitor, Store } from "../../store/store.ts";
import { createCoalescedLoop } from "../coalesced-loop.ts";
import { createCatchUp } from "./catch-up.ts";
import { createConcurrencyLimit, maxChecks } from "./concurrency-limit.ts";
import { planStarts } from "./plan-starts.ts";
import type { Recorder } from "./recorder.ts";
import { createRetries } from "./retries.ts";
import { mayChangeStatus } from "./status-change.ts";

const SCAN_EVERY = 1000;

/** Each scan finds what is due within this time, because the next one can be late; milliseconds. */
const LOOK_AHEAD = 1500;

/** Delay that batches finished checks into one scan, in milliseconds. */
const WAKE_DELAY = 250;

/**
 * While due checks wait for others to end, the delay is this multiple of the duration of a scan: finished checks are
 * replaced soon, and scans of many overdue checks still leave the main thread most of its time.
 */
const DELAY_PER_SCAN = 10;

/** Pause after a check that gave no result because of an own fault; milliseconds. */
const PAUSE_AFTER_FAULT = 1000;

/** Starts the checks that are due. */
export interface Scheduler {
  start(): void;
  /** Scans immediately for due checks, for example after a monitor was created. */
  wake(): void;
  /** When due checks were last scanned, in milliseconds of the monotonic clock. */
  scannedAt(): number;
  /** How many checks are running. */
  running(): number;
  /** Starts no more checks and waits for the running ones. @param timeout milliseconds */
  stop(timeout: number): Promise<void>;
}

/**
 * A check that is claimed, running, or being recorded.
 *
 * @property slot the time for which it was claimed: a change of the monitor gives the monitor another one
 * @property startAt milliseconds of the monotonic clock
 */
interface RunningCheck {
  monitor: DueMonitor;
  slot: number;
  startAt: number;
  check: Check;
  ended: Promise<void>;
}

export function createScheduler({
  store,
  clock,
  probes,
  recorder,
  log,
  max = maxChecks(),
}: {
  store: Store;
  clock: Clock;
  probes: ProbeThread;
  recorder: Recorder;
  log: Logger;
  /** Concurrent checks. */
  max?: number;
}): Scheduler {
  /** By monitor: the checks of one monitor never overlap (behavior 1.9). */
  const running = new Map<number, RunningCheck>();
  const limit = createConcurrencyLimit(max);
  const catchUp = createCatchUp();
  const retries = createRetries(clock);
  const loop = createCoalescedLoop(() => scan().catch(onError));
  const cancels: Cancel[] = [];
  let stopped = false;
  let scannedAt = clock.monotonic();
  /** The clock may have been set back, at first while the service was stopped. */
  let needsRecall = true;
  let isWakeScheduled = false;
  let wakeDelay = WAKE_DELAY;
  /** Whether the last scan found due checks that did not fit. */
  let moreWaiting = false;
  /** Own faults since the last scan. */
  let faults: unknown[] = [];

  async function scan(): Promise<void> {
    if (stopped) return;
    logFaults();
    const now = clock.now();
    limit.update(clock.monotonic());
    await startDue(now);
    scannedAt = clock.monotonic();
    // Last, because it writes, and a locked database must not keep checks from running.
    if (needsRecall) await recall(now);
  }

  async function startDue(now: number): Promise<void> {
    const scanStartedAt = clock.monotonic();
    const due = await store.checks.listDueSlots(now + LOOK_AHEAD);
    const plan = planStarts(due, { running, isPostponed: retries.isWaiting, limits: limit.limits() });
    for (const pk of plan.cancel) cancel(pk);
    const monitors = await store.checks.findDue(plan.start);
    if (stopped) return;
    moreWaiting = plan.moreWaiting;
    const scanTook = clock.monotonic() - scanStartedAt;
    wakeDelay = moreWaiting ? Math.min(WAKE_DELAY, DELAY_PER_SCAN * scanTook) : WAKE_DELAY;
    startAll(monitors, now);
  }

  /** Spreads the starts of overdue checks. The others keep their slots, which are spread already. */
  function startAll(monitors: DueMonitor[], now: number): void {
    const overdue = monitors.filter(({ nextCheckAt }) => nextCheckAt <= now).length;
    const delayOf = catchUp(clock.monotonic(), { overdue, moreWaiting });
    for (const [at, monitor] of monitors.entries())
      startCheck(monitor, { now, delay: at < overdue ? delayOf(at) : monitor.nextCheckAt - now });
  }

  function startCheck(monitor: DueMonitor, { now, delay }: { now: number; delay: number }): void {
    const { pk, type, config, nextCheckAt: slot } = monitor;
    const check = { type, config, timeout: checkTimeout(config.interval), startAt: now + delay };
    const startAt = clock.monotonic() + delay;
    const started: RunningCheck = { monitor, slot, startAt, check, ended: Promise.resolve() };
    running.set(pk, started);
    limit.start(pk, startAt);
    started.ended = run(started);
  }

  /** Ends a check that began before a change of its monitor, so that the next one need not wait for it. */
  function cancel(pk: number): void {
    const outdated = running.get(pk);
    if (!outdated) return;
    probes.cancel(outdated.check);
    end(outdated);
  }

  /** After an own fault the monitor stays due, so that a later scan checks it again (behavior 1.47). */
  async function run(current: RunningCheck): Promise<void> {
    const { pk, config } = current.monitor;
    try {
      const observation = await probes.run(current.check, (sockets) => settle(current, sockets));
      if (!isCurrent(current)) return;
      const wait = await recordCheck(current, assertConclusive(observation, current));
      end(current);
      if (wait === null) loop.wake();
      // The next regular scan may be too late.
      else if (moreWaiting || wait < LOOK_AHEAD) wakeSoon();
    } catch (error) {
      faults.push(error);
      retries.failed({ pk, nextCheckAt: current.slot }, config.interval);
      if (!stopped) await clock.sleep(PAUSE_AFTER_FAULT);
      end(current);
    }
  }

  /** @throws if the check was inconclusive */
  function assertConclusive(observation: Observation, { startAt }: RunningCheck): Evidence {
    if (observation.outcome !== "inconclusive") return observation;
    if (observation.isShortage) limit.shrink(startAt, clock.monotonic());
    throw new Error(observation.message);
  }

  /** @returns milliseconds until the next check is due; null if the monitor was changed or deleted meanwhile */
  async function recordCheck(
    { monitor, slot, check }: RunningCheck,
    evidence: Evidence,
  ): Promise<number | null> {
    const { pk, id, revision, config } = monitor;
    const { startAt } = check;
    const at = clock.now();
    const recorded = await recorder.record(
      { kind: "check", monitorId: id, revision, evidence, at, dueAt: slot, startAt },
      { isTransition: mayChangeStatus(monitor, { evidence, at }) },
    );
    if (recorded === "held") {
      const wait = nextCheckAt(id, config.interval, startAt) - at;
      retries.held({ pk, nextCheckAt: slot }, wait);
      return wait;
    }
    retries.succeeded(pk);
    return recorded && (recorded.nextCheckAt ?? Number.POSITIVE_INFINITY) - at;
  }

  /** False after it was cancelled. */
  function isCurrent(check: RunningCheck): boolean {
    return running.get(check.monitor.pk) === check;
  }

  function settle(current: RunningCheck, sockets: number): void {
    if (!isCurrent(current)) return;
    limit.settle(current.monitor.pk, sockets);
    if (moreWaiting) wakeSoon();
  }

  function end(current: RunningCheck): void {
    if (!isCurrent(current)) return;
    const { pk } = current.monitor;
    running.delete(pk);
    limit.release(pk, clock.monotonic());
  }

  /** Makes due what is due later than its interval allows (behavior 1.17). */
  async function recall(now: number): Promise<void> {
    needsRecall = false;
    try {
      if ((await store.checks.recall(now)) > 0) loop.wake();
    } catch (error) {
      needsRecall = true;
      throw error;
    }
  }

  /** Logs one line, because most faults affect all checks. */
  function logFaults(): void {
    const [first] = faults;
    if (first) log.error({ err: first, checks: faults.length }, "checks could not be made and are run again");
    faults = [];
  }

  function onError(error: unknown): void {
    log.error({ err: error }, "due monitors could not be read");
  }

  function wakeSoon(): void {
    if (isWakeScheduled || stopped) return;
    isWakeScheduled = true;
    clock.after(wakeDelay, () => {
      isWakeScheduled = false;
      loop.wake();
    });
  }

  return {
    start() {
      scannedAt = clock.monotonic();
      cancels.push(
        clock.every(SCAN_EVERY, loop.wake),
        clock.onJump(({ from, to }) => {
          if (to < from) needsRecall = true;
        }),
      );
      loop.wake();
    },
    wake: loop.wake,
    scannedAt: () => scannedAt,
    running: () => running.size,
    async stop(timeout) {
      stopped = true;
      loop.stop();
      for (const cancelOne of cancels) cancelOne();
      const ends = [...running.values()].map(({ ended }) => ended);
      await Promise.race([Promise.all(ends), clock.sleep(timeout)]);
    },
  };
}
