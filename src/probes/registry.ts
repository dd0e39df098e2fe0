import type { MonitorConfig, ProbedType } from "../domain/monitor.ts";
import type { Observation } from "../domain/observation.ts";
import { probeHttp } from "./http.ts";
import { probeTcp } from "./tcp.ts";

type Probe<T extends ProbedType> = (config: MonitorConfig<T>, timeout: number) => Promise<Observation>;

const probes: { [T in ProbedType]: Probe<T> } = { HTTP: probeHttp, TCP: probeTcp };

/** Sees what a target of any type is like. @param timeout milliseconds */
export function probe<T extends ProbedType>(
  type: T,
  config: MonitorConfig<T>,
  timeout: number,
): Promise<Observation> {
  return probes[type](config, timeout);
}
