/*
 * The entry point of the probe thread: it runs the checks that it is told to, each at its own millisecond, so that
 * nothing that the main thread does shows up as somebody's latency.
 */
import type { CheckOrder, CheckReport } from "./probe-messages.ts";
import { probe } from "./registry.ts";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<CheckOrder>) => {
  setTimeout(run, Math.max(0, data.startAt - Date.now()), data);
};

async function run({ ticket, type, config, timeout }: CheckOrder): Promise<void> {
  const observation = await probe(type, config, timeout);
  self.postMessage({ ticket, observation } satisfies CheckReport);
}
