import { readdirSync } from "node:fs";
import { Histogram, type Registry } from "prom-client";
import { version } from "../../../package.json";
import type { Cancel, Clock } from "../../clock.ts";
import { descriptorLimit } from "../../descriptors.ts";
import type { DiscoveryReport } from "../../domain/discovery/report.ts";
import { countsAsDown } from "../../domain/monitors/status.ts";
import type { CertificateExpiry } from "../../store/monitors/monitor-report.ts";
import type { LocationReport, MonitorSnapshot } from "../../store/store.ts";
import type { Recorder } from "../checks/recorder.ts";
import type { Scheduler } from "../checks/scheduler.ts";
import type { HealthReport } from "../health.ts";
import type { Installation } from "../node.ts";

/** The current state of the monitors of one organization. */
export function monitorGauges(snapshots: MonitorSnapshot[]): Gauges {
  const running = snapshots.filter(({ enabled, status }) => enabled && status !== "unknown");
  const byName = Map.groupBy(running, ({ name, type }) => JSON.stringify([name, type]));
  const named = (worstOf: (group: MonitorSnapshot[]) => number | undefined) =>
    [...byName.values()].flatMap((group) => {
      const [first] = group;
      const value = worstOf(group);
      return first && value !== undefined ? [{ labels: { name: first.name, type: first.type }, value }] : [];
    });
  return {
    stillup_monitors: {
      help: "Monitors, by type, status and whether they are enabled.",
      values: counted(snapshots),
    },
    // By name, because the ID is the secret of the check-in URL. Names need not be unique.
    stillup_monitor_up: {
      help: "0 if the status lowers the uptime, otherwise 1; the worst of monitors with the same name.",
      values: named((group) => (group.some(({ status }) => countsAsDown[status]) ? 0 : 1)),
    },
    stillup_monitor_latency_seconds: {
      help: "Latency of the latest check; the longest of monitors with the same name.",
      values: named((group) => {
        const latencies = group.flatMap(({ latest }) => latest?.latencyMs ?? []);
        return latencies.length > 0 ? Math.max(...latencies) / 1000 : undefined;
      }),
    },
  };
}

/** When the certificates of TLS monitors expire. */
export function certificateGauges(expiries: CertificateExpiry[]): Gauges {
  return {
    stillup_monitor_certificate_expiry_timestamp_seconds: {
      help: "When the certificate of the latest check expires, since 1970; the first of monitors with the same name.",
      values: [...Map.groupBy(expiries, ({ name }) => name)].map(([name, group]) => ({
        labels: { name, type: "TLS" },
        value: Math.min(...group.map(({ end }) => Date.parse(end) / 1000)),
      })),
    },
  };
}

/** @param waiting how many are pending */
export function deliveryGauges(waiting: number): Gauges {
  return {
    stillup_deliveries_waiting: {
      help: "Notifications that are neither delivered nor failed for good.",
      values: [{ value: waiting }],
    },
  };
}

function counted(snapshots: MonitorSnapshot[]) {
  const groups = Map.groupBy(snapshots, ({ type, status, enabled }) =>
    JSON.stringify([type, status, enabled]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { type, status, enabled } = first;
    return [{ labels: { type, status, enabled: String(enabled) }, value: group.length }];
  });
}

/** The current state of the locations of one organization. */
export function locationGauges(reports: LocationReport[]): Gauges {
  return {
    stillup_location_connected: {
      help: "1 if the probe of the location is connected, otherwise 0.",
      values: reports.map(({ name, state }) => ({
        labels: { location: name },
        value: state === "connected" ? 1 : 0,
      })),
    },
    stillup_location_lag_seconds: {
      help: "How old the oldest observation of the latest batch of the location was when it arrived.",
      values: reports.flatMap(({ name, lagMs }) =>
        lagMs === null ? [] : [{ labels: { location: name }, value: lagMs / 1000 }],
      ),
    },
  };
}

/** The number of things that run here and no monitor watches. @param report undefined without discovery */
export function discoveryGauges(report: DiscoveryReport | undefined): Gauges {
  if (!report || report.sources.length === 0) return {};
  return { stillup_unwatched: one("What runs here and no monitor watches.", report.unwatched.length) };
}

/** Metrics that are read on request. Those named `_total` are counters. */
export interface Gauges {
  [name: string]: { help: string; values: { labels?: Record<string, string>; value: number }[] };
}

/** The text format of Prometheus. Its client library is several times slower for thousands of series. */
export function formatGauges(gauges: Gauges): string {
  return Object.entries(gauges)
    .map(([name, { help, values }]) => {
      const type = name.endsWith("_total") ? "counter" : "gauge";
      const samples = values.map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("")}`;
    })
    .join("\n");
}

function formatLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

interface Sources {
  recorder: Pick<Recorder, "waiting" | "held">;
  scheduler: Pick<Scheduler, "running">;
  installation: Pick<Installation, "storage">;
  health: () => HealthReport;
}

/** The current state of this process. */
export async function processGauges(sources: Sources): Promise<Gauges> {
  const { recorder, scheduler, installation, health } = sources;
  const { files, freeBytes } = await installation.storage();
  const { user, system } = process.cpuUsage();
  const { database, probes, blind, overdue, nodes, network } = health();
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
    stillup_monitors_blind: one("Monitors that no check has said anything about, as in /healthz.", blind),
    stillup_nodes: one("Servers that share the database and are alive, as in /healthz.", nodes),
    stillup_recorder_waiting: one("Results and check-ins that wait for the next commit.", recorder.waiting()),
    stillup_recorder_held: one(
      "Results held in memory until the disk accepts writes again.",
      recorder.held(),
    ),
    stillup_database_bytes: {
      help: "Size of the database files.",
      values: Object.entries(files).map(([file, value]) => ({ labels: { file }, value })),
    },
    stillup_disk_free_bytes: {
      help: "Free space of the disk with the embedded database.",
      values: freeBytes === null ? [] : [{ value: freeBytes }],
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
