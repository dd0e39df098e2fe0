import type { EngineQueries } from "../../engine-queries.ts";
import type { Connections } from "../connections.ts";
import { bindTo } from "./bind.ts";

type WorkQueries = Pick<
  EngineQueries,
  "claims" | "checks" | "heartbeats" | "deliveries" | "housekeeping" | "changes" | "backUp" | "fileSizes"
> & { monitors: Pick<EngineQueries["monitors"], "pauseAll"> };

/** What nodes do by themselves. */
export function workQueries(connections: Connections): WorkQueries {
  const { write } = bindTo(connections);
  void write;
  throw new Error("not built yet");
}
