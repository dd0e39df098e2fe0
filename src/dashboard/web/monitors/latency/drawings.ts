import { formatLatency } from "../../../../domain/duration.ts";
import type { Report } from "../../data/api.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { latencyOrDash } from "../../ui/numbers.ts";
import { type Drawing, hidden } from "./latency-chart.tsx";

export type Point = Report["latencies"][number];
/** The time that the horizontal axis shows, and the seconds between two points. */
export type Stretch = Report["stretch"];

/** The mean latency, the band from the shortest to the longest latency, percentiles, and the threshold of the status Degraded. */
export function overallDrawing({ latencies, threshold, stretch }: Measured): Drawing {
  const isEachCheck = !hasPercentiles(stretch);
  const percentile = { ...hidden, points: { show: false }, width: 1.2 };
  return {
    columns: columnsOf(latencies, stretch, (point) => [
      ...[point?.mean, point?.shortest, point?.longest],
      ...(isEachCheck ? [] : [point?.p50, point?.p95]),
      threshold,
    ]),
    series: (color) => [
      {
        label: "Mean",
        stroke: color("--accent"),
        width: 1.6,
        points: { show: latencies.length < (isEachCheck ? MAX_DOTS : 3), size: 5 },
      },
      { label: "Shortest", ...hidden },
      { label: "Longest", ...hidden },
      ...(isEachCheck
        ? []
        : [
            { ...percentile, label: "p50", stroke: color("--series-3") },
            { ...percentile, label: "p95", stroke: color("--series-2") },
          ]),
      { ...hidden, label: "Degraded above", stroke: color("--warning"), dash: [5, 4], width: 1.4 },
    ],
    bands: (color) => [{ series: [3, 2], fill: color("--accent-soft") }],
    includes: (threshold ?? 0) * 1.05,
    describe: ([mean, shortest, longest, p50, p95]) => {
      if (typeof mean !== "number") return "";
      if (shortest === longest) return formatLatency(mean);
      const percentiles =
        !isEachCheck && typeof p50 === "number"
          ? `, p50 ${formatLatency(p50)}, p95 ${latencyOrDash(p95)}`
          : "";
      return `${formatLatency(mean)} (${latencyOrDash(shortest)} to ${latencyOrDash(longest)}${percentiles})`;
    },
  };
}

/** Whether a point has so many checks that their percentiles say something. */
export function hasPercentiles({ step }: Stretch): boolean {
  return step >= 600;
}

/** With more points, dots would touch each other on a phone. */
const MAX_DOTS = 90;

export type LocationLatencies = Report["latencyByLocation"];

/** How many tokens `--series-…` there are. */
const COLORS = 6;
/** With as many dashes, the lines of 24 locations differ. */
const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

/** How the line of a location looks. @param at its position among the locations */
export function lineOf(at: number): { token: string; dash: number[] } {
  const dash = DASHES[Math.floor(at / COLORS) % DASHES.length] ?? [];
  return { token: `series-${(at % COLORS) + 1}`, dash };
}

/** In the order of the locations of the monitor, so that each keeps its line in all ranges. Previous locations are last. */
export function inOrderOf(places: { name: string }[], latencies: LocationLatencies): LocationLatencies {
  const names = places.map(({ name }) => name);
  const position = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return latencies.toSorted((one, other) => position(one.location) - position(other.location));
}

/** The mean latency of each location. */
export function locationDrawing(latencies: LocationLatencies, stretch: Stretch): Drawing {
  const isSparse = latencies.every(({ points }) => points.length < 3);
  return {
    columns: columnsByLocation(latencies, stretch),
    series: (color) =>
      latencies.map(({ location }, at) => {
        const { token, dash } = lineOf(at);
        const stroke = color(`--${token}`);
        return { label: locationLabel(location), stroke, dash, width: 1.6, points: { show: isSparse } };
      }),
    bands: () => [],
    includes: 0,
    describe: (values) =>
      latencies
        .flatMap(({ location }, at) => {
          const mean = values[at];
          return typeof mean === "number" ? [`${locationLabel(location)} ${formatLatency(mean)}`] : [];
        })
        .join(", "),
  };
}

/**
 * The times at which any location has a point, and the mean latency of each location. A value is null in a gap of the
 * line, and undefined if only other locations have a point then, which does not interrupt the line.
 */
export function columnsByLocation(latencies: LocationLatencies, stretch: Stretch): Column[] {
  const lines = latencies.map(({ points }) => {
    const [times = [], means = []] = columnsOf(points, stretch, (point) => [point?.mean]);
    return new Map(times.map((time, at) => [Number(time), means[at]]));
  });
  const times = [...new Set(lines.flatMap((line) => [...line.keys()]))].sort((one, other) => one - other);
  return [times, ...lines.map((line) => alignedWith(times, line))];
}

function alignedWith(times: number[], line: Map<number, number | null | undefined>): Column {
  let isGap = true;
  return times.map((time) => {
    if (!line.has(time)) return isGap ? null : undefined;
    const value = line.get(time);
    isGap = value === null;
    return value;
  });
}

/** A value is null in a gap, and undefined if the series has no point at that time. */
export type Column = (number | null | undefined)[];

interface Measured {
  latencies: Point[];
  /** Milliseconds above which a check counts as degraded; null if it is not known yet. */
  threshold: number | null;
  stretch: Stretch;
}

/**
 * The times of a chart in seconds since 1970, and the values of each series. They span the whole stretch, also if only a part of it
 * was measured. A time without measurements is a gap in the line.
 */
export function columnsOf(
  points: readonly Point[],
  { from, to, step }: Stretch,
  valuesOf: (point: Point | null) => (number | null | undefined)[],
): Column[] {
  const [start, end] = [secondsOf(from), secondsOf(to)];
  const rows: [time: number, point: Point | null][] = [];
  for (const point of points) {
    const time = secondsOf(point.start);
    const previous = rows.at(-1)?.[0];
    if (previous === undefined && time > start) rows.push([start, null]);
    else if (previous !== undefined && time - previous > step * 2.5) rows.push([previous + step, null]);
    rows.push([time, point]);
  }
  if ((rows.at(-1)?.[0] ?? end) < end) rows.push([end, null]);
  const values = rows.map(([, point]) => valuesOf(point).map((value) => value ?? null));
  const width = values[0]?.length ?? 0;
  return [
    rows.map(([time]) => time),
    ...Array.from({ length: width }, (_, at) => values.map((one) => one[at])),
  ];
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}
