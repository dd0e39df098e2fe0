import { dlopen, ptr } from "bun:ffi";
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** The nice value of the probe thread. It measures latencies, and needs the processor often but never for long. */
const NICE = -10;

/** The requested time slice of the scheduler, in nanoseconds: about what one check needs. The default is some 3 ms. */
const TIME_SLICE = 500_000n;

/** The number of the system call sched_setattr(2), and the size of the first version of `struct sched_attr`. */
const SCHED_SETATTR = process.arch === "arm64" ? 274 : 314;
const ATTRIBUTES_SIZE = 48;

/** The name that both glibc and musl resolve to themselves. */
const LIBC = "libc.so.6";

/**
 * Raises the priority of the calling thread, so that load on the machine, including requests to our own API, adds less to
 * the measured latencies. If the system does not allow or support this, the thread keeps its priority, and latencies
 * are less precise under load.
 */
export function raiseThreadPriority(): void {
  if (process.platform !== "linux") return;
  const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  ignoreErrors(() => setPriority(thread, NICE));
  ignoreErrors(() => requestTimeSlice(getPriority(thread)));
}

/**
 * From Linux 6.12 on, a thread with a shorter time slice is scheduled earlier. Beside a busy API, the longest waits of
 * a check for the processor are half as long as with the nice value alone. On Linux, the nice value belongs to the
 * thread (setpriority(2), "C library/kernel differences"); `LimitNICE` bounds it (systemd.exec(5)).
 *
 * @param nice the current nice value, because the call sets both
 */
function requestTimeSlice(nice: number): void {
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTES_SIZE));
  attributes.setUint32(0, ATTRIBUTES_SIZE, true); // size
  attributes.setInt32(16, nice, true); // sched_nice
  attributes.setBigUint64(24, TIME_SLICE, true); // sched_runtime
  const libc = dlopen(LIBC, { syscall: { args: ["i64", "i32", "ptr", "u32"], returns: "i64" } });
  libc.symbols.syscall(SCHED_SETATTR, 0, ptr(attributes), 0);
}

function ignoreErrors(change: () => void): void {
  try {
    change();
  } catch {
    // Latencies are less precise, results are the same.
  }
}
