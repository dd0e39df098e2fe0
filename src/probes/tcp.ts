import type { MonitorConfig } from "../domain/monitor.ts";
import type { Observation } from "../domain/observation.ts";
import { dial } from "./dial.ts";
import { observe, since } from "./observe.ts";

/** Opens a connection and closes it. The latency counts the name resolution in (decisions 3). */
export function probeTcp({ host, port }: MonitorConfig<"TCP">, timeout: number): Promise<Observation> {
  return observe(timeout, async (attempt) => {
    const start = performance.now();
    await dial({ host, port, tls: false }, attempt);
    return { latencyMs: since(start) };
  });
}
