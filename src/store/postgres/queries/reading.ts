import type { EngineQueries } from "../../engine-queries.ts";
import type { Connections } from "../connections.ts";
import { listCertificateExpiries } from "../monitors/certificate-expiries.ts";
import { listBlind, listProbed } from "../monitors/probed-monitors.ts";
import { exportResults } from "../results/exported-results.ts";
import { listEvents, listResults } from "../results/results.ts";
import { listMonitors } from "../statistics/monitor-list.ts";
import { findReport } from "../statistics/monitor-report.ts";
import { findWorst, listSnapshots } from "../statistics/monitor-snapshots.ts";
import { RollupCache } from "../statistics/rollup-cache.ts";
import { bindTo } from "./bind.ts";

type ReadingQueries = Pick<EngineQueries, "results" | "blindness"> & {
  monitors: Omit<EngineQueries["monitors"], "pauseAll">;
};

/** Lists, pages and reports. A list of all monitors is no transaction, because its reader may take its time. */
export function readingQueries(connections: Connections): ReadingQueries {
  const { one, read } = bindTo(connections);
  const cache = new RollupCache();
  return {
    monitors: {
      list: (...rest) => listMonitors(connections, cache, ...rest),
      listSnapshots: (...rest) => listSnapshots(connections, cache, ...rest),
      findWorst: (...rest) => findWorst(connections, cache, ...rest),
      findReport: read(findReport),
      listCertificateExpiries: read(listCertificateExpiries),
    },
    blindness: { listProbed: one(listProbed), listBlind: one(listBlind) },
    results: {
      list: read(listResults),
      listEvents: read(listEvents),
      export: (...rest) => exportResults(connections, ...rest),
    },
  };
}
