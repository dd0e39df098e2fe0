import { expect, test } from "bun:test";
import { maintenanceFaults } from "../../../src/dashboard/web/maintenance/maintenance-values.ts";
import { sentencesOf } from "../form/said.ts";

const faultsOf = (values: Parameters<typeof maintenanceFaults>[0]) => sentencesOf(maintenanceFaults(values));

const shared = { title: "a", selector: { all: true }, notifyChannelIds: [] };
const repeated = { ...shared, cron: "0 2 * * *", timezone: "UTC", duration: 3600 };
const mars = { ...repeated, timezone: "Mars" };

test("behavior 14.95: the form refuses what the API would refuse, with its sentences", () => {
  expect(faultsOf(repeated)).toEqual([]);
  expect(faultsOf({ ...repeated, cron: "never" })[0]).toMatch(/^cron must be a cron expression/);
  expect(faultsOf(mars)[0]).toMatch(/^timezone must be the IANA name/);
  expect(faultsOf({ ...shared, startsAt: "2020-01-01T00:00:00Z", endsAt: "2020-01-02T00:00:00Z" })).toEqual([
    "endsAt must be in the future",
  ]);
});

test("behavior 14.95: the form says in its own words what it calls differently", () => {
  expect(faultsOf({ ...repeated, selector: {} })[0]).toBe(
    "selector: Select all monitors, a tag or a single monitor.",
  );
  expect(faultsOf({ ...repeated, duration: 30 })[0]).toBe("duration: Must be 1 minute to 7 days.");
});

test("behavior 14.95: fields that are empty are required", () => {
  expect(faultsOf({ ...shared, startsAt: undefined, endsAt: undefined })).toEqual([
    "startsAt: Enter a value.",
    "endsAt: Enter a value.",
  ]);
  expect(faultsOf({ ...repeated, cron: undefined, duration: undefined })).toEqual([
    "cron: Enter a value.",
    "duration: Enter a value.",
  ]);
  // Without times, those that are stored stay.
  expect(faultsOf(shared)).toEqual([]);
});
