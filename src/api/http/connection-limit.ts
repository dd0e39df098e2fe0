import { closeSync, openSync } from "node:fs";

/**
 * Maximum number of open connections, and their maximum share of the file descriptors of the process (behavior 8.18).
 */
const MAX_CONNECTIONS = 10_000;
const SHARE_OF_DESCRIPTORS = 0.5;

/** No connection is accepted while more than this share of the descriptors is in use for any purpose. */
const FULL = 0.9;

export interface ConnectionLimit {
  /** @returns how many more connections may be accepted, and how many descriptors are in use */
  measure(): { free: number; inUse: number };
}

/**
 * Bun has no limit of connections. Without a free descriptor, its event loop spins on the next connection and nothing
 * else of this process runs.
 *
 * @param descriptors how many file descriptors this process may have
 * @param others how many of those in use are not connections of clients
 */
export function createConnectionLimit({
  descriptors,
  others,
}: {
  descriptors: number;
  others: () => number;
}): ConnectionLimit {
  const most = Math.min(MAX_CONNECTIONS, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  return {
    measure() {
      const inUse = descriptorsInUse();
      return { free: Math.min(most + others(), descriptors * FULL) - inUse, inUse };
    },
  };
}

/** A new descriptor gets the lowest free number, which is an estimate of how many are in use. */
function descriptorsInUse(): number {
  try {
    const descriptor = openSync("/dev/null", "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
