import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../domain/monitors/monitor.ts";
import { probeDns } from "./dns.ts";
import { probeHttp } from "./http.ts";
import type { ProbeContext } from "./observe.ts";
import { probeTcp } from "./tcp.ts";
import { probeTls } from "./tls.ts";

type Probe<T extends ProbedType> = (
  config: MonitorConfig<T>,
  conditions: ProbeContext,
) => Promise<Observation>;

const probes: { [T in ProbedType]: Probe<T> } = {
  HTTP: probeHttp,
  TCP: probeTcp,
  TLS: probeTls,
  DNS: probeDns,
};

/** Sees what a target of any type is like. */
export function probe<T extends ProbedType>(
  type: T,
  config: MonitorConfig<T>,
  conditions: ProbeContext,
): Promise<Observation> {
  return probes[type](config, conditions);
}
