import { Counter, Histogram, Registry } from "prom-client";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import type { Recorded, Recording } from "../../store/sqlite/recording/record.ts";
import { formatGauges, type Gauges } from "./gauges.ts";

/** Counts what happens, to be read by Prometheus: for each organization its own, and the process for all. */
export interface Metrics {
  /** Counts what was committed together. @param seconds how long that took */
  committed(recordings: Recording[], recorded: (Recorded | null)[], seconds: number): void;
  /** Counts missed runs that were found in an outage. */
  missed(recorded: Recorded[]): void;
  /** @param goesOn whether it will be tried again */
  attempted(
    delivery: { organizationPk: number; type: string },
    attempt: Pick<DeliveryAttempt, "outcome">,
    goesOn: boolean,
  ): void;
  /** Counts a request that was answered 429. @param limit what there was too much of */
  refused(limit: RequestLimit): void;
  /** Counts a time that no more connections are taken. */
  full(): void;
  /** What was counted for an organization and of the process, and what is read besides; in Prometheus' text format. */
  expose(organizationPk: number, readings: Gauges): Promise<string>;
  /** What is counted of the process: nothing in it is of one organization. */
  process: Registry;
}

const REQUEST_LIMITS = ["failed_attempts", "checkins"] as const;
type RequestLimit = (typeof REQUEST_LIMITS)[number];

/** The media type of what `expose` gives. */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** Seconds: from a service next door to the timeout of a check. */
const LATENCIES = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LATENESS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const COMMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500];

export function createMetrics(): Metrics {
  const organizations = new Map<number, OrganizationMetrics>();
  const process = createProcessMetrics();

  function metricsOf(organizationPk: number): OrganizationMetrics {
    const known = organizations.get(organizationPk) ?? createOrganizationMetrics();
    organizations.set(organizationPk, known);
    return known;
  }

  return {
    committed(recordings, recorded, seconds) {
      process.commitSize.observe(recordings.length);
      process.commitDuration.observe(seconds);
      for (const [at, recording] of recordings.entries()) {
        const one = recorded[at];
        if (one) countRecording(metricsOf(one.organizationPk), recording, one);
      }
    },
    missed(recorded) {
      for (const { organizationPk, missed } of recorded) metricsOf(organizationPk).missed.inc(missed);
    },
    attempted({ organizationPk, type }, { outcome }, goesOn) {
      const told = outcome === "delivered" ? outcome : goesOn ? "retried" : "failed";
      metricsOf(organizationPk).deliveries.inc({ type, outcome: told });
    },
    refused: (limit) => process.refused.inc({ limit }),
    full: () => process.full.inc(),
    async expose(organizationPk, readings) {
      const counted = Registry.merge([metricsOf(organizationPk).registry, process.registry]);
      return `${formatGauges(readings)}\n${await counted.metrics()}`;
    },
    process: process.registry,
  };
}

type OrganizationMetrics = ReturnType<typeof createOrganizationMetrics>;

function countRecording(
  metrics: OrganizationMetrics,
  recording: Recording,
  { type, status, missed }: Recorded,
): void {
  if (recording.kind === "checkin") {
    metrics.checkins.inc({ status });
    return;
  }
  if (recording.kind === "silence") {
    metrics.missed.inc(missed);
    return;
  }
  metrics.checks.inc({ type, status });
  const { evidence, at, dueAt } = recording;
  if (!("latencyMs" in evidence) || evidence.latencyMs === null) return;
  metrics.latency.observe({ type }, evidence.latencyMs / 1000);
  if (dueAt !== undefined) metrics.lateness.observe(Math.max(0, at - dueAt - evidence.latencyMs) / 1000);
}

function createOrganizationMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    checks: new Counter({
      name: "stillup_checks_total",
      help: "Checks recorded, by type of monitor and the status that they gave.",
      labelNames: ["type", "status"],
      registers,
    }),
    latency: new Histogram({
      name: "stillup_check_latency_seconds",
      help: "Latency of the targets that were reached, by type of monitor.",
      labelNames: ["type"],
      buckets: LATENCIES,
      registers,
    }),
    lateness: new Histogram({
      name: "stillup_check_lateness_seconds",
      help: "From when a check was due to when its end was seen, less the latency of the target.",
      buckets: LATENESS,
      registers,
    }),
    checkins: new Counter({
      name: "stillup_checkins_total",
      help: "Checkins recorded, by the status that they gave.",
      labelNames: ["status"],
      registers,
    }),
    missed: new Counter({
      name: "stillup_missed_checkins_total",
      help: "Runs of jobs that were missed.",
      registers,
    }),
    deliveries: new Counter({
      name: "stillup_delivery_attempts_total",
      help: "Attempts to deliver a notification, by type of channel and what came of them.",
      labelNames: ["type", "outcome"],
      registers,
    }),
  };
}

function createProcessMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const refused = new Counter({
    name: "stillup_requests_refused_total",
    help: "Requests answered 429, by the limit that they were over.",
    labelNames: ["limit"],
    registers,
  });
  // A series that only begins with its first refusal would hide that one from `increase`.
  for (const limit of REQUEST_LIMITS) refused.inc({ limit }, 0);
  return {
    registry,
    refused,
    full: new Counter({
      name: "stillup_connections_full_total",
      help: "Times that no more connections were taken until some were closed.",
      registers,
    }),
    commitSize: new Histogram({
      name: "stillup_recorder_commit_results",
      help: "How many results were committed together.",
      buckets: SIZES,
      registers,
    }),
    commitDuration: new Histogram({
      name: "stillup_recorder_commit_seconds",
      help: "How long the commits took, to the disk.",
      buckets: COMMITS,
      registers,
    }),
  };
}
