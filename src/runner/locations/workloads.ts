import type { WorkItem } from "../../domain/locations/protocol.ts";
import { unauthorized } from "../../errors.ts";
import type { Store } from "../../store/store.ts";

/** The monitors of a location, as its observations are judged by them. */
export interface Workload {
  revision: number;
  /** By ID. */
  monitors: ReadonlyMap<string, WorkedMonitor>;
  /** How many observations they give per second. */
  rate: number;
}

/** @property registered the config, if it asks for the registration of its domain */
interface WorkedMonitor extends Pick<WorkItem, "type" | "revision"> {
  registered?: WorkItem["config"];
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
    monitors: new Map(monitors.map((item) => [item.monitorId, workedMonitor(item)])),
    rate: monitors.reduce((sum, { config }) => sum + 1 / config.interval, 0),
  };
}

function workedMonitor({ type, revision, config }: WorkItem): WorkedMonitor {
  return { type, revision, ...("registration" in config && { registered: config }) };
}
