/** How many rows a statement has: between two of them, other work of the process runs. */
const AT_ONCE = 1000;

/** Works on some items at a time, in their order. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    await work(items.slice(at, at + AT_ONCE));
  }
}

/** Milliseconds of work until other work of the process runs. */
const LONGEST_TURN = 10;

/** Takes all steps of a long computation. @returns its result */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < LONGEST_TURN) continue;
    await nextTurn();
    since = performance.now();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
