import { expect, test } from "bun:test";
import { type Attended, countStandings, standingOf } from "../../../src/domain/monitors/standing.ts";

const monitor = (values: Partial<Attended> = {}): Attended => ({
  ...{ status: "down", enabled: true, maintenance: null, acknowledgement: null },
  ...values,
});

test.each<[Partial<Attended>, ReturnType<typeof standingOf>]>([
  [{}, "down"],
  [{ status: "degraded" }, "warning"],
  [{ status: "unknown" }, "waiting"],
  [{ status: "up" }, "healthy"],
  [{ acknowledgement: {} }, "acknowledged"],
  [{ acknowledgement: {}, status: "up" }, "healthy"],
  [{ maintenance: {} }, "maintenance"],
  [{ maintenance: {}, acknowledgement: {} }, "maintenance"],
  [{ maintenance: {}, status: "up" }, "maintenance"],
  [{ enabled: false, maintenance: {}, acknowledgement: {} }, "paused"],
])("behavior 1.6: %j is %s", (values, standing) => {
  expect(standingOf(monitor(values))).toBe(standing);
});

test("behavior 1.6: each monitor is counted once", () => {
  const before = countStandings([monitor(), monitor({ maintenance: {} })]);
  const counts = countStandings([monitor({ acknowledgement: {} })], before);
  expect(counts).toMatchObject({ down: 1, maintenance: 1, acknowledged: 1 });
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(3);
});
