/* Runs one seed for each message. Each worker is a thread with its own random numbers. */
import { runSeed, type SeedOptions, type Verdict } from "./run-seed.ts";

declare const self: Worker;

export interface SeedJob {
  seed: number;
  options: SeedOptions;
}

/** `error` if the simulation itself failed. */
export type SeedReport = { seed: number; verdict: Verdict } | { seed: number; error: string };

self.onmessage = async ({ data: { seed, options } }: MessageEvent<SeedJob>) => {
  self.postMessage(await report(seed, options));
};

async function report(seed: number, options: SeedOptions): Promise<SeedReport> {
  try {
    return { seed, verdict: await runSeed(seed, options) };
  } catch (error) {
    return { seed, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
