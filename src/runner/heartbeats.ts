import { Cron } from "croner";
import type { Logger } from "../log.ts";
import type { Database } from "../store/sqlite/open.ts";
import {
  excuseOutage,
  listOverdue,
  noteAlive,
  postponeDeadline,
  recallDeadlines,
} from "../store/sqlite/recording/heartbeats.ts";
import type { Recorder } from "./checks/recorder.ts";
import type { Metrics } from "./metrics/metrics.ts";

/** How many late monitors are taken at once. */
const GROUP_SIZE = 1000;

/** For how long it may not have been noted that this service runs before that counts as an outage; milliseconds. */
const LONGEST_PAUSE = 30_000;

/** A smaller step of the wall clock changes no deadline; milliseconds. */
const SMALLEST_STEP = 1000;

/** When a monitor whose rhythm can't be computed is looked at again, in milliseconds. */
const POSTPONE_FOR = 3_600_000;

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
  onMissed = () => {},
}: {
  db: Database;
  recorder: Recorder;
  log: Logger;
  /** Whether the disk took what was last to be written. */
  takesWrites: () => boolean;
  /** Told whether it took what is noted here, which is the one regular write there is. */
  onWrite: (taken: boolean) => void;
  /** Receives the runs that were missed before an outage; the recorder counts all others. */
  onMissed?: Metrics["missed"];
}): Heartbeats {
  const onError = (error: unknown) => log.error({ err: error }, "late heartbeats could not be looked for");
  const job = new Cron("* * * * * *", { paused: true, protect: true, catch: onError }, sweep);
  let lastNote = 0;
  /** Whether nothing could be written lately: no checkin could then be taken. */
  let isDeaf = false;

  /** Monitors whose rhythm can't be computed: each is logged once. */
  const uncomputable = new Set<number>();
  /** By how much the wall clock is ahead of the monotonic one. */
  let offset = Date.now() - performance.now();

  async function sweep(): Promise<void> {
    const now = Date.now();
    const expected = performance.now() + offset;
    if (expected - now > SMALLEST_STEP && !(await keep(() => recall(expected, now), now))) return;
    // A machine that slept heard nothing either.
    const missed = isDeaf || !takesWrites() || now - lastNote > LONGEST_PAUSE;
    if (!(await keep(() => (missed ? excuse(now) : noteAlive(db, now)), now))) return;
    if (missed) offset = now - performance.now();
    const overdue = await listOverdue(db, now, GROUP_SIZE);
    await Promise.all(overdue.map((monitorPk) => recordSilence(monitorPk, now)));
  }

  async function recordSilence(monitorPk: number, now: number): Promise<void> {
    try {
      await recorder.record({ kind: "silence", monitorPk, at: now });
      uncomputable.delete(monitorPk);
    } catch (error) {
      onUncomputable(monitorPk, error);
      await postponeDeadline(db, monitorPk, now + POSTPONE_FOR);
    }
  }

  function onUncomputable(monitorPk: number, error: unknown): void {
    if (uncomputable.has(monitorPk)) return;
    uncomputable.add(monitorPk);
    log.error({ err: error, monitorPk }, "the rhythm of a job can't be computed: it is not reported as late");
  }

  async function excuse(now: number): Promise<void> {
    onMissed(await excuseOutage(db, now, onUncomputable));
  }

  async function recall(from: number, to: number): Promise<void> {
    await recallDeadlines(db, { from, to }, onUncomputable);
    offset = to - performance.now();
  }

  /** @returns whether it was written */
  async function keep(write: () => Promise<void>, now: number): Promise<boolean> {
    try {
      await write();
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
      offset = lastNote - performance.now();
      await excuse(lastNote);
      job.resume();
    },
    async stop() {
      job.stop();
      const now = Date.now();
      // If it can't be written, the next start excuses more time than it must.
      await keep(() => noteAlive(db, now), now);
    },
  };
}
