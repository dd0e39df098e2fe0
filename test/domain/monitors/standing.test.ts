import { expect, test } from "bun:test";
import {
  type Attended,
  countStandings,
  headlineOf,
  STANDINGS,
  standingOf,
  worstFirst,
} from "../../../src/domain/monitors/standing.ts";

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

test("behavior 1.6: lists have what nobody knows of first, then what somebody works on, then the rest, by name", () => {
  const one = (name: string, values: Partial<Attended>) => ({ name, ...monitor(values) });
  const monitors = [
    one("paused", { enabled: false }),
    one("healthy", { status: "up" }),
    one("maintenance", { maintenance: {} }),
    one("acknowledged", { acknowledgement: {} }),
    one("waiting", { status: "unknown" }),
    one("warning", { status: "degraded" }),
    one("down 10", {}),
    one("down 9", { status: "failed" }),
  ];
  const names = monitors.sort(worstFirst).map(({ name }) => name);
  expect(names).toEqual(["down 9", "down 10", ...STANDINGS.slice(1)]);
});

const down = monitor();
const up = monitor({ status: "up" });
const waiting = monitor({ status: "unknown" });
const acknowledged = monitor({ acknowledgement: {} });
const maintained = monitor({ maintenance: {} });

test.each([
  [[down, up], "down", "down"],
  [[monitor({ status: "degraded" }), up], "warning", "warning"],
  [[up, up], "healthy", "allHealthy"],
  [[up, waiting], "healthy", "someHealthy"],
  [[waiting], "waiting", "waiting"],
  [[monitor({ enabled: false })], "paused", "allPaused"],
  [[down, maintained, maintained, acknowledged, up], "down", "down"],
  [[maintained, up], "healthy", "someHealthy"],
  [[maintained], "healthy", "attended"],
  [[acknowledged], "warning", "attended"],
] as const)(
  "behavior 16.367: the headline of %j has the state %s, and says %s",
  (monitors, state, headline) => {
    expect(headlineOf(countStandings(monitors))).toEqual({ state, headline });
  },
);
