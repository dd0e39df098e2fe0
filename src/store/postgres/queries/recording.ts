import { StorageFault } from "../../../errors.ts";
import type { EngineQueries } from "../../engine-queries.ts";
import type { Connections } from "../connections.ts";
import { locationChanges } from "../locations/changes.ts";
import { findMarker } from "../locations/marker.ts";
import { withPartitions } from "../partitions.ts";
import { record, recordObservations } from "../recording/record.ts";
import { bindTo } from "./bind.ts";

/** What changes the results and the states of monitors. */
export function recordingQueries(connections: Connections): Pick<EngineQueries, "recording" | "locations"> {
  const inTurn = createQueue();
  return {
    recording: {
      record: (events) =>
        inTurn(() =>
          withPartitions(connections, () => connections.transaction((sql) => record(sql, events))),
        ),
      recordObservations: (batch) =>
        inTurn(() =>
          withPartitions(connections, () => connections.transaction((sql) => recordObservations(sql, batch))),
        ),
      // A commit is on the disk.
      async syncResults() {},
    },
    locations: { findMarker: bindTo(connections).one(findMarker), ...locationChanges(connections) },
  };
}

/** Waiting for longer than this is not the work of others, but a database that does not answer; milliseconds. */
const LONG_WAIT = 1000;

/**
 * Runs pieces of work one after the other: recordings of one process would only wait for each other's locks. If the
 * database does not answer one of them, those that have waited for it fail with it, so that no caller waits much longer.
 */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
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
