import { expect, test } from "bun:test";
import type { TimelineEntry } from "../../../src/dashboard/web/data/api.ts";
import { describeEntry, type Part } from "../../../src/dashboard/web/outages/outage-page.tsx";

const at = "2026-11-21T10:00:00.000Z";
const channel = { id: "c1", name: "on call", type: "SLACK" } as const;
const link = { name: "on call", href: "/channels/c1" };
const sent = { status: "down", channel } as const;
const unsent = ["Did not notify", link, "of Down"];
const cause = { monitor: { id: "m1", name: "router" }, outageId: "o1" };

test.each<[Omit<TimelineEntry, "at">, string, Part[]]>([
  [{ kind: "seen", status: "down" }, "down", ["A check first saw Down"]],
  [{ kind: "confirmed", status: "havent_heard" }, "warning", ["Confirmed: No check-in"]],
  [{ kind: "worsened", status: "failed" }, "down", ["Got worse: Failed"]],
  [{ kind: "notified", ...sent }, "sent", ["Notified", link, "of Down"]],
  [{ kind: "reminded", ...sent }, "sent", ["Reminded", link, "of Down"]],
  [{ kind: "failed", ...sent, error: "no answer" }, "failed", ["Could not notify", link, "of Down"]],
  [
    { kind: "muted", ...sent, cause },
    "unsent",
    [...unsent, "because", { name: "router", href: "/outages/o1" }, "was down"],
  ],
  [
    { kind: "muted", ...sent, cause: null },
    "unsent",
    [...unsent, "because", "a monitor that it depends on was down"],
  ],
  [{ kind: "withdrawn", ...sent, why: "ended" }, "unsent", [...unsent, "because the outage ended first"]],
  [{ kind: "withdrawn", ...sent }, "unsent", unsent],
  [
    { kind: "notified", status: "up", channel: { ...channel, name: null } },
    "sent",
    ["Notified", "a deleted channel", "of Up"],
  ],
  [{ kind: "acknowledged", by: "ops", note: "on it" }, "person", ["Acknowledged by ops"]],
  [{ kind: "recovered", status: "up" }, "healthy", ["Recovered: Up"]],
  [
    { kind: "ended" },
    "waiting",
    ["Ended without a recovery: the monitor was paused, or no location could check it"],
  ],
])("behavior 14.91: the timeline says %j in words", (entry, tone, parts) => {
  expect(describeEntry({ at, ...entry })).toEqual({ tone, parts } as never);
});
