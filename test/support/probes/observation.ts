import type { Observation } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../../../src/domain/monitors/monitor.ts";
import { createNetwork, type Network } from "../../../src/probes/connections/network.ts";
import type { Lifetime } from "../../../src/probes/lifetime.ts";
import { probe } from "../../../src/probes/probe-runner.ts";
import type { CheckConfig, ProbeSettings } from "../../../src/probes/probe-thread.ts";

interface Options extends Partial<ProbeSettings> {
  /** Milliseconds. */
  timeout?: number;
  /** Cancels the probe when it is closed. */
  lifetime?: Lifetime;
  /** Asks for a sample of the answer. */
  isSampled?: true;
  /** Replaces the network that is created from the settings. */
  network?: Network;
}

/** Runs one probe in this thread. */
export function observation<T extends ProbedType>(
  type: T,
  config: Omit<MonitorConfig<T>, "interval">,
  { timeout = 2000, lifetime, network, isSampled, ...settings }: Options = {},
): Promise<Observation> {
  const completeConfig = { ...config, interval: 60, ...(isSampled && { isSampled }) } as CheckConfig<T>;
  return probe(type, completeConfig, {
    timeout,
    network: network ?? createNetwork({ privateTargets: "allow", ...settings }),
    ...(lifetime && { lifetime }),
  });
}
