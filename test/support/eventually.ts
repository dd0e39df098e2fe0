/** Polls until `look` returns a value that is neither undefined nor false. @param patience milliseconds */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patience = 120_000,
): Promise<T> {
  const end = performance.now() + patience;
  // Each look takes processor time of what it waits for.
  for (let pause = 10; ; pause = Math.min(1.1 * pause, 30)) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`no value within ${patience} ms: ${look}`);
    await Bun.sleep(pause);
  }
}
