import { expect, test } from "bun:test";
import { check } from "../../../scripts/nemesis/checker/check.ts";
import { countHealthySlots } from "../../../scripts/nemesis/checker/slots.ts";
import type { Attempt, Log, StoredResult } from "../../../scripts/nemesis/log.ts";
import { after, truthfulLog } from "./truthful-log.ts";

/** The rules that a changed log breaks, each once. */
function broken(lie: (log: Log) => void): string[] {
  const log = truthfulLog();
  lie(log);
  return [...new Set(check(log).map(({ rule }) => rule))].sort();
}

function resultsOf(log: Log, name: string): StoredResult[] {
  return log.results[name] ?? [];
}

/** Records the results of a time as another status. */
function relabel(log: Log, name: string, status: string, { from, to }: { from: number; to: number }): void {
  for (const row of resultsOf(log, name))
    if (row.createdAt > after(from) && row.createdAt < after(to)) row.status = status;
}

/** A repetition of the first notification. */
function repetition(log: Log, delay: number): Attempt {
  const [first] = log.attempts as [Attempt];
  return { ...first, from: first.from + delay, to: first.to + delay };
}

test("a log in which everything is right breaks no rule", () => {
  expect(check(truthfulLog())).toEqual([]);
  expect(truthfulLog().attempts).toHaveLength(4);
  expect(countHealthySlots(truthfulLog())).toBeGreaterThan(20);
});

test("behavior 12.65: a target without a result for longer than interval, timeout and 15 s is found", () => {
  const drop = (from: number, to: number) => (log: Log) => {
    log.results.name = resultsOf(log, "name").filter(
      ({ createdAt }) => createdAt < after(from) || createdAt > after(to),
    );
  };
  expect(broken(drop(10, 26))).toEqual([]);
  expect(broken(drop(10, 33))).toEqual(["unchecked"]);
  expect(broken(drop(95, 130))).toContain("unchecked");
  expect(broken(drop(0, 23))).toEqual(["unchecked"]);
});

test("a longer delay is right only while a fault follows another one, or while nobody can check", () => {
  const drop = (log: Log) => {
    log.results.name = resultsOf(log, "name").filter(
      ({ createdAt }) => createdAt < after(10) || createdAt > after(38),
    );
  };
  const fault = (from: number, to: number, changes: object) => (log: Log) => {
    drop(log);
    log.faults.push({ kind: "kill", node: 0, from: after(from), to: after(to), ...changes });
  };
  expect(broken(drop)).toEqual(["unchecked"]);
  expect(broken(fault(12, 14, {}))).toEqual(["unchecked"]);
  expect(
    broken((log) => {
      fault(11, 14, {})(log);
      fault(26, 28, { kind: "stop", node: 1 })(log);
    }),
  ).toEqual([]);
  expect(broken(fault(10, 26, { kind: "crash", node: null }))).toEqual([]);
  expect(broken(fault(10, 26, { kind: "delay" }))).toEqual(["unchecked"]);
  expect(
    broken((log) => {
      for (const node of [0, 1, 2]) fault(10, 26, { kind: "cut", node })(log);
    }),
  ).toEqual([]);
});

test("behavior 12.66: a slot that is checked twice is found while all nodes are healthy", () => {
  const again = (seconds: number) => (log: Log) => {
    const first = log.arrivals.name?.find((time) => time > after(seconds)) ?? 0;
    log.arrivals.name?.push(first + 700);
  };
  expect(broken(again(20))).toEqual(["slot"]);
  // During the fault of a node, another one may repeat what it has begun.
  expect(broken(again(80))).toEqual([]);
});

test("behavior 12.66: a slot that is recorded twice is found, also during a fault", () => {
  const again = (seconds: number) => (log: Log) => {
    const rows = resultsOf(log, "name");
    const at = rows.findIndex(({ createdAt }) => createdAt > after(seconds));
    const row = rows[at] as StoredResult;
    rows.splice(at + 1, 0, { ...row, id: `${row.id}a`, createdAt: row.createdAt + 900 });
  };
  expect(broken(again(20))).toEqual(["slot"]);
  expect(broken(again(80))).toEqual(["slot"]);
});

test("a late check may end in the next slot", () => {
  expect(
    broken((log) => {
      const rows = resultsOf(log, "name");
      const row = rows[5] as StoredResult;
      row.createdAt += 5000;
      row.took = 2000;
      (rows[6] as StoredResult).createdAt += 1200;
    }),
  ).toEqual([]);
});

test("a late check may start in the next slot, before the check of that slot", () => {
  const late = (delay: number) => (log: Log) => {
    const rows = resultsOf(log, "name");
    (rows[5] as StoredResult).createdAt += delay;
    (rows[6] as StoredResult).createdAt += 1200;
  };
  expect(broken(late(4100))).toEqual([]);
  expect(broken(late(5100))).toEqual(["slot"]);
});

test("a status that the log of the target does not explain is found", () => {
  expect(broken((log) => relabel(log, "name", "missing", { from: 20, to: 25 }))).toContain("false status");
  expect(broken((log) => relabel(log, "name", "changed", { from: 20, to: 25 }))).toContain("false status");
  expect(broken((log) => relabel(log, "site", "up", { from: 50, to: 60 }))).toContain("false status");
  expect(broken((log) => relabel(log, "site", "degraded", { from: 20, to: 25 }))).toContain("false status");
});

test("a missed run of a job that sent a check-in is found", () => {
  expect(
    broken((log) => {
      const missed = resultsOf(log, "job").find(({ status }) => status === "havent_heard") as StoredResult;
      missed.createdAt = after(48);
    }),
  ).toContain("false status");
});

test("a missed run that nobody noticed is found", () => {
  expect(
    broken((log) => {
      log.results.job = resultsOf(log, "job").filter(({ status }) => status !== "havent_heard");
    }),
  ).toContain("unnoticed silence");
});

test("an acknowledged check-in without a result is found", () => {
  const lose = (log: Log) => {
    log.results.job?.splice(1, 1);
  };
  expect(broken(lose)).toEqual(["lost check-in"]);
  expect(
    broken((log) => {
      lose(log);
      const [, second] = log.checkins.job ?? [];
      if (second) second.answeredAt = null;
    }),
  ).toEqual([]);
  expect(
    broken((log) => {
      const [, second] = resultsOf(log, "job");
      if (second) second.createdAt += 5000;
    }),
  ).toEqual(["invented check-in", "lost check-in"]);
});

test("a check-in that is recorded twice, or that nobody sent, is found", () => {
  const add = (seconds: number) => (log: Log) => {
    const rows = resultsOf(log, "job");
    rows.splice(1, 0, { ...(rows[0] as StoredResult), id: "job 000a", createdAt: after(seconds) });
  };
  expect(broken(add(2))).toEqual(["invented check-in"]);
  expect(broken(add(7))).toEqual(["invented check-in"]);
  const unanswered = { status: "ok", sentAt: after(7), answeredAt: null } as const;
  expect(
    broken((log) => {
      add(8)(log);
      log.checkins.job?.splice(1, 0, unanswered);
    }),
  ).toEqual([]);
});

test("a transition without a delivery, with two, or without an alert is found", () => {
  expect(broken((log) => log.deliveries.hook?.splice(0, 1))).toContain("transition");
  expect(
    broken((log) => {
      const [first] = log.deliveries.hook ?? [];
      if (first) log.deliveries.hook?.push({ ...first, id: "another" });
    }),
  ).toContain("transition");
  expect(
    broken((log) => {
      const down = resultsOf(log, "site").find(({ alertTriggered }) => alertTriggered);
      if (down) down.alertTriggered = false;
    }),
  ).toEqual(["transition"]);
  expect(
    broken((log) => {
      const [first] = log.deliveries.hook ?? [];
      if (first) first.previousStatus = "unknown";
    }),
  ).toEqual(["transition"]);
});

test("a result that triggers an alert without a transition is found", () => {
  expect(
    broken((log) => {
      const row = resultsOf(log, "name")[7];
      if (row) row.alertTriggered = true;
    }),
  ).toEqual(["transition"]);
});

test("a node that shows another status or result than the database is found", () => {
  expect(
    broken((log) => {
      const [, second] = log.views;
      if (second) second.statuses.site = "down";
    }),
  ).toEqual(["view"]);
  expect(
    broken((log) => {
      const [first] = log.views;
      if (first) first.latest.name = "name 003";
    }),
  ).toEqual(["view"]);
});

test("a notification that did not arrive, or that is still pending, is found", () => {
  expect(broken((log) => log.attempts.pop())).toEqual(["lost notification"]);
  expect(
    broken((log) => {
      const last = log.deliveries.hook?.at(-1);
      if (last) last.status = "pending";
    }),
  ).toEqual(["lost notification"]);
  expect(
    broken((log) => {
      const last = log.attempts.at(-1);
      if (last) last.accepted = false;
    }),
  ).toEqual(["lost notification"]);
});

test("a notification of no delivery is found", () => {
  expect(
    broken((log) => {
      const last = log.attempts.at(-1);
      if (last) log.attempts.push({ ...last, id: "another", from: last.to + 50, to: last.to + 60 });
    }),
  ).toContain("unknown notification");
});

test("a repeated notification is found, except once per fault in between", () => {
  const kill = (at: number) => ({ kind: "kill", node: 0, from: at, to: at + 5 }) as const;
  const repeat = (times: number, faults: number) => (log: Log) => {
    const first = log.attempts[0]?.from ?? 0;
    for (let fault = 1; fault <= faults; fault++) log.faults.push(kill(first + 500 * fault));
    for (let time = 1; time <= times; time++) log.attempts.push(repetition(log, 600 * time + 500));
  };
  expect(broken(repeat(1, 0))).toEqual(["repeated notification"]);
  expect(broken(repeat(1, 1))).toEqual([]);
  expect(broken(repeat(2, 1))).toEqual(["repeated notification"]);
  expect(broken(repeat(2, 2))).toEqual([]);
});

test("a notification that failed is sent again", () => {
  expect(
    broken((log) => {
      log.attempts.push(repetition(log, 5000));
      const [first] = log.attempts;
      if (first) first.accepted = false;
    }),
  ).toEqual([]);
});

test("a notification before an earlier one of its channel is found", () => {
  expect(
    broken((log) => {
      const [first, second] = log.attempts as [Attempt, Attempt];
      [first.from, second.from] = [second.from, first.from];
      [first.to, second.to] = [second.to, first.to];
    }),
  ).toEqual(["order"]);
});

test("two attempts of one channel at the same time are found", () => {
  const parallel = (log: Log) => {
    const [first, second] = log.attempts as [Attempt, Attempt];
    first.accepted = true;
    Object.assign(first, { to: second.from + 20 });
  };
  expect(broken(parallel)).toEqual(["order"]);
  expect(
    broken((log) => {
      parallel(log);
      const from = (log.attempts[0]?.from ?? 0) + 1;
      log.faults.push({ kind: "stop", node: 0, from, to: from + 30_000 });
    }),
  ).toEqual([]);
});
