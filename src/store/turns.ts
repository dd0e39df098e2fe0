/** Milliseconds of work until other work of the process runs: a check-in needs a dozen turns for its round trips. */
const MAX_TURN = 4;

/**
 * For pieces of long work.
 *
 * @returns a function that is called after each piece. After some milliseconds of them, it returns what to await: other work of the
 *   process runs meanwhile.
 */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_TURN) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}

/** Takes all steps of a long computation. @returns its result */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  const turn = createTurns();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const others = turn();
    if (others) await others;
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
