/*
 * The entry point of the probe thread. Checks run here so that work of the main thread does not add to the measured
 * latencies.
 */
import { createNetwork } from "./connections/network.ts";
import { isAnyAnswering } from "./connections/network-check.ts";
import { OpenSockets } from "./connections/open-sockets.ts";
import { createOwnNetwork } from "./network-state.ts";
import { raiseThreadPriority } from "./priority.ts";
import { createFollowingClock, type ProbeClock } from "./probe-clock.ts";
import type { Commands, Setup } from "./probe-messages.ts";
import { createProbeRunner } from "./probe-runner.ts";
import type { ProbeSettings } from "./probe-settings.ts";
import { probe } from "./registry.ts";
import { createReportBatches } from "./report-batches.ts";
import { createStallDetector } from "./stall-detector.ts";

declare const self: Worker;

const post = createReportBatches(
  (reports) => self.postMessage(JSON.stringify(reports)),
  (ms, task) => void setTimeout(task, ms),
);

raiseThreadPriority();

self.onmessage = ({ data: { settings, sockets } }: MessageEvent<Setup>) => {
  const network = createNetwork(settings, new OpenSockets(sockets), () => post([{ dns: "answered" }]));
  const { clock, follow } = createFollowingClock();
  const ownNetwork = watchOwnNetwork(settings, clock);
  const runner = createProbeRunner(network, post, {
    clock,
    probe,
    stallDetector: createStallDetector(),
    ownNetwork,
  });
  self.onmessage = ({ data }: MessageEvent<string>) => {
    const { commands, time }: Commands = JSON.parse(data);
    if (time) follow(time);
    for (const command of commands) runner.take(command);
  };
};

/** Looks at the network immediately, so that a wrong setting is noticed before it hides an outage. */
function watchOwnNetwork({ networkCheck, ...settings }: ProbeSettings, clock: ProbeClock) {
  if (!networkCheck) return undefined;
  const network = createNetwork({ ...settings, privateTargets: "allow" });
  const ownNetwork = createOwnNetwork({
    isAnswered: () => isAnyAnswering(networkCheck, network),
    onState: (state) => post([{ network: state }]),
    clock,
  });
  void ownNetwork.look();
  return ownNetwork;
}
