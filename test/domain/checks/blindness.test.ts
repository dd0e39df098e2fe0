import { describe, expect, test } from "bun:test";
import {
  blindnessOf,
  hasResumed,
  isMostlyBlind,
  type ProbedMonitor,
  presentBlindSince,
} from "../../../src/domain/checks/blindness.ts";

const START = Date.UTC(2027, 5, 1, 12);
const SECOND = 1000;

const monitor: ProbedMonitor = {
  interval: 60,
  timeout: null,
  checkedAt: START,
  updatedAt: START - 60 * SECOND,
  locations: null,
};

const live = (...entries: [number, number][]) => new Map([[0, 0], ...entries]);
const watching = { since: 0, liveSince: live() };

/** After how many seconds of the walk a monitor is first blind. */
function blindAfter(values: Partial<ProbedMonitor>, watched: Partial<typeof watching> = {}) {
  for (let seconds = 0; seconds <= 1000; seconds++) {
    const blindness = blindnessOf({ ...monitor, ...values }, { ...watching, ...watched });
    if (blindness && START + seconds * SECOND >= blindness.at) return seconds;
  }
  return null;
}

describe("behavior 1.58: a monitor is blind", () => {
  test.each([
    ["after two intervals and twice the default timeout", {}, 140],
    ["after two intervals and twice its timeout", { timeout: 30 }, 180],
    ["not before a minute", { interval: 10 }, 60],
    ["not before a minute, if it is checked each second", { interval: 1 }, 60],
    ["later, the later its latest check was", { checkedAt: START + 5 * SECOND }, 145],
    ["from its creation on, if it was never checked", { checkedAt: null, updatedAt: START }, 140],
    ["after the same time again, if it was changed", { updatedAt: START + 50 * SECOND }, 190],
  ] as const)("%s", (_, values, seconds) => {
    expect(blindAfter(values)).toBe(seconds);
  });

  test("no earlier than that after the start of the service, but since its latest check", () => {
    const since = START + 100 * SECOND;
    expect(blindAfter({}, { since })).toBe(240);
    expect(blindnessOf(monitor, { ...watching, since })?.since).toBe(START);
  });

  test("until a newer check, a pause or a change", () => {
    const blind = { ...monitor, enabled: true, blindSince: START };
    expect(hasResumed(blind, watching)).toBeFalse();
    expect(hasResumed({ ...blind, checkedAt: START + 1 }, watching)).toBeTrue();
    expect(hasResumed({ ...blind, updatedAt: START + 1 }, watching)).toBeTrue();
    expect(hasResumed({ ...blind, enabled: false }, watching)).toBeTrue();
  });

  test("in no response any more after a pause or a change, before the next round", () => {
    const blind = { enabled: true, blindSince: START, updatedAt: START };
    expect(presentBlindSince(blind)).toBe(START);
    expect(presentBlindSince({ ...blind, enabled: false })).toBeNull();
    expect(presentBlindSince({ ...blind, updatedAt: START + 1 })).toBeNull();
    expect(presentBlindSince({ ...blind, blindSince: null })).toBeNull();
  });
});

describe("behavior 1.59: silent locations are not blindness:", () => {
  test("a monitor whose locations are all silent does not turn blind, and no longer is", () => {
    expect(blindAfter({ locations: [1, 2] })).toBeNull();
    expect(hasResumed({ ...monitor, locations: [1], enabled: true, blindSince: START }, watching)).toBeTrue();
  });

  test("a location that is connected again has its time", () => {
    expect(blindAfter({ locations: [1, 2] }, { liveSince: live([2, START + 100 * SECOND]) })).toBe(240);
    expect(blindAfter({ locations: [1, 2] }, { liveSince: live([1, 0], [2, START + 100 * SECOND]) })).toBe(
      140,
    );
  });

  test("this server is never silent", () => {
    expect(blindAfter({ locations: [0, 1] })).toBe(140);
  });
});

test.each([
  [0, 0, false],
  [0, 3, false],
  [1, 3, false],
  [1, 2, true],
  [3, 3, true],
])("behavior 7.71: %d blind of %d monitors: %j", (blind, probed, isMostly) => {
  expect(isMostlyBlind({ blind, probed })).toBe(isMostly);
});
