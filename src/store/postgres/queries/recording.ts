import type { EngineQueries } from "../../engine-queries.ts";
import type { Connections } from "../connections.ts";
import { bindTo } from "./bind.ts";

/** What changes the results and the states of monitors. */
export function recordingQueries(connections: Connections): Pick<EngineQueries, "recording"> {
  const { write } = bindTo(connections);
  void write;
  throw new Error("not built yet");
}
