import { Cron } from "croner";
import { excuseOutage, listOverdue, noteAlive } from "../db/heartbeats.ts";
import type { Database } from "../db/open.ts";
import type { Logger } from "../log.ts";
import type { Recorder } from "./recorder.ts";

/** How many late monitors are taken at once. */
const GROUP_SIZE = 1000;

/** How often it is kept that we run, and how long no sweep may be before it counts as not running; milliseconds. */
const NOTE_EVERY = 10_000;
const LONGEST_PAUSE = 30_000;

/** Notices when a job has not been heard of in time, and keeps when we were last there to hear it. */
export interface Heartbeats {
  /** Takes the time since the last stop out of all deadlines. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createHeartbeats({
  db,
  recorder,
  log,
  takesWrites,
  onWrite,
}: {
  db: Database;
  recorder: Recorder;
  log: Logger;
  /** Whether the disk took what was last to be written. */
  takesWrites: () => boolean;
  /** Told whether it took what is noted here, which is the one regular write there is. */
  onWrite: (taken: boolean) => void;
}): Heartbeats {
  const onError = (error: unknown) => log.error({ err: error }, "late heartbeats could not be looked for");
  const job = new Cron("* * * * * *", { paused: true, protect: true, catch: onError }, sweep);
  let lastSweep = 0;
  let lastNote = 0;

  async function sweep(): Promise<void> {
    const now = Date.now();
    // A machine that slept heard nothing either.
    if (now - lastSweep > LONGEST_PAUSE) await excuse(now);
    lastSweep = now;
    const overdue = await listOverdue(db, now, GROUP_SIZE);
    await Promise.all(overdue.map((monitorPk) => recorder.record({ kind: "silence", monitorPk, at: now })));
    // Not only later: the clock may have been put back.
    if (Math.abs(now - lastNote) >= NOTE_EVERY || !takesWrites()) await note(now);
  }

  async function excuse(now: number): Promise<void> {
    await excuseOutage(db, now);
    lastNote = now;
  }

  async function note(now: number): Promise<void> {
    await noteAlive(db, now).then(
      () => onWrite(true),
      (error) => {
        onWrite(false);
        throw error;
      },
    );
    lastNote = now;
  }

  return {
    async start() {
      lastSweep = Date.now();
      await excuse(lastSweep);
      job.resume();
    },
    async stop() {
      job.stop();
      await note(Date.now());
    },
  };
}
