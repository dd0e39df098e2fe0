import { expect, test } from "bun:test";
import { isOnly, nextMorning } from "../../../src/dashboard/web/monitors/mute.tsx";

const local = (text: string) => new Date(text).getTime();

test("behavior 16.252: a monitor is muted until the next morning at 8:00, which at night is that of the same day", () => {
  const evening = nextMorning(local("2026-11-27T22:15:00"));
  expect([evening.at, evening.label.startsWith("Until tomorrow")]).toEqual([
    local("2026-11-28T08:00:00"),
    true,
  ]);
  const night = nextMorning(local("2026-11-28T02:15:00"));
  expect([night.at, night.label.endsWith("this morning")]).toEqual([local("2026-11-28T08:00:00"), true]);
});

test("behavior 16.253: only a window of this monitor alone is one that the page of the monitor ends", () => {
  expect(isOnly({ monitorIds: ["a"] }, "a")).toBe(true);
  for (const other of [
    { monitorIds: ["a", "b"] },
    { monitorIds: ["a"], tags: ["web"] },
    { all: true as const },
  ])
    expect(isOnly(other, "a")).toBe(false);
});
