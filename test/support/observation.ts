import type { Observation } from "../../src/domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../../src/domain/monitors/monitor.ts";
import { createNetwork } from "../../src/probes/network.ts";
import type { ProbeSettings } from "../../src/probes/probe-settings.ts";
import { probe } from "../../src/probes/registry.ts";

/** Runs one probe on this machine. @param timeout milliseconds */
export function observation<T extends ProbedType>(
  type: T,
  config: Omit<MonitorConfig<T>, "interval">,
  {
    timeout = 2000,
    end,
    ...settings
  }: Partial<ProbeSettings> & { timeout?: number; end?: AbortController } = {},
): Promise<Observation> {
  const network = createNetwork({ privateTargets: "allow", ...settings });
  const whole = { ...config, interval: 60 } as MonitorConfig<T>;
  return probe(type, whole, { timeout, network, ...(end && { end }) });
}
