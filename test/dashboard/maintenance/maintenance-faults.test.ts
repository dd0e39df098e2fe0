import { expect, test } from "bun:test";
import { maintenanceFaults } from "../../../src/dashboard/web/maintenance/maintenance-values.ts";

const shared = { title: "a", selector: { all: true }, notifyChannelIds: [] };
const repeated = { ...shared, cron: "0 2 * * *", timezone: "UTC", duration: 3600 };
const mars = { ...repeated, timezone: "Mars" };

test("behavior 14.95: the form refuses what the API would refuse, with its sentences", () => {
  expect(maintenanceFaults(repeated)).toEqual([]);
  expect(maintenanceFaults({ ...repeated, cron: "never" })[0]).toMatch(/^cron must be a cron expression/);
  expect(maintenanceFaults(mars)[0]).toMatch(/^timezone must be the IANA name/);
  expect(
    maintenanceFaults({ ...shared, startsAt: "2020-01-01T00:00:00Z", endsAt: "2020-01-02T00:00:00Z" }),
  ).toEqual(["endsAt must be in the future"]);
});

test("behavior 14.95: the form says in its own words what it calls differently", () => {
  expect(maintenanceFaults({ ...repeated, selector: {} })[0]).toBe(
    "selector select all monitors, a tag or a single monitor",
  );
  expect(maintenanceFaults({ ...repeated, duration: 30 })[0]).toBe("duration must be 1 minute to 7 days");
});

test("behavior 14.95: fields that are empty are required", () => {
  expect(maintenanceFaults({ ...shared, startsAt: undefined, endsAt: undefined })).toEqual([
    "startsAt is required",
    "endsAt is required",
  ]);
  expect(maintenanceFaults({ ...repeated, cron: undefined, duration: undefined })).toEqual([
    "cron is required",
    "duration is required",
  ]);
  // Without times, those that are stored stay.
  expect(maintenanceFaults(shared)).toEqual([]);
});
