/**
 * When a monitor is next due. The phase within the interval comes from the ID, so that checks spread evenly
 * and never drift: the slots of a monitor are the same whenever it is asked.
 *
 * @param interval seconds
 * @returns milliseconds since 1970, later than `now` by at most the interval
 */
export function nextCheckAt(id: string, interval: number, now: number): number {
  const length = interval * 1000;
  const phase = Bun.hash.xxHash32(id) % length;
  return now + length - mod(now - phase, length);
}

/** How long a check may take, in milliseconds (decisions 3). */
export function checkTimeout(interval: number): number {
  return Math.min(10, interval) * 1000;
}

function mod(value: number, length: number): number {
  return ((value % length) + length) % length;
}
