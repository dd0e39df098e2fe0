import { expect, test } from "bun:test";
import {
  type HeartbeatState,
  type JobConfig,
  silentHeartbeat,
} from "../../../src/domain/heartbeats/heartbeat.ts";
import { afterMiss } from "../../../src/domain/heartbeats/missed-runs.ts";
import { afterReport, afterStart } from "../../../src/domain/heartbeats/reports.ts";
import { afterEdit } from "../../../src/domain/heartbeats/run-steps.ts";
import { at, DAY, HOUR, MINUTE, SECOND } from "./walk.ts";

/** A job that reports its runs. Times are milliseconds since 1970. */
class RunWalk {
  state: HeartbeatState = silentHeartbeat;
  missed: string[] = [];
  overran: string[] = [];

  constructor(readonly config: JobConfig) {}

  start(time: number, rid?: string): this {
    this.listen(time);
    const start = { at: time, report: rid === undefined ? {} : { rid }, isPaused: false };
    this.state = afterStart(this.state, this.config, start).state;
    return this;
  }

  end(time: number, rid?: string): this {
    this.listen(time);
    const end = { at: time, report: rid === undefined ? {} : { rid }, isOk: true, isPaused: false };
    this.state = afterReport(this.state, this.config, end).state;
    return this;
  }

  run(time: number, length: number): this {
    return this.start(time).end(time + length);
  }

  listen(until: number): this {
    const { state, missedAt, overranAt } = afterMiss(this.state, this.config, { now: until });
    this.state = state;
    this.missed.push(...missedAt.map(textOf));
    this.overran.push(...overranAt.map(textOf));
    return this;
  }
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}

test("behavior 18.21: a start a moment before its time in cron counts for that run, as a check-in does", () => {
  const walk = new RunWalk({ cron: "0 * * * *" });
  const from = at("2027-01-04T00:00:00Z");
  for (let hour = 0; hour < 12; hour++) walk.run(from + hour * HOUR - 400, 20 * SECOND);
  expect(walk.missed).toEqual([]);
  walk.listen(from + 13 * HOUR);
  expect(walk.missed).toEqual(["2027-01-04T12:12:00.000Z"]);
});

test("behavior 18.21: so does an early start while an earlier run, which is on time too, is open", () => {
  const walk = new RunWalk({ cron: "0 * * * *" });
  const from = at("2027-01-04T00:00:00Z");
  for (let hour = 0; hour < 20; hour++) {
    walk.start(from + hour * HOUR - 400, `${hour}`);
    // Two runs end after every other start, one of them after the grace of its run.
    if (hour < 4 || hour % 2 > 0) continue;
    walk.end(from + hour * HOUR + MINUTE, `${hour - 3}`).end(from + hour * HOUR + 20 * MINUTE, `${hour - 2}`);
  }
  expect(walk.missed.filter((time) => time > textOf(from + 9 * HOUR))).toEqual([]);
});

test("behavior 18.21: so does an early start each minute, whose run before may still be in its grace", () => {
  const walk = new RunWalk({ cron: "* * * * *" });
  const from = at("2027-01-04T00:00:00Z");
  for (let minute = 0; minute < 30; minute++)
    walk.run(from + minute * MINUTE + (minute % 2 > 0 ? -30 : 300), 30 * SECOND);
  expect(walk.missed).toEqual([]);
});

test("behavior 18.21: so does the early start of a run that overran and ended late: the run after it is missed at its own deadline", () => {
  const walk = new RunWalk({ cron: "* * * * *" });
  const from = at("2027-01-04T00:00:00Z");
  for (let minute = 0; minute < 10; minute++) walk.run(from + minute * MINUTE - 1500, 4 * SECOND);
  walk.run(from + 10 * MINUTE - 1500, 75 * SECOND).listen(from + 13 * MINUTE);
  expect(walk.overran).toEqual(["2027-01-04T00:11:02.500Z"]);
  expect(walk.missed).toEqual(["2027-01-04T00:12:00.000Z"]);
});

test("behavior 18.21: the start of a run that hung teaches the rhythm too, here that of weekdays", () => {
  const walk = new RunWalk({});
  const monday = at("2027-01-04T06:00:00Z");
  for (let day = 0; day < 28; day++) {
    if (day % 7 > 4) continue;
    // On the Friday of the second week, it hangs until its next start replaces it.
    if (day === 11) walk.start(monday + day * DAY);
    else walk.run(monday + day * DAY, (40 + (day % 3) * 5) * MINUTE);
  }
  expect(walk.missed.map((time) => time.slice(0, 10))).toEqual([
    "2027-01-09",
    "2027-01-10",
    "2027-01-16",
    "2027-01-17",
  ]);
});

test("behavior 18.15: a run takes too long no earlier than its limit became known", () => {
  const walk = new RunWalk({ period: 3600 });
  const from = at("2027-01-04T00:00:00Z");
  walk.start(from, "stuck");
  for (let hour = 0; hour < 5; hour++)
    walk.start(from + hour * HOUR + 1, `${hour}`).end(from + hour * HOUR + 5 * MINUTE, `${hour}`);
  walk.listen(from + 4.5 * HOUR);
  expect(walk.overran).toEqual(["2027-01-04T04:05:00.000Z"]);
});

test("behavior 18.15: a run takes too long no earlier than an edit made its limit so short", () => {
  const walk = new RunWalk({ period: 86_400 });
  const from = at("2027-01-04T00:00:00Z");
  walk.run(from, MINUTE).start(from + DAY);
  const after = { ...walk.config, maxRunTime: 60 };
  walk.state = afterEdit(walk.state, { before: walk.config, after }, from + DAY + 10 * MINUTE);
  const { overranAt } = afterMiss(walk.state, after, { now: from + DAY + 11 * MINUTE });
  expect(overranAt).toEqual([from + DAY + 10 * MINUTE]);
});
