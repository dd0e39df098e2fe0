/** Runs at the first call, then at most once per interval. @param interval milliseconds */
export function throttle(run: () => void, interval: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let calledAgain = false;
  const start = () => {
    calledAgain = false;
    run();
    timer = setTimeout(finish, interval);
  };
  const finish = () => {
    timer = undefined;
    if (calledAgain) start();
  };
  return () => {
    if (timer) calledAgain = true;
    else start();
  };
}
