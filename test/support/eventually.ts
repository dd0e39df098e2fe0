/** Polls until `look` returns a value that is neither undefined nor false. @param patience milliseconds */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patience = 120_000,
): Promise<T> {
  const end = performance.now() + patience;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`no value within ${patience} ms: ${look}`);
    await Bun.sleep(10);
  }
}
