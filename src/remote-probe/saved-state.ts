import type { Clock } from "../clock.ts";
import type { FaultLog } from "../runner/fault-log.ts";
import type { ProbeStore, StoredTime, StoredWork } from "../store/buffer/probe-store.ts";

/** A work list can change many times in a row, and is written as a whole; milliseconds. */
const WORK_EVERY = 5000;

const TIME_EVERY = 10_000;

/** Saves what the probe needs after a restart while the server is away. */
export interface SavedState {
  /** Saves it now or soon. */
  setWork(work: StoredWork): void;
  /** Saves what is due. To be called every second. */
  tick(): void;
  /** Saves everything that is not saved yet. */
  flush(): void;
}

export function createSavedState({
  store,
  clock,
  time,
  faults,
}: {
  store: Pick<ProbeStore, "saveWork" | "saveTime">;
  clock: Pick<Clock, "monotonic">;
  time: () => StoredTime;
  faults: FaultLog;
}): SavedState {
  let unsaved: StoredWork | undefined;
  let workAt = Number.NEGATIVE_INFINITY;
  let timeAt = Number.NEGATIVE_INFINITY;

  function save({ isForced = false } = {}): void {
    const now = clock.monotonic();
    try {
      if (unsaved && (isForced || now >= workAt + WORK_EVERY)) {
        workAt = now;
        store.saveWork(unsaved);
        unsaved = undefined;
      }
      if (isForced || now >= timeAt + TIME_EVERY) {
        timeAt = now;
        store.saveTime(time());
      }
      faults.succeeded();
    } catch (error) {
      faults.failed(error);
    }
  }

  return {
    setWork(work) {
      unsaved = work;
      save();
    },
    tick: () => save(),
    flush: () => save({ isForced: true }),
  };
}
