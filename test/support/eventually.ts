/** Waits until a value is there, looking again and again; fails with what it last saw. */
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
