import type { Observation } from "../domain/checks/observation.ts";
import type { ProbedType } from "../domain/monitors/monitor.ts";
import { probeDns } from "./dns.ts";
import { probeHttp } from "./http.ts";
import type { ProbeInput } from "./observe.ts";
import type { CheckConfig } from "./probe-messages.ts";
import { probeTcp } from "./tcp.ts";
import { probeTls } from "./tls.ts";

type Probe<T extends ProbedType> = (config: CheckConfig<T>, input: ProbeInput) => Promise<Observation>;

const probes: { [T in ProbedType]: Probe<T> } = {
  HTTP: probeHttp,
  TCP: probeTcp,
  TLS: probeTls,
  DNS: probeDns,
};

/** Probes a target of any type. */
export function probe<T extends ProbedType>(
  type: T,
  config: CheckConfig<T>,
  input: ProbeInput,
): Promise<Observation> {
  return probes[type](config, input);
}
