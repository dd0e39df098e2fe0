import { useMemo } from "react";
import { formatLatency } from "../../../../domain/duration.ts";
import type { Report } from "../../data/api.ts";
import { locationLabel } from "../../locations/location-label.ts";
import {
  columnsOf,
  hasPercentiles,
  inOrderOf,
  lineOf,
  locationDrawing,
  overallDrawing,
  type Point,
  type Stretch,
} from "./drawings.ts";
import { type Drawing, hidden, LatencyChart, type Shade, shadesOf } from "./latency-chart.tsx";

interface Props {
  report: Report;
  /** Gets a time that the reader selects, in milliseconds since 1970; null to show everything again. */
  onZoom: (time: { from: number; to: number } | null) => void;
}

/** The latencies of a monitor: a line for each location, if there are others than this server. */
export function LatencySection({ report, onZoom }: Props) {
  const { latencies, latencyByLocation, places } = report;
  const byLocation = useMemo(() => inOrderOf(places, latencyByLocation), [places, latencyByLocation]);
  const shades = useMemo(() => shadesOf(report), [report]);
  const shown = { report, shades, onZoom };
  if (byLocation.some(({ points }) => points.length > 0))
    return <ByLocation latencies={byLocation} {...shown} />;
  if (latencies.length === 0) return null;
  return (
    <>
      <Overall {...shown} />
      <Phases {...shown} />
    </>
  );
}

interface ShownProps extends Props {
  shades: readonly Shade[];
}

function Overall({ report, ...shown }: ShownProps) {
  const { latencies, degradedAbove: threshold, percentiles, stretch } = report;
  const drawing = useMemo(
    () => overallDrawing({ latencies, threshold, stretch }),
    [latencies, threshold, stretch],
  );
  const line = hasPercentiles(stretch) ? "latency-key" : "";
  return (
    <LatencyChart drawing={drawing} label={`Latency ${summarize(latencies)}`} {...shown}>
      <span className="latency-key">mean</span>
      <span className="latency-key latency-key-band">shortest to longest</span>
      {percentiles && (
        <>
          <span className={`${line} latency-key-p50`}>p50 {formatLatency(percentiles.p50)}</span>
          <span className={`${line} latency-key-p95`}>p95 {formatLatency(percentiles.p95)}</span>
        </>
      )}
      {threshold !== null && (
        <span className="latency-key latency-key-threshold">degraded above {formatLatency(threshold)}</span>
      )}
    </LatencyChart>
  );
}

/** Where the time of the checks goes. Nothing if no check of the time has phases. */
function Phases({ report: { latencies, stretch }, ...shown }: ShownProps) {
  const drawing = useMemo(() => phaseDrawing(latencies, stretch), [latencies, stretch]);
  const phases = phasesIn(latencies);
  if (phases.length < 2) return null;
  const label = `Phases of the checks: ${phases.map((phase) => phase.label).join(", ")}`;
  return (
    <LatencyChart drawing={drawing} label={label} {...shown}>
      {phases.map(({ name, label, token }) => (
        <span key={name}>
          <svg className="latency-line-key" width="14" height="10" aria-hidden="true">
            <path d="M0 5h14" className={token} strokeWidth="8" />
          </svg>{" "}
          {label}
        </span>
      ))}
    </LatencyChart>
  );
}

function ByLocation({
  latencies,
  report,
  ...shown
}: ShownProps & { latencies: Report["latencyByLocation"] }) {
  const { stretch, percentiles } = report;
  const drawing = useMemo(() => locationDrawing(latencies, stretch), [latencies, stretch]);
  const measured = latencies.filter(({ points }) => points.length > 0);
  const label = measured
    .map(({ location, points }) => `at ${locationLabel(location)} ${summarize(points)}`)
    .join("; ");
  return (
    <LatencyChart drawing={drawing} label={`Mean latency ${label}`} {...shown}>
      {latencies.map(({ location }, at) => (
        <span key={location} className="text-wrap">
          <LineKey at={at} /> {locationLabel(location)}
        </span>
      ))}
      {percentiles && (
        <span>
          p50 {formatLatency(percentiles.p50)}, p95 {formatLatency(percentiles.p95)}
        </span>
      )}
    </LatencyChart>
  );
}

/** The line of a location in small. */
function LineKey({ at }: { at: number }) {
  const { token, dash } = lineOf(at);
  return (
    <svg className="latency-line-key" width="24" height="8" aria-hidden="true">
      <path d="M0 4h24" className={token} strokeDasharray={dash.join(" ")} />
    </svg>
  );
}

function summarize(latencies: Report["latencies"]): string {
  const shortest = Math.min(...latencies.map((one) => one.shortest));
  const longest = Math.max(...latencies.map((one) => one.longest));
  const mean = latencies.reduce((sum, one) => sum + one.mean, 0) / latencies.length;
  return `from ${formatLatency(shortest)} to ${formatLatency(longest)}, ${formatLatency(mean)} on average`;
}

/** The phases of a check in their order. */
export const PHASES = [
  ["resolve", "Name lookup"],
  ["connect", "Connection"],
  ["tls", "TLS handshake"],
  ["firstByte", "First byte"],
] as const;

/** The phases that any point has, with their positions among all phases, which decide on their colors. */
function phasesIn(points: readonly Point[]) {
  return PHASES.map(([name, label], at) => ({ name, label, token: `series-${at + 1}` })).filter(({ name }) =>
    points.some(({ phases }) => phases?.[name] !== undefined),
  );
}

/** The phases one above the other: their sum is the time to the first byte. */
export function phaseDrawing(points: readonly Point[], stretch: Stretch): Drawing {
  const shown = phasesIn(points);
  return {
    columns: columnsOf(points, stretch, (point) => {
      let sum = 0;
      return [0, ...shown.map(({ name }) => (sum += point?.phases?.[name] ?? 0))].map((value) =>
        point?.phases ? value : null,
      );
    }),
    series: (color) => [
      { label: "Start", ...hidden },
      ...shown.map(({ label, token }) => ({
        label,
        stroke: color(`--${token}`),
        width: 1.2,
        points: { show: false },
      })),
    ],
    bands: (color) =>
      shown.map(({ token }, at) => ({ series: [at + 2, at + 1], fill: `${color(`--${token}`)}55` })),
    includes: 0,
    describe: (values) =>
      shown
        .map(({ label }, at) => `${label} ${formatLatency((values[at + 1] ?? 0) - (values[at] ?? 0))}`)
        .filter(() => typeof values[0] === "number")
        .join(", "),
  };
}
