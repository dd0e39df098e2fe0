import { describe, expect, test } from "bun:test";
import {
  type RequestedTimes,
  replacedTimes,
  requestedTimes,
} from "../../../src/domain/maintenance/request.ts";
import { openWindowAt, withEndedWindow } from "../../../src/domain/maintenance/windows.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2027, 5, 1, 12);
const iso = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

const once = { startsAt: iso(-1), endsAt: iso(1) };
const hourly = { cron: "0 * * * *", duration: 1800 };

function replaced(before: RequestedTimes, request: RequestedTimes, { endedAt, now = NOW }: Options = {}) {
  const stored = requestedTimes(before);
  const ended = endedAt === undefined ? stored : withEndedWindow(stored, endedAt);
  return { ended, after: replacedTimes(ended, requestedTimes(request), now) };
}

interface Options {
  endedAt?: number;
  now?: number;
}

describe("behavior 16.8: a replacement of a maintenance", () => {
  test.each([
    ["one window", once],
    ["runs", hourly],
  ])("with the same times keeps the early end of %s", (_, times) => {
    const { ended, after } = replaced(times, times, { endedAt: NOW + 60_000 });
    expect(after).toEqual(ended);
    expect(openWindowAt(after, NOW + 120_000)).toBeNull();
  });

  test("with the same times in another notation, after its window, changes nothing", () => {
    const request = { startsAt: "2027-06-01T13:00:00+02:00", endsAt: "2027-06-01T15:00:00+02:00" };
    const { ended, after } = replaced(once, request, { now: NOW + 9 * HOUR });
    expect(after).toEqual(ended);
  });

  test("with the default of `timezone` in place of UTC changes nothing", () => {
    const { ended, after } = replaced({ ...hourly, timezone: "UTC" }, hourly);
    expect(after).toEqual(ended);
  });

  test("with another end opens a window again that was ended early", () => {
    const { after } = replaced(once, { ...once, endsAt: iso(2) }, { endedAt: NOW });
    expect(openWindowAt(after, NOW + HOUR)).toEqual({ startsAt: NOW - HOUR, endsAt: NOW + 2 * HOUR });
  });

  test("with the end at which it was ended early has this end", () => {
    const { after } = replaced(once, { ...once, endsAt: iso(0.5) }, { endedAt: NOW + HOUR / 2 });
    expect(after).toMatchObject({ endsAt: NOW + HOUR / 2, endedRun: null });
  });

  test("with another duration keeps the early end of a run", () => {
    const { after } = replaced(hourly, { ...hourly, duration: 3000 }, { endedAt: NOW + 60_000 });
    expect(openWindowAt(after, NOW + 120_000)).toBeNull();
  });

  test("without `until` loses the stored one", () => {
    expect(replaced({ ...hourly, until: iso(5) }, hourly).after.until).toBeNull();
  });

  test("with another window that is over is refused", () => {
    const over = { ...once, endsAt: iso(0) };
    expect(() => replaced(once, over)).toThrow("endsAt must be in the future");
    expect(() => replaced(hourly, over)).toThrow("endsAt must be in the future");
    expect(() => replaced(once, { ...hourly, until: iso(-9) })).toThrow("until must be at or after a run");
  });
});
