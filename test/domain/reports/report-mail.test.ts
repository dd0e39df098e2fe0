import { describe, expect, test } from "bun:test";
import {
  definitionOf,
  lastDue,
  lastWholePeriod,
  nextMoment,
  periodFrom,
  periodUntil,
  type ReportKind,
  spanOf,
} from "../../../src/domain/reports/report-mail.ts";

const at = (text: string) => Date.parse(text);
const QUARTER = 15 * 60_000;

describe("behavior 23.71: a report is about the whole period before", () => {
  const now = at("2027-03-03T12:00:00Z");
  test.each<[ReportKind, string, string]>([
    ["day", "2027-03-02", "2027-03-03"],
    ["week", "2027-02-22", "2027-03-01"],
    ["month", "2027-02-01", "2027-03-01"],
  ])("a %s", (kind, first, end) => {
    expect(lastWholePeriod({ kind, timezone: "UTC" }, now)).toEqual({ first, end });
    expect(periodFrom(kind, first)).toEqual({ first, end });
    expect(periodUntil(kind, end)).toEqual({ first, end });
  });

  test("and goes on the next day, Monday or first at its time", () => {
    const next = (kind: ReportKind) =>
      new Date(nextMoment({ kind, at: "07:30", timezone: "Europe/Berlin" }, "2027-03-01")).toISOString();
    expect(next("day")).toBe("2027-03-02T06:30:00.000Z");
    expect(next("week")).toBe("2027-03-08T06:30:00.000Z");
    expect(next("month")).toBe("2027-04-01T05:30:00.000Z");
  });

  test("not before its time, and of periods that were missed only the last one", () => {
    const when = { kind: "day", at: "08:00", timezone: "UTC" } as const;
    expect(lastDue(when, at("2027-03-03T07:59:59.999Z"))).toBe("2027-03-02");
    expect(lastDue(when, at("2027-03-03T08:00:00Z"))).toBe("2027-03-03");
    expect(lastDue({ ...when, kind: "month" }, at("2027-03-01T08:00:00Z"))).toBe("2027-03-01");
    expect(lastDue({ ...when, kind: "month" }, at("2027-03-01T07:00:00Z"))).toBe("2027-02-01");
  });

  test("a day that no period begins on has none", () => {
    expect(periodFrom("week", "2027-03-02")).toBeNull();
    expect(periodFrom("month", "2027-03-02")).toBeNull();
    for (const text of ["2027-02-30", "2027-3-1", "", "now"]) expect(periodFrom("day", text)).toBeNull();
  });
});

/** The first quarter of an hour at which the clocks show a local time or a later one, found by stepping. */
function stepped(day: string, time: string, timezone: string): number {
  const format = formatIn(timezone);
  const wanted = `${day} ${time}`;
  let moment = at(`${day}T${time}:00Z`) - 16 * 3_600_000;
  while (format(moment) < wanted) moment += QUARTER;
  return moment;
}

const formats = new Map<string, (moment: number) => string>();
function formatIn(timezone: string) {
  const options = { dateStyle: "short", timeStyle: "short", hourCycle: "h23", timeZone: timezone } as const;
  const format = new Intl.DateTimeFormat("sv-SE", options);
  const known = formats.get(timezone) ?? ((moment: number) => format.format(moment));
  formats.set(timezone, known);
  return known;
}

describe("behavior 23.71: over two years of clocks", () => {
  const zones = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Africa/Casablanca",
  ];
  test.each(zones)(
    "each day of %s has one report, at its time of the clocks, about the whole day before",
    (timezone) => {
      let done = "2026-01-01";
      let previousEnd: number | undefined;
      for (let count = 0; count < 730; count++) {
        const time = count % 2 === 0 ? "02:30" : "08:00";
        const when = { kind: "day", at: time, timezone } as const;
        const moment = nextMoment(when, done);
        const end = String(Temporal.PlainDate.from(done).add({ days: 1 }));
        expect(moment).toBe(stepped(end, time, timezone));
        expect(lastDue(when, moment)).toBe(end);
        expect(lastDue(when, moment - 1)).toBe(done);
        const { from, to } = spanOf(periodUntil("day", end), timezone);
        if (previousEnd !== undefined) expect(from).toBe(previousEnd);
        expect(to - from).toBeGreaterThanOrEqual(23 * 3_600_000);
        previousEnd = to;
        done = end;
      }
    },
  );
});

test("behavior 23.70: repeated recipients count once, and a title has no space around it", () => {
  const request = { title: " A ", kind: "day", selector: { all: true }, to: ["a@b.c", "a@b.c"] } as const;
  expect(definitionOf({ ...request, selector: { all: true }, to: [...request.to] })).toMatchObject({
    title: "A",
    to: ["a@b.c"],
    channelIds: null,
  });
});
