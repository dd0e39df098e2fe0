import { describe, expect, test } from "bun:test";
import { columnsOf } from "../../../../src/dashboard/web/monitors/latency/drawings.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const point = (start: string) => ({ start, mean: 2, shortest: 1, longest: 3 });
const seconds = (at: string) => Date.parse(at) / 1000;

describe("the chart of latencies", () => {
  test("spans the whole range, with the threshold, also if a new monitor has one point", () => {
    const start = "2026-11-21T11:50:00Z";
    expect(columnsOf({ latencies: [point(start)], threshold: 9, range: "1d" }, now)).toEqual([
      [seconds("2026-11-20T12:00:00Z"), seconds(start), now / 1000],
      [null, 2, null],
      [null, 1, null],
      [null, 3, null],
      [9, 9, 9],
    ]);
  });

  test("has a gap between distant points, and none between neighbors", () => {
    const starts = ["2026-11-14T12:00:00Z", "2026-11-14T13:00:00Z", "2026-11-21T11:00:00Z"];
    const [times, means] = columnsOf({ latencies: starts.map(point), threshold: null, range: "7d" }, now);
    const gap = seconds("2026-11-14T14:00:00Z");
    expect(times).toEqual([...starts.slice(0, 2).map(seconds), gap, seconds(starts[2] ?? ""), now / 1000]);
    expect(means).toEqual([2, 2, null, 2, null]);
  });

  test("sorts the times, also if the reader's clock is behind or the first day began before the range", () => {
    const starts = ["2026-08-23T00:00:00Z", "2026-11-21T12:10:00Z"];
    const [times] = columnsOf({ latencies: starts.map(point), threshold: null, range: "90d" }, now);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect([times[0], times.at(-1)]).toEqual(starts.map(seconds));
  });
});
