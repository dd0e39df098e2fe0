import { expect, test } from "bun:test";
import { firstHold, type HoldContext, timingDuring } from "../../../src/domain/alerts/delivery.ts";

const none: HoldContext = {
  timing: { after: 0, every: 0, hours: null },
  isInWindow: false,
  isDependent: false,
  isOfSchedule: false,
  followsHeld: false,
};

test.each<[string, Partial<HoldContext>, string | undefined]>([
  ["of a monitor that uses none of it", {}, undefined],
  ["in a window", { isInWindow: true }, "maintenance"],
  ["in a window of a monitor that depends on others", { isInWindow: true, isDependent: true }, "maintenance"],
  ["of a monitor that depends on others", { isDependent: true }, "new"],
  ["behind one that is held or was withdrawn", { followsHeld: true }, "new"],
  ["of a binding with `after`", { timing: { after: 1, every: 0, hours: null } }, "new"],
  ["of a binding with `every`", { timing: { after: 0, every: 300, hours: null } }, "new"],
])("behavior 14.50: a delivery %s is held as it should be: %#", (_, changes, kind) => {
  expect(firstHold({ ...none, ...changes })?.kind).toBe(kind as never);
});

test.each<[string, number | null, object]>([
  ["the outage of a change", 7, { after: 60, every: 0, hours: null }],
  ["a later outage", 8, { after: 0, every: 300, hours: null }],
  ["no outage", null, { after: 0, every: 300, hours: null }],
])("behavior 14.7: during %s the right timing holds", (_, outagePk, expected) => {
  const stored = {
    after: 0,
    every: 300,
    hours: null,
    kept: { outagePk: 7, after: 60, every: 0, hours: null },
  };
  expect(timingDuring(stored, outagePk)).toEqual(expected as never);
  expect(timingDuring({ ...stored, kept: null }, outagePk)).toEqual({ after: 0, every: 300, hours: null });
});
