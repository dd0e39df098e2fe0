/** Milliseconds. */
const EVERY = 20;

/** Measures how late the event loop of this process is, in which the stand-ins answer. */
export function watchDelays(): Disposable & { most(): number } {
  let [last, most] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last - EVERY);
    last = now;
  }, EVERY);
  return { most: () => most, [Symbol.dispose]: () => clearInterval(timer) };
}
