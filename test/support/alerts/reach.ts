import type { Transport } from "../../../src/alerts/post.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import type { ProbeSettings } from "../../../src/probes/probe-thread.ts";
import { systemClock } from "../clock.ts";

/** Connects to receivers as the server does. */
export function reachWith(settings: Partial<ProbeSettings> = {}): Transport {
  return {
    clock: systemClock(),
    resolve: createNetwork({ privateTargets: "allow", ...settings }).addressesOf,
  };
}
