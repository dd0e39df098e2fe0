import type { EngineQueries } from "../engine-queries.ts";
import type { Connections } from "./connections.ts";
import { readingQueries } from "./queries/reading.ts";
import { recordingQueries } from "./queries/recording.ts";
import { workQueries } from "./queries/work.ts";

/** The queries of which this engine has its own version. */
export function createQueries(connections: Connections): EngineQueries {
  const [reading, work] = [readingQueries(connections), workQueries(connections)];
  return {
    ...recordingQueries(connections),
    ...reading,
    ...work,
    monitors: { ...reading.monitors, ...work.monitors },
  };
}
