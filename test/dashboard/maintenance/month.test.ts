import { describe, expect, test } from "bun:test";
import { entriesOn, shortList } from "../../../src/dashboard/web/maintenance/maintenance-words.ts";
import { monthBeside, monthOf, parseMonth, weeksOf } from "../../../src/dashboard/web/ui/days.ts";

const none = { startsAt: null, endsAt: null, cron: null, timezone: null, duration: null, until: null };
const created = { createdAt: "2020-01-01T00:00:00.000Z" };

/** The day of the calendar that has a local date. */
function dayAt(year: number, month: number, day: number) {
  const start = new Date(year, month - 1, day).getTime();
  const found = weeksOf(monthOf(start))
    .flat()
    .find((one) => one.start === start);
  if (!found) throw new Error("the calendar lacks the day");
  return found;
}

const isoOf = (year: number, month: number, day: number, hour: number) =>
  new Date(year, month - 1, day, hour).toISOString();

describe("behavior 14.95: the calendar of a month", () => {
  test("has whole weeks from Monday to Sunday, and each day of the month once", () => {
    for (const month of ["2026-11", "2027-02", "2028-02", "2026-03", "2026-10"]) {
      const days = weeksOf(month).flat();
      const inMonth = days.filter(({ isInMonth }) => isInMonth);
      expect(new Date(days[0]?.start ?? 0).getDay()).toBe(1);
      expect(days.length % 7).toBe(0);
      expect(inMonth.map(({ start }) => new Date(start).getDate())).toEqual(
        Array.from({ length: inMonth.length }, (_, at) => at + 1),
      );
      expect(inMonth.every(({ start }) => monthOf(start) === month)).toBe(true);
      for (const [at, { end }] of days.entries()) expect(days[at + 1]?.start ?? end).toBe(end);
    }
  });

  test("goes from month to month over the end of a year", () => {
    expect(monthBeside("2026-12", 1)).toBe("2027-01");
    expect(monthBeside("2026-01", -1)).toBe("2025-12");
    expect(parseMonth("2026-13")).toBeUndefined();
    expect(parseMonth("2026-07")).toBe("2026-07");
    expect(parseMonth(null)).toBeUndefined();
  });

  test("shows a window on each day that it is open on", () => {
    const maintenance = {
      ...none,
      ...created,
      id: "a",
      title: "Move",
      startsAt: isoOf(2026, 11, 24, 22),
      endsAt: isoOf(2026, 11, 26, 0),
    };
    const shown = [23, 24, 25, 26].map((day) => entriesOn(dayAt(2026, 11, day), [maintenance]).length);
    expect(shown).toEqual([0, 1, 1, 0]);
  });

  test("shows the runs of a cron expression, soonest first, and at most ten of one maintenance a day", () => {
    const nightly = { ...none, ...created, cron: "0 12 * * *", timezone: "UTC", duration: 3600 };
    const often = { ...nightly, cron: "*/5 * * * *", duration: 60 };
    const entries = entriesOn(dayAt(2026, 11, 24), [
      { ...nightly, id: "a", title: "Nightly" },
      { ...often, id: "b", title: "Often" },
    ]);
    expect(entries.filter(({ id }) => id === "a")).toHaveLength(1);
    expect(entries.filter(({ id }) => id === "b")).toHaveLength(10);
    expect(shortList(entries, 3)).toMatchObject({ shown: { length: 3 }, rest: "and more" });
    expect(shortList(entries.slice(0, 5), 3).rest).toBe("and 2 more");
    expect(shortList(entries.slice(0, 3), 3).rest).toBe("");
    expect(entries.map(({ startsAt }) => startsAt)).toEqual(
      entries.map(({ startsAt }) => startsAt).toSorted((a, b) => a - b),
    );
  });

  test("shows no window from before the maintenance was created", () => {
    const daily = { ...none, cron: "0 12 * * *", timezone: "UTC", duration: 3600, id: "a", title: "Daily" };
    const maintenance = { ...daily, createdAt: isoOf(2026, 11, 24, 0) };
    expect(entriesOn(dayAt(2026, 11, 20), [maintenance])).toEqual([]);
    expect(entriesOn(dayAt(2026, 11, 26), [maintenance])).toHaveLength(1);
  });
});
