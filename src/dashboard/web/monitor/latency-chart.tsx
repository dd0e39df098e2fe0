import { useEffect, useRef } from "react";
import { formatLatency } from "../../../domain/duration.ts";
import { type Latencies, showPlot } from "./latency-plot.ts";

/** The mean latency, the band from the shortest to the longest latency, and the threshold of the status Degraded. */
export function LatencyChart({ latencies, threshold, range }: Latencies) {
  const plot = useRef<HTMLDivElement>(null);
  const point = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const onPoint = (description: string) => {
      if (point.current) point.current.textContent = description;
    };
    return plot.current ? showPlot(plot.current, { latencies, threshold, range, onPoint }) : undefined;
  }, [latencies, threshold, range]);
  return (
    <figure className="latency-chart">
      <div ref={plot} role="img" aria-label={summarize(latencies)} />
      <figcaption>
        <span className="latency-key">mean</span>
        <span className="latency-key latency-key-band">shortest to longest</span>
        {threshold !== null && (
          <span className="latency-key latency-key-threshold">degraded above {formatLatency(threshold)}</span>
        )}
        <output ref={point} />
      </figcaption>
    </figure>
  );
}

function summarize(latencies: Latencies["latencies"]): string {
  const shortest = Math.min(...latencies.map((one) => one.shortest));
  const longest = Math.max(...latencies.map((one) => one.longest));
  const mean = latencies.reduce((sum, one) => sum + one.mean, 0) / latencies.length;
  return `Latency from ${formatLatency(shortest)} to ${formatLatency(longest)}, ${formatLatency(mean)} on average`;
}
