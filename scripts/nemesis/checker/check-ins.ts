import type { Log, LoggedMonitor, SentCheckin, StoredResult } from "../log.ts";
import { absences } from "./fault-spans.ts";
import { overlap } from "./spans.ts";
import { at, seconds, type Violation } from "./violation.ts";

/** The clock of a node follows the clock of the database with this error at most; milliseconds. */
const CLOCK_ERROR = 100;

/** How long after its deadline a missed run is recorded, at the latest; milliseconds. */
const MISS_DELAY = 25_000;

/**
 * Every acknowledged check-in has a result of its own, with its status and a time between the request and the response.
 * All other results of a job belong to a check-in without an acknowledgement, at most one each, or are missed runs.
 */
export function findLostCheckins(log: Log): Violation[] {
  return jobsOf(log).flatMap((job) => lostOf(log, job));
}

/** A job that is silent for longer than its window, and as long as a takeover takes, has missed its run. */
export function findUnnoticedSilences(log: Log): Violation[] {
  const away = absences(log);
  return jobsOf(log).flatMap(({ name, window }) =>
    silencesOf(log, name)
      .filter((silence) => {
        // After an outage of the service, a job gets another window (behavior 3.22).
        const outage = overlap(away, silence);
        const due = silence.from + window + MISS_DELAY + outage + (outage > 0 ? window : 0);
        return due < silence.to && !isNoticed(log.results[name] ?? [], silence);
      })
      .map(({ from, to }) => ({
        rule: "unnoticed silence",
        message: `${name}: silent for ${seconds(to - from)} from ${at(log, from)}, and no missed run`,
      })),
  );
}

function lostOf(log: Log, { name }: LoggedMonitor): Violation[] {
  const sent = log.checkins[name] ?? [];
  const free = (log.results[name] ?? []).filter(({ status }) => status !== "havent_heard");
  const violations: Violation[] = [];
  for (const one of sent.filter(({ answeredAt }) => answeredAt !== null)) {
    const found = free.findIndex((result) => matches(one, result));
    if (found >= 0) free.splice(found, 1);
    else
      violations.push({ rule: "lost check-in", message: `${name}: ${one.status} of ${at(log, one.sentAt)}` });
  }
  const unknown = sent.filter(({ answeredAt }) => answeredAt === null);
  for (const result of free) {
    const found = unknown.findLastIndex((one) => matches(one, result));
    if (found >= 0) unknown.splice(found, 1);
    else
      violations.push({
        rule: "invented check-in",
        message: `${name}: ${result.status} at ${at(log, result.createdAt)} was sent by no job, or is recorded twice`,
      });
  }
  return violations;
}

function matches({ status, sentAt, answeredAt }: SentCheckin, result: StoredResult): boolean {
  const expected = status === "fail" ? "failed" : "ok";
  const until = (answeredAt ?? Number.POSITIVE_INFINITY) + CLOCK_ERROR;
  return result.status === expected && result.createdAt >= sentAt - CLOCK_ERROR && result.createdAt <= until;
}

/** From each check-in that may be recorded until the next one, or the end. */
function silencesOf({ checkins, whole }: Log, name: string) {
  const times = (checkins[name] ?? []).map(({ sentAt, answeredAt }) => ({
    sentAt,
    ended: answeredAt ?? sentAt,
  }));
  return times.map(({ ended }, index) => ({ from: ended, to: times[index + 1]?.sentAt ?? whole.to }));
}

function isNoticed(results: StoredResult[], { from, to }: { from: number; to: number }): boolean {
  return results.some(
    ({ status, createdAt }) => status === "havent_heard" && createdAt > from && createdAt < to,
  );
}

function jobsOf({ monitors }: Log): LoggedMonitor[] {
  return monitors.filter(({ type }) => type === "SCHEDULED");
}
