import type { Clock } from "../../clock.ts";
import { isJobReport, type Recorded, type Recording } from "../../domain/monitors/recording-plan.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageHealth } from "../storage-health.ts";
import { createBacklog } from "./backlog.ts";
import { createCheckinDeadline } from "./checkin-deadline.ts";
import { createRecordingLane, type RecordingLane, type Urgency, type Waiting } from "./recording-lane.ts";

/** The only writer of results. It commits in groups. */
export interface Recorder {
  /**
   * @param urgency how soon it commits
   * @returns after it is on the disk; null if there is nothing to record it for (see `record`); `held` if the disk
   *   rejects it now: a check is written later, a silence is found again by the next sweep
   * @throws if it could not be written; then nothing of it is in the database. A report of a job is never held.
   */
  record(recording: Recording, urgency?: Urgency): Promise<Recorded | "held" | null>;
  /** How many wait for the next commit. */
  waiting(): number;
  /** How many are held in memory until the disk accepts writes. */
  held(): number;
  /** Whether their monitors are claimed: then no more are to be claimed, so that these results stay valid. */
  holdsClaims(): boolean;
  /** Writes what is waiting, and waits for running commits. */
  flush(): Promise<void>;
}

export function createRecorder({
  store,
  clock,
  log,
  storage,
  metrics,
  wakeDispatcher,
}: {
  store: Store;
  clock: Pick<Clock, "monotonic" | "after">;
  log: Logger;
  /** Gets the outcome of each commit. */
  storage: StorageHealth;
  metrics: Pick<Metrics, "committed">;
  /** Called after each commit with a transition that channels may be notified of. */
  wakeDispatcher: () => void;
}): Recorder {
  const backlog = createBacklog({ write: writeHeld, clock, log });
  const deadline = createCheckinDeadline(clock);
  const createLane = () =>
    createRecordingLane({
      clock,
      commit,
      async save(recordings) {
        const start = clock.monotonic();
        const recorded = await store.recording.record(recordings);
        metrics.committed(recordings, { recorded, seconds: (clock.monotonic() - start) / 1000 });
        return recorded;
      },
    });
  // Jobs are not probed, so that no monitor is in both lanes, and its recordings stay in order. A check-in does not wait for the
  // transaction of a check, whose monitor may be locked.
  const [checks, jobs] = [createLane(), createLane()];

  async function writeHeld(recordings: Recording[]): Promise<void> {
    const recorded = await checks.write(recordings);
    if (await sync([])) notify(recorded);
  }

  function notify(recorded: (Recorded | null)[]): void {
    if (recorded.some((one) => one?.notable)) wakeDispatcher();
  }

  async function commit(group: Waiting[], write: RecordingLane["write"]): Promise<void> {
    try {
      const recorded = await write(group.map(({ recording }) => recording));
      if (await sync(group)) notify(recorded);
      for (const [at, { resolve }] of group.entries()) resolve(recorded[at] ?? null);
    } catch (error) {
      if (error instanceof StorageFault) return hold(group, error);
      // One recording that can't be written must not keep the others from being written.
      if (group.length > 1) for (const one of group) await commit([one], write);
      else for (const { reject } of group) reject(error);
    }
  }

  /** If this fails, the rows stay committed, but check-ins are not acknowledged and channels not notified yet. */
  async function sync(group: Waiting[]): Promise<boolean> {
    try {
      await store.recording.syncResults();
      storage.report(true);
      return true;
    } catch (error) {
      storage.report(false);
      log.error({ err: error }, "what was committed may not be on the disk");
      for (const { recording, reject } of group) if (isJobReport(recording)) reject(error);
      return false;
    }
  }

  function hold(group: Waiting[], error: unknown): void {
    storage.report(false);
    for (const { recording, resolve, reject } of group) {
      if (isJobReport(recording)) {
        reject(error);
        continue;
      }
      if (recording.kind === "check") backlog.add(recording, error);
      resolve("held");
    }
  }

  function withDeadline({ recording, resolve, reject }: Waiting): Waiting {
    const end = deadline.begin(reject);
    return {
      recording,
      resolve(recorded) {
        end();
        resolve(recorded);
      },
      reject(error) {
        end();
        reject(error);
      },
    };
  }

  return {
    record(recording, urgency = {}) {
      if (backlog.isOpen() && !isJobReport(recording)) {
        // Results are written in order, so that this one follows the held ones.
        if (recording.kind === "check") backlog.add(recording);
        return Promise.resolve("held");
      }
      const { promise, resolve, reject } = Promise.withResolvers<Recorded | "held" | null>();
      const waiting = { recording, resolve, reject };
      if (recording.kind === "check") checks.add(waiting, urgency);
      else jobs.add(isJobReport(recording) ? withDeadline(waiting) : waiting, urgency);
      return promise;
    },
    waiting: () => checks.waiting() + jobs.waiting(),
    held: backlog.size,
    holdsClaims: backlog.holdsClaims,
    async flush() {
      await Promise.all([checks.flush(), jobs.flush()]);
      await backlog.close();
    },
  };
}
