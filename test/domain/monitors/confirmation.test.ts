import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  confirm,
  progressOf,
  recheckDelay,
  type Suspicion,
  withSeen,
} from "../../../src/domain/monitors/confirmation.ts";
import { groupOf, type Status } from "../../../src/domain/monitors/status.ts";
import { walks } from "../../support/long.ts";

interface State {
  status: Status;
  suspicion: Suspicion | null;
}

type Numbers = [confirmations: number, recoveries: number];

/** Checks a monitor at the times 1, 2, 3 and so on. @returns each status, and since when if it is a new one */
function walk(from: Status, [confirmations, recoveries]: Numbers, seen: Status[]): string[] {
  let state: State = { status: from, suspicion: null };
  return seen.map((status, at) => {
    const check = { status, detail: null, createdAt: at + 1 };
    const next = confirm(state, { confirmations, recoveries }, check);
    const text = next.status === state.status ? next.status : `${next.status} since ${next.since}`;
    state = next;
    return next.suspicion ? `${text}, ${next.suspicion.checks.length} saw ${status}` : text;
  });
}

describe("behavior 11.1, 11.2, 11.3, 11.4, 11.5, 11.6, 11.11: a walk", () => {
  test.each<[string, Status, Numbers, Status[], string[]]>([
    [
      "11.1: every change is immediate without numbers",
      "up",
      [0, 0],
      ["down", "up"],
      ["down since 1", "up since 2"],
    ],
    [
      "11.1: a change to a worse group needs further checks that are worse too",
      "up",
      [2, 0],
      ["down", "down", "down", "up"],
      ["up, 1 saw down", "up, 2 saw down", "down since 1", "up since 4"],
    ],
    [
      "11.1: a change to a better group needs further checks that are better too",
      "down",
      [0, 2],
      ["up", "up", "up", "down"],
      ["down, 1 saw up", "down, 2 saw up", "up since 1", "down since 4"],
    ],
    [
      "11.2: the group is the one that all agree on at least, and the rest goes on",
      "up",
      [2, 0],
      ["down", "degraded", "down", "down", "down"],
      [
        "up, 1 saw down",
        "up, 2 saw degraded",
        "degraded since 1, 1 saw down",
        "degraded, 2 saw down",
        "down since 3",
      ],
    ],
    [
      "11.2: the same holds for the better",
      "down",
      [0, 2],
      ["up", "degraded", "up", "up", "up"],
      [
        "down, 1 saw up",
        "down, 2 saw degraded",
        "degraded since 1, 1 saw up",
        "degraded, 2 saw up",
        "up since 3",
      ],
    ],
    [
      "11.2: the latest check of that group may be the last one",
      "up",
      [1, 0],
      ["down", "degraded", "down"],
      ["up, 1 saw down", "degraded since 1", "degraded, 1 saw down"],
    ],
    ["11.3: the first check decides", "unknown", [9, 9], ["down"], ["down since 1"]],
    ["11.3: also if it is healthy", "unknown", [9, 9], ["up"], ["up since 1"]],
    [
      "11.4: a check that agrees with the group ends the suspicion",
      "up",
      [1, 0],
      ["down", "up", "down", "down"],
      ["up, 1 saw down", "up", "up, 1 saw down", "down since 3"],
    ],
    [
      "11.4: a check in the other direction begins another suspicion",
      "degraded",
      [1, 1],
      ["down", "up", "down", "up", "up"],
      [
        "degraded, 1 saw down",
        "degraded, 1 saw up",
        "degraded, 1 saw down",
        "degraded, 1 saw up",
        "up since 4",
      ],
    ],
    [
      "11.5: a change within a group is immediate",
      "expired",
      [9, 9],
      ["no_cert", "expired"],
      ["no_cert since 1", "expired since 2"],
    ],
    [
      "11.6: a worse date is immediate, and what is better than a date needs two further checks",
      "active",
      [1, 0],
      ["expiring_soon", "expired", "active", "active", "expired", "active", "active", "active", "active"],
      [
        "expiring_soon since 1",
        "expired since 2",
        "expired, 1 saw active",
        "expired, 2 saw active",
        "expired",
        "expired, 1 saw active",
        "expired, 2 saw active",
        "active since 6",
        "active",
      ],
    ],
    [
      "11.6: two servers with different certificates do not alternate",
      "active",
      [0, 0],
      ["expired", "active", "expired", "active", "expired", "active"],
      [
        "expired since 1",
        "expired, 1 saw active",
        "expired",
        "expired, 1 saw active",
        "expired",
        "expired, 1 saw active",
      ],
    ],
    [
      "11.6: more recoveries than two hold for dates too",
      "expiring_soon",
      [0, 3],
      ["active", "active", "active", "active"],
      ["1 saw active", "2 saw active", "3 saw active"]
        .map((saw) => `expiring_soon, ${saw}`)
        .concat("active since 1"),
    ],
    [
      "11.6: a better date needs two further checks, and the absence of a certificate ends at once",
      "no_cert",
      [0, 0],
      ["expiring_soon", "active"],
      ["no_cert, 1 saw expiring_soon", "active since 2"],
    ],
    [
      "11.2, 11.6: from one date over a better one to none",
      "expired",
      [0, 0],
      ["expiring_soon", "active", "active", "active"],
      [
        "expired, 1 saw expiring_soon",
        "expired, 2 saw active",
        "expiring_soon since 1, 2 saw active",
        "active since 2",
      ],
    ],
    [
      "11.6, 11.9: trouble that a date confirms began with the first check that saw trouble",
      "active",
      [3, 0],
      ["no_cert", "expired"],
      ["active, 1 saw no_cert", "expired since 1"],
    ],
    [
      "11.11: failures and missed runs count together",
      "ok",
      [2, 1],
      ["failed", "havent_heard", "failed", "ok", "ok"],
      [
        "ok, 1 saw failed",
        "ok, 2 saw havent_heard",
        "havent_heard since 1, 1 saw failed",
        "havent_heard, 1 saw ok",
        "ok since 4",
      ],
    ],
  ])("%s", (_, from, numbers, seen, expected) => {
    expect(walk(from, numbers, seen)).toEqual(expected);
  });
});

describe("a suspicion", () => {
  const before: State = {
    status: "up",
    suspicion: {
      checks: [
        { status: "degraded", at: 1 },
        { status: "down", at: 2 },
        { status: "down", at: 3 },
      ],
      seen: { status: "down" },
    },
  };
  const down = { status: "down" as Status, detail: null, createdAt: 4 };

  test.each([
    [4, "up", 4, 4],
    [3, "degraded", 1, 3],
    [2, "down", 2, 0],
    [0, "down", 2, 0],
  ] as const)(
    "behavior 11.10: with the number %p, the next check makes it %s",
    (confirmations, status, since, left) => {
      const { suspicion, ...taken } = confirm(before, { confirmations, recoveries: 0 }, down);
      expect({ ...taken, left: suspicion?.checks.length ?? 0 }).toEqual({ status, since, left });
    },
  );

  test("behavior 11.7: has the reason and the message of its latest check, and no other part of the detail", () => {
    const detail = { reason: "refused", message: "no", address: "127.0.0.1" };
    const { suspicion } = confirm(before, { confirmations: 9, recoveries: 0 }, { ...down, detail });
    expect(suspicion?.seen).toEqual({ status: "down", reason: "refused", message: "no" });
    expect(withSeen("down", detail)).toEqual({
      address: "127.0.0.1",
      seen: { status: "down", reason: "refused", message: "no" },
    });
    expect(withSeen("up", null)).toEqual({ seen: { status: "up" } });
  });

  test("behavior 11.9: never begins after the check that confirms it, if the clock was set back", () => {
    expect(confirm(before, { confirmations: 2, recoveries: 0 }, { ...down, createdAt: 1 }).since).toBe(1);
  });

  test("behavior 11.13: is reported with the number of checks that it needs", () => {
    expect(progressOf({ status: "up", suspicion: null }, { confirmations: 1, recoveries: 1 })).toBeNull();
    const seen = { status: "down" as Status, since: 1, checks: 3 };
    expect(progressOf(before, { confirmations: 5, recoveries: 0 })).toEqual({ ...seen, needed: 6 });
    // The next check decides, because the number was lowered.
    expect(progressOf(before, { confirmations: 1, recoveries: 9 })).toEqual({ ...seen, needed: 4 });
    const better = { status: "unknown" as Status, suspicion: null };
    expect(progressOf(better, { confirmations: 1, recoveries: 0 })).toBeNull();
  });
});

test.each([
  [1, 500],
  [30, 15_000],
  [40, 20_000],
  [86_400, 20_000],
])("behavior 11.8: with an interval of %p s, the next check begins %p ms later", (interval, delay) => {
  expect(recheckDelay(interval)).toBe(delay);
});

const seen = fc.constantFrom<Status[]>("up", "degraded", "down");
const numbers = fc.record({ confirmations: fc.nat(4), recoveries: fc.nat(4) });

test("behavior 11.1, 11.2, 11.3: the status is always the one that the whole history gives", () => {
  fc.assert(
    fc.property(fc.array(seen, { minLength: 1, maxLength: 40 }), numbers, (history, numbers) => {
      let state: State = { status: "unknown", suspicion: null };
      for (const [at, status] of history.entries()) {
        const next = confirm(state, numbers, { status, detail: null, createdAt: at });
        const expected = statusAfter(history.slice(0, at + 1), numbers);
        expect(next.status).toBe(expected.status);
        if (groupOf[next.status] !== groupOf[state.status]) expect(next.since).toBe(expected.since);
        // Only the trailing checks that differ from the status in one direction.
        expect(next.suspicion?.checks.length ?? 0).toBe(expected.suspicious);
        expect(expected.suspicious).toBeLessThanOrEqual(Math.max(numbers.confirmations, numbers.recoveries));
        state = next;
      }
    }),
    { numRuns: walks(2000) },
  );
});

const order: Status[] = ["up", "degraded", "down"];

/**
 * The rule without a state: the status changes if all of the latest checks, as many as are needed, are worse than it, to
 * the best of them; likewise for better.
 */
function statusAfter(
  history: Status[],
  { confirmations, recoveries }: { confirmations: number; recoveries: number },
): { status: Status; since: number; suspicious: number } {
  const [first, ...others] = history;
  if (first === undefined) throw new Error("there is no check");
  if (others.length === 0) return { status: first, since: 0, suspicious: 0 };
  const { status } = statusAfter(history.slice(0, -1), { confirmations, recoveries });
  const worse = (than: Status) => (one: Status) => order.indexOf(one) > order.indexOf(than);
  const better = (than: Status) => (one: Status) => order.indexOf(one) < order.indexOf(than);
  const decide = (count: number, differs: typeof worse, pick: (ranks: number[]) => number) => {
    const latest = history.slice(-count);
    if (latest.length < count || !latest.every(differs(status))) return null;
    return {
      status: order[pick(latest.map((one) => order.indexOf(one)))] ?? status,
      since: history.length - count,
    };
  };
  const taken = decide(confirmations + 1, worse, (ranks) => Math.min(...ranks)) ??
    decide(recoveries + 1, better, (ranks) => Math.max(...ranks)) ?? { status, since: 0 };
  const trailing = (differs: typeof worse) =>
    history.length - 1 - history.findLastIndex((one) => !differs(taken.status)(one));
  return { ...taken, suspicious: Math.max(trailing(worse), trailing(better)) };
}
