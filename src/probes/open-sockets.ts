/** How many sockets the probes hold, in memory that the main thread reads. */
let count: Int32Array<ArrayBufferLike> = new Int32Array(1);

/** Counts in this array from now on. @param shared with the thread that reads it */
export function countSocketsIn(shared: Int32Array<SharedArrayBuffer>): void {
  count = shared;
}

/** Counts a socket. @returns ends the count; a second call does nothing */
export function countSocket(): () => void {
  let isOpen = true;
  Atomics.add(count, 0, 1);
  return () => {
    if (isOpen) Atomics.sub(count, 0, 1);
    isOpen = false;
  };
}

/** Counts a socket that closes when the signal is aborted. */
export function countSocketUntil(signal: AbortSignal): void {
  signal.addEventListener("abort", countSocket(), { once: true });
}
