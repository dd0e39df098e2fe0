import { expect, test } from "bun:test";
import type { Fault, Ledger } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { after, notify, recount, START, type Truth, truthfulLedger } from "./truthful-ledger.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

function broken(truth: Truth, lie: (ledger: Ledger) => void = () => {}): string[] {
  const ledger = truthfulLedger(truth);
  lie(ledger);
  return [
    ...new Set(
      findViolations(ledger)
        .filter(({ monitor }) => monitor === "job")
        .map(({ rule }) => rule),
    ),
  ];
}

/** Consistent deliveries and uptime follow from the changed results of `job`. */
function changeResults(edit: (results: Ledger["results"]) => Ledger["results"]) {
  return (ledger: Ledger) => {
    ledger.results = edit(ledger.results).sort((a, b) => a.createdAtWall - b.createdAtWall);
    notify("job", ledger);
    recount(ledger);
  };
}

const isMiss = ({ status }: Ledger["results"][number]) => status === "havent_heard";

function miss(at: number): Ledger["results"][number] {
  return { monitor: "job", status: "havent_heard", latencyMs: null, detail: null, createdAtWall: at };
}

/** All misses moved. */
function delayed(byMs: number) {
  return changeResults((results) =>
    results.map((one) => (isMiss(one) ? { ...one, createdAtWall: one.createdAtWall + byMs } : one)),
  );
}

const LATE = "only a late job is late";
const NOTICED = "a late job is noticed in its window";

test("A dead job that is never noticed breaks a rule", () => {
  expect(broken({ deadHours: [7, 8, 9] })).toEqual([]);
  expect(
    broken(
      { deadHours: [7, 8, 9] },
      changeResults((results) => results.filter((one) => !isMiss(one))),
    ),
  ).toEqual([NOTICED]);
});

test("A missed run that is forgotten or counted twice breaks a rule", () => {
  const withoutSecond = changeResults((results) =>
    results.filter((one, at) => !isMiss(one) || !results.slice(0, at).some(isMiss)),
  );
  expect(broken({ deadHours: [7, 8, 9] }, withoutSecond)).toEqual([NOTICED]);
  const twice = changeResults((results) =>
    results.flatMap((one) =>
      isMiss(one) ? [one, { ...one, createdAtWall: one.createdAtWall + 5 * MINUTE }] : [one],
    ),
  );
  expect(broken({ deadHours: [7, 8, 9] }, twice)).toEqual([LATE]);
});

test("A job that is late too early or too late breaks a rule", () => {
  expect(broken({ deadHours: [7, 8] }, delayed(-2 * SECOND))).toEqual([LATE]);
  expect(broken({ deadHours: [7, 8] }, delayed(2 * SECOND))).toEqual([LATE]);
});

test("A job in time that is reported as late breaks a rule", () => {
  expect(
    broken(
      {},
      changeResults((results) => [...results, miss(after(7) + 30 * MINUTE)]),
    ),
  ).toEqual([LATE]);
});

test("An outage of the service extends a window once, and does not hide a dead job", () => {
  const end = { from: after(7) + 30 * MINUTE, to: after(8) };
  const restarts = (ledger: Ledger) => {
    ledger.lives = [
      { node: 0, from: START, to: end.from, end: "kill" },
      { node: 0, from: end.to, to: ledger.scenario.to, end: "end" },
    ];
    ledger.checks = [];
    ledger.results = ledger.results.filter(({ monitor }) => monitor === "job");
  };
  // The last check-in is at 06:01, its window ends at 07:13: before the outage.
  expect(broken({ deadHours: [7, 8, 9, 10] }, restarts)).not.toContain(NOTICED);
  // The last check-in is at 07:01, its window ends in the outage at 08:13, and starts again at 08:00: 09:12.
  const waits = (byMs: number) => (ledger: Ledger) => {
    restarts(ledger);
    changeResults((results) => [
      ...results.filter((one) => !isMiss(one)),
      ...[0, 1].map((hour) => miss(end.to + 72 * MINUTE + byMs + hour * HOUR)),
    ])(ledger);
  };
  expect(broken({ deadHours: [8, 9, 10] }, waits(0))).toEqual([]);
  expect(broken({ deadHours: [8, 9, 10] }, waits(10 * MINUTE))).toContain(LATE);
  expect(broken({ deadHours: [8, 9, 10] }, restarts)).toContain(LATE);
  const forgets = (ledger: Ledger) => {
    restarts(ledger);
    changeResults((results) => results.filter((one) => !isMiss(one)))(ledger);
  };
  expect(broken({ deadHours: [8, 9, 10] }, forgets)).toContain(NOTICED);
});

test("A clock that was set back does not delay a late job", () => {
  const step: Fault = { kind: "clock-step", from: after(6), to: after(7) + 20 * MINUTE, byMs: 3 * HOUR };
  const shown = (ledger: Ledger) => {
    for (const one of ledger.results)
      if (step.from <= one.createdAtWall && one.createdAtWall < step.to) one.createdAtWall += 3 * HOUR;
    notify("job", ledger);
  };
  expect(broken({ deadHours: [8, 9], faults: [step] }, shown)).toEqual([]);
  expect(
    broken({ deadHours: [8, 9], faults: [step] }, (ledger) => {
      shown(ledger);
      delayed(40 * MINUTE)(ledger);
    }),
  ).toContain(LATE);
});

test("A check-in that is answered and not recorded breaks a rule, and so does one that is refused without a fault", () => {
  const lost = (ledger: Ledger) => {
    ledger.results = ledger.results.filter(
      ({ monitor, createdAtWall }) => monitor !== "job" || createdAtWall !== after(7) + MINUTE,
    );
    recount(ledger);
  };
  expect(broken({}, lost)).toContain("each accepted check-in is recorded");
  const refused = (ledger: Ledger) => {
    lost(ledger);
    for (const call of ledger.checkins) if (call.at === after(7) + MINUTE) call.accepted = false;
  };
  expect(broken({}, refused)).toContain("only own faults refuse a check-in");
  const full: Fault = { kind: "disk-full", from: after(7), to: after(7) + 3 * MINUTE };
  expect(broken({ faults: [full] }, refused)).not.toContain("only own faults refuse a check-in");
});

test("A check-in with a wrong status breaks a rule", () => {
  const lie = changeResults((results) =>
    results.map((one) => (one.createdAtWall === after(7) + MINUTE ? { ...one, status: "failed" } : one)),
  );
  expect(broken({}, lie)).toContain("each result has a check-in");
});

/** The results of a job that is dead from the check-in at 07:00 or another time on. */
function dead(checkins: readonly number[], misses: readonly number[]) {
  return (ledger: Ledger) => {
    const [, job] = ledger.scenario.monitors;
    if (job) job.checkins = checkins.map((at) => ({ at, status: "ok" }));
    ledger.checkins = checkins.map((at) => ({ monitor: "job", at, status: "ok", accepted: true }));
    ledger.results = [
      ...checkins.map((at) => ({ ...miss(at), status: "ok" as const })),
      ...misses.map(miss),
    ].sort((a, b) => a.createdAtWall - b.createdAtWall);
    notify("job", ledger);
    recount(ledger);
  };
}

test("A job with cron is late by the clock of its time zone", () => {
  // 02:30 does not exist in Berlin on 29 March 2026, and occurs twice on 25 October.
  const config = { interval: 300, cron: "30 6 * * *", timezone: "Europe/Berlin" };
  const run = START + 4.5 * HOUR;
  expect(broken({ hours: 48, config }, dead([run], [run + DAY + HOUR]))).toEqual([]);
  expect(broken({ hours: 48, config }, dead([run], [run + DAY + 2 * HOUR]))).toEqual([LATE]);
  expect(broken({ hours: 48, config }, dead([run], []))).toEqual([NOTICED]);
});

test("A learned rhythm gives a fifth of its period as grace, after three gaps", () => {
  const config = { interval: 300 };
  const calls = [0, 1, 2, 3, 4].map((hour) => after(hour) + MINUTE);
  const deadline = after(4) + MINUTE + 72 * MINUTE;
  const misses = Array.from({ length: 19 }, (_, hour) => deadline + hour * HOUR);
  expect(broken({ config }, dead(calls, misses))).toEqual([]);
  expect(broken({ config }, dead(calls, misses.slice(1)))).toEqual([LATE]);
  expect(broken({ config }, dead(calls, []))).toEqual([NOTICED]);
  expect(broken({ config }, dead(calls.slice(0, 3), []))).toEqual([]);
  expect(broken({ config }, dead(calls.slice(0, 3), [after(2) + 73 * MINUTE]))).toEqual([LATE]);
});

test("A weekday job is late on its first weekend only", () => {
  const config = { interval: 300 };
  const weekdays = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14].map((day) => START + day * DAY + HOUR);
  const firstWeekend = START + 5 * DAY + 2 * HOUR;
  const misses = [firstWeekend, firstWeekend + DAY];
  expect(broken({ hours: 24 * 15, config }, dead(weekdays, misses))).toEqual([]);
  const again = misses.map((at) => at + 7 * DAY);
  expect(broken({ hours: 24 * 15, config }, dead(weekdays, [...misses, ...again]))).toEqual([LATE]);
});
