import { formatRunTime } from "../../../../domain/heartbeats/run-words.ts";
import type { Report } from "../../data/api.ts";
import type { Drawing } from "../latency/latency-plot.ts";

type Points = NonNullable<Report["runs"]>["points"];

/** Milliseconds between two labels of the axis: whole units. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 96].map((hours) => hours * 3_600_000),
];

/** How long runs took by their start: a line, with a dot for each that failed, and the limit. @param limitMs null if it is not known */
export function runDrawing(points: Points, limitMs: number | null): Drawing {
  const failed = (point: Points[number]) => (point.outcome === "failed" ? point.durationMs : null);
  return {
    columns: [
      points.map(({ start }) => Date.parse(start) / 1000),
      points.map(({ durationMs }) => durationMs),
      points.map(failed),
      points.map(() => limitMs),
    ],
    series: (color) => [
      { label: "Length", stroke: color("--accent"), width: 1.6, points: { show: true, size: 5 } },
      {
        label: "Failed",
        stroke: color("--down"),
        paths: () => null,
        points: { show: true, size: 7, fill: color("--down"), stroke: color("--down") },
      },
      {
        label: "Limit",
        stroke: color("--warning"),
        points: { show: false },
        dash: [5, 4],
        width: 1.4,
      },
    ],
    bands: () => [],
    includes: 0,
    axis: { format: formatRunTime, steps: STEPS },
    describe: ([length, failedLength]) => {
      if (typeof length !== "number") return "";
      return typeof failedLength === "number"
        ? `failed after ${formatRunTime(length)}`
        : formatRunTime(length);
    },
  };
}
