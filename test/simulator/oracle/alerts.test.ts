import { expect, test } from "bun:test";
import type { Fault, Ledger } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { after, START, type Truth, truthfulLedger } from "./truthful-ledger.ts";

const [SECOND, MINUTE] = [1000, 60_000];

function broken(truth: Truth, lie: (ledger: Ledger) => void = () => {}): string[] {
  const ledger = truthfulLedger(truth);
  lie(ledger);
  return [...new Set(findViolations(ledger).map(({ rule }) => rule))];
}

const OUTAGE: Truth = { down: [3, 5] };

/** Replaces the attempts of the first delivery. */
function attempts(edit: (first: Ledger["attempts"][number]) => Partial<Ledger["attempts"][number]>[]) {
  return (ledger: Ledger) => {
    const [first, ...others] = ledger.attempts;
    if (first) ledger.attempts = [...edit(first).map((changes) => ({ ...first, ...changes })), ...others];
    const [delivery] = ledger.deliveries;
    if (delivery && first) delivery.attempts = ledger.attempts.length - others.length;
  };
}

test("A transition without a notification, and a notification without a transition, break rules", () => {
  expect(broken(OUTAGE)).toEqual([]);
  const loses = (ledger: Ledger) => {
    ledger.deliveries = ledger.deliveries.slice(1);
    ledger.attempts = ledger.attempts.slice(1);
  };
  expect(broken(OUTAGE, loses)).toEqual(["each transition notifies its channels"]);
  const invents = (ledger: Ledger) => {
    const [first] = ledger.deliveries;
    if (first)
      ledger.deliveries.push({
        ...first,
        id: "another",
        status: "pending",
        attempts: 0,
        createdAtWall: after(9),
      });
  };
  expect(broken(OUTAGE, invents)).toContain("each notification has a transition");
});

test("A channel is notified of the groups that it lists, and of a recovery if it knows about the trouble", () => {
  // The truthful ledger notifies of everything.
  expect(broken({ ...OUTAGE, notifyOn: ["down", "healthy"] })).toEqual([]);
  expect(broken({ ...OUTAGE, notifyOn: ["down"] })).toEqual(["only the transitions of a channel notify it"]);
  expect(broken({ ...OUTAGE, notifyOn: ["warning", "healthy"] })).toEqual([
    "only the transitions of a channel notify it",
  ]);
});

test("A notification that is never sent breaks a rule", () => {
  const lie = (ledger: Ledger) => {
    const [, second] = ledger.deliveries;
    if (second) Object.assign(second, { status: "pending", attempts: 0 });
    ledger.attempts = ledger.attempts.slice(0, 1);
  };
  expect(broken(OUTAGE, lie)).toEqual(["a notification is sent at once"]);
});

test("A delivered notification without an attempt breaks a rule", () => {
  expect(broken(OUTAGE, ({ attempts }) => void attempts.splice(0, 1))).toContain(
    "a delivery has the outcome of its attempts",
  );
});

test("A notification is repeated only if a crash fell between the attempt and its record", () => {
  const repeats = attempts(({ endedAt }) => [
    {},
    { startedAt: endedAt + 6 * SECOND, endedAt: endedAt + 7 * SECOND },
  ]);
  expect(broken(OUTAGE, repeats)).toContain("a delivery has the outcome of its attempts");
  const crash = (afterMs: number) => (ledger: Ledger) => {
    repeats(ledger);
    const diedAt = (ledger.attempts[0]?.endedAt ?? 0) + afterMs;
    ledger.lives = [
      { node: 0, from: START, to: diedAt, end: "kill" },
      { node: 0, from: diedAt + 100, to: ledger.scenario.to, end: "end" },
    ];
  };
  expect(broken(OUTAGE, crash(20))).toEqual([]);
  expect(broken(OUTAGE, crash(5 * SECOND))).toContain("a delivery has the outcome of its attempts");
});

test("A retry before its delay, or much later, breaks a rule", () => {
  const retry = (afterMs: number) =>
    attempts(({ endedAt }) => [
      { outcome: "temporary" },
      { startedAt: endedAt + afterMs, endedAt: endedAt + afterMs + 50 },
    ]);
  expect(broken(OUTAGE, retry(5 * SECOND))).toEqual([]);
  expect(broken(OUTAGE, retry(3 * SECOND))).toEqual(["retries wait"]);
  expect(broken(OUTAGE, retry(MINUTE))).toEqual(["retries come in time"]);
});

test("A delivery that gives up too early, or retries a final failure, breaks a rule", () => {
  const rule = "a delivery has the outcome of its attempts";
  const givesUp = (ledger: Ledger) => {
    attempts(() => [{ outcome: "temporary" }])(ledger);
    Object.assign(ledger.deliveries[0] ?? {}, { status: "failed" });
  };
  expect(broken(OUTAGE, givesUp)).toContain(rule);
  const retriesFinal = attempts(({ endedAt }) => [
    { outcome: "permanent" },
    { startedAt: endedAt + 5 * SECOND, endedAt: endedAt + 6 * SECOND },
  ]);
  expect(broken(OUTAGE, retriesFinal)).toContain(rule);
});

test("Notifications in a wrong order, or at the same time, break rules", () => {
  const swaps = (ledger: Ledger) => {
    const [first, second] = ledger.attempts;
    if (first && second)
      [first.startedAt, second.startedAt, first.endedAt, second.endedAt] = [
        second.startedAt,
        first.startedAt,
        second.endedAt,
        first.endedAt,
      ];
  };
  expect(broken(OUTAGE, swaps)).toContain("notifications arrive in order");
  const overlaps = attempts(({ startedAt }) => [
    { outcome: "temporary" },
    { startedAt: startedAt + 10, endedAt: startedAt + 90 },
  ]);
  expect(broken(OUTAGE, overlaps)).toContain("one attempt of a channel at a time");
});

test("An attempt with another content, or of an unknown delivery, breaks a rule", () => {
  expect(broken(OUTAGE, ({ attempts: [first] }) => Object.assign(first ?? {}, { status: "up" }))).toContain(
    "each attempt has the content of its delivery",
  );
  expect(broken(OUTAGE, ({ attempts: [first] }) => Object.assign(first ?? {}, { id: "unknown" }))).toContain(
    "each attempt has a delivery",
  );
});

test("A stall delays a notification only until it ends", () => {
  const stall: Fault = { kind: "stall", from: after(3), to: after(3) + 40 * SECOND };
  const delay = (byMs: number) => (ledger: Ledger) => {
    const [first] = ledger.attempts;
    if (first) Object.assign(first, { startedAt: first.startedAt + byMs, endedAt: first.endedAt + byMs });
  };
  const rule = "a notification is sent at once";
  expect(broken({ ...OUTAGE, faults: [stall] }, delay(40 * SECOND))).not.toContain(rule);
  expect(broken({ ...OUTAGE, faults: [stall] }, delay(60 * SECOND))).toContain(rule);
});

const HOUR = 60 * MINUTE;
const REPEATED = "a recovery that its receiver did not get is sent again";
const NEEDLESS = "only a recovery that its receiver did not get is sent again";

/** The recovery is refused, after all its attempts for now, or at the first one for good. It may be sent again later. */
function refuses(outcome: "temporary" | "permanent", againAfter?: number) {
  return (ledger: Ledger) => {
    const recovery = ledger.deliveries.findLast(({ monitor }) => monitor === "web");
    const [attempt] = ledger.attempts.filter(({ id }) => id === recovery?.id);
    if (!recovery || !attempt) throw new Error("there must be a recovery");
    const attempts = [{ ...attempt, outcome }];
    const delays =
      outcome === "permanent" ? [] : [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
    for (const delay of delays) {
      const startedAt = (attempts.at(-1)?.endedAt ?? 0) + delay;
      attempts.push({ ...attempt, outcome, startedAt, endedAt: startedAt + 50 });
    }
    Object.assign(recovery, { status: "failed", attempts: attempts.length });
    const others = ledger.attempts.filter(({ id }) => id !== recovery.id);
    ledger.attempts = [...others, ...attempts];
    if (againAfter !== undefined) {
      const startedAt = (attempts.at(-1)?.endedAt ?? 0) + againAfter;
      const again = { ...recovery, id: "again", createdAtWall: startedAt - 10 };
      ledger.deliveries.push({ ...again, status: "delivered", attempts: 1 });
      ledger.attempts.push({ ...attempt, id: "again", startedAt, endedAt: startedAt + 50 });
    }
    ledger.deliveries.sort((a, b) => a.createdAtWall - b.createdAtWall);
  };
}

test("A recovery that its receiver did not get is sent again within an hour, and not before", () => {
  expect(broken(OUTAGE, refuses("temporary", HOUR))).toEqual([]);
  expect(broken(OUTAGE, refuses("temporary"))).toEqual([REPEATED]);
  expect(broken(OUTAGE, refuses("temporary", 2 * HOUR))).toEqual([REPEATED]);
  expect(broken(OUTAGE, refuses("temporary", HOUR / 2))).toEqual([NEEDLESS]);
  expect(broken(OUTAGE, refuses("permanent"))).toEqual([]);
  expect(broken(OUTAGE, refuses("permanent", HOUR))).toEqual([NEEDLESS]);
  expect(broken({ down: [3, 5], hours: 6 }, refuses("temporary"))).toEqual([]);
});

test("A recovery that its receiver did not get is sent again as soon as it takes anything", () => {
  // The job misses its run within that hour.
  const truth = { ...OUTAGE, deadHours: [6] };
  const takenAfter = (ledger: Ledger) => {
    refuses("temporary")(ledger);
    const [missed, failed] = ["job", "web"].map((name) =>
      ledger.attempts.filter(({ monitor }) => monitor === name),
    );
    return (missed?.[0]?.endedAt ?? 0) - (failed?.at(-1)?.endedAt ?? 0);
  };
  const after = takenAfter(truthfulLedger(truth));
  expect(after).toBeWithin(0, HOUR);
  expect(broken(truth, refuses("temporary", after + SECOND))).toEqual([]);
  expect(broken(truth, refuses("temporary", HOUR))).toEqual([REPEATED]);
});

test("What a receiver has got is not sent again", () => {
  const repeats = (ledger: Ledger) => {
    const [first] = ledger.deliveries;
    const [attempt] = ledger.attempts;
    if (!first || !attempt) return;
    const startedAt = attempt.endedAt + HOUR;
    ledger.deliveries.splice(1, 0, { ...first, id: "again", createdAtWall: startedAt - 10 });
    ledger.attempts.splice(1, 0, { ...attempt, id: "again", startedAt, endedAt: startedAt + 50 });
  };
  expect(broken(OUTAGE, repeats)).toEqual([NEEDLESS]);
});
