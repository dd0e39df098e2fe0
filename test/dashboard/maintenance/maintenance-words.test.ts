import { expect, test } from "bun:test";
import {
  byState,
  describeSelector,
  describeTimes,
} from "../../../src/dashboard/web/maintenance/maintenance-words.ts";

const names = new Map(["Router", "Shop", "Mail", "Search"].map((name) => [name, name]));

test.each([
  [{ all: true }, "All monitors"],
  [{ tags: ["web", "db"] }, "Monitors with the tag web or db"],
  [{ monitorIds: ["Shop"] }, "Shop"],
  [{ tags: ["web"], monitorIds: ["Shop"] }, "Monitors with the tag web, Shop"],
  [{ monitorIds: ["Router", "Shop", "Mail", "Search"] }, "Router, Shop, Mail, 1 more"],
  [{ monitorIds: ["deleted"] }, "1 monitor"],
] as const)("behavior 14.95: the monitors of the selector %j are described as %s", (selector, words) => {
  expect(describeSelector(structuredClone(selector) as object, names)).toBe(words);
});

test("behavior 14.95: the times of a maintenance are described with its zone and its length", () => {
  const cron = {
    startsAt: null,
    endsAt: null,
    cron: "30 2 * * 0",
    timezone: "Europe/Berlin",
    duration: 5400,
  };
  expect(describeTimes({ ...cron, until: null })).toBe("30 2 * * 0 (Europe/Berlin), 1 h 30 min each");
  expect(describeTimes({ ...cron, until: "2027-01-01T12:00:00Z" })).toMatch(/ each, until .*2027/);
  const once = { startsAt: "2026-11-24T12:00:00Z", endsAt: "2026-11-24T14:00:00Z", cron: null };
  expect(describeTimes({ ...once, timezone: null, duration: null, until: null })).toMatch(/2026.* \(2 h\)$/);
});

test("behavior 14.95: maintenances in progress are listed first, then the next ones, then those that have ended", () => {
  const maintenance = (title: string, state: "active" | "scheduled" | "ended", at: string | null) => ({
    title,
    state,
    nextStartsAt: state === "ended" ? null : at,
    endsAt: state === "ended" ? at : null,
  });
  const all = [
    maintenance("ended first", "ended", "2026-11-01T00:00:00Z"),
    maintenance("ended last", "ended", "2026-11-02T00:00:00Z"),
    maintenance("later", "scheduled", "2026-12-02T00:00:00Z"),
    maintenance("next", "scheduled", "2026-12-01T00:00:00Z"),
    maintenance("now", "active", "2026-11-20T00:00:00Z"),
  ];
  expect(all.sort(byState).map(({ title }) => title)).toEqual([
    "now",
    "next",
    "later",
    "ended last",
    "ended first",
  ]);
});
