/** Runs a task on request, one run at a time. */
export interface CoalescedLoop {
  /** Runs the task now; if it is running, once more after that, however many wakes there were. */
  wake(): void;
  /** Starts no more runs. */
  stop(): void;
}

/** @param task must handle its own errors */
export function createCoalescedLoop(task: () => Promise<void>): CoalescedLoop {
  let state: "idle" | "running" | "woken" | "stopped" = "idle";

  async function run(): Promise<void> {
    state = "running";
    await task();
    rest();
  }

  function rest(): void {
    if (state === "stopped") return;
    const isWoken = state === "woken";
    state = "idle";
    if (isWoken) wake();
  }

  function wake(): void {
    if (state === "running") state = "woken";
    if (state === "idle") void run();
  }

  return {
    wake,
    stop() {
      state = "stopped";
    },
  };
}
