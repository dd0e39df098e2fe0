import { expect, test } from "bun:test";
import {
  bindingsOf,
  offeredAfter,
  offeredEvery,
} from "../../../../src/dashboard/web/monitors/alerts/alert-fields.tsx";

test("behavior 14.96: the form offers common times, and the stored one", () => {
  expect(offeredAfter(0).slice(0, 3)).toEqual([
    { value: 0, label: "At once" },
    { value: 60, label: "After 1 min" },
    { value: 120, label: "After 2 min" },
  ]);
  expect(offeredAfter(90)[2]).toEqual({ value: 90, label: "After 1 min 30 s" });
  expect(offeredEvery(0).slice(0, 2)).toEqual([
    { value: 0, label: "No reminder" },
    { value: 300, label: "Remind every 5 min" },
  ]);
  expect(offeredEvery(604_800)).toEqual(offeredEvery(0));
});

test("behavior 14.96: the values of a channel are those of the form, and none are sent if it has no channels yet", () => {
  const data = new FormData();
  expect(bindingsOf(data)).toBeUndefined();
  data.set("hasBindings", "");
  expect(bindingsOf(data)).toEqual([]);
  data.append("alertChannelIds", "a");
  data.append("alertChannelIds", "b");
  data.set("after b", "900");
  data.set("every b", "3600");
  data.set("after c", "60");
  data.set("hours a", "");
  expect(bindingsOf(data)).toEqual([
    { alertChannelId: "a", after: 0, every: 0 },
    { alertChannelId: "b", after: 900, every: 3600 },
  ]);
});

test("behavior 23.40: the form keeps the schedules of a monitor, with their times", () => {
  const data = new FormData();
  data.set("hasBindings", "");
  data.append("alertChannelIds", "a");
  data.append("scheduleIds", "s");
  data.set("after s", "600");
  expect(bindingsOf(data)).toEqual([
    { alertChannelId: "a", after: 0, every: 0 },
    { scheduleId: "s", after: 600, every: 0 },
  ]);
});
