import { describe, expect, test } from "bun:test";
import { gatherReport, type ReportedMonitor } from "../../../src/domain/reports/report-contents.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2027, 2, 1);
const PERIOD = { from: FROM, to: FROM + DAY };
const BEFORE = { from: FROM - DAY, to: FROM };
const NOTHING = { causes: new Map<number, string>(), missed: [], ends: [] };

const monitor = (name: string, values: Partial<ReportedMonitor> = {}): ReportedMonitor => ({
  ...{ id: name, name, type: "HTTP", createdAt: 0, outages: [], maintenance: [] },
  checked: [{ from: FROM - DAY, to: FROM + DAY }],
  ...values,
});

const outage = (pk: number, from: number, hours: number | null) => {
  const [startedAt, endedAt] = [FROM + from * HOUR, hours === null ? null : FROM + (from + hours) * HOUR];
  return { pk, startedAt, endedAt, downs: [{ from: startedAt, to: endedAt }] };
};

function report(
  monitors: ReportedMonitor[],
  facts: Partial<Parameters<ReturnType<typeof gatherReport>["contents"]>[0]> = {},
) {
  const gathered = gatherReport(PERIOD, BEFORE);
  for (const one of monitors) gathered.add(one, { ...one, outages: [] });
  return gathered.contents({ ...NOTHING, ...facts });
}

describe("behavior 23.75: a report contains", () => {
  test("the uptime of each monitor and of the period before, the lowest first, without maintenance", () => {
    const maintenance = [{ pk: 1, title: "Rack", from: FROM, to: FROM + 12 * HOUR }];
    const { monitors, total, maintenances } = report([
      monitor("good"),
      monitor("bad", { outages: [outage(1, 12, 6)], maintenance }),
      monitor("new", { checked: [], createdAt: FROM + 23 * HOUR }),
    ]);
    expect(monitors.entries).toEqual([
      { name: "bad", uptime: "50.00%", before: "100.00%" },
      { name: "good", uptime: "100.00%", before: "100.00%" },
      { name: "new", uptime: null, before: null },
    ]);
    expect(total).toEqual({ uptime: "83.33%", before: "100.00%", outages: 1, downMs: 6 * HOUR });
    expect(maintenances.entries).toEqual([{ title: "Rack", startsAt: FROM, endsAt: FROM + 12 * HOUR }]);
  });

  test("outages with length and cause: those that lasted in the period, also if they began before it or go on", () => {
    const outages = [
      outage(1, -3, 2),
      outage(2, -2, 3),
      outage(3, 4, 1),
      outage(4, 22, 9),
      outage(5, 23, null),
    ];
    const { entries, others } = report([monitor("shop", { outages })], {
      causes: new Map([[3, "503 instead of 200"]]),
    }).outages;
    const shop = { name: "shop", cause: null };
    expect(entries).toEqual([
      { ...shop, startedAt: FROM - 2 * HOUR, endedAt: FROM + HOUR, lengthMs: 3 * HOUR },
      {
        ...shop,
        startedAt: FROM + 4 * HOUR,
        endedAt: FROM + 5 * HOUR,
        lengthMs: HOUR,
        cause: "503 instead of 200",
      },
      { ...shop, startedAt: FROM + 22 * HOUR, endedAt: null, lengthMs: 2 * HOUR },
      { ...shop, startedAt: FROM + 23 * HOUR, endedAt: null, lengthMs: HOUR },
    ]);
    expect(others).toBe(0);
  });

  test("what fits on a page: the longest outages, in their order, and how many others there are", () => {
    const outages = Array.from({ length: 20 }, (_, at) => outage(at + 1, at, (at + 1) / 25));
    const monitors = Array.from({ length: 40 }, (_, at) => monitor(`monitor ${at}`));
    const contents = report([...monitors, monitor("shop", { outages })]);
    expect(contents.outages.others).toBe(12);
    expect(contents.outages.entries.map(({ startedAt }) => (startedAt - FROM) / HOUR)).toEqual([
      12, 13, 14, 15, 16, 17, 18, 19,
    ]);
    expect(contents.monitors.entries[0]?.name).toBe("shop");
    expect(contents.monitors.entries.length + contents.monitors.others).toBe(41);
    expect(contents.total.outages).toBe(20);
  });

  test("missed runs, and certificates and domains that end within 30 days of the end of the period", () => {
    const ends = [29, 31, -1].map((days) => ({
      name: `in ${days}`,
      what: "certificate" as const,
      at: PERIOD.to + days * DAY,
    }));
    const { missed, ends: soon } = report([], {
      ends,
      missed: [
        { name: "a", count: 1 },
        { name: "b", count: 3 },
      ],
    });
    expect(missed.entries.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(soon.entries.map(({ name }) => name)).toEqual(["in -1", "in 29"]);
  });
});
