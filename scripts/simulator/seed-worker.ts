/* Runs one seed for each message. Each worker is a thread with its own random numbers, and with one deliberate fault at most. */
import { deliberateFault } from "./deliberate-faults/deliberate.ts";
import { installFault } from "./deliberate-faults/install.ts";
import type { SeedOptions, Verdict } from "./run-seed.ts";

declare const self: Worker;

export interface SeedJob {
  seed: number;
  options: SeedOptions;
  /** The name of a deliberate fault; equal in all messages to a worker. */
  fault?: string | undefined;
}

/** `error` if the simulation itself failed. */
export type SeedReport = { seed: number; verdict: Verdict } | { seed: number; error: string };

let isPrepared = false;

self.onmessage = async ({ data }: MessageEvent<SeedJob>) => {
  self.postMessage(await report(data));
};

async function report({ seed, options, fault }: SeedJob): Promise<SeedReport> {
  try {
    if (fault !== undefined && !isPrepared) installFault(deliberateFault(fault));
    isPrepared = true;
    // After the fault is installed, because it changes what is loaded.
    const { runSeed } = await import("./run-seed.ts");
    return { seed, verdict: await runSeed(seed, options) };
  } catch (error) {
    return { seed, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
