import { formatLatency } from "../../../../domain/duration.ts";
import { latencyOrDash } from "../../ui/numbers.ts";
import { type Drawing, hidden } from "./drawing.ts";
import { columnsOf, type Measured } from "./latency-columns.ts";

/** The mean latency, the band from the shortest to the longest latency, and the threshold of the status Degraded. */
export function overallDrawing(measured: Measured): Drawing {
  const { latencies, threshold } = measured;
  return {
    columns: (now) => columnsOf(measured, now),
    series: (color) => [
      { label: "Mean", stroke: color("--accent"), width: 1.6, points: { show: latencies.length < 3 } },
      { label: "Shortest", ...hidden },
      { label: "Longest", ...hidden },
      { ...hidden, label: "Degraded above", stroke: color("--warning"), dash: [5, 4], width: 1.4 },
    ],
    bands: (color) => [{ series: [3, 2], fill: color("--accent-soft") }],
    includes: (threshold ?? 0) * 1.05,
    describe: ([mean, shortest, longest]) =>
      typeof mean === "number"
        ? `${formatLatency(mean)} (${latencyOrDash(shortest)} to ${latencyOrDash(longest)})`
        : "",
  };
}
