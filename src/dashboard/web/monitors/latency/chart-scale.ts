import { isolated } from "../../languages/locale.ts";
import { formatLatency } from "../../ui/durations.ts";
import { dateFormat } from "../../ui/time.tsx";
import type { Column, Drawing } from "./drawings.ts";

/** Where a chart has its times and values, in CSS pixels. */
export interface Scale {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The position of a time, in seconds since 1970. */
  x: (time: number) => number;
  y: (value: number) => number;
  timeAt: (x: number) => number;
  xTicks: { at: number; label: string }[];
  yTicks: { at: number; label: string }[];
}

export const HEIGHT = 200;
/** Pixels between two labels of an axis, at least. */
const SPACE = { x: 84, y: 38 };
/** Pixels of a letter of a label, at most. */
const LETTER = 6.5;
/** Chinese, Japanese and Korean ones are as wide as two. */
const WIDE = /[\u2e80-\uffef]/g;

/** The scale of a drawing: from its first time to its last one, and from 0 to its highest value. */
export function scaleOf(drawing: Drawing, width: number): Scale {
  const [times = [], ...columns] = drawing.columns;
  const [first, last] = [Number(times[0] ?? 0), Number(times.at(-1) ?? 1)];
  const length = Math.max(1, last - first);
  const [right, top, bottom] = [width - 14, 8, HEIGHT - 28];
  const highest = highestOf(drawing, columns);
  const format = drawing.axis?.format ?? formatLatency;
  const values = valueTicks(highest, drawing.axis?.steps, Math.floor((bottom - top) / SPACE.y));
  const valueLabels = values.map((value) => isolated(format(value)));
  const longest = Math.max(...valueLabels.map((label) => label.replaceAll(WIDE, "xx").length));
  // Without lines, there are no labels of values.
  const left = drawing.lines.length === 0 ? 20 : Math.max(drawing.axis ? 82 : 62, 10 + longest * LETTER);
  const x = (time: number) => left + ((time - first) / length) * (right - left);
  const y = (value: number) => bottom - (value / highest) * (bottom - top);
  const xTicks = timeTicks(first, last, Math.max(1, Math.floor((right - left) / SPACE.x)));
  const labels = formatTicks(xTicks);
  return {
    ...{ left, right, top, bottom, x, y },
    timeAt: (at) => first + ((at - left) / (right - left)) * length,
    xTicks: xTicks.map((time, at) => ({ at: x(time), label: isolated(labels[at] ?? "") })),
    yTicks: values.map((value, at) => ({ at: y(value), label: valueLabels[at] ?? "" })),
  };
}

/** A loop: a chart may have more values than a function takes as arguments. */
function highestOf({ includes, lines }: Drawing, columns: readonly Column[]): number {
  let highest = includes;
  for (const [at, column] of columns.entries()) {
    if (!lines[at]) continue;
    for (const value of column) if (typeof value === "number" && value > highest) highest = value;
  }
  return highest * 1.05 || 1;
}

/** The labels of the vertical axis: from 0 in steps of 1, 2 or 5, or of the offered ones. */
function valueTicks(highest: number, steps: readonly number[] | undefined, most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(highest / most));
  const offered = steps ?? [1, 2, 5, 10].map((one) => one * power);
  const step = offered.find((one) => highest / one <= most) ?? offered.at(-1) ?? highest;
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, at) => at * step);
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Seconds. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((one) => one * MINUTE),
  ...[1, 2, 3, 6, 12].map((one) => one * HOUR),
  ...[1, 2, 3, 7, 14, 30].map((one) => one * DAY),
];

/** The times of the labels, at whole units in the reader's zone. */
function timeTicks(first: number, last: number, most: number): number[] {
  const step = STEPS.find((one) => (last - first) / one <= most) ?? last - first;
  const midnight = new Date(first * 1000).setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  for (let at = 0; ; at++) {
    const date = new Date(midnight);
    // Days are of 23 or 25 hours when clocks change.
    if (step >= DAY) date.setDate(date.getDate() + (at * step) / DAY);
    const time = step >= DAY ? date.getTime() / 1000 : midnight / 1000 + at * step;
    if (time > last) return ticks;
    if (time >= first) ticks.push(time);
  }
}

const timeFormat = dateFormat({ timeStyle: "short" });
const dayFormat = dateFormat({ month: "short", day: "numeric" });

/**
 * Labels of the time axis in the reader's zone and language, as short as their neighbours allow: the day at midnight, the time, and
 * between whole minutes only the seconds.
 */
export function formatTicks(ticks: readonly number[]): string[] {
  return ticks.map((tick, at) => {
    const date = new Date(tick * 1000);
    if (at > 0 && date.getSeconds() > 0) return `:${String(date.getSeconds()).padStart(2, "0")}`;
    const isMidnight = date.getHours() + date.getMinutes() + date.getSeconds() === 0;
    return (isMidnight ? dayFormat : timeFormat).format(date);
  });
}

/** A path through the values of a column: a gap at null, and nothing at undefined. A lonely value is a dot. */
export function linePath({ x, y }: Scale, times: Column, values: Column): string {
  let path = "";
  let isDrawing = false;
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    if (value === null) isDrawing = false;
    else {
      path += `${isDrawing ? "L" : "M"}${point(x(Number(times[at])))} ${point(y(value))}${isDrawing ? "" : "h0"}`;
      isDrawing = true;
    }
  }
  return path;
}

/** A dot for each value: as a line without length, with round ends. */
export function dotsPath({ x, y }: Scale, times: Column, values: Column): string {
  return values
    .map((value, at) =>
      typeof value === "number" ? `M${point(x(Number(times[at])))} ${point(y(value))}h0` : "",
    )
    .join("");
}

/** The area between two columns, without the gaps of one of them. */
export function bandPath({ x, y }: Scale, times: Column, upper: Column, lower: Column): string {
  let path = "";
  let back: string[] = [];
  const close = () => {
    path += back.length > 0 ? `L${back.toReversed().join("L")}Z` : "";
    back = [];
  };
  for (const [at, time] of times.entries()) {
    const [high, low] = [upper[at], lower[at]];
    if (high === undefined || low === undefined) continue;
    if (high === null || low === null) close();
    else {
      const left = point(x(Number(time)));
      path += `${back.length > 0 ? "L" : "M"}${left} ${point(y(high))}`;
      back.push(`${left} ${point(y(low))}`);
    }
  }
  close();
  return path;
}

/** Tenths of a pixel are enough. */
function point(position: number): string {
  return position.toFixed(1);
}
