import { expect, test } from "bun:test";
import { localTextOf } from "../../../src/dashboard/web/form/field-errors.ts";
import {
  isForever,
  maintenanceIn,
  splitDuration,
} from "../../../src/dashboard/web/maintenance/maintenance-values.ts";
import { selectorIn } from "../../../src/dashboard/web/maintenance/selector-fields.tsx";

/** A form with these values; a list has several of one name. */
function form(values: Record<string, string | string[]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) data.append(name, one);
  return data;
}

test.each([
  [undefined, 1, "hours"],
  [5400, 90, "minutes"],
  [90, 90, "seconds"],
  [604_800, 7, "days"],
] as const)("behavior 14.95: a duration of %p seconds is shown as %p %s", (seconds, count, unit) => {
  expect(splitDuration(seconds)).toEqual({ count, unit });
});

test("behavior 14.95: a selector has only the parts that are chosen", () => {
  expect(selectorIn(form({ "selector.tags": " " }))).toEqual({});
  expect(selectorIn(form({ "selector.all": "on", "selector.tags": "web, db" }))).toEqual({
    all: true,
    tags: ["web", "db"],
  });
  expect(selectorIn(form({ "selector.tags": "", "selector.monitorIds": ["a", "b"] }))).toEqual({
    monitorIds: ["a", "b"],
  });
});

test("behavior 14.95: the form sends the fields of one kind only", () => {
  const shared = { title: " Move ", message: "", "selector.all": "on", notifyChannelIds: ["c"] };
  const all = { title: "Move", selector: { all: true as const }, notifyChannelIds: ["c"] };
  const repeated = { cron: "0 2 * * *", timezone: "Europe/Berlin", duration: "2", durationUnit: "hours" };
  expect<object>(maintenanceIn(form({ ...shared, ...repeated, until: "" }), "repeated")).toEqual({
    ...all,
    cron: "0 2 * * *",
    timezone: "Europe/Berlin",
    duration: 7200,
  });
  const once = { startsAt: "2026-11-24T02:00", endsAt: "2026-11-24T03:00" };
  expect<object>(maintenanceIn(form({ ...shared, ...once }), "once")).toEqual({
    ...all,
    startsAt: new Date(2026, 10, 24, 2).toISOString(),
    endsAt: new Date(2026, 10, 24, 3).toISOString(),
    notifySubscribers: false,
  });
  const told = maintenanceIn(form({ ...shared, ...once, notifySubscribers: "on" }), "once");
  expect(told).toMatchObject({ notifySubscribers: true });
});

test("behavior 14.95: a duration that is not a number stays as it is, so that it is refused", () => {
  const data = form({ duration: "soon", durationUnit: "hours" });
  expect(maintenanceIn(data, "repeated")).toMatchObject({ duration: "soon" });
});

test("behavior 14.95: times that are not edited are not sent, and an end that is removed becomes one that is never reached", () => {
  const times = { startsAt: null, endsAt: null, cron: "0 2 * * *", timezone: "UTC", duration: 7200 };
  const stored = { ...times, until: "2027-01-01T00:00:00.000Z" };
  const fields = { title: "a", cron: "0 2 * * *", timezone: "UTC", duration: "2", durationUnit: "hours" };
  const kept = maintenanceIn(form({ ...fields, until: localTextOf(stored.until) }), "repeated", stored);
  expect(kept).not.toContainAnyKeys(["cron", "timezone", "duration", "until"]);
  const removed = maintenanceIn(form({ ...fields, until: "" }), "repeated", stored);
  expect(removed).toMatchObject({ cron: "0 2 * * *", until: "9999-12-31T00:00:00.000Z" });
  expect(isForever("9999-12-31T00:00:00.000Z")).toBe(true);
});
