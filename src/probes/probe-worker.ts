import { dlopen, ptr } from "bun:ffi";
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { isAnyAnswering } from "./connections/connection-attempt.ts";
import { createNetwork, OpenSockets } from "./connections/network.ts";
import { createOwnNetwork } from "./network-state.ts";
import { createFollowingClock, type ProbeClock } from "./probe-clock.ts";
import { createProbeRunner, createReportBatches, probe } from "./probe-runner.ts";
import type { Commands, ProbeSettings, Setup } from "./probe-thread.ts";
import { createStallDetector } from "./stall-detector.ts";

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
function raiseThreadPriority(): void {
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

/*
 * The entry point of the probe thread. Checks run here so that work of the main thread does not add to the measured
 * latencies.
 */

declare const self: Worker;

const post = createReportBatches(
  (reports) => self.postMessage(JSON.stringify(reports)),
  (ms, task) => void setTimeout(task, ms),
);

raiseThreadPriority();

self.onmessage = ({ data: { settings, sockets } }: MessageEvent<Setup>) => {
  const network = createNetwork(settings, new OpenSockets(sockets), () => post([{ dns: "answered" }]));
  const { clock, follow } = createFollowingClock();
  const ownNetwork = watchOwnNetwork(settings, clock);
  const runner = createProbeRunner(network, post, {
    clock,
    probe,
    stallDetector: createStallDetector(),
    ownNetwork,
  });
  self.onmessage = ({ data }: MessageEvent<string>) => {
    const { commands, time }: Commands = JSON.parse(data);
    if (time) follow(time);
    for (const command of commands) runner.take(command);
  };
};

/** Looks at the network immediately, so that a wrong setting is noticed before it hides an outage. */
function watchOwnNetwork({ networkCheck, ...settings }: ProbeSettings, clock: ProbeClock) {
  if (!networkCheck) return undefined;
  const network = createNetwork({ ...settings, privateTargets: "allow" });
  const ownNetwork = createOwnNetwork({
    isAnswered: () => isAnyAnswering(networkCheck, network),
    onState: (state) => post([{ network: state }]),
    clock,
  });
  void ownNetwork.look();
  return ownNetwork;
}
