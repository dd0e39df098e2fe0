import type { EngineQueries } from "../../engine-queries.ts";
import type { Connections } from "../connections.ts";
import { bindTo } from "./bind.ts";

type ReadingQueries = Pick<EngineQueries, "results"> & {
  monitors: Omit<EngineQueries["monitors"], "pauseAll">;
};

/** Lists, pages and reports. */
export function readingQueries(connections: Connections): ReadingQueries {
  const { read } = bindTo(connections);
  void read;
  throw new Error("not built yet");
}
