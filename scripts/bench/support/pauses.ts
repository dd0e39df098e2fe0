import type { Running } from "./processes.ts";

/** Milliseconds between two requests. */
export const PAUSE = 5;

/** Response times of the requests sent until something ended, in milliseconds. */
export async function pauses({ said: url }: Running, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let ended = false;
  void end.then(() => {
    ended = true;
  });
  while (!ended) {
    const sent = performance.now();
    await (await fetch(`${url}/status`)).arrayBuffer();
    times.push(performance.now() - sent);
    await Bun.sleep(PAUSE);
  }
  return times;
}
