/** Milliseconds. */
const EVERY = 20;
/** A timer that is later than this is a stall. */
const STALL = 30;

/** How late the event loop of this process is, in which the stand-ins answer. Times are milliseconds since 1970. */
export interface Delays extends Disposable {
  most(): number;
  /** When a target may have been slow because the loop was late. */
  stalls: { from: number; to: number }[];
}

export function watchDelays(): Delays {
  let [last, most] = [performance.now(), 0];
  const stalls: Delays["stalls"] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    const delay = now - last - EVERY;
    most = Math.max(most, delay);
    if (delay > STALL) stalls.push({ from: Date.now() - (now - last), to: Date.now() });
    last = now;
  }, EVERY);
  return { most: () => most, stalls, [Symbol.dispose]: () => clearInterval(timer) };
}
