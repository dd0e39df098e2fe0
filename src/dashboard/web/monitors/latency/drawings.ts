import { formatLatency } from "../../../../domain/duration.ts";
import { type Range, rangeStart } from "../../../../domain/results/range.ts";
import type { Report } from "../../data/api.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { latencyOrDash } from "../../ui/numbers.ts";
import { type Drawing, hidden } from "./latency-plot.ts";

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
export function locationDrawing(latencies: LocationLatencies, range: Range): Drawing {
  const isSparse = latencies.every(({ points }) => points.length < 3);
  return {
    columns: (now) => columnsByLocation(latencies, range, now),
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
export function columnsByLocation(latencies: LocationLatencies, range: Range, now: number): Column[] {
  const lines = latencies.map(({ points }) => {
    const [times, means] = columnsOf({ latencies: points, threshold: null, range }, now);
    return new Map(times.map((time, at) => [time, means[at]]));
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
/** The times in seconds since 1970, and for each the mean, the shortest and the longest latency, and the threshold. */
type Columns = [times: number[], Column, Column, Column, Column];

/** Seconds between two points, by range. */
const STEPS: Record<Range, number> = { "1d": 600, "7d": 3600, "30d": 3600, "90d": 86_400 };

interface Measured {
  latencies: Report["latencies"];
  /** Milliseconds above which a check counts as degraded; null if it is not known yet. */
  threshold: number | null;
  range: Range;
}

/**
 * The data of the chart. They span the whole range, also if only a part of it was measured. A time without measurements
 * is a gap in the line.
 *
 * @param now milliseconds since 1970
 */
export function columnsOf({ latencies, threshold, range }: Measured, now: number): Columns {
  const columns: Columns = [[], [], [], [], []];
  const add = (time: number, ...values: (number | null)[]) =>
    [time, ...values, threshold].forEach((value, at) => {
      (columns[at] as Column).push(value);
    });
  const step = STEPS[range];
  const from = rangeStart(range, now) / 1000;
  if (Date.parse(latencies[0]?.start ?? "") / 1000 > from) add(from, null, null, null);
  let previous: number | undefined;
  for (const { start, mean, shortest, longest } of latencies) {
    const time = Date.parse(start) / 1000;
    if (previous !== undefined && time - previous > step * 2.5) add(previous + step, null, null, null);
    add(time, mean, shortest, longest);
    previous = time;
  }
  if (previous !== undefined && previous < now / 1000) add(now / 1000, null, null, null);
  return columns;
}
