import { dlopen, ptr } from "bun:ffi";
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** A nice value: of all that wants a core, a check that measures comes first. It needs little and never for long. */
const BEFORE_OTHERS = -10;

/**
 * Nanoseconds, about what one check takes at a time: who asks for a shorter turn than the system's (some 3 ms) gets it
 * at once, and keeps it to its end.
 */
const SHORT_TURN = 500_000n;

/** The number of sched_setattr(2), and the size of its `struct sched_attr` in the first version. */
const SCHED_SETATTR = process.arch === "arm64" ? 274 : 314;
const ATTRIBUTES_SIZE = 48;

/** glibc's name, by which musl knows itself too. */
const LIBC = "libc.so.6";

/**
 * Puts the calling thread before all others, so that what the machine is busy with, our own API included, shows less
 * in the latencies of targets. What the system does not allow or know stays as it is: latencies are then as exact as
 * the machine is idle.
 */
export function preferThisThread(): void {
  if (process.platform !== "linux") return;
  const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  attempt(() => setPriority(thread, BEFORE_OTHERS));
  attempt(() => askForShortTurns(getPriority(thread)));
}

/**
 * On Linux a nice value is a thread's own (setpriority(2), "C library/kernel differences"), and within the limit of
 * `LimitNICE` (systemd.exec(5)). The length of a turn is free to choose, from Linux 6.12 on: with it, the longest waits
 * of a check for a core, beside a busy API, are half as long as with the nice value alone.
 */
function askForShortTurns(nice: number): void {
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTES_SIZE));
  attributes.setUint32(0, ATTRIBUTES_SIZE, true);
  attributes.setInt32(16, nice, true);
  attributes.setBigUint64(24, SHORT_TURN, true);
  const libc = dlopen(LIBC, { syscall: { args: ["i64", "i32", "ptr", "u32"], returns: "i64" } });
  libc.symbols.syscall(SCHED_SETATTR, 0, ptr(attributes), 0);
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // See above: a check is then less exact, and no less true.
  }
}
