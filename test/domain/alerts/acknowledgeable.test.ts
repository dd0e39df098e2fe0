import { expect, test } from "bun:test";
import { acknowledgeable } from "../../../src/domain/alerts/alert-event.ts";
import { notices } from "../../support/alerts/notices.ts";
import {
  acknowledged,
  degraded,
  down,
  recovery,
  reminder,
  router,
} from "../../support/alerts/transitions.ts";

const offered = { outageId: "a1", monitorId: "m1" };
const closed = { why: "deleted", at: 1 } as const;

test.each([
  ["trouble", down],
  ["a warning", degraded],
  ["a repetition", reminder],
])("behavior 23.54: %s offers to acknowledge its outage", (_, event) => {
  expect(acknowledgeable({ event })).toEqual(offered);
});

test.each([
  ["a recovery", recovery],
  ["trouble that somebody has acknowledged", { ...down, acknowledged: acknowledged.acknowledged }],
  ["a test", { ...down, testOf: "c1" }],
  ["the end of an incident without a recovery", { ...down, closed }],
  ...Object.entries(notices),
])("behavior 23.54: %s offers nothing", (_, event) => {
  expect(acknowledgeable({ event: event as typeof down })).toBeUndefined();
});

test("behavior 23.54: one message for several outages offers nothing", () => {
  expect(acknowledgeable({ event: down, others: [router] })).toBeUndefined();
});
