import type { Cancel, Clock } from "../../clock.ts";

/** Work that several callers can request. */
export interface Debounced {
  request(): void;
  /** Starts no more runs. */
  stop(): void;
}

/**
 * Runs work when it is requested: immediately after a pause, otherwise at the end of the pause. All requests until then
 * share one run, and two runs never overlap.
 *
 * @param work never rejects
 * @param pause milliseconds from the end of one run to the start of the next; read when a run is requested
 */
export function debounce(
  work: () => Promise<void>,
  { pause, clock }: { pause: () => number; clock: Pick<Clock, "monotonic" | "after"> },
): Debounced {
  let cancel: Cancel | undefined;
  let state: "idle" | "running" | "requested" | "stopped" = "idle";
  let endedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    cancel = undefined;
    state = "running";
    await work();
    endedAt = clock.monotonic();
    rest();
  }

  function rest(): void {
    if (state === "stopped") return;
    const isRequested = state === "requested";
    state = "idle";
    if (isRequested) request();
  }

  function request(): void {
    if (state === "running") state = "requested";
    if (state === "idle") cancel ??= clock.after(Math.max(0, endedAt + pause() - clock.monotonic()), run);
  }

  return {
    request,
    stop() {
      state = "stopped";
      cancel?.();
    },
  };
}
