/** Work that many may ask for. */
export interface Debounced {
  request(): void;
  /** Begins nothing more. */
  stop(): void;
}

/**
 * Runs work when it is requested: at once after a rest, else at the end of a pause, once for all requests until then, and
 * never twice at the same time.
 *
 * @param work never rejects
 * @param pause milliseconds between the end of one run and the start of the next; asked for when a run is requested
 */
export function debounce(work: () => Promise<void>, pause: () => number): Debounced {
  let timer: Timer | undefined;
  let state: "idle" | "running" | "requested" | "stopped" = "idle";
  let endedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    timer = undefined;
    state = "running";
    await work();
    endedAt = performance.now();
    rest();
  }

  function rest(): void {
    if (state === "stopped") return;
    const again = state === "requested";
    state = "idle";
    if (again) request();
  }

  function request(): void {
    if (state === "running") state = "requested";
    if (state === "idle") timer ??= setTimeout(run, Math.max(0, endedAt + pause() - performance.now()));
  }

  return {
    request,
    stop() {
      state = "stopped";
      clearTimeout(timer);
    },
  };
}
