/** Calls `look` repeatedly until it returns a value. @throws after the timeout */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patience = 8000,
): Promise<T> {
  const end = performance.now() + patience;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`not seen within ${patience} ms: ${look}`);
    await Bun.sleep(10);
  }
}
