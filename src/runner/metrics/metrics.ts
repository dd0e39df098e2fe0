import { Counter, Histogram, Registry } from "prom-client";
import { CHANNEL_TYPES } from "../../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";
import { formatGauges, type Gauges } from "./gauges.ts";

/** Counters for Prometheus: some per organization, the others for the whole process. */
export interface Metrics {
  /** Counts one group commit. @param seconds its duration */
  committed(recordings: Recording[], commit: { recorded: (Recorded | null)[]; seconds: number }): void;
  /** Counts runs that were missed before an outage. */
  missed(recorded: Recorded[]): void;
  attempted(
    delivery: { organizationId: string; type: string },
    attempt: Pick<DeliveryAttempt, "outcome"> & { willRetry: boolean },
  ): void;
  /** Counts a request that was answered 429. @param limit the one that was exceeded */
  refused(limit: RequestLimit): void;
  /** How many checks were recorded. */
  checks(): number;
  /** Counts that the server stopped accepting connections for a while. */
  full(): void;
  /** The counters of an organization and of the process, and the gauges, in the text format of Prometheus. */
  expose(organizationId: string, gauges: Gauges): Promise<string>;
  /** Metrics that belong to no organization. */
  process: Registry;
}

const REQUEST_LIMITS = [
  "failed_attempts",
  "checkins",
  "probe_requests",
  "observations",
  "subscriptions",
] as const;
const OUTCOMES = ["delivered", "retried", "failed"] as const;
type RequestLimit = (typeof REQUEST_LIMITS)[number];

/** The media type of the text that `expose` returns. */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** Buckets in seconds. Latency: from a neighboring service to the timeout of a check. */
const LATENCIES = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** From a second to a day. */
const RUN_TIMES = [1, 5, 15, 60, 300, 900, 3600, 10_800, 43_200, 86_400];
const LATENESS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const COMMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500];

export function createMetrics(): Metrics {
  const organizations = new Map<string, OrganizationMetrics>();
  const process = createProcessMetrics();
  let checks = 0;

  function metricsOf(organizationId: string): OrganizationMetrics {
    const metrics = organizations.get(organizationId) ?? createOrganizationMetrics();
    organizations.set(organizationId, metrics);
    return metrics;
  }

  return {
    committed(recordings, { recorded, seconds }) {
      process.commitSize.observe(recordings.length);
      process.commitDuration.observe(seconds);
      for (const [at, recording] of recordings.entries()) {
        const one = recorded[at];
        if (one && recording.kind === "check") checks++;
        if (one) countRecording(metricsOf(one.organizationId), recording, one);
      }
    },
    missed(recorded) {
      for (const { organizationId, missed } of recorded) metricsOf(organizationId).missed.inc(missed);
    },
    attempted({ organizationId, type }, { outcome, willRetry }) {
      const label: (typeof OUTCOMES)[number] =
        outcome === "delivered" ? outcome : willRetry ? "retried" : "failed";
      metricsOf(organizationId).deliveries.inc({ type, outcome: label });
    },
    refused: (limit) => process.refused.inc({ limit }),
    checks: () => checks,
    full: () => process.full.inc(),
    async expose(organizationId, gauges) {
      const counters = Registry.merge([metricsOf(organizationId).registry, process.registry]);
      return `${formatGauges(gauges)}\n${await counters.metrics()}`;
    },
    process: process.registry,
  };
}

type OrganizationMetrics = ReturnType<typeof createOrganizationMetrics>;

function countRecording(
  metrics: OrganizationMetrics,
  recording: Recording,
  { type, status, missed, runMs }: Recorded,
): void {
  if (recording.kind === "checkin") {
    metrics.checkins.inc({ status });
    if (runMs !== undefined) metrics.runs.observe(runMs / 1000);
    return;
  }
  if (recording.kind === "silence") {
    metrics.missed.inc(missed);
    return;
  }
  if (recording.kind !== "check") return;
  metrics.checks.inc({ type, status });
  const { evidence, at, dueAt } = recording;
  if (!("latencyMs" in evidence) || evidence.latencyMs === null) return;
  metrics.latency.observe({ type }, evidence.latencyMs / 1000);
  if (dueAt !== undefined) metrics.lateness.observe(Math.max(0, at - dueAt - evidence.latencyMs) / 1000);
}

function createOrganizationMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const deliveries = new Counter({
    name: "stillup_delivery_attempts_total",
    help: "Attempts to deliver a notification, by type of channel and outcome.",
    labelNames: ["type", "outcome"],
    registers,
  });
  // `increase` does not count the first value of a series, so that each series starts with 0.
  for (const type of CHANNEL_TYPES) for (const outcome of OUTCOMES) deliveries.inc({ type, outcome }, 0);
  return {
    registry,
    deliveries,
    checks: new Counter({
      name: "stillup_checks_total",
      help: "Recorded checks, by type of monitor and status.",
      labelNames: ["type", "status"],
      registers,
    }),
    latency: new Histogram({
      name: "stillup_check_latency_seconds",
      help: "Latency of the targets that responded, by type of monitor.",
      labelNames: ["type"],
      buckets: LATENCIES,
      registers,
    }),
    lateness: new Histogram({
      name: "stillup_check_lateness_seconds",
      help: "Time from when a check was due to its end, minus the latency of the target.",
      buckets: LATENESS,
      registers,
    }),
    checkins: new Counter({
      name: "stillup_checkins_total",
      help: "Recorded check-ins, by status.",
      labelNames: ["status"],
      registers,
    }),
    missed: new Counter({
      name: "stillup_missed_checkins_total",
      help: "Runs of jobs that were missed.",
      registers,
    }),
    runs: new Histogram({
      name: "stillup_run_duration_seconds",
      help: "How long runs of jobs took that reported their start and their end.",
      buckets: RUN_TIMES,
      registers,
    }),
  };
}

function createProcessMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const refused = new Counter({
    name: "stillup_requests_refused_total",
    help: "Requests answered 429, by the limit that they exceeded.",
    labelNames: ["limit"],
    registers,
  });
  // As for attempts.
  for (const limit of REQUEST_LIMITS) refused.inc({ limit }, 0);
  return {
    registry,
    refused,
    full: new Counter({
      name: "stillup_connections_full_total",
      help: "How often the server stopped accepting connections until some were closed.",
      registers,
    }),
    commitSize: new Histogram({
      name: "stillup_recorder_commit_results",
      help: "Results per commit.",
      buckets: SIZES,
      registers,
    }),
    commitDuration: new Histogram({
      name: "stillup_recorder_commit_seconds",
      help: "Duration of commits.",
      buckets: COMMITS,
      registers,
    }),
  };
}
