import { StorageFault } from "../../../errors.ts";
import type { RecordingQueries } from "../../engine-queries.ts";
import { record, recordObservations } from "../../recording/record.ts";
import type { RecordingEngine } from "../../recording/recording-engine.ts";
import type { Tx } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import type { OpenClaims } from "../monitors/check-claims.ts";
import { withPartitions } from "../partitions.ts";
import { addToRollups } from "../results/rollups.ts";
import { loadBaselines } from "./baselines.ts";
import { loadSubjects, lockStates, type StoredSubject } from "./load-subjects.ts";
import { saveLocations } from "./save-locations.ts";
import { saveResults } from "./save-results.ts";
import { saveStates } from "./save-states.ts";
import { withValidClaim } from "./valid-claims.ts";

/** For changes without an event of a node. */
export const recordingEngine: RecordingEngine<StoredSubject> = {
  monitorsAtOnce: 500,
  lockStates,
  loadSubjects,
  loadBaselines,
  saveResults,
  addToRollups,
  async saveStates(tx, saved, states) {
    await saveStates(tx, saved, states);
    await saveLocations(tx, saved.subjects, states);
  },
};

/**
 * The recordings of one process, in two queues: for checks, and for jobs. Within a queue they run one after the other: at
 * the same time, they would only wait for each other's locks. A check-in does not wait for a check, whose monitor may be locked.
 */
export function createRecording(connections: Connections, openClaims: OpenClaims): RecordingQueries {
  const [checks, jobs] = [createQueue(), createQueue()];
  const transact = <Result>(inTurn: Queue, work: (tx: Tx) => Promise<Result>, times?: number[]) =>
    inTurn(() => withPartitions(connections, () => connections.transaction(work), times));
  const engine: typeof recordingEngine = {
    ...recordingEngine,
    withValidClaim: (tx, events, subjects) => withValidClaim(tx, events, { subjects, openClaims }),
  };
  return {
    async record(events) {
      const isOfJobs = events.every(({ kind }) => kind !== "check");
      const inTurn = isOfJobs ? jobs : checks;
      const times = events.map(({ at }) => at);
      const recorded = await transact(inTurn, (tx) => record(tx, engine, events), times);
      openClaims.end(events);
      return recorded;
    },
    recordObservations: (batch) => transact(checks, (tx) => recordObservations(tx, engine, batch)),
    // A commit is on the disk.
    async syncResults() {},
  };
}

/** After waiting for longer than this, the cause is not other work, but a database that does not answer; milliseconds. */
const LONG_WAIT = 1000;

/** Runs pieces of work one after the other. */
type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** If the database does not answer one piece of work, the work that has waited for it fails too, so that no caller waits much longer. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let failure = { at: Number.NEGATIVE_INFINITY, error: undefined as unknown };
  return (work) => {
    const queuedAt = performance.now();
    const run = async () => {
      const now = performance.now();
      if (failure.at > queuedAt && now - queuedAt > LONG_WAIT) throw failure.error;
      try {
        return await work();
      } catch (error) {
        if (error instanceof StorageFault) failure = { at: performance.now(), error };
        throw error;
      }
    };
    const result = last.then(run, run);
    last = result;
    return result;
  };
}
