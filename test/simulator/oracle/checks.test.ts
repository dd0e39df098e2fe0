import { expect, test } from "bun:test";
import type { Ledger } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { after, notify, recount, type Truth, truthfulLedger } from "./truthful-ledger.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** The rules that a ledger breaks, each once. @param lie changes what the server says */
function broken(truth: Truth, lie: (ledger: Ledger) => void = () => {}): string[] {
  const ledger = truthfulLedger(truth);
  lie(ledger);
  return [...new Set(findViolations(ledger).map(({ rule }) => rule))];
}

/** The results of `web` from an hour on; consistent deliveries and uptime follow from them. */
function change(hour: number, count: number, edit: (result: Ledger["results"][number]) => void) {
  return (ledger: Ledger) => {
    const own = ledger.results.filter((one) => one.monitor === "web" && one.createdAtWall >= after(hour));
    for (const result of own.slice(0, count)) edit(result);
    notify("web", ledger);
    recount(ledger);
  };
}

function removeResults(hour: number, count: number) {
  return (ledger: Ledger) => {
    const own = ledger.results.filter((one) => one.monitor === "web" && one.createdAtWall >= after(hour));
    ledger.results = ledger.results.filter((one) => !own.slice(0, count).includes(one));
    notify("web", ledger);
    recount(ledger);
  };
}

test("A truthful ledger breaks no rule", () => {
  expect(broken({})).toEqual([]);
  expect(broken({ down: [3, 5] })).toEqual([]);
  expect(broken({ slow: [6, 6.5] })).toEqual([]);
  expect(broken({ deadHours: [7, 8, 9] })).toEqual([]);
});

test("A good target that is recorded as down breaks a rule", () => {
  const lie = change(4, 1, (result) => Object.assign(result, { status: "down", latencyMs: null }));
  expect(broken({}, lie)).toContain("the truth explains each status");
});

test("An outage that is recorded as up breaks rules", () => {
  const lie = change(3, 30, (result) => Object.assign(result, { status: "up", latencyMs: 100 }));
  expect(broken({ down: [3, 5] }, lie)).toContain("no outage is missed");
});

test("A slow target must be degraded, and a usual one must not", () => {
  const rule = "the truth explains each status";
  expect(
    broken(
      { slow: [6, 6.5] },
      change(6, 1, (result) => Object.assign(result, { status: "up" })),
    ),
  ).toContain(rule);
  expect(
    broken(
      {},
      change(6, 1, (result) => Object.assign(result, { status: "degraded" })),
    ),
  ).toContain(rule);
});

test("A stalled check recorded as down breaks a rule, and so does one that is never repeated", () => {
  const stall = { kind: "stall" as const, from: after(4), to: after(4) + 30 * SECOND };
  const lie = change(4, 1, (result) => Object.assign(result, { status: "down", latencyMs: null }));
  expect(broken({ faults: [stall] }, lie)).toContain("the truth explains each status");
  const forgets = (ledger: Ledger) => {
    ledger.checks = ledger.checks.filter(({ startedAt }) => startedAt < after(4) || startedAt > after(5));
    ledger.results = ledger.results.filter(
      (one) => one.monitor !== "web" || one.createdAtWall < after(4) || one.createdAtWall > after(5),
    );
    recount(ledger);
  };
  expect(broken({ faults: [stall] }, forgets)).toContain("a monitor is checked once per interval");
});

test("A lost result breaks a rule, except if the process was killed before it was written", () => {
  expect(broken({}, removeResults(4, 1))).toContain("each check is recorded");
  const ends = (ledger: Ledger) => {
    removeResults(4, 1)(ledger);
    const check = ledger.checks.find(({ startedAt }) => startedAt >= after(4));
    const diedAt = (check?.endedAt ?? 0) + 30;
    const { to } = ledger.scenario;
    ledger.lives = [
      { node: 0, from: after(0), to: diedAt, end: "kill" },
      { node: 0, from: diedAt + SECOND, to, end: "end" },
    ];
  };
  expect(broken({}, ends)).toEqual([]);
});

test("Held results may be lost only while the disk is full", () => {
  const full = { kind: "disk-full" as const, from: after(4) - MINUTE, to: after(4.5) };
  expect(broken({ faults: [full] }, removeResults(4, 1))).toContain("each check is recorded");
});

test("A result without a check breaks a rule", () => {
  const lie = (ledger: Ledger) => {
    const result = ledger.results.find((one) => one.monitor === "web" && one.createdAtWall > after(4));
    if (result) ledger.results.splice(ledger.results.indexOf(result), 0, { ...result });
    recount(ledger);
  };
  expect(broken({}, lie)).toContain("each result has a check");
});

test("A result of an inconclusive check breaks a rule", () => {
  const lie = (ledger: Ledger) => {
    const check = ledger.checks.find(({ startedAt }) => startedAt > after(4));
    if (check) check.observation = { outcome: "inconclusive", message: "" };
  };
  expect(broken({}, lie)).toContain("own faults record nothing");
});

test("A wrong latency breaks a rule", () => {
  const rule = "the latency is that of the target";
  expect(
    broken(
      {},
      change(4, 1, (result) => Object.assign(result, { latencyMs: 101 })),
    ),
  ).toContain(rule);
  expect(
    broken(
      {},
      change(4, 1, (result) => Object.assign(result, { latencyMs: null })),
    ),
  ).toContain(rule);
});

test("A check too much breaks a rule", () => {
  const lie = (ledger: Ledger) => {
    const at = ledger.checks.findIndex(({ startedAt }) => startedAt > after(4));
    const check = ledger.checks[at];
    if (!check) return;
    const extra = { ...check, startedAt: check.startedAt + MINUTE, endedAt: check.endedAt + MINUTE };
    ledger.checks.splice(at + 1, 0, extra);
  };
  expect(broken({}, lie)).toContain("checks keep their phase");
});

test("A check that starts before the end of the previous one breaks a rule", () => {
  const lie = (ledger: Ledger) => {
    const at = ledger.checks.findIndex(({ startedAt }) => startedAt > after(4));
    const [check, next] = ledger.checks.slice(at);
    if (check && next) check.endedAt = next.startedAt + 1;
  };
  expect(broken({}, lie)).toContain("checks of one monitor never overlap");
});

test("A cancelled check breaks a rule, except if the clock was set back while it ran", () => {
  const cancel = (ledger: Ledger) => {
    removeResults(4, 1)(ledger);
    const check = ledger.checks.find(({ startedAt }) => startedAt > after(4));
    Object.assign(check ?? {}, { cancelled: true, observation: { outcome: "inconclusive", message: "" } });
    return check?.endedAt ?? Number.NaN;
  };
  const rule = "a check is cancelled only for another one";
  expect(broken({}, cancel)).toContain(rule);
  const step = { kind: "clock-step" as const, from: after(3), to: cancel(truthfulLedger({})), byMs: MINUTE };
  expect(broken({ faults: [step] }, cancel)).not.toContain(rule);
});

test("A monitor that is not checked after the clock was set back breaks a rule", () => {
  const step = { kind: "clock-step" as const, from: after(4) + MINUTE, to: after(5), byMs: 7_200_000 };
  const lie = (ledger: Ledger) => {
    const isGone = (at: number) => at > after(5) && at < after(7);
    ledger.checks = ledger.checks.filter(({ startedAt }) => !isGone(startedAt));
    ledger.results = ledger.results.filter((one) => one.monitor !== "web" || !isGone(one.createdAtWall));
  };
  expect(broken({ faults: [step] }, lie)).toContain("a monitor is checked once per interval");
});

test("A wrong uptime and a wrong final status break rules", () => {
  expect(broken({ down: [3, 5] }, ({ uptimes }) => uptimes.set("web", "91.67%"))).toContain(
    "the uptime is the share of good results",
  );
  expect(broken({}, ({ uptimes }) => uptimes.set("web", "99.99%"))).not.toEqual([]);
  expect(broken({}, ({ statuses }) => statuses.set("web", "down"))).toEqual([
    "the status is that of the last result",
  ]);
});
