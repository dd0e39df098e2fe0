/**
 * Runs at the first call; after that, only when the run and the pause after it are over.
 *
 * @param pauseAfter from how long a run took to how long the pause lasts, in milliseconds
 */
export function throttle(run: () => Promise<void>, pauseAfter: (took: number) => number): () => void {
  let isWaiting = false;
  let calledAgain = false;
  const start = async () => {
    isWaiting = true;
    calledAgain = false;
    const startedAt = performance.now();
    await run();
    setTimeout(finish, pauseAfter(performance.now() - startedAt));
  };
  const finish = () => {
    isWaiting = false;
    if (calledAgain) void start();
  };
  return () => {
    if (isWaiting) calledAgain = true;
    else void start();
  };
}
