import { describe, expect, test } from "bun:test";
import { askPlaces, planSilence } from "../../../src/domain/locations/silence.ts";
import { isAtFault } from "../../../src/domain/locations/votes.ts";
import { type Check, placed, SECOND, START, walk } from "./walk.ts";

const SILENT_AT = START + 200 * SECOND;

/** A monitor that only one remote location checks, and the plan when this location is silent. */
function silenced(...checks: Check[]) {
  const { after } = walk(placed({ locations: ["fra"] }), checks);
  const plan = planSilence([after], SILENT_AT);
  const state = plan.states.get("m") ?? after.state;
  return { plan, before: after, after: { ...after, state } };
}

describe("behavior 13.15: a monitor that no location can check", () => {
  test("is unknown, its outage ends, and nobody is notified", () => {
    const { plan } = silenced("0 fra up", "60 fra down");
    expect([plan.results, plan.transitions, plan.recorded]).toEqual([[], [], []]);
    expect<object[]>(plan.outages).toMatchObject([{ kind: "closed", monitorId: "m", endedAt: SILENT_AT }]);
    expect(plan.states.get("m")).toMatchObject({
      status: "unknown",
      statusBefore: "down",
      statusSince: SILENT_AT,
      outage: null,
    });
  });

  test.each<[string, Check[], Check, object[]]>([
    ["healthy as before", ["0 fra up"], "300 fra up", []],
    ["in the same trouble", ["0 fra up", "60 fra down"], "300 fra down", []],
    ["now in trouble", ["0 fra up"], "300 fra down", [{ previousStatus: "up", status: "down" }]],
    [
      "healthy again",
      ["0 fra up", "60 fra down"],
      "300 fra up",
      [{ previousStatus: "down", status: "up", troubleSince: START + 60 * SECOND }],
    ],
  ])("notifies of the difference when it is checked again: %s", (_, checks, next, expected) => {
    const { after } = silenced(...checks);
    const { transitions, state, recorded } = walk(after, [next]);
    expect<object[]>(transitions).toMatchObject(expected);
    expect(transitions.every((transition) => !("since" in transition))).toBe(true);
    expect(recorded[0]?.notable).toBe(expected.length > 0);
    expect(state.statusBefore).toBeNull();
  });

  test("opens another outage if the trouble goes on", () => {
    const { after } = silenced("0 fra up", "60 fra down");
    expect<object[]>(walk(after, ["300 fra down"]).outages).toMatchObject([
      { kind: "opened", startedAt: START + 300 * SECOND },
      { kind: "downBegan", at: START + 300 * SECOND },
    ]);
  });

  test("stays unknown, with the same status before, if it is silent again before a check", () => {
    const { after } = silenced("0 fra up", "60 fra down");
    expect(planSilence([after], SILENT_AT + 1).states.size).toBe(0);
  });

  test("keeps the status before while nobody decides", () => {
    const { after } = walk(placed({ locations: ["fra", "nyc"] }), ["0 fra down", "1 nyc down"]);
    const state = planSilence([after], SILENT_AT).states.get("m") ?? after.state;
    const places = { ...after.places, since: SILENT_AT };
    const next = walk({ ...after, places, state }, ["300 fra up"]);
    expect(next.state).toMatchObject({
      status: "unknown",
      statusBefore: "down",
      troubleSince: START + SECOND,
    });
    expect(next.results).toMatchObject([{ status: "up" }]);
    expect(next.transitions).toEqual([]);
    expect(walk(next.after, ["301 nyc up"]).transitions).toMatchObject([
      { previousStatus: "down", status: "up" },
    ]);
  });

  test("is compared with the status before also if only this server checks it since", () => {
    const { after } = silenced("0 fra up", "60 fra down");
    const here = { ...after, places: null, state: { ...after.state, places: null } };
    const { transitions, state } = walk(here as never, ["300 here up"]);
    expect(transitions).toMatchObject([{ previousStatus: "down", status: "up" }]);
    expect(state.statusBefore).toBeNull();
  });
});

test("behavior 13.12: all locations that can vote are asked at once", () => {
  const of = placed({ silent: ["nyc"], state: { nextCheckAt: START + 60 * SECOND } });
  const { state, asksHere } = askPlaces(of, START + SECOND);
  expect([...(state.places ?? [])].map(([location, { recheckAt }]) => [location, recheckAt])).toEqual([
    [1, START + SECOND],
  ]);
  expect([asksHere, state.nextCheckAt]).toEqual([true, START + SECOND]);
  expect(askPlaces(placed({ locations: ["fra"] }), START).asksHere).toBe(false);
  expect(askPlaces({ ...of, enabled: false }, START)).toEqual({ state: of.state, asksHere: false });
});

test.each([
  [{ fresh: 3, failing: 3, healthyElsewhere: 2 }, true],
  [{ fresh: 2, failing: 2, healthyElsewhere: 2 }, false],
  [{ fresh: 3, failing: 2, healthyElsewhere: 3 }, false],
  [{ fresh: 4, failing: 4, healthyElsewhere: 2 }, false],
])("behavior 13.17: of monitors as %p, the network of a location is at fault: %p", (share, expected) => {
  expect(isAtFault(share)).toBe(expected);
});
