import { Cron } from "croner";
import { excuseOutage, listOverdue, noteAlive } from "../db/heartbeats.ts";
import type { Database } from "../db/open.ts";
import type { Logger } from "../log.ts";
import type { Recorder } from "./recorder.ts";

/** How many late monitors are taken at once. */
const GROUP_SIZE = 1000;

/** How often it is kept that we run, and how long it may not be before that counts as not running; milliseconds. */
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
  let lastNote = 0;
  /** Whether nothing could be written lately: no checkin could then be taken. */
  let isDeaf = false;

  async function sweep(): Promise<void> {
    const now = Date.now();
    // A machine that slept heard nothing either.
    const missed = isDeaf || !takesWrites() || now - lastNote > LONGEST_PAUSE;
    if (missed && !(await keep(excuseOutage, now))) return;
    const overdue = await listOverdue(db, now, GROUP_SIZE);
    await Promise.all(overdue.map((monitorPk) => recorder.record({ kind: "silence", monitorPk, at: now })));
    // Not only later: the clock may have been put back.
    if (Math.abs(now - lastNote) >= NOTE_EVERY) await keep(noteAlive, now);
  }

  /** @returns whether it was written */
  async function keep(write: typeof noteAlive, now: number): Promise<boolean> {
    try {
      await write(db, now);
    } catch (error) {
      if (!isDeaf) log.error({ err: error }, "nothing can be written: until it can, no job is late");
      isDeaf = true;
      onWrite(false);
      return false;
    }
    isDeaf = false;
    onWrite(true);
    lastNote = now;
    return true;
  }

  return {
    async start() {
      lastNote = Date.now();
      await excuseOutage(db, lastNote);
      job.resume();
    },
    async stop() {
      job.stop();
      // Where it can't be kept, the next start excuses more time than it must.
      await keep(noteAlive, Date.now());
    },
  };
}
