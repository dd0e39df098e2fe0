import { describe, expect, test } from "bun:test";
import {
  columnsByLocation,
  inOrderOf,
  lineOf,
  locationDrawing,
} from "../../../../src/dashboard/web/monitors/latency/drawings.ts";
import { MAX_LOCATIONS } from "../../../../src/domain/locations/location.ts";

const [from, to] = ["2026-11-14T12:00:00Z", "2026-11-21T12:00:00Z"];
const stretch = { from, to, step: 3600 };
const [start, now] = [Date.parse(from) / 1000, Date.parse(to) / 1000];
const HOUR = 3600;
const point = (hour: number, mean: number) => ({
  start: new Date((start + hour * HOUR) * 1000).toISOString(),
  mean,
  shortest: 1,
  longest: 9,
});

describe("the chart of the latencies by location", () => {
  test("behavior 13.67: has a line for each location, which only its own gaps interrupt", () => {
    const latencies = [
      { location: "here", points: [point(0, 2), point(1, 3), point(2, 4), point(50, 9)] },
      { location: "fra", points: [point(0, 5), point(2, 6), point(99, 7), point(100, 8)] },
      { location: "new", points: [] },
    ];
    expect(columnsByLocation(latencies, stretch)).toEqual([
      [0, 1, 2, 3, 50, 99, 100].map((hour) => start + hour * HOUR).concat(now),
      [2, 3, 4, null, 9, undefined, undefined, null],
      [5, undefined, 6, null, null, 7, 8, null],
      [null, null, null, null, null, null, null, null],
    ]);
  });

  test("keeps the lines in the order of the locations of the monitor, and previous locations last", () => {
    const latencies = ["gone", "nyc", "fra", "here"].map((location) => ({ location, points: [] }));
    const places = ["here", "fra", "nyc"].map((name) => ({ name }));
    const names = inOrderOf(places, latencies).map(({ location }) => location);
    expect(names).toEqual(["here", "fra", "nyc", "gone"]);
  });

  test("describes the locations that measured something at a time", () => {
    const latencies = ["here", "fra", "nyc"].map((location) => ({ location, points: [] }));
    const { describe } = locationDrawing(latencies, stretch);
    expect(describe([42, undefined, 110.4])).toBe("This server 42 ms, nyc 110 ms");
    expect(describe([null, undefined, null])).toBe("");
  });

  test("behavior 16.249: the time before is one line more for each location, in its color", () => {
    const latencies = ["here", "fra", "nyc"].map((location) => ({ location, points: [point(1, 4)] }));
    const before = ["nyc", "gone", "here"].map((location, at) => ({ location, points: [point(1, at + 1)] }));
    const { columns, lines, describe } = locationDrawing(latencies, stretch, before);
    expect(columns.map((column) => column[1])).toEqual([start + HOUR, 4, 4, 4, 3, 1]);
    expect(lines.map((line) => line?.token)).toEqual([1, 2, 3, 1, 3].map((series) => `series-${series}`));
    expect(describe([42, 8, 9, 40, 5])).toBe(
      "This server 42 ms, before 40 ms; fra 8.0 ms; nyc 9.0 ms, before 5.0 ms",
    );
    expect(describe([null, null, null, null, 5])).toBe("nyc before 5.0 ms");
  });

  test("has another line for each location that a monitor can have", () => {
    const lines = Array.from({ length: MAX_LOCATIONS }, (_, at) => JSON.stringify(lineOf(at)));
    expect(new Set(lines).size).toBe(MAX_LOCATIONS);
  });
});
