/*
 * The entry point of the probe thread. Checks run here so that work of the main thread does not add to the measured
 * latencies.
 */
import { createNetwork } from "./connections/network.ts";
import { OpenSockets } from "./connections/open-sockets.ts";
import { raiseThreadPriority } from "./priority.ts";
import { createFollowingClock } from "./probe-clock.ts";
import type { Commands, Setup } from "./probe-messages.ts";
import { createProbeRunner } from "./probe-runner.ts";
import { probe } from "./registry.ts";
import { createStallDetector } from "./stall-detector.ts";

declare const self: Worker;

raiseThreadPriority();

self.onmessage = ({ data: { settings, sockets } }: MessageEvent<Setup>) => {
  const network = createNetwork(settings, new OpenSockets(sockets));
  const { clock, follow } = createFollowingClock();
  const parts = { clock, probe, stallDetector: createStallDetector() };
  const runner = createProbeRunner(network, (reports) => self.postMessage(reports), parts);
  self.onmessage = ({ data: { commands, time } }: MessageEvent<Commands>) => {
    if (time) follow(time);
    for (const command of commands) runner.take(command);
  };
};
