import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { dial } from "./dial.ts";
import { observe, type ProbeContext, since } from "./observe.ts";

/** Opens a connection and closes it. The latency counts the name resolution in (decisions 3). */
export function probeTcp(
  { host, port }: MonitorConfig<"TCP">,
  conditions: ProbeContext,
): Promise<Observation> {
  return observe(conditions, async (attempt) => {
    const start = performance.now();
    await dial({ host, port }, attempt);
    return { outcome: "reached", latencyMs: since(start), detail: {} };
  });
}
