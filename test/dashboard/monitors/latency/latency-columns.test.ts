import { describe, expect, test } from "bun:test";
import { firstRange, latenciesOf } from "../../../../src/dashboard/web/monitors/checkin-help.tsx";
import {
  formatTicks,
  linePath,
  scaleOf,
} from "../../../../src/dashboard/web/monitors/latency/chart-scale.ts";
import {
  columnsOf,
  emptyDrawing,
  movedBy,
  overallDrawing,
} from "../../../../src/dashboard/web/monitors/latency/drawings.ts";
import { shadesOf } from "../../../../src/dashboard/web/monitors/latency/latency-chart.tsx";
import {
  describeNone,
  phaseDrawing,
  sinceCreation,
} from "../../../../src/dashboard/web/monitors/latency/latency-section.tsx";

const to = "2026-11-21T12:00:00Z";
const point = (start: string) => ({ start, mean: 2, shortest: 1, longest: 3 });
const seconds = (at: string) => Date.parse(at) / 1000;

const stretch = (from: string, step: number) => ({ from, to, step });

describe("the chart of latencies", () => {
  test("spans the whole range, with the threshold, also if a new monitor has one point", () => {
    const start = "2026-11-21T11:50:00Z";
    const from = "2026-11-20T12:00:00Z";
    const drawing = overallDrawing({ latencies: [point(start)], threshold: 9, stretch: stretch(from, 3600) });
    expect(drawing.columns).toEqual([
      [from, start, to].map(seconds),
      [null, 2, null],
      [null, 3, null],
      [9, 9, 9],
    ]);
  });

  test("has a gap between distant points, and none between neighbors", () => {
    const starts = ["2026-11-14T12:00:00Z", "2026-11-14T13:00:00Z", "2026-11-21T11:00:00Z"];
    const [times, means] = columnsOf(starts.map(point), stretch("2026-11-14T12:00:00Z", 3600), (one) => [
      one?.mean,
    ]);
    const gap = seconds("2026-11-14T14:00:00Z");
    expect(times).toEqual([...starts.slice(0, 2).map(seconds), gap, seconds(starts[2] ?? ""), seconds(to)]);
    expect(means).toEqual([2, 2, null, 2, null]);
  });

  test("sorts the times, also if the first day began before the range", () => {
    const starts = ["2026-08-23T00:00:00Z", "2026-11-21T12:10:00Z"];
    const [times = []] = columnsOf(starts.map(point), stretch("2026-08-23T12:00:00Z", 86_400), () => []);
    expect(times).toEqual(times.toSorted((one, other) => Number(one) - Number(other)));
    expect([times[0], times.at(-1)]).toEqual(starts.map(seconds));
  });

  test("behavior 16.240: the line is p50 and the band ends at p95, in hours and days the mean and the longest latency", () => {
    const latencies = [{ ...point("2026-11-21T11:50:00Z"), p50: 1.5, p95: 2.5 }];
    const exact = overallDrawing({ latencies, threshold: null, stretch: stretch(to, 600) });
    expect(exact.columns.slice(1, 3)).toEqual([
      [1.5, null],
      [2.5, null],
    ]);
    expect(exact.describe([1.5, 2.5, null])).toBe("p50 1.5 ms, p95 2.5 ms");
    expect(exact.describe([1.5, 1.5, null])).toBe("1.5 ms");
    expect(exact.describe([null, null, 9])).toBe("");
    const hourly = overallDrawing({
      latencies: [point("2026-11-21T11:00:00Z")],
      threshold: null,
      stretch: stretch(to, 3600),
    });
    expect(hourly.describe([2, 3, null])).toBe("mean of an hour 2.0 ms, longest 3.0 ms");
    const mixed = overallDrawing({
      latencies: [point("2026-11-21T10:00:00Z"), { ...point("2026-11-21T11:00:00Z"), p50: 1.5, p95: 2.5 }],
      threshold: null,
      stretch: stretch("2026-11-21T10:00:00Z", 3600),
    });
    expect(mixed.columns.slice(1, 3)).toEqual([
      [2, 2, null],
      [3, 3, null],
    ]);
    expect(mixed.describe([2, 3, null])).toBe("mean of an hour 2.0 ms, longest 3.0 ms");
  });

  test("behavior 16.249: the time before is one line more, at the same places", () => {
    const [first, second] = ["2026-11-21T11:40:00.000Z", "2026-11-21T11:50:00.000Z"];
    const before = movedBy(
      [point("2026-11-20T11:40:00.000Z"), point("2026-11-20T11:55:00.000Z")],
      86_400_000,
    );
    const drawing = overallDrawing({
      latencies: [point(first), point(second)],
      threshold: null,
      stretch: stretch(first, 600),
      before,
    });
    expect(drawing.columns[0]).toEqual([first, second, "2026-11-21T11:55:00Z", to].map(seconds));
    // At a time of the other line only, a series has no point and no gap.
    expect(drawing.columns[1]).toEqual([2, 2, undefined, null]);
    expect(drawing.columns[4]).toEqual([2, undefined, 2, null]);
    expect(drawing.describe([2, 2, null, 3])).toBe("2.0 ms, before 3.0 ms");
    expect(drawing.describe([null, null, null, 3])).toBe("before 3.0 ms");
  });

  test("behavior 16.250: a new monitor shows its first hour, and no chart begins before its monitor", () => {
    const now = Date.parse(to);
    const age = (minutes: number) => firstRange(new Date(now - minutes * 60_000).toISOString(), now);
    expect([age(1), age(59), age(61), age(359), age(361), age(90_000)]).toEqual([
      "1h",
      "1h",
      "6h",
      "6h",
      "1d",
      "1d",
    ]);
    const whole = stretch("2026-11-14T12:00:00Z", 3600);
    expect(sinceCreation(whole, "2026-11-21T11:50:00Z").from).toBe("2026-11-21T11:50:00Z");
    expect(sinceCreation(whole, "2026-11-01T00:00:00Z")).toEqual(whole);
  });

  test("behavior 16.251: the height of a bar says the mean latency of its time", () => {
    const buckets = ["2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z"];
    const latencies = [point("2026-11-21T11:10:00Z"), { ...point("2026-11-21T11:20:00Z"), mean: 4 }];
    expect(latenciesOf({ buckets, latencies })).toEqual([null, 3, null]);
  });

  test("a line has a gap at null and none at undefined, and a lonely value is a dot", () => {
    const drawing = {
      ...{
        columns: [
          [0, 10, 20, 30, 40],
          [1, undefined, 2, null, 1],
        ],
        lines: [{ token: "accent" }],
      },
      ...{ bands: [], includes: 0, describe: () => "" },
    };
    const scale = scaleOf(drawing, 276);
    expect(linePath(scale, [0, 10, 20, 30, 40], [1, undefined, 2, null, 1])).toMatch(
      /^M62\.0 [\d.]+h0L162\.0 [\d.]+M262\.0 [\d.]+h0$/,
    );
    expect([scale.x(0), scale.x(40), scale.timeAt(162)]).toEqual([62, 262, 20]);
    expect(scale.yTicks.map(({ label }) => label)[0]).toBe("0 ms");
    expect(scale.xTicks.every(({ at }) => at >= 62 && at <= 262)).toBe(true);
  });

  test("labels of the time axis are as short as their neighbours allow", () => {
    const at = (time: string) => new Date(`2026-11-21T${time}`).getTime() / 1000;
    const [first, ...others] = formatTicks([at("09:10:42"), at("09:10:52"), at("09:11:00"), at("09:11:05")]);
    expect(first).toMatch(/9:10/);
    expect(others).toEqual([":52", expect.stringMatching(/^0?9:11/), ":05"]);
  });

  test("behavior 16.234: has the phases one above the other", () => {
    const phases = { resolve: 1, connect: 2, firstByte: 4 };
    const points = [{ ...point("2026-11-21T11:50:00Z"), phases }, point("2026-11-21T11:51:00Z")];
    const { columns, describe } = phaseDrawing(points, stretch("2026-11-21T11:50:00Z", 60));
    expect(columns.slice(1)).toEqual([
      [0, null, null],
      [1, null, null],
      [3, null, null],
      [7, null, null],
    ]);
    expect(describe([0, 1, 3, 7])).toBe("Name lookup 1.0 ms, Connection 2.0 ms, First byte 4.0 ms");
    expect(describe([null, null, null, null])).toBe("");
  });

  test("behavior 16.243: a time without latencies has its outages, and a sentence that says since when it is down", () => {
    const from = "2026-11-20T12:00:00Z";
    const shown = stretch(from, 600);
    const outage = (start: string, end: string | null, status: "down" | "degraded" = "down") => {
      return { troubles: [{ start, end, status }], stretch: shown };
    };
    expect(emptyDrawing(shown).columns).toEqual([[seconds(from), seconds(to)]]);
    expect(scaleOf(emptyDrawing(shown), 300)).toMatchObject({
      left: 20,
      right: 286,
      yTicks: [{ label: "" }],
    });
    const whole = /^Down for all of this time, since Nov 1[89], 2026.*: no check has a latency\.$/;
    expect(describeNone(outage("2026-11-19T08:00:00Z", null))).toMatch(whole);
    expect(describeNone(outage("2026-11-19T08:00:00Z", "2026-11-21T11:50:00Z"))).toMatch(whole);
    const part = "No check of this time has a latency, because none succeeded.";
    expect(describeNone(outage("2026-11-20T18:00:00Z", null))).toBe(part);
    expect(describeNone(outage("2026-11-19T08:00:00Z", "2026-11-20T18:00:00Z"))).toBe(part);
    const none = "No check of this time has a latency.";
    expect(describeNone(outage("2026-11-19T08:00:00Z", null, "degraded"))).toBe(none);
    expect(describeNone({ troubles: [], stretch: shown })).toBe(none);
  });

  test("behavior 16.235: shades outages and maintenances, to the end if they last", () => {
    const start = "2026-11-21T11:50:00Z";
    const shades = shadesOf({
      stretch: stretch(start, 5),
      windows: [{ start, end: to }],
      troubles: [
        { start, end: null, status: "down" },
        { start, end: to, status: "degraded" },
      ],
    });
    expect(shades.map(({ kind }) => kind)).toEqual(["maintenance", "down", "warning"]);
    expect(shades.every(({ from, to: end }) => from === seconds(start) && end === seconds(to))).toBe(true);
  });
});
