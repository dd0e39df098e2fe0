import type { Shape } from "./shape.ts";

/** Four times the input may take so many times as long: linear work takes 4 times as long, and quadratic work up to 16 times. */
export const MOST = 7;

/** A measurement that says more is repeated, because collections of garbage disturb it; not one that says far more. */
const TRIES = 3;
const FAR_MORE = 12;

/** Processor time in microseconds. The clock is coarse, so that a measurement takes at least the first. */
const LEAST = 10_000;
const LONG = 300_000;

const ROUNDS = 3;

/** @property costs of n, 2n and 4n, in microseconds of processor time @property factor how many times as long 4n takes as n */
export interface Growth {
  costs: number[];
  factor: number;
}

/** Measures how the processor time of a shape grows with its size. */
export async function growthOf(shape: Shape): Promise<Growth> {
  let best = await measure(shape);
  for (let tries = 1; tries < TRIES && best.factor > MOST && best.factor < FAR_MORE; tries++) {
    const again = await measure(shape);
    if (again.factor < best.factor) best = again;
  }
  return best;
}

async function measure({ size, compose }: Shape): Promise<Growth> {
  const small = compose(size);
  let times = 1;
  // Compiles what is measured, too.
  for (let cost = await costOf(small, 1); cost < LEAST; cost = await costOf(small, times)) times *= 2;
  const costs: [number, number, number] = [
    await leastCost(small, times),
    await leastCost(compose(2 * size), times),
    await leastCost(compose(4 * size), times),
  ];
  return { costs, factor: costs[2] / costs[0] };
}

/** @returns microseconds for one run */
async function leastCost(run: () => unknown, times: number): Promise<number> {
  Bun.gc(true);
  let least = await costOf(run, times);
  for (let round = 1; round < ROUNDS && least < LONG; round++)
    least = Math.min(least, await costOf(run, times));
  return least / times;
}

async function costOf(run: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < times; done++) await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
