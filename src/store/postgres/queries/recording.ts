import type { EngineQueries } from "../../engine-queries.ts";
import type { Connections } from "../connections.ts";
import { withPartitions } from "../partitions.ts";
import { record } from "../recording/record.ts";

/** What changes the results and the states of monitors. */
export function recordingQueries(connections: Connections): Pick<EngineQueries, "recording"> {
  const inTurn = createQueue();
  return {
    recording: {
      record: (events) =>
        inTurn(() =>
          withPartitions(connections, () => connections.transaction((sql) => record(sql, events))),
        ),
      // A commit is on the disk.
      async syncResults() {},
    },
  };
}

/** Runs pieces of work one after the other: recordings of one process would only wait for each other's locks. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}
