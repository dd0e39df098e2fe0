import { expect, test } from "bun:test";
import { bindingsOf } from "../../../../src/dashboard/web/monitors/alerts/alert-fields.tsx";
import { previewAlerts } from "../../../../src/dashboard/web/monitors/alerts/alert-preview.ts";
import { describeHours } from "../../../../src/dashboard/web/monitors/alerts/hours-fields.tsx";
import type { Hours } from "../../../../src/domain/alerts/hours.ts";
import { EVERY_GROUP } from "../../../../src/domain/alerts/notify.ts";

const timezone = "Europe/Berlin";
const work: Hours = {
  timezone,
  windows: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }],
  outside: "hold",
};

test.each<[Hours["windows"], string]>([
  [work.windows, "Mon–Fri 08:00–18:00, Europe/Berlin"],
  [
    [...work.windows, { days: ["sat"], from: "10:00", to: "24:00" }],
    "Mon–Fri 08:00–18:00, Sat 10:00–24:00, Europe/Berlin",
  ],
  [
    [{ days: ["sun", "mon", "tue", "fri"], from: "22:00", to: "06:00" }],
    "Mon, Tue, Fri, Sun 22:00–06:00, Europe/Berlin",
  ],
])("behavior 23.9: %j in words", (windows, words) => {
  expect(describeHours({ ...work, windows })).toBe(words);
});

test("behavior 23.9: the values of a form have the hours of each channel", () => {
  const data = new FormData();
  data.set("hasBindings", "");
  data.append("alertChannelIds", "a");
  data.set("hours a", JSON.stringify(work));
  expect(bindingsOf(data)).toEqual([{ alertChannelId: "a", after: 0, every: 0, hours: work }]);
});

test.each([
  ["hold", "waits until they open, and is sent if the trouble lasts"],
  ["drop", "is never sent"],
] as const)("behavior 23.9: the preview says what hours that %s do", (outside, then) => {
  const channel = { id: "a", name: "Team", enabled: true, notifyOn: EVERY_GROUP, after: 0, every: 0 };
  const rules = { type: "HTTP", confirmations: 0, dependsOn: [], silentParents: [] } as const;
  const channels = [{ ...channel, hours: { ...work, outside } }];
  const { steps } = previewAlerts({ ...rules, dependsOn: [], silentParents: [], channels });
  expect(steps[0]?.when).toBe(
    "At once if the monitor goes down or gets a warning. Outside Mon–Fri 08:00–18:00, Europe/Berlin it " +
      `${then}. Also when it is healthy again, if the trouble was notified.`,
  );
});
