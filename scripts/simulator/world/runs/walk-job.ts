import { noLatency } from "../../../../src/domain/checks/latency-baseline.ts";
import { afterPause, judgedAt, silentHeartbeat } from "../../../../src/domain/heartbeats/heartbeat.ts";
import { afterResume } from "../../../../src/domain/heartbeats/run-steps.ts";
import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import {
  judgeEvent,
  type MonitorEvent,
  type NewResult,
  type Subject,
} from "../../../../src/domain/monitors/monitor-event.ts";
import { noise } from "../../truth/draw.ts";
import type { Message, RunJob } from "../../truth/runs/run-job.ts";

/**
 * A result of a job.
 *
 * @property at the time that it says, by a perfect clock @property judgedAt when the server recorded it
 * @property event the message that it answers; null if it is about silence
 */
export interface WalkedResult {
  at: number;
  judgedAt: number;
  seen: "ok" | "failed" | "missed" | "overrun" | "overlap";
  detail: NewResult["detail"];
  event: Message | null;
}

/** The events of a job and its server, by time. Steps of the clock, and the end of a time in which no server ran. */
export type Happening = { at: number } & (
  | { kind: "message"; message: Message }
  | { kind: "absence"; from: number }
  | { kind: "pause" | "resume" }
  | { kind: "step"; byMs: number }
);

export function happeningsOf({ messages, absences, stalls, pauses, steps }: RunJob): Happening[] {
  return [
    // First, so that a report that waited for the end of a stall is after it.
    ...[...absences, ...stalls].map(({ from, to }) => ({ kind: "absence" as const, at: to, from })),
    ...messages.map((message) => ({ kind: "message" as const, at: message.at, message })),
    ...pauses.flatMap(({ from, to }) => [
      { kind: "pause" as const, at: from },
      { kind: "resume" as const, at: to },
    ]),
    ...steps.map((step) => ({ kind: "step" as const, ...step })),
  ].sort((a, b) => a.at - b.at);
}

const SECOND = 1000;

/** How often the server looks at a job for nothing. */
const MAX_LOOKS = 3;

/** Lets the rules of the product judge the whole life of a job, on virtual time and without a database. @returns by time of recording */
export function walkJob(job: RunJob, happenings: readonly Happening[]): WalkedResult[] {
  const results: WalkedResult[] = [];
  let subject: Subject = {
    ...{ type: "SCHEDULED", status: "unknown", config: job.config as MonitorConfig, enabled: true },
    ...{ memory: null, baseline: noLatency, heartbeat: silentHeartbeat },
  };
  /** By how much the clock of the server is ahead. */
  let error = 0;
  const windowEnd = (at: number) => {
    const open = job.windows.find(({ from, to }) => from <= at - error && at - error < to);
    return open ? open.to + error : null;
  };
  for (const happening of happenings) {
    runUntil(happening.kind === "absence" ? happening.from : happening.at);
    take(happening);
  }
  runUntil(job.to);
  return results;

  /** While the server runs, it judges the job soon after the moment that the job is to be judged, and looks again if nothing changed. */
  function runUntil(until: number): void {
    let looked = 0;
    for (let looks = 0; looks < MAX_LOOKS; ) {
      const due = subject.enabled ? judgedAt(subject.heartbeat, job.config) : null;
      if (due === null) return;
      looks = due === looked ? looks + 1 : 0;
      looked = due;
      const at = due - error + 1 + looks * SECOND + Math.floor(noise(job.from, due) * job.noticedWithin);
      if (at >= until) return;
      judge({ kind: "silence", at: at + error }, at, null);
    }
  }

  function take(happening: Happening): void {
    const { at } = happening;
    switch (happening.kind) {
      case "message":
        judge(eventOf(happening.message, at + error), at, happening.message);
        return;
      case "absence":
        judge({ kind: "outage", from: happening.from + error, at: at + error }, at, null);
        return;
      case "pause":
        subject = { ...subject, enabled: false, heartbeat: afterPause(subject.heartbeat) };
        return;
      case "resume":
        subject = {
          ...subject,
          enabled: true,
          heartbeat: afterResume(subject.heartbeat, job.config, at + error),
        };
        return;
      case "step": {
        const from = at + error;
        error += happening.byMs;
        const when = { from, at: at + error };
        if (happening.byMs < 0) judge({ kind: "setback", ...when }, at, null);
        else judge({ kind: "outage", ...when, jump: happening.byMs }, at, null);
      }
    }
  }

  function judge(event: MonitorEvent, at: number, message: Message | null): void {
    const judged = judgeEvent({ ...subject, windowEnd }, event);
    subject = { ...subject, ...judged };
    for (const { status, detail, createdAt } of judged.results)
      results.push({
        at: createdAt - error,
        judgedAt: at,
        seen: seenBy(status, detail),
        detail,
        event: message,
      });
  }
}

function eventOf(message: Message, at: number): MonitorEvent {
  const report = { ...(message.rid !== undefined && { rid: message.rid }) };
  if (message.kind === "start") return { kind: "start", at, report };
  if (message.kind === "log") return { kind: "log", at, report: { ...report, output: OUTPUT } };
  return { kind: "checkin", status: message.isOk ? undefined : "fail", at, report };
}

const OUTPUT = new TextEncoder().encode("done\n");

function seenBy(status: NewResult["status"], detail: NewResult["detail"]): WalkedResult["seen"] {
  const reason = detail?.reason;
  if (reason === "overrun" || reason === "overlap") return reason;
  return status === "havent_heard" ? "missed" : status === "ok" ? "ok" : "failed";
}
