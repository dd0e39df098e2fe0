import { describe, expect, test } from "bun:test";
import { columnsOf, overallDrawing } from "../../../../src/dashboard/web/monitors/latency/drawings.ts";
import { shadesOf } from "../../../../src/dashboard/web/monitors/latency/latency-chart.tsx";
import { phaseDrawing } from "../../../../src/dashboard/web/monitors/latency/latency-section.tsx";

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
      [null, 1, null],
      [null, 3, null],
      [null, null, null],
      [null, null, null],
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

  test("behavior 16.233: has the percentiles of points of several checks, and says them", () => {
    const points = [{ ...point("2026-11-21T11:50:00Z"), p50: 2, p95: 3 }];
    const drawing = overallDrawing({ latencies: points, threshold: null, stretch: stretch(to, 600) });
    expect(drawing.describe([2, 1, 3, 2, 3])).toBe("2.0 ms (1.0 ms to 3.0 ms, p50 2.0 ms, p95 3.0 ms)");
    const each = overallDrawing({ latencies: points, threshold: null, stretch: stretch(to, 30) });
    expect(each.columns).toHaveLength(5);
    expect(each.describe([2, 2, 2])).toBe("2.0 ms");
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
