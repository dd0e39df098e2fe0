/*
 * The entry point of the probe thread: it runs the checks that it is told to, each at its own millisecond, so that
 * nothing that the main thread does shows up as somebody's latency.
 */
import { createNetwork, type Network } from "./network.ts";
import { watchOwnFaults, withoutOwnFaults } from "./own-faults.ts";
import type { CheckOrder, CheckReport } from "./probe-messages.ts";
import type { ProbeSettings } from "./probe-settings.ts";
import { probe } from "./registry.ts";

declare const self: Worker;

const faults = watchOwnFaults();

/** The first message has the settings, each further one a check. */
self.onmessage = ({ data: settings }: MessageEvent<ProbeSettings>) => {
  const network = createNetwork(settings);
  self.onmessage = ({ data }: MessageEvent<CheckOrder>) => {
    setTimeout(run, Math.max(0, data.startAt - Date.now()), data, network);
  };
};

async function run({ ticket, type, config, timeout }: CheckOrder, network: Network): Promise<void> {
  const start = performance.now();
  const seen = await probe(type, config, { timeout, network });
  const observation = withoutOwnFaults(seen, faults.since(start));
  self.postMessage({ ticket, observation } satisfies CheckReport);
}
