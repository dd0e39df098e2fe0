import { readdirSync } from "node:fs";
import { Histogram, type Registry } from "prom-client";
import { version } from "../../../package.json";
import type { Cancel, Clock } from "../../clock.ts";
import { descriptorLimit } from "../../descriptors.ts";
import type { Store } from "../../store/store.ts";
import type { Recorder } from "../checks/recorder.ts";
import type { Scheduler } from "../checks/scheduler.ts";
import type { HealthReport } from "../health.ts";
import type { Gauges } from "./gauges.ts";

interface Sources {
  store: Pick<Store, "fileSizes">;
  recorder: Pick<Recorder, "waiting" | "held">;
  scheduler: Pick<Scheduler, "running">;
  health: () => HealthReport;
}

/** The current state of this process. */
export async function processGauges({ store, recorder, scheduler, health }: Sources): Promise<Gauges> {
  const sizes = await store.fileSizes();
  const { user, system } = process.cpuUsage();
  const { database, probes, overdue, network } = health();
  return {
    stillup_build_info: {
      help: "Always 1; the version is in its labels.",
      values: [{ labels: { version, bun: Bun.version }, value: 1 }],
    },
    stillup_healthy: {
      help: "1 if this part of the service works, as in /healthz, otherwise 0.",
      values: Object.entries({ database, probes, ...(network && { network }) }).map(([part, how]) => ({
        labels: { part },
        value: how === "ok" || how === "online" ? 1 : 0,
      })),
    },
    stillup_checks_under_way: one("Checks that have started and are not recorded yet.", scheduler.running()),
    stillup_monitors_overdue: one(
      "Monitors that wait for a check for longer than their interval, as in /healthz.",
      overdue,
    ),
    stillup_recorder_waiting: one("Results and check-ins that wait for the next commit.", recorder.waiting()),
    stillup_recorder_held: one(
      "Results held in memory until the disk accepts writes again.",
      recorder.held(),
    ),
    stillup_database_bytes: {
      help: "Size of the database files.",
      values: Object.entries(sizes).map(([file, value]) => ({ labels: { file }, value })),
    },
    process_cpu_seconds_total: one("Processor time, user and system.", (user + system) / 1e6),
    process_resident_memory_bytes: one("Memory in use.", process.memoryUsage.rss()),
    process_start_time_seconds: one("Start time since 1970.", performance.timeOrigin / 1000),
    process_open_fds: one("File descriptors in use.", openDescriptors()),
    process_max_fds: one("Limit of file descriptors.", descriptorLimit()),
  };
}

function one(help: string, value: number) {
  return { help, values: [{ value }] };
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    // Not on Linux.
    return Number.NaN;
  }
}

const PERIOD = 1000;

/**
 * Measures how late the event loop runs what is due at each whole second: by the clock, or by the time since the last one if seconds
 * were left out. So a process that has nothing else to do need not wake for it.
 *
 * @returns stops it
 */
export function measureLag(registry: Registry, clock: Pick<Clock, "now" | "monotonic" | "every">): Cancel {
  const lag = new Histogram({
    name: "stillup_event_loop_lag_seconds",
    help: "Delay of a timer of 1 s: how long other work may have waited.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  let last = clock.monotonic();
  return clock.every(PERIOD, () => {
    const now = clock.monotonic();
    lag.observe(Math.max(clock.now() % PERIOD, now - last - PERIOD) / 1000);
    last = now;
  });
}
