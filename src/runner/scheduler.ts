import { Cron } from "croner";
import { type DueMonitor, listDueMonitors } from "../db/monitors.ts";
import type { Database } from "../db/open.ts";
import { checkTimeout } from "../domain/schedule.ts";
import type { Logger } from "../log.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";
import type { Recorder } from "./recorder.ts";

/**
 * How far each tick looks ahead, in milliseconds: the second until the next tick, and half a second for a tick that
 * comes late.
 */
const LOOK_AHEAD = 1500;

/** More checks than this are not under way at once. */
const MOST_IN_FLIGHT = 5000;

/** Starts the checks that are due. */
export interface Scheduler {
  start(): void;
  /** Looks at once for what is due, as when a monitor was made. */
  wake(): void;
  /** Takes no more, and lets the checks under way end. @param patience milliseconds after which they are left */
  stop(patience: number): Promise<void>;
}

export function createScheduler({
  db,
  probes,
  recorder,
  log,
}: {
  db: Database;
  probes: ProbeThread;
  recorder: Recorder;
  log: Logger;
}): Scheduler {
  /** The checks under way, by monitor: those of one monitor never overlap. */
  const inFlight = new Map<number, Promise<void>>();
  const onError = (error: unknown) => log.error({ err: error }, "due monitors could not be read");
  const job = new Cron("* * * * * *", { paused: true, protect: true, catch: onError }, startDue);
  let stopped = false;
  /** What went wrong since the last tick. */
  let faults: unknown[] = [];

  async function startDue(): Promise<void> {
    logFaults();
    // A check under way is still due in the database, hence the sum.
    const limit = inFlight.size + MOST_IN_FLIGHT;
    const due = await listDueMonitors(db, Date.now() + LOOK_AHEAD, limit);
    for (const monitor of due) {
      if (stopped || inFlight.size >= MOST_IN_FLIGHT) return;
      if (!inFlight.has(monitor.pk)) inFlight.set(monitor.pk, check(monitor));
    }
  }

  /** Whatever of ours goes wrong here leaves the monitor due, so that a later tick checks it again. */
  async function check(monitor: DueMonitor): Promise<void> {
    try {
      const stale = !(await runAndRecord(monitor));
      inFlight.delete(monitor.pk);
      if (stale) wake();
    } catch (error) {
      faults.push(error);
      inFlight.delete(monitor.pk);
    }
  }

  /** One line however many there are: what goes wrong for one check mostly goes wrong for all. */
  function logFaults(): void {
    const [first] = faults;
    if (first) log.error({ err: first, checks: faults.length }, "checks could not be made and are run again");
    faults = [];
  }

  async function runAndRecord({ pk, type, config, revision, nextCheckAt }: DueMonitor): Promise<boolean> {
    const timeout = checkTimeout(config.interval);
    const evidence = await probes.run({ type, config, timeout, startAt: nextCheckAt });
    if (evidence.outcome === "inconclusive") throw new Error(evidence.message);
    const recorded = await recorder.record({
      kind: "check",
      monitorPk: pk,
      revision,
      evidence,
      at: Date.now(),
    });
    return recorded !== null;
  }

  function wake(): void {
    if (!stopped) startDue().catch(onError);
  }

  return {
    start() {
      job.resume();
      wake();
    },
    wake,
    async stop(patience) {
      stopped = true;
      job.stop();
      await Promise.race([Promise.all(inFlight.values()), Bun.sleep(patience)]);
    },
  };
}
