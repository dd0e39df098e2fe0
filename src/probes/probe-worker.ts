/*
 * The entry point of the probe thread. Checks run here so that work of the main thread does not add to the measured
 * latencies.
 */
import { createNetwork } from "./connections/network.ts";
import { OpenSockets } from "./connections/open-sockets.ts";
import { raiseThreadPriority } from "./priority.ts";
import type { Command, Setup } from "./probe-messages.ts";
import { createProbeRunner } from "./probe-runner.ts";

declare const self: Worker;

raiseThreadPriority();

self.onmessage = ({ data: { settings, sockets } }: MessageEvent<Setup>) => {
  const network = createNetwork(settings, new OpenSockets(sockets));
  const runner = createProbeRunner(network, (reports) => self.postMessage(reports));
  self.onmessage = ({ data: commands }: MessageEvent<Command[]>) => {
    for (const command of commands) runner.take(command);
  };
};
