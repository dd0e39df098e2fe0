import { describe, expect, test } from "bun:test";
import type { Hours } from "../../../../src/domain/alerts/hours.ts";
import type { Pair, ReviewedMonitor, Undecided } from "../../../../src/domain/alerts/review/pair.ts";
import { planPair, planReminder } from "../../../../src/domain/alerts/review/plan-pair.ts";
import {
  acknowledged,
  ancestor,
  cause,
  change,
  checkedAt,
  FAILED_AT,
  knowsDegraded,
  knowsDown,
  monitor,
  outage,
  pairOf,
  SECOND,
  undecided,
} from "../../../support/alerts/reviewed.ts";

const MINUTE = 60 * SECOND;
const at = (minutes: number) => FAILED_AT + minutes * MINUTE;

/** Open from so many minutes after the first failed check, for an hour. */
function opening(minutes: number, outside: Hours["outside"] = "hold"): Hours {
  const time = (moment: number) => new Date(moment).toISOString().slice(11, 16);
  const window = { days: ["sun" as const], from: time(at(minutes)), to: time(at(minutes + 60)) };
  return { timezone: "UTC", windows: [window], outside };
}

const closed = opening(30);
const open = opening(-5);
const drops = opening(30, "drop");

interface Given extends Partial<Pair> {
  hours: Hours;
  after?: number;
  now?: number;
  of?: Partial<ReviewedMonitor>;
}

/** The decisions some minutes after the first failed check, in words. The latest check is of now. */
function plan(rows: Undecided[], { hours, after = 0, now = 0, of = {}, ...values }: Given) {
  const pair = pairOf(rows, { timing: { after, every: 0, hours }, ...values });
  const planned = planPair(pair, { ...monitor, check: checkedAt(at(now)), ...of }, at(now));
  return rows.map(({ pk }) => {
    const decision = planned.decided.find((one) => one.pk === pk)?.decision;
    if (decision?.kind === "withdraw") return `withdraw ${decision.why}`;
    if (decision?.kind === "keep")
      return `${decision.status} ${decision.hold.kind} until ${(decision.reviewAt - FAILED_AT) / MINUTE}`;
    return decision?.kind;
  });
}

const trouble = (values: Partial<Undecided> = {}) => undecided(change("up", "down"), values);
const held = (values: Partial<Undecided> = {}) => trouble({ hold: { kind: "hours" }, ...values });
const old = { check: checkedAt(FAILED_AT - MINUTE) };
const recovered = { status: "up", outage: null, troubleSince: null } as const;

describe("behavior 23.4: trouble", () => {
  test("is sent in the hours, as without", () => {
    expect(plan([trouble()], { hours: open })).toEqual(["send"]);
  });

  test("waits outside of the hours until they open, without a check", () => {
    expect(plan([trouble()], { hours: closed })).toEqual(["held hours until 30"]);
    expect(plan([held()], { hours: closed, now: 29, of: old })).toEqual(["held hours until 30"]);
  });

  test("is checked when they open, and sent if it lasts", () => {
    expect(plan([held()], { hours: closed, now: 30, of: old })[0]).toStartWith("held recheck");
    expect(plan([held()], { hours: closed, now: 30 })).toEqual(["send"]);
  });

  test("that ends before is withdrawn, and its end is not notified", () => {
    const rows = [held(), undecided(change("down", "up", 600))];
    expect(plan(rows, { hours: closed, now: 10, of: recovered })).toEqual(["withdraw ended", "delete"]);
  });

  test("that ended before it was decided is withdrawn, if it or the decision is outside of the hours", () => {
    const rows = () => [trouble(), undecided(change("down", "up", 60))];
    const decide = (hours: Hours, now: number) => plan(rows(), { hours, now, of: recovered });
    expect(decide(open, 2)).toEqual(["send", "send"]);
    expect(decide(closed, 2)).toEqual(["withdraw ended", "delete"]);
    expect(decide(closed, 40)).toEqual(["withdraw ended", "delete"]);
    expect(decide(open, 58)).toEqual(["withdraw ended", "delete"]);
  });

  test("waits for its `after` too, which counts from its start", () => {
    const delayed = () => trouble({ hold: { kind: "delay" } });
    expect(plan([trouble()], { hours: closed, after: 600 })).toEqual(["held delay until 10"]);
    expect(plan([delayed()], { hours: closed, after: 600, now: 10 })).toEqual(["held hours until 30"]);
    expect(plan([delayed()], { hours: closed, after: 2400, now: 30 })).toEqual(["held delay until 40"]);
    expect(plan([held()], { hours: closed, after: 600, now: 30 })).toEqual(["send"]);
  });

  test("is muted rather than held while a monitor that it depends on is down, also when they open", () => {
    const of = { ancestors: [ancestor({ cause })] };
    expect(plan([trouble()], { hours: closed, of })[0]).toStartWith("muted muted");
    expect(plan([held()], { hours: closed, now: 30, of })[0]).toStartWith("muted muted");
  });

  test("whose mute ends outside of the hours is held after a check", () => {
    const muted = trouble({ status: "muted", hold: { kind: "muted", by: cause } });
    const asked = trouble({
      status: "muted",
      hold: { kind: "recheck", by: cause, since: at(1), until: at(2) },
    });
    expect(plan([muted], { hours: closed, now: 1, of: old })[0]).toStartWith("muted recheck");
    expect(plan([asked], { hours: closed, now: 1 })).toEqual(["held hours until 30"]);
  });

  test("of a window of a maintenance is held after its end", () => {
    const hidden = trouble({ status: "hidden", hold: { kind: "recheck", since: at(1), until: at(2) } });
    expect(plan([hidden], { hours: closed, now: 1 })).toEqual(["held hours until 30"]);
  });

  test("that gets worse is held once, as the newest", () => {
    const rows = [
      undecided(change("up", "degraded"), { hold: { kind: "hours" } }),
      undecided(change("degraded", "down", 60)),
    ];
    expect(plan(rows, { hours: closed, now: 1 })).toEqual(["withdraw superseded", "held hours until 30"]);
  });

  test("that the channel knows already is not sent again", () => {
    const rows = [
      undecided(change("degraded", "down"), { hold: { kind: "hours" } }),
      undecided(change("down", "degraded", 60)),
    ];
    const of = { status: "degraded" } as const;
    expect(plan(rows, { hours: closed, now: 1, told: knowsDegraded, of })).toEqual([
      "withdraw superseded",
      "withdraw ended",
    ]);
  });
});

describe("behavior 23.5: an acknowledgement", () => {
  const of = { outage: acknowledged };

  test("withdraws what is held, and what came outside of the hours", () => {
    expect(plan([held()], { hours: closed, now: 10, of })).toEqual(["withdraw acknowledged"]);
    expect(plan([held()], { hours: closed, now: 30, of })).toEqual(["withdraw acknowledged"]);
    const asked = trouble({ hold: { kind: "recheck", since: at(30), until: at(31) } });
    expect(plan([asked], { hours: closed, now: 30, of })).toEqual(["withdraw acknowledged"]);
  });

  test("does not withdraw a change in the hours", () => {
    expect(plan([trouble()], { hours: open, of })).toEqual(["send"]);
  });

  test("that is taken back outside of the hours lets it be held again, and in the hours be sent", () => {
    const revived = () => trouble({ hold: { kind: "delay" } });
    expect(plan([revived()], { hours: closed, now: 10 })).toEqual(["held hours until 30"]);
    expect(plan([revived()], { hours: closed, now: 40 })).toEqual(["send"]);
  });
});

describe("behavior 23.6: hours that drop", () => {
  test("withdraw trouble at once, and later trouble in the hours is sent", () => {
    expect(plan([trouble()], { hours: drops })).toEqual(["withdraw hours"]);
    const worse = undecided(change("degraded", "down", 2400), { isAfterWithdrawn: true });
    expect(plan([worse], { hours: drops, now: 40 })).toEqual(["send"]);
  });

  test("judge the moment after `after`", () => {
    expect(plan([trouble()], { hours: drops, after: 600 })).toEqual(["held delay until 10"]);
    expect(plan([trouble({ hold: { kind: "delay" } })], { hours: drops, after: 2400, now: 40 })).toEqual([
      "send",
    ]);
  });

  test("send no end of what they dropped", () => {
    const end = undecided(change("down", "up", 60), { isAfterWithdrawn: true });
    expect(plan([end], { hours: drops, now: 1, of: recovered })).toEqual(["delete"]);
  });
});

test("behavior 23.8: a recovery is sent outside of the hours, to a channel that was notified of the trouble", () => {
  const end = () => [undecided(change("down", "up", 60))];
  expect(plan(end(), { hours: closed, now: 1, told: knowsDown, of: recovered })).toEqual(["send"]);
  expect(plan(end(), { hours: closed, now: 1, of: recovered })).toEqual(["delete"]);
});

describe("behavior 23.7: a repetition", () => {
  const { notifyOn } = pairOf([]);
  const due = (hours: Hours) => {
    const timing = { after: 0, every: 300, hours };
    return { timing, notifyOn, last: knowsDown, newestAt: null, isUnready: false, waitsUntil: null };
  };
  const never = { isDue: false, remindAt: null, waitsUntil: null, asksItself: false };
  const lasting = (now: number) => ({ ...monitor, check: checkedAt(at(now)) });

  test.each([closed, drops])("outside of the hours comes when they open: %#", (hours) => {
    expect(planReminder(due(hours), lasting(5), at(5))).toEqual({ ...never, remindAt: at(30) });
    const sent = { ...never, isDue: true, remindAt: at(35) };
    expect(planReminder(due(hours), lasting(30), at(30))).toEqual(sent);
  });

  test("does not come after the trouble has ended or was acknowledged", () => {
    const ended = { ...lasting(5), ...recovered };
    expect(planReminder(due(closed), ended, at(5))).toEqual(never);
    const known = { ...lasting(5), outage: { ...outage, acknowledged: acknowledged.acknowledged } };
    expect(planReminder(due(closed), known, at(5))).toEqual(never);
  });
});
