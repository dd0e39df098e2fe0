import type { Report } from "../../data/api.ts";
import { fill, listOf, texts } from "../../languages/texts.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { formatLatency, latencyOrDash } from "../../ui/durations.ts";

/** The content of a chart. */
export interface Drawing {
  /** The times in seconds since 1970, then the values of each series. */
  columns: Column[];
  /** How each series is drawn; null for one that only bounds a band, or that must not stretch the chart. */
  lines: readonly (Line | null)[];
  /** Areas between two series, by their positions. */
  bands: readonly { upper: number; lower: number; token: string; opacity: number }[];
  /** A latency that the vertical axis includes, in milliseconds. */
  includes: number;
  /** The labels of the vertical axis, if its values are not latencies. @property steps the offered distances between two of them */
  axis?: { format: (value: number) => string; steps: readonly number[] };
  /** A text for a point in time. Empty if nothing was measured then. @param values of each series */
  describe: (values: (number | null | undefined)[]) => string;
}

/** @property token of its color @property width, dot pixels; without `dot`, it has no dots @property isDots whether it has no line */
export interface Line {
  token: string;
  width?: number;
  dash?: readonly number[];
  dot?: number | undefined;
  isDots?: true;
}

export type Point = Report["latencies"][number];
/** The time that the horizontal axis shows, and the seconds between two points. */
export type Stretch = Report["stretch"];

/**
 * The usual latency as a line, with a band above it to the slow checks, the latency of the time before as a thin line, and the threshold of
 * the status Degraded. If some hours or days are only known as sums, all have their mean and their longest latency in place of p50 and p95.
 */
export function overallDrawing({ latencies, threshold, stretch, before = [] }: Measured): Drawing {
  const isExact = areExact([...latencies, ...before]);
  const usualIn = (point: Point | null) => (isExact ? point?.p50 : point?.mean);
  const now = columnsOf(latencies, stretch, (point) => [
    usualIn(point),
    isExact ? point?.p95 : point?.longest,
    threshold,
  ]);
  const earlier = before.length > 0 ? columnsOf(before, stretch, (point) => [usualIn(point)]) : undefined;
  return {
    columns: earlier ? joined(now, earlier) : now,
    lines: [
      {
        token: "accent",
        width: 1.8,
        dot: latencies.length < (hasPercentiles(stretch) ? 3 : MAX_DOTS) ? 5 : undefined,
      },
      { token: "accent", width: 0 },
      { token: "warning", dash: [5, 4], width: 1.4 },
      ...(earlier ? [{ token: "muted", dash: [2, 3], width: 1.2 }] : []),
    ],
    bands: [{ upper: 1, lower: 0, token: "accent", opacity: 0.18 }],
    includes: (threshold ?? 0) * 1.05,
    describe: ([usual, slow, , earlier]) =>
      listOf(
        [
          describeNow(wordsOf([...latencies, ...before], stretch), usual, slow),
          describeBefore(earlier),
        ].filter(Boolean),
        "unit",
      ),
  };
}

type Value = number | null | undefined;

function describeNow([line, band]: [string, string], usual: Value, slow: Value): string {
  if (typeof usual !== "number") return "";
  if (usual === slow) return formatLatency(usual);
  return listOf([describeValue(line, usual), describeValue(band, slow)], "unit");
}

/** Such as `p50 42 ms`. */
export function describeValue(figure: string, value: Value): string {
  return fill(texts.monitors.chart.value, { figure, latency: latencyOrDash(value) });
}

function describeBefore(value: Value): string {
  if (typeof value !== "number") return "";
  return fill(texts.monitors.chart.before, { latency: formatLatency(value) });
}

function areExact(points: readonly Point[]): boolean {
  return points.every(({ p50 }) => p50 !== undefined);
}

/** The names of the line and of the upper end of the band: points of results have percentiles, and sums of hours or days do not. */
export function wordsOf(points: readonly Point[], { step }: Stretch): [line: string, band: string] {
  const { p50, p95, hourlyMean, dailyMean, longest } = texts.monitors.chart.figures;
  if (areExact(points)) return [p50, p95];
  return [step < DAY ? hourlyMean : dailyMean, longest];
}

/** Seconds. */
const DAY = 86_400;

/** Columns with the times of both. A series has no point at the times of the other one, which does not interrupt its line. */
function joined(one: Column[], other: Column[]): Column[] {
  const [times = [], ...series] = one;
  const [otherTimes = [], ...otherSeries] = other;
  const all = [...new Set([...times, ...otherTimes])].map(Number).sort((a, b) => a - b);
  const align = (own: Column) => (values: Column) => {
    const byTime = new Map(own.map((time, at) => [Number(time), values[at]]));
    return all.map((time) => byTime.get(time));
  };
  return [all, ...series.map(align(times)), ...otherSeries.map(align(otherTimes))];
}

/** The points of the time before, moved into a time. @param length of that time, in milliseconds */
export function movedBy(points: readonly Point[], length: number): Point[] {
  return points.map((point) => ({
    ...point,
    start: new Date(Date.parse(point.start) + length).toISOString(),
  }));
}

/** Whether a point has so many checks that single ones do not show. */
function hasPercentiles({ step }: Stretch): boolean {
  return step >= 600;
}

/** With more points, dots would touch each other on a phone. */
const MAX_DOTS = 90;

/** A time without latencies: only its outages and maintenances are drawn. */
export function emptyDrawing({ from, to }: Stretch): Drawing {
  return {
    columns: [[secondsOf(from), secondsOf(to)]],
    lines: [],
    bands: [],
    includes: 0,
    axis: { format: () => "", steps: [2] },
    describe: () => "",
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

/** The mean latency of each location, and the mean of the time before as a thin dotted line of the same color. */
export function locationDrawing(
  latencies: LocationLatencies,
  stretch: Stretch,
  before: LocationLatencies = [],
): Drawing {
  const isSparse = latencies.every(({ points }) => points.length < 3);
  const earlier = latencies.flatMap(({ location }, at) => {
    const found = before.find((one) => one.location === location);
    return found ? [{ ...found, at }] : [];
  });
  return {
    columns: columnsByLocation([...latencies, ...earlier], stretch),
    lines: [
      ...latencies.map((_, at) => ({ ...lineOf(at), dot: isSparse ? 5 : undefined })),
      ...earlier.map(({ at }) => ({ token: lineOf(at).token, dash: [1, 4], width: 1.2 })),
    ],
    bands: [],
    includes: 0,
    describe: (values) =>
      latencies
        .flatMap(({ location }, at) => {
          const place = earlier.findIndex((one) => one.at === at);
          const [mean, past] = [values[at], place < 0 ? null : values[latencies.length + place]];
          const words = [typeof mean === "number" ? formatLatency(mean) : "", describeBefore(past)].filter(
            Boolean,
          );
          if (words.length === 0) return [];
          const figure = locationLabel(location);
          return [fill(texts.monitors.chart.value, { figure, latency: listOf(words, "unit") })];
        })
        .join(earlier.length > 0 ? "; " : ", "),
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
  /** The points of the time before, moved into this one. */
  before?: readonly Point[];
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
