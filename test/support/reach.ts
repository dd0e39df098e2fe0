import type { Transport } from "../../src/alerts/delivery-settings.ts";
import { createNetwork } from "../../src/probes/network.ts";
import type { ProbeSettings } from "../../src/probes/probe-settings.ts";

/** The way to receivers as the server has it. */
export function reachWith(settings: Partial<ProbeSettings> = {}): Transport {
  return { resolve: createNetwork({ privateTargets: "allow", ...settings }).addressesOf };
}
