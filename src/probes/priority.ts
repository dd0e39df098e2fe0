import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** A nice value: of all that wants a core, a check that measures comes first. It needs little and never for long. */
const BEFORE_OTHERS = -10;

/**
 * Puts the calling thread before all others, so that what the machine is busy with, our own API included, shows less
 * in the latencies of targets. On Linux a nice value is a thread's own (setpriority(2), "C library/kernel
 * differences"). Where the limit of the process does not allow it (`LimitNICE` of systemd.exec(5)), nothing changes.
 */
export function preferThisThread(): void {
  try {
    const thread = readlinkSync("/proc/thread-self").split("/").at(-1);
    setPriority(Number(thread), BEFORE_OTHERS);
  } catch {
    // Latencies are then as exact as the machine is idle.
  }
}
