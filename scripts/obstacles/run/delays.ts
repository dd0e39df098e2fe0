/** Milliseconds. */
const EVERY = 20;

/** Measures how late the event loop of this process is, in which the stand-ins answer. `take` says the most since the last call. */
export function watchDelays(): { take(): number } {
  let [last, most] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last - EVERY);
    last = now;
  }, EVERY);
  timer.unref();
  return {
    take() {
      const taken = most;
      most = 0;
      return taken;
    },
  };
}
