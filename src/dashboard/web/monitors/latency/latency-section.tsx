import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { formatLatency } from "../../../../domain/duration.ts";
import type { Range } from "../../../../domain/results/range.ts";
import type { Report } from "../../data/api.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { inOrderOf, type LocationLatencies, lineOf, locationDrawing, overallDrawing } from "./drawings.ts";
import { type Drawing, showPlot } from "./latency-plot.ts";

/** The latencies of a monitor: a line for each location, if there are others than this server. */
export function LatencySection({ report, range }: { report: Report; range: Range }) {
  const { latencies, degradedAbove, latencyByLocation, places } = report;
  const byLocation = useMemo(() => inOrderOf(places, latencyByLocation), [places, latencyByLocation]);
  if (byLocation.some(({ points }) => points.length > 0))
    return <ByLocation latencies={byLocation} range={range} />;
  if (latencies.length === 0) return null;
  return <Overall latencies={latencies} threshold={degradedAbove} range={range} />;
}

interface OverallProps {
  latencies: Report["latencies"];
  threshold: number | null;
  range: Range;
}

function Overall({ latencies, threshold, range }: OverallProps) {
  const drawing = useMemo(
    () => overallDrawing({ latencies, threshold, range }),
    [latencies, threshold, range],
  );
  return (
    <LatencyChart drawing={drawing} label={`Latency ${summarize(latencies)}`}>
      <span className="latency-key">mean</span>
      <span className="latency-key latency-key-band">shortest to longest</span>
      {threshold !== null && (
        <span className="latency-key latency-key-threshold">degraded above {formatLatency(threshold)}</span>
      )}
    </LatencyChart>
  );
}

function ByLocation({ latencies, range }: { latencies: LocationLatencies; range: Range }) {
  const drawing = useMemo(() => locationDrawing(latencies, range), [latencies, range]);
  const measured = latencies.filter(({ points }) => points.length > 0);
  const label = measured
    .map(({ location, points }) => `at ${locationLabel(location)} ${summarize(points)}`)
    .join("; ");
  return (
    <LatencyChart drawing={drawing} label={`Mean latency ${label}`}>
      {latencies.map(({ location }, at) => (
        <span key={location} className="text-wrap">
          <LineKey at={at} /> {locationLabel(location)}
        </span>
      ))}
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

interface Props {
  /** The same object as long as it shows the same. */
  drawing: Drawing;
  /** A summary for screen readers. */
  label: string;
  /** The keys of the lines. */
  children: ReactNode;
}

/** A plot with its keys, and a description of the point under the pointer. */
export function LatencyChart({ drawing, label, children }: Props) {
  const plot = useRef<HTMLDivElement>(null);
  const point = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const onPoint = (description: string) => {
      if (point.current) point.current.textContent = description;
    };
    return plot.current ? showPlot(plot.current, { drawing, onPoint }) : undefined;
  }, [drawing]);
  return (
    <figure className="latency-chart">
      <div ref={plot} role="img" aria-label={label} />
      <figcaption>
        {children}
        <output ref={point} />
      </figcaption>
    </figure>
  );
}
