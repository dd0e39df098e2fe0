/** Milliseconds. */
const EVERY = 20;

/** Measures by how much the event loop of this process is late, in which the stand-ins answer. */
export function watchDelays(): { most(): number } {
  let [last, most] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last - EVERY);
    last = now;
  }, EVERY);
  timer.unref();
  return { most: () => most };
}
