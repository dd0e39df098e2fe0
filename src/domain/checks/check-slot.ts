/**
 * The next time at which a check is due. The phase within the interval is a hash of the ID, so that checks of many
 * monitors spread evenly, and the slots of a monitor do not depend on `now` (behavior 1.8).
 *
 * @param interval seconds
 * @param offset by how much the slots of a location are later, in milliseconds: see `slotOffset`
 * @returns milliseconds since 1970, later than `now` by at most the interval
 */
export function nextCheckAt(id: string, interval: number, now: number, offset = 0): number {
  const length = interval * 1000;
  const phase = (hash(id) + offset) % length;
  return now + length - mod(now - phase, length);
}

/** No interval of a plan is shorter; milliseconds. */
export const SHORTEST_INTERVAL = 1000;

/** Whether the slot of a check has passed by more than the interval of its monitor in seconds (behavior 1.61). */
export function isOverdueByInterval(
  { nextCheckAt, interval }: { nextCheckAt: number; interval: number },
  now: number,
): boolean {
  return nextCheckAt + interval * 1000 < now;
}

/**
 * How much longer than its timeout the claim of a check lasts, in milliseconds: for its start, for what a probe does after
 * the timeout, and for writing its result.
 */
export const CLAIM_MARGIN = 8000;

/** The timeout of a check, in milliseconds (behavior 1.10, 10.6). In a config it is in seconds. */
export function checkTimeout({ interval, timeout }: { interval: number; timeout?: number }): number {
  return (timeout ?? Math.min(10, interval)) * 1000;
}

/** FNV-1a of 32 bits, and the final mix of MurmurHash3, so that similar IDs get unrelated phases. */
function hash(id: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) value = Math.imul(value ^ id.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The remainder of a division, not negative for a negative value. */
function mod(value: number, length: number): number {
  return ((value % length) + length) % length;
}
