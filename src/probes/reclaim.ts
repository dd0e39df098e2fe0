/** After so many bytes, those that nothing holds any more are reclaimed. */
const EVERY = 16 * 1024 * 1024;

let passed = 0;

/**
 * Counts bytes that have passed through this thread. The garbage collector knows little of buffers that the system fills, and would
 * leave hundreds of MiB of them behind. A collection takes some milliseconds, and small answers seldom cause one.
 */
export function countPassed(bytes: number): void {
  passed += bytes;
  if (passed < EVERY) return;
  passed = 0;
  Bun.gc(true);
}
