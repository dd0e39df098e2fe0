import { describe, expect, test } from "bun:test";
import {
  addSums,
  emptySums,
  type MonitorHistory,
  monthlyFigures,
  monthSpan,
  sumUpMonth,
} from "../../../src/domain/reports/monthly-report.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 9);
const END = Date.UTC(2026, 10);
const MONTH = { from: START, to: END };

/** A monitor that was checked all the time. Times are hours since the start of the month. */
function figures(
  outages: [startedAt: number, endedAt: number | null, downs?: [from: number, to: number | null][]][],
  {
    maintenance = [],
    ...changes
  }: Partial<Omit<MonitorHistory, "maintenance">> & { maintenance?: [number, number][] } = {},
) {
  const at = (hours: number) => START + hours * HOUR;
  const history: MonitorHistory = {
    type: "HTTP",
    createdAt: 0,
    checked: [MONTH],
    outages: outages.map(([startedAt, endedAt, downs = [[startedAt, endedAt]]]) => ({
      startedAt: at(startedAt),
      endedAt: endedAt === null ? null : at(endedAt),
      downs: downs.map(([from, to]) => ({ from: at(from), to: to === null ? null : at(to) })),
    })),
    maintenance: maintenance.map(([from, to]) => ({ from: at(from), to: at(to) })),
    ...changes,
  };
  return monthlyFigures(sumUpMonth(history, MONTH));
}

const quiet = {
  ...{ uptime: "100.00%", downMs: 0, outages: 0, mttrMs: null, maintenanceMs: 0, unknownMs: 0 },
};

describe("behavior 14.80: a month", () => {
  test("is in UTC, and ends now at the latest", () => {
    expect(monthSpan("2026-10", END + DAY)).toEqual(MONTH);
    expect(monthSpan("2026-10", START + HOUR)).toEqual({ from: START, to: START + HOUR });
    expect(monthSpan("2026-10", START - HOUR)).toEqual({ from: START, to: START });
    expect(monthSpan("2026-12", END + 90 * DAY).to).toBe(Date.UTC(2027, 0));
  });

  test("without an outage has an uptime of 100 %", () => {
    expect(figures([])).toEqual(quiet);
  });
});

describe("behavior 14.81: downtime", () => {
  test("is the time in which a monitor was down, not the whole outage", () => {
    expect(
      figures([
        [10, 13],
        [20, 21, []],
        [
          30,
          40,
          [
            [32, 32.5],
            [33, 33.5],
          ],
        ],
      ]),
    ).toEqual({
      ...quiet,
      uptime: "99.46%",
      ...{ downMs: 4 * HOUR, outages: 2, mttrMs: 2 * HOUR },
    });
  });

  test("of a job is the whole outage, because a missed run lowers its uptime too", () => {
    expect(figures([[30, 31, []]], { type: "SCHEDULED" })).toMatchObject({ downMs: HOUR, outages: 1 });
  });

  test("of an outage that began before the month or ends after it counts within the month", () => {
    expect(
      figures([
        [-5, 1],
        [743, 800],
      ]),
    ).toMatchObject({ downMs: 2 * HOUR, outages: 2, mttrMs: 6 * HOUR });
    expect(figures([[700, null]])).toMatchObject({ downMs: 44 * HOUR, outages: 1, mttrMs: null });
  });

  test("is not in a maintenance", () => {
    expect(
      figures(
        [
          [10, 14],
          [50, 51],
        ],
        {
          maintenance: [
            [12, 20],
            [49, 60],
          ],
        },
      ),
    ).toEqual({
      ...quiet,
      uptime: "99.72%",
      ...{ downMs: 2 * HOUR, outages: 1, mttrMs: 2 * HOUR, maintenanceMs: 19 * HOUR },
    });
  });
});

describe("behavior 14.82: a time without checks is unknown", () => {
  const checked = [{ from: START, to: START + 10 * HOUR }];

  test("and is left out of the uptime, as maintenance is", () => {
    expect(
      figures([[0, 1]], {
        checked,
        maintenance: [
          [5, 8],
          [20, 30],
        ],
      }),
    ).toMatchObject({
      uptime: "85.71%",
      ...{ downMs: HOUR, maintenanceMs: 13 * HOUR, unknownMs: 744 * HOUR - 20 * HOUR },
    });
  });

  test("but not while an outage lasts", () => {
    expect(
      figures(
        [
          [9, 12],
          [20, 21, []],
        ],
        { checked },
      ),
    ).toMatchObject({ unknownMs: (744 - 13) * HOUR });
  });

  test("before a monitor was created, it is neither", () => {
    const createdAt = START + 740 * HOUR;
    expect(figures([], { createdAt })).toEqual(quiet);
    expect(figures([], { createdAt, checked: [], maintenance: [[0, 800]] })).toMatchObject({
      ...{ uptime: null, maintenanceMs: 4 * HOUR, unknownMs: 0 },
    });
    expect(figures([], { createdAt: END + 1 })).toEqual({ ...quiet, uptime: null });
  });

  test("without any check, there is no uptime", () => {
    expect(figures([], { checked: [] })).toEqual({ ...quiet, uptime: null, unknownMs: 744 * HOUR });
  });
});

test("behavior 14.80: the total weighs each monitor with its measured time, and each outage once", () => {
  const sums = (measuredMs: number, downMs: number, recoveries: number, recoveryMs: number) => ({
    ...emptySums,
    ...{ measuredMs, downMs, recoveries, recoveryMs, outages: recoveries, maintenanceMs: 1, unknownMs: 2 },
  });
  const total = addSums(sums(100, 50, 3, 10), sums(900, 0, 1, 50));
  expect(monthlyFigures(total)).toEqual({
    ...{ uptime: "95.00%", downMs: 50, outages: 4, mttrMs: 15, maintenanceMs: 2, unknownMs: 4 },
  });
  expect(monthlyFigures(emptySums)).toEqual({ ...quiet, uptime: null });
});
