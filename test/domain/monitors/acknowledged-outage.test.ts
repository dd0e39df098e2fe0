import { describe, expect, test } from "bun:test";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { type OutageChange, outageAfter, outageSteps } from "../../../src/domain/monitors/planned-result.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

const SINCE = Date.UTC(2027, 0, 1, 12);
const acknowledged = { at: SINCE + 1, by: "Ada", note: null };

/** Effects of a change of the status on an acknowledged outage whose worst status so far is `worst`. */
function change(type: MonitorType, worst: Status, [from, to]: [Status, Status]) {
  const before = { startedAt: SINCE, status: worst, acknowledged };
  const after = outageAfter({ type, before, canOpen: true, from }, to, SINCE + 60_000);
  const states = { before: { outage: before, status: from }, after: { outage: after, status: to } };
  const steps = outageSteps(states, { detail: null, since: SINCE + 60_000 });
  const kinds = steps.map(({ kind }) => kind).filter((kind) => !kind.startsWith("down"));
  return { after, kinds };
}

describe("behavior 14.54: an acknowledgement", () => {
  test.each<[MonitorType, Status, Status, Status, OutageChange["kind"][]]>([
    ["HTTP", "degraded", "degraded", "down", ["worsened", "unacknowledged"]],
    ["HTTP", "down", "degraded", "down", ["unacknowledged"]],
    ["TLS", "expiring_soon", "expiring_soon", "expired", ["worsened", "unacknowledged"]],
    ["SCHEDULED", "havent_heard", "havent_heard", "failed", ["worsened", "unacknowledged"]],
  ])("of %s (worst: %s) ends with %s → %s", (type, worst, from, to, kinds) => {
    const { after, ...rest } = change(type, worst, [from, to]);
    expect(after?.acknowledged).toBeUndefined();
    expect(rest.kinds).toEqual(kinds);
  });

  test.each<[MonitorType, Status, Status, Status, OutageChange["kind"][]]>([
    ["HTTP", "down", "down", "down", []],
    ["HTTP", "down", "down", "degraded", []],
    ["HTTP", "degraded", "degraded", "degraded", []],
    ["TLS", "expired", "expired", "no_cert", ["worsened"]],
  ])("of %s (worst: %s) stays with %s → %s", (type, worst, from, to, kinds) => {
    const { after, ...rest } = change(type, worst, [from, to]);
    expect(after?.acknowledged).toEqual(acknowledged);
    expect(rest.kinds).toEqual(kinds);
  });

  test("ends with its outage", () => {
    expect(change("HTTP", "down", ["down", "up"])).toEqual({ after: null, kinds: ["closed"] });
  });
});
