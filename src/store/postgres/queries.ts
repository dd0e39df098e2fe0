import type { EngineQueries } from "../engine-queries.ts";
import type { Connections, Sql } from "./connections.ts";
import { readingQueries } from "./queries/reading.ts";
import { recordingQueries } from "./queries/recording.ts";
import { workQueries } from "./queries/work.ts";

/**
 * The queries of which this engine has its own version.
 *
 * @param everyMinute is called about once a minute while checks are searched, with the time
 */
export function createQueries(
  connections: Connections,
  everyMinute: (sql: Sql, now: number) => void = () => {},
): EngineQueries {
  const [reading, work] = [readingQueries(connections), workQueries(connections, everyMinute)];
  return {
    ...recordingQueries(connections),
    ...reading,
    ...work,
    monitors: { ...reading.monitors, ...work.monitors },
  };
}
