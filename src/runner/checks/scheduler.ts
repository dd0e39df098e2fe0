import { Cron } from "croner";
import { checkTimeout, nextCheckAt } from "../../domain/checks/check-slot.ts";
import type { Logger } from "../../log.ts";
import type { Check } from "../../probes/probe-messages.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";
import { type DueMonitor, listDueMonitors, recallChecks, type Slot } from "../../store/monitors/monitors.ts";
import type { Database } from "../../store/sqlite/open.ts";
import { createCatchUp } from "./catch-up.ts";
import { createConcurrencyLimit, mostChecks } from "./concurrency-limit.ts";
import type { Recorder } from "./recorder.ts";
import { createRetries } from "./retries.ts";

/** How far each look reaches ahead, in milliseconds: there is one each second, and it may come late. */
const LOOK_AHEAD = 1500;

/** How long it is waited for more checks to end before it is looked whether they are due again, in milliseconds. */
const GATHER_FOR = 250;

/**
 * While checks wait for a place, those that end are followed sooner: the delay is so many times what a scan takes, so
 * that scans of many overdue checks leave the main thread most of its time.
 */
const DELAY_PER_SCAN = 10;

/** A check that could not be made is made again after this many milliseconds. */
const PAUSE_AFTER_FAULT = 1000;

/** A clock that is put back by more than this is not just being corrected; milliseconds. */
const CLOCK_TOLERANCE = 500;

/** Starts the checks that are due. */
export interface Scheduler {
  start(): void;
  /** Looks at once for what is due, as when a monitor was made. */
  wake(): void;
  /** When it last looked for what is due, of `performance.now()`. */
  lookedAt(): number;
  /** How many checks are under way. */
  underWay(): number;
  /** Takes no more, and lets the checks under way end. @param patience milliseconds after which they are left */
  stop(patience: number): Promise<void>;
}

/** A check under way. @property slot the time for which it was claimed: an edit of the monitor changes it */
interface UnderWay {
  slot: number;
  check: Check;
  ended: Promise<void>;
}

export function createScheduler({
  db,
  probes,
  recorder,
  log,
  most = mostChecks(),
}: {
  db: Database;
  probes: ProbeThread;
  recorder: Recorder;
  log: Logger;
  /** How many checks at once. */
  most?: number;
}): Scheduler {
  /** By monitor: the checks of one never overlap. */
  const inFlight = new Map<number, UnderWay>();
  const lanes = createConcurrencyLimit(most);
  const pace = createCatchUp();
  const retries = createRetries();
  const onError = (error: unknown) => log.error({ err: error }, "due monitors could not be read");
  const job = new Cron("* * * * * *", { paused: true, protect: true, catch: onError }, look);
  let stopped = false;
  let isLooking = false;
  let isWoken = false;
  let lookedAt = performance.now();
  let soon: Timer | undefined;
  /** The wall clock less the time since the start, which is never put back. */
  let clock = Number.POSITIVE_INFINITY;
  /** The checks, by monitor, whose result the disk could not take yet: the row still has their slot. */
  const held = new Map<number, { slot: number; until: number }>();
  /** How long checks that end wait for others before the next scan, in milliseconds. */
  let gatherFor = GATHER_FOR;
  /** Whether the last scan found checks that there was no place for. */
  let isFull = false;
  /** What went wrong since the last look. */
  let faults: unknown[] = [];

  /** One look at a time, or two would find the same monitors; what comes up meanwhile is looked at after it. */
  async function look(): Promise<void> {
    isWoken = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isWoken && !stopped) {
        isWoken = false;
        await lookOnce(Date.now());
      }
    } finally {
      isLooking = false;
    }
  }

  async function lookOnce(now: number): Promise<void> {
    logFaults();
    const current = now - performance.now();
    lanes.sort(now);
    await startDue(now);
    lookedAt = performance.now();
    // Last, for it writes, and a locked database must not keep checks from running.
    if (clock - current > CLOCK_TOLERANCE && (await recallChecks(db, now)) > 0) isWoken = true;
    clock = current;
  }

  async function startDue(now: number): Promise<void> {
    let left = false;
    const start = performance.now();
    const due = await listDueMonitors(db, now + LOOK_AHEAD, (slot) => {
      if (isUnderWay(slot) || isHeld(slot, now)) return false;
      dropOutdated(slot.pk);
      if (retries.isWaiting(slot)) return false;
      const enters = !stopped && lanes.tryAcquire(slot.pk, Math.max(now, slot.nextCheckAt));
      left ||= !enters;
      return enters;
    });
    isFull = left;
    gatherFor = left ? Math.min(GATHER_FOR, DELAY_PER_SCAN * (performance.now() - start)) : GATHER_FOR;
    const overdue = due.filter(({ nextCheckAt }) => nextCheckAt <= now).length;
    const startOf = pace(now, { overdue, left });
    // What is overdue comes first; the slots of what is not are spread as they are.
    for (const [at, monitor] of due.entries())
      startCheck(monitor, at < overdue ? startOf(at) : monitor.nextCheckAt);
  }

  /** Claimed already, and not changed since. */
  function isUnderWay({ pk, nextCheckAt }: Slot): boolean {
    return inFlight.get(pk)?.slot === nextCheckAt;
  }

  /** An edit, a pause or a resume gives the monitor another slot, which waits for nothing. */
  function isHeld({ pk, nextCheckAt }: Slot, now: number): boolean {
    const last = held.get(pk);
    if (!last) return false;
    if (last.slot === nextCheckAt && last.until > now) return true;
    held.delete(pk);
    return false;
  }

  /** What a check sees that began before an edit is of no use, and the new one is not to wait for it. */
  function dropOutdated(pk: number): void {
    const outdated = inFlight.get(pk);
    if (!outdated) return;
    probes.cancel(outdated.check);
    end(pk, outdated);
  }

  function startCheck(monitor: DueMonitor, startAt: number): void {
    const { pk, type, config, nextCheckAt: slot } = monitor;
    const check = { type, config, timeout: checkTimeout(config.interval), startAt };
    const underWay: UnderWay = { slot, check, ended: Promise.resolve() };
    inFlight.set(pk, underWay);
    underWay.ended = run(monitor, underWay);
  }

  /** Whatever of ours goes wrong here leaves the monitor due, so that a later tick checks it again. */
  async function run({ pk, id, revision, config }: DueMonitor, underWay: UnderWay): Promise<void> {
    try {
      const evidence = await probes.run(underWay.check, (sockets) => settle(pk, underWay, sockets));
      if (inFlight.get(pk) !== underWay) return;
      const at = Date.now();
      const { startAt } = underWay.check;
      if (evidence.outcome === "inconclusive") {
        if (evidence.isShortage) lanes.shrink(startAt, at);
        throw new Error(evidence.message);
      }
      const dueAt = underWay.slot;
      const check = { kind: "check", monitorPk: pk, revision, evidence, at, dueAt, startAt } as const;
      const recorded = await recorder.record(check);
      const next = nextCheckAt(id, config.interval, Math.min(at, startAt));
      if (recorded === "held") held.set(pk, { slot: dueAt, until: next });
      end(pk, underWay);
      retries.succeeded(pk);
      if (!recorded) wake();
      // Due again before the next look may come.
      else if (isFull || next - at < LOOK_AHEAD) wakeSoon();
    } catch (error) {
      faults.push(error);
      retries.failed({ pk, nextCheckAt: underWay.slot }, config.interval);
      if (!stopped) await Bun.sleep(PAUSE_AFTER_FAULT);
      end(pk, underWay);
    }
  }

  function settle(pk: number, underWay: UnderWay, sockets: number): void {
    if (inFlight.get(pk) !== underWay) return;
    lanes.settle(pk, sockets);
    if (isFull) wakeSoon();
  }

  function end(pk: number, underWay: UnderWay): void {
    if (inFlight.get(pk) !== underWay) return;
    inFlight.delete(pk);
    lanes.release(pk, Date.now());
  }

  /** One line however many there are: what goes wrong for one check mostly goes wrong for all. */
  function logFaults(): void {
    const [first] = faults;
    if (first) log.error({ err: first, checks: faults.length }, "checks could not be made and are run again");
    faults = [];
  }

  function wakeSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      wake();
    }, gatherFor);
  }

  function wake(): void {
    look().catch(onError);
  }

  return {
    start() {
      lookedAt = performance.now();
      job.resume();
      wake();
    },
    wake,
    lookedAt: () => lookedAt,
    underWay: () => inFlight.size,
    async stop(patience) {
      stopped = true;
      job.stop();
      clearTimeout(soon);
      const ends = [...inFlight.values()].map(({ ended }) => ended);
      await Promise.race([Promise.all(ends), Bun.sleep(patience)]);
    },
  };
}
