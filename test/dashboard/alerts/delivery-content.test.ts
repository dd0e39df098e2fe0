import { expect, test } from "bun:test";
import { contentOf } from "../../../src/dashboard/web/alerts/channel-page.tsx";

const none = { monitor: null, previousStatus: null, newStatus: null, maintenance: null, location: null };

test("a delivery about a monitor names it, and has the labels of its statuses", () => {
  const monitor = { id: "m1", name: "Backup", type: "SCHEDULED" } as const;
  const statuses = { previousStatus: "ok", newStatus: "havent_heard" } as const;
  expect(contentOf({ ...none, type: "monitor.status_changed", monitor, ...statuses })).toEqual({
    subject: { name: "Backup", href: "/monitors/m1" },
    change: "OK → No check-in",
  });
});

test.each([
  ["location.silent", "Silent"],
  ["location.connected", "Connected again"],
] as const)("behavior 13.63: a delivery of %s names the location", (type, change) => {
  expect(contentOf({ ...none, type, location: { id: "l1", name: "fra" } })).toEqual({
    subject: { name: "Location fra", href: "/locations" },
    change,
  });
});
