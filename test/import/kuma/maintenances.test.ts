import { expect, test } from "bun:test";
import type { Row } from "../../../src/import/kuma/fields.ts";
import { importedFrom, kumaMonitor } from "../../support/import/kuma.ts";

/** The only maintenance of an Uptime Kuma with two monitors and a group, or why there is none. */
function maintenanceOf(fields: Row, monitorIds: number[] = [1]): unknown {
  const { document, omitted } = importedFrom({
    monitors: [
      kumaMonitor({ id: 1, name: "Shop" }),
      kumaMonitor({ id: 2, name: "Web", type: "group" }),
      kumaMonitor({ id: 3, name: "Router", type: "docker" }),
    ],
    maintenances: [{ id: 9, title: "Nightly", description: "", active: 1, ...fields }],
    monitorMaintenances: monitorIds.map((monitor_id) => ({ maintenance_id: 9, monitor_id })),
    settings: [{ key: "serverTimezone", value: '"America/New_York"' }],
  });
  const about = omitted.filter(({ what }) => what.startsWith("maintenance")).map(({ why }) => why);
  return document.maintenances?.nightly ?? about.join("\n");
}

const selector = { monitorIds: ["shop"] };
const title = "Nightly";

test("behavior 16.100: a single maintenance keeps its times, which are local times of its zone", () => {
  const single = { strategy: "single", start_date: "2026-12-01 20:00:00", end_date: "2026-12-01T22:30" };
  expect(maintenanceOf({ ...single, timezone: "Europe/Berlin", description: "Rack $ {x} ${y}" })).toEqual({
    ...{ title, message: "Rack $ {x} $${y}", selector },
    ...{ startsAt: "2026-12-01T19:00:00Z", endsAt: "2026-12-01T21:30:00Z" },
  });
  expect(maintenanceOf({ ...single, timezone: "SAME_AS_SERVER" })).toMatchObject({
    startsAt: "2026-12-02T01:00:00Z",
  });
  expect(maintenanceOf(single)).toMatchObject({ startsAt: "2026-12-01T20:00:00Z" });
});

test("behavior 16.100: recurring maintenances are cron expressions", () => {
  const cron = { strategy: "cron", cron: "30 3  * * *", duration: 3600, timezone: "Europe/Berlin" };
  const berlin = { title, selector, timezone: "Europe/Berlin", duration: 3600 };
  expect(maintenanceOf(cron)).toEqual({ ...berlin, cron: "30 3 * * *" });
  expect(maintenanceOf({ ...cron, end_date: "2027-01-01 00:00:00" })).toMatchObject({
    until: "2026-12-31T23:00:00Z",
  });
  const times = { timezone: "UTC", start_time: "23:30", end_time: "00:30" };
  const weekly = { strategy: "recurring-weekday", weekdays: "[1,2,0]", ...times };
  expect(maintenanceOf(weekly)).toEqual({ title, selector, cron: "30 23 * * 1,2,0", duration: 3600 });
  const monthly = { strategy: "recurring-day-of-month", days_of_month: '[1,"lastDay1"]', ...times };
  expect(maintenanceOf(monthly)).toMatchObject({ cron: "30 23 1,L * *" });
  expect(maintenanceOf({ strategy: "recurring-interval", interval_day: 1, ...times })).toMatchObject({
    cron: "30 23 * * *",
  });
});

test("behavior 16.100: a group is selected by its tag", () => {
  const cron = { strategy: "cron", cron: "0 3 * * *", duration: 60 };
  expect(maintenanceOf(cron, [1, 2, 3])).toMatchObject({
    selector: { monitorIds: ["shop"], tags: ["group:web"] },
  });
});

test.each([
  ["0 0 1-7 * */7", "0 0 1-7 * 0-6/7"],
  ["0 0 */2 * 1", "0 0 1-31/2 * 1"],
  ["*/5 */2 */3 */4 */2", "*/5 */2 1-31/3 */4 0-6/2"],
  ["0 0 */2 * *", "0 0 */2 * *"],
  ["0 0 * * */2", "0 0 * * */2"],
])("behavior 3.28, 16.100: %s still runs on days that either field names, as %s", (cron, wanted) => {
  expect(maintenanceOf({ strategy: "cron", cron, duration: 3600 })).toMatchObject({ cron: wanted });
});

test("behavior 16.100: a maintenance that cannot be taken over is reported with the reason", () => {
  const single = { strategy: "single", start_date: "2026-12-01 20:00:00", end_date: "2026-12-01 22:00:00" };
  const reasons: [Row, string][] = [
    [{ ...single, active: 0 }, "paused"],
    [{ strategy: "manual" }, "stillup maintenance start"],
    [{ ...single, start_date: "2026-11-01 20:00:00", end_date: "2026-11-01 22:00:00" }, "it is over"],
    [{ ...single, timezone: "Moon/Base" }, "time zone is unknown: Moon/Base"],
    [{ ...single, end_date: "soon" }, "no start or no end"],
    [{ strategy: "recurring-interval", interval_day: 3, cron: "0 3 * * *", duration: 60 }, "every 3 days"],
    [{ strategy: "cron", cron: "nonsense", duration: 60 }, "cron must be"],
    [{ strategy: "cron", cron: "0 3 * * *" }, "no duration"],
    [
      { strategy: "recurring-weekday", weekdays: "{}", start_time: "03:00", end_time: "04:00" },
      "cron must be",
    ],
  ];
  for (const [fields, why] of reasons) expect(maintenanceOf(fields)).toContain(why);
  expect(maintenanceOf(single, [3])).toContain("no monitor of it");
});
