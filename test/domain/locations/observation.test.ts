import { describe, expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { slotOffset } from "../../../src/domain/locations/location.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { type Check, check, placed, SECOND, type Setting, START, walk } from "./walk.ts";

const ALL_UP: Check[] = ["0 here up", "1 fra up", "2 nyc up"];

const DUE_AT = START + 110 * SECOND;

/** A monitor that all of its locations see well. This server checks it next at `DUE_AT`. */
function healthy(setting: Setting = {}) {
  const names = setting.locations ?? ["here", "fra", "nyc"];
  const { after } = walk(
    placed(setting),
    names.map((name, at): Check => `${at} ${name} up`),
  );
  const nextCheckAt = after.state.nextCheckAt && DUE_AT;
  return { ...after, state: { ...after.state, nextCheckAt } };
}

describe("a result", () => {
  test("behavior 13.14: has the status of the monitor after it, its location, and what the check saw", () => {
    const { results, recorded } = walk(placed(), [...ALL_UP, "60 here down", "61 fra down", "62 nyc up"]);
    const seen = { status: "down", reason: "refused", message: "no" };
    expect(results.map(({ status, location, detail }) => [status, location, detail])).toEqual([
      ["up", 0, { statusCode: 200, location: "here" }],
      ["up", 1, { statusCode: 200, location: "fra" }],
      ["up", 2, { statusCode: 200, location: "nyc" }],
      ["up", 0, { seen, location: "here" }],
      ["down", 1, { reason: "refused", message: "no", location: "fra" }],
      ["down", 2, { statusCode: 200, seen: { status: "up" }, location: "nyc" }],
    ]);
    expect(recorded.map((one) => [one?.status, one?.seen])).toEqual([
      ["up", "up"],
      ["up", "up"],
      ["up", "up"],
      ["up", "down"],
      ["down", "down"],
      ["down", "up"],
    ]);
  });

  test("behavior 13.14: has its own latency, which counts if neither the result nor the check lowers the uptime", () => {
    const { results, rollups, state } = walk(healthy(), ["60 here down", "61 fra down", "62 nyc up"]);
    expect(results.map(({ latencyMs }) => latencyMs)).toEqual([null, null, 10]);
    expect(rollups.map(({ location, count, latencyCount }) => [location, count, latencyCount])).toEqual([
      [0, 1, 0],
      [1, 1, 0],
      [2, 1, 0],
    ]);
    expect([...(state.places ?? [])].map(([, { baseline }]) => baseline.count)).toEqual([1, 1, 1]);
    expect(state.baseline.count).toBe(0);
  });

  test("behavior 13.5: is judged with the baseline and the previous status of its own location", () => {
    const usual = { count: 20, sum: 2000, sumOfSquares: 200_000 };
    const of = healthy();
    const places = new Map(of.state.places);
    const fra = places.get(1);
    if (!fra) throw new Error("there is no state");
    places.set(1, { ...fra, baseline: usual });
    const slow = { outcome: "reached", latencyMs: 900, detail: {} } as const;
    const subject = { ...of, state: { ...of.state, places } };
    const checks = ["here", "fra"].map((name) => check(`60 ${name} up` as Check, { evidence: slow }));
    const { recorded, state } = walk(subject, checks);
    expect(recorded.map((one) => one?.seen)).toEqual(["up", "degraded"]);
    // A fault of stillup itself may have made it slow: the location keeps what it saw before.
    const blurred = { ...slow, latencyMs: 1, lateBy: 30 } as const;
    const latencyUnknown = { ...blurred, latencyMs: null };
    const next = walk({ ...subject, state }, [check("120 fra up", { evidence: latencyUnknown })]);
    expect(next.recorded[0]?.seen).toBe("degraded");
  });

  test.each([
    ["of a location that does not check the monitor", check("60 sgp up")],
    ["of a check that began before an edit", check("60 fra up", { revision: 1 })],
  ])("behavior 13.3: %s is not recorded", (_, event) => {
    const { results, states, recorded } = walk(healthy(), [event]);
    expect([results, [...states], recorded]).toEqual([[], [], [null]]);
  });

  test("behavior 13.1: of a remote location is not recorded for a monitor that only this server checks", () => {
    const { recorded } = walk({ ...healthy(), places: null } as never, ["60 fra up"]);
    expect(recorded).toEqual([null]);
  });
});

describe("a transition", () => {
  test("behavior 13.14: has the names of the locations that see it, and the number of votes", () => {
    const checks: Check[] = ["60 here down", "61 fra degraded", "62 nyc down", "120 here up", "121 nyc up"];
    const { transitions } = walk(healthy(), checks);
    expect(transitions.map(({ status, locations }) => [status, locations])).toEqual([
      ["degraded", { seeing: ["here", "fra"], of: 3 }],
      ["down", { seeing: ["here", "nyc"], of: 3 }],
      ["degraded", { seeing: ["fra", "nyc"], of: 3 }],
      ["up", { seeing: ["here", "nyc"], of: 3 }],
    ]);
  });

  test("behavior 13.9: and the outage begin with the first check that saw it", () => {
    const { transitions, outages } = walk(healthy(), ["60 here down", "61 fra down", "120 here up"]);
    expect<object[]>(outages).toMatchObject([
      { kind: "opened", startedAt: START + 60 * SECOND, status: "down", reason: "refused", resultAt: 1 },
      { kind: "downBegan", at: START + 60 * SECOND, resultAt: 1 },
      { kind: "closed", endedAt: START + 120 * SECOND },
    ]);
    expect(transitions[0]).toMatchObject({
      changedAt: START + 60 * SECOND,
      troubleSince: START + 60 * SECOND,
    });
  });
});

describe("a re-check", () => {
  const due = (subject: ReturnType<typeof placed>, checks: Check[]) => {
    const { state, recorded } = walk(subject, checks);
    const rechecks = [...(state.places ?? [])].filter(([, { recheckAt }]) => recheckAt !== null);
    return {
      rechecks: rechecks.map(([location, { recheckAt }]) => [location, ((recheckAt ?? 0) - START) / SECOND]),
      asksHere: recorded.at(-1)?.asksHere,
      nextCheckAt: state.nextCheckAt === null ? null : (state.nextCheckAt - START) / SECOND,
    };
  };
  const slot = (nextCheckAt("m", 60, START + 60 * SECOND) - START) / SECOND;

  test("behavior 13.12: of the other locations is due as soon as one newly sees something worse", () => {
    expect(due(healthy(), ["60 here down"])).toMatchObject({
      rechecks: [
        [1, 60],
        [2, 60],
      ],
      asksHere: false,
    });
    expect(due(healthy(), ["60 fra down"])).toEqual({ rechecks: [[2, 60]], asksHere: true, nextCheckAt: 60 });
  });

  test.each<[string, Setting, Check[]]>([
    ["while the location goes on to see it", {}, ["60 here down", "61 fra up", "62 nyc up", "120 here down"]],
    ["if the status changed to it", { downWhen: "any" }, ["60 here down"]],
    [
      "if it is better than the status",
      {},
      ["60 here degraded", "61 fra degraded", "62 nyc degraded", "63 nyc up"],
    ],
    ["of a silent location", { silent: ["fra", "nyc"] }, ["60 here degraded"]],
    ["of a location whose network is at fault", { atFault: ["fra", "nyc"] }, ["60 here degraded"]],
  ])("behavior 13.12: is not due %s", (_, setting, checks) => {
    expect(due(healthy(setting), checks).rechecks).toEqual([]);
  });

  test("behavior 13.12: is due again if the location sees something still worse", () => {
    expect(due(healthy(), ["60 here degraded", "61 fra up", "62 nyc up", "120 here down"]).rechecks).toEqual([
      [1, 120],
      [2, 120],
    ]);
  });

  test("behavior 13.12: of this server is not asked for if a check is due or under way already, or soon", () => {
    for (const ahead of [-5, 0, 1]) {
      const of = healthy();
      const subject = { ...of, state: { ...of.state, nextCheckAt: START + (60 + ahead) * SECOND } };
      expect(due(subject, ["60 fra down"])).toMatchObject({ asksHere: false, nextCheckAt: 60 + ahead });
    }
  });

  test("behavior 13.12: is answered by the next check of its location that ends after it", () => {
    expect(due(healthy(), ["60 here down", "60.5 nyc up"]).rechecks).toEqual([[1, 60]]);
    const old = walk(healthy(), ["60 here down", check("59 nyc up", { receivedAt: START + 61 * SECOND })]);
    expect(old.state.places?.get(2)?.recheckAt).toBe(START + 60 * SECOND);
  });

  test("behavior 13.13: of the location that checked last is due if enough see the change, but too few checks", () => {
    const of = healthy({ confirmations: 3 });
    expect(due(of, ["60 here down", "61 fra down"]).rechecks).toEqual([
      [1, 81],
      [2, 60],
    ]);
    expect(due(of, ["60 fra down", "61 here down"]).nextCheckAt).toBe(81);
    // The third one sees no change.
    expect(due(of, ["60 here down", "61 fra down", "62 nyc up"]).rechecks).toEqual([[1, 81]]);
  });

  test("behavior 13.4, 11.8: this server goes on in its slots, and a check between them uses up those before its end", () => {
    const of = healthy({ locations: ["fra", "here"] });
    const own = slot + slotOffset(1, 2, 60) / SECOND;
    const ended = (seconds: number, dueAt: number) =>
      walk(of, [
        check(`${seconds} here up`, { startAt: START + dueAt * SECOND, dueAt: START + dueAt * SECOND }),
      ]).state.nextCheckAt;
    expect(ended(own + 61, own)).toBe(START + (own + 60) * SECOND);
    expect(ended(own + 1, own - 2)).toBe(START + (own + 60) * SECOND);
  });

  test("behavior 13.4: checks of other locations do not change when this server checks", () => {
    const of = healthy();
    expect(walk(of, ["70 fra up"]).state.nextCheckAt).toBe(of.state.nextCheckAt);
    expect(walk(placed({ locations: ["fra"] }), ["0 fra up"]).state.nextCheckAt).toBeNull();
  });
});

describe("a late check", () => {
  const late = (text: Check, statusThen: Status | null = null) =>
    check(text, { receivedAt: START + 600 * SECOND, statusThen });

  test("behavior 13.8: enters the history only, with the status of that time", () => {
    const of = healthy();
    const { results, state, transitions, outages, recorded } = walk(of, [
      late("60 fra down"),
      late("120 fra degraded", "down"),
      late("180 fra up"),
    ]);
    const seen = { status: "down", reason: "refused", message: "no" };
    expect(results.map(({ status, detail, isLate }) => [status, detail, isLate])).toEqual([
      ["up", { seen, location: "fra" }, true],
      ["down", { statusCode: 200, seen: { status: "degraded" }, location: "fra" }, true],
      ["up", { statusCode: 200, location: "fra" }, true],
    ]);
    expect([transitions, outages]).toEqual([[], []]);
    const { places, ...others } = of.state;
    expect(state).toMatchObject(others);
    expect(state.places?.get(1)?.latest).toEqual(places?.get(1)?.latest ?? null);
    expect(state.places?.get(1)?.baseline.count).toBe(2);
    expect(recorded.map((one) => [one?.status, one?.notable])).toEqual([
      ["up", false],
      ["down", false],
      ["up", false],
    ]);
  });

  test("behavior 13.8: has the status that it saw if no other location checks the monitor", () => {
    const { results, state } = walk(healthy({ locations: ["fra"] }), [late("60 fra down", "degraded")]);
    expect([results[0]?.status, state.status]).toEqual(["down", "up"]);
  });

  test.each([
    ["two intervals after its end is not late", 120, false],
    ["more than two intervals after its end is late", 121, true],
  ])("behavior 13.8: received %s", (_, seconds, isLate) => {
    const event = check("100 fra up", { receivedAt: START + (100 + seconds) * SECOND });
    expect(walk(healthy(), [event]).results[0]?.isLate).toBe(isLate);
  });

  test("behavior 13.8: is one that ended before the latest one of its location, or is the same", () => {
    const { results } = walk(healthy(), ["70 fra up", "69 fra down", "70 fra down", "69 nyc up"]);
    expect(results.map(({ isLate }) => isLate)).toEqual([false, true, true, false]);
  });

  test("behavior 13.8: is none if only the clock was set back since the latest one", () => {
    const { results } = walk(healthy(), ["3600 fra up", check("100 fra up"), "110 fra up"]);
    expect(results.map(({ isLate }) => isLate)).toEqual([false, false, false]);
  });

  test("behavior 13.8: is none of this server, whose checks are recorded in their order", () => {
    const { results } = walk(healthy(), ["70 here up", "69 here down"]);
    expect(results.map(({ isLate }) => isLate)).toEqual([false, false]);
  });
});

describe("a location whose network is at fault", () => {
  const of = healthy({ atFault: ["fra"] });

  test("behavior 13.17: has no results of its failed checks, but they are known", () => {
    const { results, state, recorded } = walk(of, ["60 fra down"]);
    expect([results, recorded[0]?.status, recorded[0]?.seen]).toEqual([[], "up", "down"]);
    expect(state.places?.get(1)?.latest).toMatchObject({ status: "down", reason: "refused", message: "no" });
  });

  test("behavior 13.17: has results of its other checks", () => {
    const { results } = walk(of, ["60 fra degraded"]);
    expect(results.map(({ status, detail }) => [status, detail])).toEqual([
      ["up", { statusCode: 200, seen: { status: "degraded" }, location: "fra" }],
    ]);
  });

  test("behavior 13.17: goes on in its slots if it is this server", () => {
    const here = healthy({ atFault: ["here"] });
    const startAt = nextCheckAt("m", 60, START);
    const event = check(`${(startAt - START) / SECOND} here down`, { startAt });
    expect(walk(here, [event]).recorded[0]?.nextCheckAt).toBe(startAt + 60 * SECOND);
  });
});

test("behavior 13.7: a check whose clock is a little behind the change of the config counts", () => {
  const { state } = walk(placed({ locations: ["fra"] }), [check("-0.2 fra up")]);
  expect([state.status, state.places?.get(1)?.latest?.at]).toEqual(["up", START]);
});

test("behavior 13.7: what a location saw before a change of the config or a pause is no vote", () => {
  const of = healthy();
  const resumed = { ...of, places: { ...of.places, since: START + 30 * SECOND } };
  const { state } = walk(resumed, ["60 here down", "61 fra down"]);
  expect(state.status).toBe("up");
  expect(state.places?.get(0)?.latest?.trouble).toEqual({ checks: 1, since: START + 60 * SECOND });
  expect(walk(resumed, ["60 here down", "61 fra down", "62 nyc up"]).state.status).toBe("down");
});

describe("behavior 13.16: a DNS answer that is new to a location", () => {
  const of = placed({ type: "DNS", config: { hostname: "a.example", interval: 60 }, confirmations: 1 });
  const answered = (text: Check, value: string) =>
    check(text, {
      evidence: {
        outcome: "looked_up",
        answer: { hostname: "a.example", lookups: [{ recordType: "A", values: [value], failure: null }] },
      },
    });
  const known = ALL_UP.map((text) => answered(text, "192.0.2.1"));
  const seenBy = (...checks: [Check, string][]) =>
    walk(of, [...known, ...checks.map(([text, value]) => answered(text, value))])
      .recorded.slice(known.length)
      .map((one) => one && [one.seen, one.status]);

  test("is remembered once the locations agree", () => {
    expect(
      seenBy(
        ...([
          ["60 here up", "192.0.2.2"],
          ["61 fra up", "192.0.2.2"],
          ["121 fra up", "192.0.2.2"],
          ["122 here up", "192.0.2.2"],
          ["182 here up", "192.0.2.2"],
        ] as [Check, string][]),
      ),
    ).toEqual([
      ["changed", "present"],
      ["changed", "changed"],
      ["present", "present"],
      ["changed", "present"],
      ["present", "present"],
    ]);
  });

  test("is remembered once as many of its checks saw it as confirm a change", () => {
    expect(
      seenBy(
        ...([
          ["60 here up", "192.0.2.2"],
          ["80 here up", "192.0.2.2"],
          ["100 here up", "192.0.2.2"],
        ] as [Check, string][]),
      ),
    ).toEqual([
      ["changed", "present"],
      ["changed", "present"],
      ["present", "present"],
    ]);
  });
});
