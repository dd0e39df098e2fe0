import type { WorkItem } from "../../domain/locations/protocol.ts";
import { unauthorized } from "../../errors.ts";
import type { Store } from "../../store/store.ts";

/** The monitors of a location, as its observations are judged by them. */
export interface Workload {
  revision: number;
  /** By ID. */
  monitors: ReadonlyMap<string, Pick<WorkItem, "type" | "revision">>;
  /** How many observations they give per second. */
  rate: number;
}

/** The workload of each location, from memory as long as it does not change. */
export interface Workloads {
  /** @throws AppError `unauthorized` if the location was deleted */
  find(location: number): Promise<Workload>;
}

export function createWorkloads({ locations }: Pick<Store, "locations">): Workloads {
  const known = new Map<number, Workload>();

  async function read(location: number): Promise<Workload> {
    const work = await locations.findWork(location);
    if (!work) throw unauthorized();
    const workload = workloadOf(work);
    known.set(location, workload);
    return workload;
  }

  return {
    async find(location) {
      const marker = await locations.findMarker(location);
      const workload = known.get(location);
      if (workload && workload.revision === marker?.revision) return workload;
      known.delete(location);
      return read(location);
    },
  };
}

function workloadOf({ revision, monitors }: { revision: number; monitors: WorkItem[] }): Workload {
  return {
    revision,
    monitors: new Map(monitors.map(({ monitorId, type, revision }) => [monitorId, { type, revision }])),
    rate: monitors.reduce((sum, { config }) => sum + 1 / config.interval, 0),
  };
}
