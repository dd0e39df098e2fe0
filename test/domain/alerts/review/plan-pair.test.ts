import { describe, expect, test } from "bun:test";
import type { Hold } from "../../../../src/domain/alerts/delivery.ts";
import type { Pair, ReviewedMonitor, Undecided } from "../../../../src/domain/alerts/review/pair.ts";
import { planPair } from "../../../../src/domain/alerts/review/plan-pair.ts";
import type { Status } from "../../../../src/domain/monitors/status.ts";
import {
  acknowledged,
  ancestor,
  cause,
  change,
  checkedAt,
  FAILED_AT,
  knowsDegraded,
  knowsDown,
  knowsUp,
  monitor,
  outage,
  pairOf,
  SECOND,
  undecided,
} from "../../../support/alerts/reviewed.ts";

const at = (seconds: number) => FAILED_AT + seconds * SECOND;
const hidden: Partial<Undecided> = { status: "hidden", hold: { kind: "maintenance" } };
const muted: Partial<Undecided> = { status: "muted", hold: { kind: "muted", by: cause } };

/**
 * Plans a pair some seconds after the first failed check. The latest check is of now.
 *
 * @returns the decisions in words, in the order of the deliveries
 */
function plan(
  rows: Undecided[],
  { now = 0, of = {}, ...values }: Partial<Pair> & { now?: number; of?: Partial<ReviewedMonitor> } = {},
) {
  const planned = planPair(pairOf(rows, values), { ...monitor, ...checked(now), ...of }, at(now));
  const decisions = new Map(planned.decided.map(({ pk, decision }) => [pk, decision]));
  expect(planned.decided).toHaveLength(rows.length);
  const words = rows.map(({ pk }) => {
    const decision = decisions.get(pk);
    if (decision?.kind === "withdraw") return `withdraw ${decision.why}`;
    if (decision?.kind === "keep") return `${decision.status} ${decision.hold.kind}`;
    return decision?.kind ?? "nothing";
  });
  const sent = planned.decided
    .filter(({ decision }) => decision.kind === "send")
    .map(({ event }) => `${event.previousStatus} ${event.status}`);
  return { ...planned, words, sent };
}

/** @param seconds when the latest check was made */
function checked(seconds: number, isSuspected = false) {
  return { check: checkedAt(at(seconds), { isSuspected }) };
}

/** When a delivery that is kept is reviewed again, in seconds after the first failed check. */
function lookedAtAgain({ decided }: ReturnType<typeof plan>): number | undefined {
  const decision = decided.at(-1)?.decision;
  return decision?.kind === "keep" ? (decision.reviewAt - FAILED_AT) / SECOND : undefined;
}

describe("a monitor that depends on nothing", () => {
  test("behavior 14.18: trouble is sent, and the first reminder follows after `every`", () => {
    const planned = plan([undecided(change("up", "down"))], {
      timing: { after: 0, every: 300, hours: null },
    });
    expect(planned.words).toEqual(["send"]);
    expect(planned.remindAt).toBe(at(300));
    expect(plan([undecided(change("up", "down"))]).remindAt).toBeNull();
  });

  test("behavior 14.18: its end is sent, and ends the reminders", () => {
    const planned = plan([undecided(change("down", "up", 60))], {
      ...{ told: knowsDown, now: 60, timing: { after: 0, every: 300, hours: null } },
      of: { status: "up", outage: null, troubleSince: null },
    });
    expect(planned.words).toEqual(["send"]);
    expect(planned.remindAt).toBeNull();
  });

  test("behavior 14.23: what was not decided in time is sent in its order", () => {
    const rows = [undecided(change("up", "degraded")), undecided(change("degraded", "down", 30))];
    expect(plan(rows, { now: 40 }).words).toEqual(["send", "send"]);
    const timing = { after: 0, every: 300, hours: null };
    expect(plan(rows, { now: 40, timing }).remindAt).toBe(at(340));
    const ended = [undecided(change("up", "down")), undecided(change("down", "up", 30))];
    expect(plan(ended, { now: 40, of: { status: "up", outage: null } }).words).toEqual(["send", "send"]);
  });

  test("behavior 14.22: while its status is unknown, trouble waits", () => {
    const planned = plan([undecided(change("up", "down"))], { of: { status: "unknown" } });
    expect(planned.words).toEqual(["held new"]);
    expect(lookedAtAgain(planned)).toBe(60);
  });

  test("behavior 14.27: trouble of a paused monitor is withdrawn", () => {
    expect(plan([undecided(change("up", "down"))], { of: { enabled: false } }).words).toEqual([
      "withdraw paused",
    ]);
  });
});

describe("trouble that ended without a notification of its end", () => {
  const cases: [Status, Pair["notifyOn"], string][] = [
    ["up", ["down"], "withdraw ended"],
    ["degraded", ["down", "healthy"], "withdraw ended"],
    ["degraded", ["down", "warning"], "held delay"],
    ["down", ["down"], "held delay"],
  ];
  test.each(cases)("behavior 14.16: %s, for a channel that lists %j: %s", (status, notifyOn, word) => {
    const row = undecided(change("up", "down"), { hold: { kind: "delay" } });
    const planned = plan([row], {
      now: 10,
      notifyOn,
      timing: { after: 60, every: 0, hours: null },
      of: { status },
    });
    expect(planned.words).toEqual([word]);
  });

  test("behavior 14.23: one that was to be sent before its end is sent, if it only was not decided in time", () => {
    const notifyOn: Pair["notifyOn"] = ["down"];
    const ended = { ...outage, endedAt: at(90) };
    const of = { status: "up", outage: null } as const;
    const decide = (row: Undecided, after: number) =>
      plan([row], { now: 100, notifyOn, timing: { after, every: 0, hours: null }, of }).words;
    expect(decide(undecided(change("up", "down"), { outage: ended }), 0)).toEqual(["send"]);
    const delayed = undecided(change("up", "down"), { hold: { kind: "delay" }, outage: ended });
    expect(decide(delayed, 60)).toEqual(["withdraw ended"]);
  });

  test("behavior 14.21: a hidden one leaves no trace", () => {
    const rows = [undecided(change("up", "down"), hidden)];
    expect(plan(rows, { notifyOn: ["down"], of: { status: "up" } }).words).toEqual(["delete"]);
  });
});

describe("after", () => {
  const timing = { after: 60, every: 0, hours: null };
  const delayed = () => undecided(change("up", "down"), { hold: { kind: "delay" } });

  test("behavior 14.16: trouble waits until it has lasted long enough", () => {
    const early = plan([undecided(change("up", "down"))], { now: 20, timing });
    expect([early.words, lookedAtAgain(early)]).toEqual([["held delay"], 60]);
    expect(plan([delayed()], { now: 59, timing }).words).toEqual(["held delay"]);
    expect(plan([delayed()], { now: 60, timing }).words).toEqual(["send"]);
  });

  test("behavior 14.16: trouble that ends first is withdrawn, and so is its end", () => {
    const rows = [delayed(), undecided(change("down", "up", 30))];
    const planned = plan(rows, { now: 30, timing, of: { status: "up", outage: null } });
    expect(planned.words).toEqual(["withdraw ended", "delete"]);
  });

  test("behavior 14.16, 14.23: trouble that ended before it was decided is withdrawn, however long it lasted", () => {
    const rows = [delayed(), undecided(change("down", "up", 90))];
    const planned = plan(rows, { now: 95, timing, of: { status: "up", outage: null } });
    expect(planned.words).toEqual(["withdraw ended", "delete"]);
    const ended = { ...outage, endedAt: at(30) };
    const next = [
      undecided(change("up", "down"), { hold: { kind: "delay" }, outage: ended }),
      undecided(change("up", "down", 90)),
    ];
    expect(plan(next, { now: 95, timing, notifyOn: ["down"] }).words[0]).toBe("withdraw superseded");
  });

  test("behavior 14.16: a channel that knows nothing about the trouble is not notified of its end", () => {
    const end = () => [undecided(change("down", "up", 90))];
    const healthy = { status: "up", outage: null } as const;
    expect(plan(end(), { now: 90, timing, told: null, of: healthy }).words).toEqual(["delete"]);
    expect(plan(end(), { now: 90, timing, told: knowsUp, of: healthy }).words).toEqual(["delete"]);
    expect(plan(end(), { now: 90, timing, told: knowsDown, of: healthy }).words).toEqual(["send"]);
  });

  test("behavior 14.17: of several changes, the newest is sent at the time of the first", () => {
    const rows = [
      undecided(change("up", "degraded"), { hold: { kind: "delay" } }),
      undecided(change("degraded", "down", 30)),
    ];
    expect(plan(rows, { now: 30, timing }).words).toEqual(["withdraw superseded", "held delay"]);
    const later = [
      undecided(change("degraded", "down", 30), { hold: { kind: "delay" }, isAfterWithdrawn: true }),
    ];
    expect(plan(later, { now: 60, timing }).words).toEqual(["send"]);
  });

  test("behavior 14.26: an acknowledgement withdraws, also before the time has come", () => {
    const of = { outage: acknowledged };
    expect(plan([delayed()], { now: 20, timing, of }).words).toEqual(["withdraw acknowledged"]);
    expect(plan([delayed()], { now: 80, timing, of }).words).toEqual(["withdraw acknowledged"]);
    expect(plan([delayed()], { now: 80, of }).words).toEqual(["send"]);
  });

  test("behavior 14.25: reminders wait while the outage is acknowledged, and the notification says so", () => {
    const planned = plan([delayed()], {
      timing: { after: 0, every: 300, hours: null },
      of: { outage: acknowledged },
    });
    const [sent] = plan([undecided(change("up", "down"))], { of: { outage: acknowledged } }).decided;
    expect(planned.remindAt).toBeNull();
    expect(sent?.event.acknowledged).toEqual({ at: FAILED_AT + SECOND, by: "Ann", note: null });
    const event = { ...change("up", "down"), acknowledged: { at: 1, by: "Ann", note: null } };
    expect(plan([undecided(event)]).decided[0]?.event.acknowledged).toBeUndefined();
  });
});

describe("dependencies", () => {
  const withCause = { ancestors: [ancestor(), ancestor({ pk: 3, cause })] };
  const stale = { ancestors: [ancestor({ checked: { latestAt: FAILED_AT - 1 } })] };
  const blind = { ancestors: [ancestor({ checked: { latestAt: FAILED_AT - 1, isBlind: true } })] };

  test("behavior 14.11: trouble is muted while one of them is down", () => {
    const planned = plan([undecided(change("up", "down"))], { of: withCause });
    expect([planned.words, lookedAtAgain(planned)]).toEqual([["muted muted"], 60]);
    expect(planned.decided[0]?.decision).toMatchObject({ hold: { by: cause } });
  });

  test("behavior 14.11: only what is worse than the channel knows is muted", () => {
    const decide = (status: Status, told: Pair["told"]) =>
      plan([undecided(change("up", status))], { told, of: { ...withCause, status } }).words;
    expect(decide("down", null)).toEqual(["muted muted"]);
    expect(decide("down", knowsUp)).toEqual(["muted muted"]);
    expect(decide("down", knowsDegraded)).toEqual(["muted muted"]);
    expect(decide("degraded", knowsDown)).toEqual(["send"]);
    expect(decide("down", { status: "down", troubleSince: FAILED_AT - SECOND })).toEqual(["muted muted"]);
    expect(decide("down", { status: "down", troubleSince: null })).toEqual(["muted muted"]);
  });

  test("behavior 14.11: the end of trouble that the channel knows about is sent while one of them is down", () => {
    const rows = [undecided(change("down", "up", 60))];
    expect(plan(rows, { told: knowsDown, of: { ...withCause, status: "up", outage: null } }).words).toEqual([
      "send",
    ]);
  });

  test("behavior 14.12: trouble waits for the check of one that was checked before it", () => {
    const planned = plan([undecided(change("up", "down"))], { now: 1, of: stale });
    expect([planned.words, planned.asks]).toEqual([["held answer"], [2]]);
    expect(planned.decided[0]?.decision).toMatchObject({ hold: { until: at(16) }, reviewAt: at(1.5) });
  });

  describe("behavior 14.12: one of them was down before the first failed check", () => {
    const down = (checked: Parameters<typeof ancestor>[0]) => ({
      ancestors: [ancestor({ cause, ...checked })],
    });
    const old = down({ checked: { latestAt: FAILED_AT - 1 } });
    const awaited = () => undecided(change("up", "down"), { hold: { kind: "answer", until: at(16) } });

    test("it is checked before the notification is muted", () => {
      const planned = plan([undecided(change("up", "down"))], { now: 1, of: old });
      expect([planned.words, planned.asks]).toEqual([["held answer"], [2]]);
      expect(plan([awaited()], { now: 2, of: old }).words).toEqual(["held answer"]);
      expect(plan([awaited()], { now: 2, of: down({}) }).words).toEqual(["muted muted"]);
      expect(plan([awaited()], { now: 2, of: { ancestors: [ancestor()] } }).words).toEqual(["send"]);
    });

    test("a recovery of it that is not confirmed is awaited", () => {
      const suspected = down({ checked: { isSuspected: true } });
      expect(plan([awaited()], { now: 2, of: suspected }).words).toEqual(["held answer"]);
    });

    test("without an answer in time, it mutes", () => {
      expect(plan([awaited()], { now: 16, of: old }).words).toEqual(["muted muted"]);
    });

    test("it mutes at once if nothing can check it, and if another one is down for sure", () => {
      const job = down({ check: null });
      expect(plan([undecided(change("up", "down"))], { of: job }).words).toEqual(["muted muted"]);
      const both = { ancestors: [...old.ancestors, ancestor({ pk: 3, cause })] };
      expect(plan([undecided(change("up", "down"))], { of: both }).words).toEqual(["muted muted"]);
    });

    test("it is checked too if it takes over from another cause", () => {
      const row = undecided(change("up", "down"), muted);
      const other = { monitorId: "switch", outageId: "o2" };
      const next = plan([row], { now: 60, of: down({ cause: other, checked: { latestAt: FAILED_AT - 1 } }) });
      expect([next.words, next.asks]).toEqual([["muted muted"], [2]]);
      expect(plan([row], { now: 60, of: old }).asks).toEqual([]);
    });
  });

  test("behavior 14.12: the first failed check counts, not the one that confirmed it", () => {
    const event = { ...change("up", "down", 40), changedAt: FAILED_AT };
    expect(plan([undecided(event)], { now: 40, of: { ancestors: [ancestor()] } }).words).toEqual(["send"]);
  });

  const answers: [string, Parameters<typeof ancestor>[0], string][] = [
    ["it was never checked", { checked: { latestAt: null } }, "held answer"],
    ["it may be down", { checked: { isSuspected: true } }, "held answer"],
    ["it cannot be checked", { check: null }, "send"],
    ["it was checked at the same time", { checked: { latestAt: FAILED_AT } }, "send"],
  ];
  test.each(answers)("behavior 14.12, 14.14: %s", (_, values, word) => {
    expect(plan([undecided(change("up", "down"))], { of: { ancestors: [ancestor(values)] } }).words).toEqual([
      word,
    ]);
  });

  describe("while an answer is awaited", () => {
    const hold: Hold = { kind: "answer", until: at(15) };
    const waiting = () => undecided(change("up", "down"), { hold });
    const cases: [string, number, Partial<ReviewedMonitor>, string][] = [
      ["no answer", 14, stale, "held answer"],
      ["a good answer", 14, { ancestors: [ancestor()] }, "send"],
      ["the answer that it is down", 14, withCause, "muted muted"],
      ["no answer in time from one that is known as not checked", 15, blind, "send"],
      ["the clock is set back", -3600, stale, "send"],
    ];
    test.each(cases)("behavior 14.12: %s", (_, now, of, word) => {
      const planned = plan([waiting()], { now, of });
      expect([planned.words, planned.asks]).toEqual([[word], []]);
    });

    test("behavior 14.9: one whose checks have no results is awaited for 5 minutes more, and asked again", () => {
      const planned = plan([waiting()], { now: 16, of: stale });
      expect([planned.words, planned.asks, lookedAtAgain(planned)]).toEqual([["held answer"], [2], 31]);
      expect(lookedAtAgain(plan([waiting()], { now: 314, of: stale }))).toBe(315);
      const checkedAgain = plan([waiting()], { now: 315, of: { ...stale, ...checked(314) } });
      expect(checkedAgain.words).toEqual(["send"]);
    });

    test("behavior 14.12: one that needs longer does not shorten the wait for the others", () => {
      const slow = ancestor({ pk: 3, checked: { patience: 100 * SECOND } });
      const long = undecided(change("up", "down"), { hold: { kind: "answer", until: at(100) } });
      expect(plan([long], { now: 5, of: { ancestors: [...stale.ancestors, slow] } }).words).toEqual([
        "held answer",
      ]);
    });

    test("behavior 14.12: looks at the answer become rarer, at whole milliseconds", () => {
      const looks = [0, 3.001, 9].map((now) => lookedAtAgain(plan([waiting()], { now, of: stale })));
      expect(looks).toEqual([0.5, 4.502, 11]);
    });

    test("behavior 14.12: the last look is when the wait ends", () => {
      expect(lookedAtAgain(plan([waiting()], { now: 14.9, of: stale }))).toBe(15);
    });
  });

  describe("after the cause has ended", () => {
    const hold: Hold = { kind: "recheck", by: cause, since: at(60), until: at(75) };
    const rechecked = () => undecided(change("up", "down"), { status: "muted", hold });
    test("behavior 14.13: the monitor is checked at once, and stays muted until then", () => {
      const planned = plan([undecided(change("up", "down"), muted)], { now: 60 });
      expect([planned.words, planned.asks, planned.asksItself]).toEqual([["muted recheck"], [], true]);
      expect(planned.decided[0]?.decision).toMatchObject({ hold, reviewAt: at(60.5) });
    });

    const cases: [string, number, Partial<ReviewedMonitor>, string][] = [
      ["an older result", 61, checked(59), "muted recheck"],
      ["a bad result", 61, checked(60), "send"],
      ["a good result that is not confirmed", 61, checked(61, true), "muted recheck"],
      ["behavior 14.9, no result in the time that a check may take", 75, checked(59), "muted recheck"],
      ["behavior 14.9, a late good result that is not confirmed", 75, checked(74, true), "muted recheck"],
      ["no result, and no server ran meanwhile", 81, checked(59), "muted recheck"],
      ["a result before a stop of the server", 3600, checked(61), "muted recheck"],
      ["nothing can check it", 61, { check: null }, "send"],
      [
        "another cause",
        61,
        { ancestors: [ancestor({ cause, checked: { latestAt: at(60) } })] },
        "muted muted",
      ],
      ["the clock is set back", -3600, checked(59), "muted recheck"],
    ];
    test.each(cases)("behavior 14.13: %s", (_, now, of, word) => {
      expect(plan([rechecked()], { now, of }).words).toEqual([word]);
    });

    describe("behavior 14.9: another one that it depends on has no result", () => {
      const ancestors = [ancestor({ checked: { latestAt: at(50) } }), ancestor({ pk: 3 })];
      const asked = plan([undecided(change("up", "down"), muted)], { now: 60, of: { ancestors } });
      const kept = asked.decided[0]?.decision as { hold: Hold };
      const waiting = () => undecided(change("up", "down"), { status: "muted", hold: kept.hold });
      const bad = (now: number, of: Partial<ReviewedMonitor> = { ancestors }) =>
        plan([waiting()], { now, of: { ...checked(now - 1), ...of } });

      test("it is awaited for 5 minutes more, and both are checked again", () => {
        expect(asked.asks).toEqual([2, 3]);
        const planned = bad(75);
        expect([planned.words, planned.asks, planned.asksItself]).toEqual([["muted recheck"], [2, 3], true]);
        expect(planned.decided[0]?.decision).toMatchObject({
          hold: { since: at(75), until: at(90), longestUntil: at(375) },
        });
        expect(bad(374).words).toEqual(["muted recheck"]);
        expect(bad(375).words).toEqual(["send"]);
      });

      test("its result decides: the notification is muted, or sent", () => {
        const good = [
          ancestor({ checked: { latestAt: at(88) } }),
          ancestor({ pk: 3, checked: { latestAt: at(88) } }),
        ];
        expect(bad(89, { ancestors: good }).words).toEqual(["send"]);
        const isDown = [ancestor({ cause, checked: { latestAt: at(88) } }), ancestor({ pk: 3 })];
        expect(bad(89, { ancestors: isDown }).words).toEqual(["muted muted"]);
      });

      test("a longer timeout of it does not change for how long it is awaited", () => {
        const slow = [ancestor({ checked: { latestAt: at(50), patience: 35 * SECOND } })];
        const own = (now: number, latest: number, isBlind = false) => {
          const hold: Hold = { kind: "recheck", since: at(60), until: at(95), longestUntil: at(395) };
          const rows = [undecided(change("up", "down"), { hold })];
          const ancestors = isBlind ? [ancestor({ checked: { ...slow[0]?.check, isBlind } })] : slow;
          return plan(rows, { now, of: { ...checked(latest), ancestors } }).words;
        };
        expect(own(95, 61)).toEqual(["held recheck"]);
        expect(own(95, 61, true)).toEqual(["send"]);
        expect(own(395, 391)).toEqual(["send"]);
      });

      test("one that is known as not checked is not awaited", () => {
        const unchecked = [ancestor({ checked: { latestAt: at(50), isBlind: true } })];
        expect(bad(75, { ancestors: unchecked }).words).toEqual(["send"]);
      });
    });

    test("behavior 14.14: a monitor that nothing checks is not checked", () => {
      const planned = plan([undecided(change("ok", "failed"), muted)], {
        ...{ now: 60, of: { status: "failed", check: null } },
      });
      expect([planned.words, planned.asksItself]).toEqual([["send"], false]);
    });

    test("behavior 14.13: if it is good, neither trouble nor its end is sent", () => {
      const rows = [rechecked(), undecided(change("down", "up", 61))];
      expect(plan(rows, { now: 61, of: { status: "up", outage: null } }).words).toEqual([
        "withdraw ended",
        "delete",
      ]);
    });

    test("behavior 14.13, 14.16: `after` still counts", () => {
      const timing = { after: 300, every: 0, hours: null };
      expect(plan([rechecked()], { now: 61, timing, of: checked(60) }).words).toEqual(["held delay"]);
    });
  });

  test("behavior 14.15: trouble is muted also if one of them gets down before `after` has passed", () => {
    const timing = { after: 60, every: 0, hours: null };
    const row = undecided(change("up", "down"), { hold: { kind: "delay" } });
    expect(plan([row], { now: 60, timing, of: withCause }).words).toEqual(["muted muted"]);
  });

  test("behavior 14.23: what one of them may have muted is not sent late", () => {
    const rows = () => [undecided(change("up", "down")), undecided(change("down", "up", 5))];
    const healthy = { status: "up", outage: null } as const;
    expect(plan(rows(), { now: 5, of: { ...healthy, ...withCause } }).words).toEqual([
      "withdraw ended",
      "delete",
    ]);
    expect(plan(rows(), { now: 5, of: { ...healthy, ...stale } }).words).toEqual([
      "withdraw ended",
      "delete",
    ]);
    expect(plan(rows(), { now: 5, of: { ...healthy, ancestors: [ancestor()] } }).words).toEqual([
      "send",
      "send",
    ]);
  });
});

describe("behavior 14.8: what is known is old", () => {
  const timing = { after: 60, every: 0, hours: null };
  const delayed = () => undecided(change("up", "down"), { hold: { kind: "delay" } });
  const look = (planned: ReturnType<typeof plan>) => [planned.words, planned.asksItself];

  test("`after` is due some seconds after the latest check: the monitor is checked first", () => {
    expect(plan([delayed()], { now: 60, timing, of: checked(55) }).words).toEqual(["send"]);
    const planned = plan([delayed()], { now: 60, timing, of: checked(54) });
    expect(look(planned)).toEqual([["held recheck"], true]);
    expect(planned.decided[0]?.decision).toMatchObject({ hold: { since: at(60), until: at(75) } });
    expect(plan([delayed()], { now: 60, timing, of: { check: null } }).words).toEqual(["send"]);
  });

  test("`after` is due while the latest check saw something better: it waits for the next one", () => {
    expect(look(plan([delayed()], { now: 60, timing, of: checked(59, true) }))).toEqual([
      ["held recheck"],
      true,
    ]);
  });

  test("those that it depends on are checked too, if their latest check is old", () => {
    const ancestors = [ancestor({ checked: { latestAt: at(58) } }), ancestor({ pk: 3 })];
    expect(plan([delayed()], { now: 60, timing, of: { ...checked(0), ancestors } }).asks).toEqual([3]);
    const waiting = undecided(change("up", "down"), {
      hold: { kind: "recheck", since: at(60), until: at(75) },
    });
    expect(plan([waiting], { now: 61, timing, of: { ancestors } }).words).toEqual(["held recheck"]);
  });

  test("an acknowledgement withdraws it while it is checked", () => {
    const row = undecided(change("up", "down"), { hold: { kind: "recheck", since: at(60), until: at(75) } });
    const of = { ...checked(0), outage: acknowledged };
    expect(plan([row], { now: 61, timing, of }).words).toEqual(["withdraw acknowledged"]);
  });

  const forgotten: [string, Hold, number][] = [
    ["it was not decided for more than 5 s", { kind: "new" }, 6],
    ["an answer was awaited, and no server ran", { kind: "answer", until: at(15) }, 3600],
    ["no server ran after the pause", { kind: "resumed" }, 3600],
  ];
  test.each(forgotten)("%s: it is checked first", (_, hold, now) => {
    const row = undecided(change("up", "down"), { hold });
    expect(look(plan([row], { now, of: checked(0) }))).toEqual([["held recheck"], true]);
    expect(plan([row], { now }).words).toEqual(["send"]);
  });

  test("what is decided at once is not checked again", () => {
    expect(plan([undecided(change("up", "down", 5))], { now: 10, of: checked(0) }).words).toEqual(["send"]);
  });
});

describe("after a pause", () => {
  const resumed = () =>
    undecided(change("up", "down"), { hold: { kind: "resumed" }, outage: { ...outage, pk: 6, id: "a0" } });

  test("behavior 14.27: trouble waits for the first check", () => {
    const planned = plan([resumed()], { of: { outage: null } });
    expect([planned.words, lookedAtAgain(planned)]).toEqual([["held resumed"], 1]);
    const job = plan([resumed()], { of: { outage: null, check: null } });
    expect(lookedAtAgain(job)).toBe(60);
  });

  test("behavior 14.27: trouble that it sees again is sent with the outage that begins then", () => {
    const planned = plan([resumed()]);
    expect(planned.words).toEqual(["send"]);
    expect(planned.decided[0]).toMatchObject({ outagePk: 7, event: { outage: { id: "a1" } } });
  });

  test("behavior 14.27: trouble that it does not see leaves no recovery", () => {
    const rows = [resumed(), undecided(change("down", "up", 60))];
    const of = { status: "up", outage: null } as const;
    expect(plan(rows, { now: 60, of }).words).toEqual(["withdraw ended", "delete"]);
  });
});

describe("maintenance", () => {
  const inWindow = { windowEndsAt: at(600) };

  test("behavior 14.20: trouble of a window stays hidden until its end", () => {
    const planned = plan([undecided(change("up", "down"), hidden)], { of: inWindow });
    expect(planned.words).toEqual(["hidden maintenance"]);
    expect(plan([undecided(change("up", "down"))], { of: inWindow }).words).toEqual(["held maintenance"]);
    expect(plan([undecided(change("up", "down"), muted)], { of: inWindow }).words).toEqual([
      "held maintenance",
    ]);
  });

  test("behavior 14.21: it is looked at each minute and at the end, because the window may be ended at the same time", () => {
    const rows = [undecided(change("up", "down"), hidden)];
    expect(lookedAtAgain(plan(rows, { of: inWindow }))).toBe(60);
    expect(lookedAtAgain(plan(rows, { now: 570, of: inWindow }))).toBe(600);
  });

  /** A notification of the window whose monitor is checked since its end, at 600 s. */
  const rechecked = (row: Undecided): Undecided => ({
    ...row,
    hold: { kind: "recheck", since: at(600), until: at(615) },
  });

  test("behavior 14.21: at its end the monitor is checked, and so is one that it depends on and that was checked long ago", () => {
    const ended = plan([undecided(change("up", "down"), hidden)], {
      ...{ now: 600, of: { ancestors: [ancestor(), ancestor({ pk: 3, checked: { latestAt: at(596) } })] } },
    });
    expect([ended.words, ended.asks, ended.asksItself]).toEqual([["hidden recheck"], [2], true]);
    const held = { status: "held", hold: { kind: "maintenance" } } as const;
    expect(plan([undecided(change("up", "down"), held)], { now: 600 }).words).toEqual(["held recheck"]);
    const job = plan([undecided(change("up", "down"), hidden)], { now: 600, of: { check: null } });
    expect(job.words).toEqual(["send"]);
  });

  test("behavior 14.21: trouble that this check sees is sent, with the status before the window", () => {
    const rows = [
      undecided(change("up", "degraded"), hidden),
      undecided(change("degraded", "down", 30), hidden),
    ];
    const open = plan(rows, { now: 30, of: inWindow });
    expect(open.words).toEqual(["delete", "hidden maintenance"]);
    const [, kept] = open.decided;
    expect(kept?.event).toMatchObject({ previousStatus: "up", since: FAILED_AT - 60 * SECOND });
    const row = rechecked({ ...undecided(change("up", "down", 30), hidden) });
    expect(plan([row], { now: 601, of: checked(599) }).words).toEqual(["hidden recheck"]);
    expect(plan([row], { now: 601, of: checked(601, true) }).words).toEqual(["hidden recheck"]);
    expect(plan([row], { now: 601 }).words).toEqual(["send"]);
    expect(plan([row], { now: 615, of: checked(599) }).words).toEqual(["hidden recheck"]);
  });

  test("behavior 14.21: so is a change after its end", () => {
    const first = undecided(change("up", "degraded"), hidden);
    for (const row of [first, rechecked(first)]) {
      const rows = [row, undecided(change("degraded", "down", 600))];
      expect(plan(rows, { now: 601 })).toMatchObject({ words: ["delete", "send"], sent: ["up down"] });
    }
  });

  test("behavior 14.21: trouble that this check does not see leaves no trace", () => {
    const rows = [rechecked(undecided(change("up", "down"), hidden)), undecided(change("down", "up", 601))];
    const of = { status: "up", outage: null } as const;
    expect(plan(rows, { now: 601, told: knowsUp, of }).words).toEqual(["delete", "delete"]);
  });

  test("behavior 14.20: trouble that ends in the window leaves no trace", () => {
    const rows = [undecided(change("up", "down"), hidden), undecided(change("down", "up", 60), hidden)];
    const of = { ...inWindow, status: "up", outage: null } as const;
    expect(plan(rows, { now: 60, told: knowsUp, of }).words).toEqual(["delete", "delete"]);
    expect(plan([undecided(change("down", "up", 60), hidden)], { now: 60, of }).words).toEqual(["delete"]);
  });

  test("behavior 14.20: the end of trouble that was sent before the window is sent", () => {
    const of = { ...inWindow, status: "up", outage: null } as const;
    const end = undecided(change("down", "up", 60), hidden);
    expect(plan([end], { now: 60, told: knowsDown, of }).words).toEqual(["send"]);
  });

  test("behavior 14.19: a status that the channel knows is not sent again", () => {
    const back = undecided(change("degraded", "down", 60), hidden);
    expect(plan([back], { now: 600, told: knowsDown }).words).toEqual(["delete"]);
    const other = undecided(change("down", "degraded", 60), hidden);
    expect(plan([other], { now: 600, told: knowsDown, of: { status: "degraded" } }).words).toEqual([
      "hidden recheck",
    ]);
    const withheld = [
      undecided(change("degraded", "down", 30), muted),
      undecided(change("down", "degraded", 60)),
    ];
    expect(plan(withheld, { now: 60, told: knowsDegraded, of: { status: "degraded" } }).words).toEqual([
      "withdraw superseded",
      "withdraw ended",
    ]);
  });

  test("behavior 14.20, 14.11: after the window, trouble is muted while one that it depends on is down", () => {
    const of = { ancestors: [ancestor({ cause, checked: { latestAt: at(600) } })] };
    const row = rechecked(undecided(change("up", "down"), hidden));
    expect(plan([row], { now: 601, of }).words).toEqual(["muted muted"]);
  });

  test("behavior 14.20, 14.16: after the window, `after` still counts from the start of the trouble", () => {
    const timing = { after: 900, every: 0, hours: null };
    const row = rechecked(undecided(change("up", "down"), hidden));
    const planned = plan([row], { now: 601, timing });
    expect([planned.words, lookedAtAgain(planned)]).toEqual([["held delay"], 900]);
  });
});

describe("several outages in one review", () => {
  test("behavior 14.13: each is decided on its own", () => {
    const again = { ...change("up", "down", 120), troubleSince: at(120) };
    const rows = [
      undecided(change("up", "down"), muted),
      undecided(change("down", "up", 60)),
      undecided(again, { outage: { ...outage, startedAt: at(120) } }),
    ];
    const of = { outage: { ...outage, startedAt: at(120) }, troubleSince: at(120) };
    expect(plan(rows, { now: 120, of }).words).toEqual(["withdraw ended", "delete", "send"]);
  });
});
