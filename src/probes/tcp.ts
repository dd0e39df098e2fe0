import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { dial } from "./connections/dial.ts";
import { observe, type ProbeInput, since } from "./observe.ts";

/** Opens a connection and closes it. The latency includes name resolution (behavior 1.32). */
export function probeTcp({ host, port }: MonitorConfig<"TCP">, input: ProbeInput): Promise<Observation> {
  return observe(input, async (context) => {
    const start = performance.now();
    await dial({ host, port }, context);
    return { outcome: "reached", latencyMs: since(start), detail: {} };
  });
}
