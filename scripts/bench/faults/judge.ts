import type { Notification, Report, Span, Target } from "./messages.ts";
import { GRACE, INTERVAL, PERIOD, type StoredResult } from "./scene.ts";

/** Wrong behavior of a server, in numbers and in words. */
export interface Verdict {
  results: number;
  notifications: number;
  falseStatuses: string[];
  falseNotifications: string[];
  missed: string[];
  lostOrRepeated: string[];
}

export interface Run {
  targets: readonly Target[];
  report: Report;
  results: Map<string, StoredResult[]>;
  /** From the creation of the monitors until the results were read. */
  whole: Span;
  fault: Span;
  /** Every offset that the clock of the server had, in milliseconds. */
  offsets: number[];
}

const SECOND = 1000;
/** A check takes at most its timeout, which is its interval. */
const CHECK = INTERVAL * SECOND;
/** A check-in waits this long for its response. */
const PATIENCE = 3 * SECOND;
/** From the end of a check until its result is recorded, in milliseconds. */
const MARGIN = SECOND;
/** Time stamps of two processes, and the time that a target needs to go up or down. */
const EDGE = 200;
/** How late an outage may be noticed, beyond the fault, the interval and the timeout. */
export const SLACK = 10 * SECOND;

/** How long a target must be down to be noticed, in milliseconds. */
export function noticeableAfter({ type }: Target): number {
  return type === "SCHEDULED" ? (PERIOD + GRACE) * SECOND : 2 * CHECK;
}

export function judge(run: Run): Verdict {
  const { targets, report, results } = run;
  const rows = targets.flatMap((target) => (results.get(target.name) ?? []).map((row) => ({ target, row })));
  const byName = new Map(targets.map((target) => [target.name, target]));
  const isFalse = ({ monitor, status, createdAt }: Notification) => {
    const target = byName.get(monitor);
    return !target || !isExplained(run, target, { status, createdAt });
  };
  return {
    results: rows.length,
    notifications: report.notifications.length,
    falseStatuses: rows
      .filter(({ target, row }) => !isExplained(run, target, row))
      .map(({ target, row }) => describe(run, target.name, row)),
    falseNotifications: report.notifications.filter(isFalse).map((one) => describe(run, one.monitor, one)),
    missed: targets.flatMap((target) => missedOf(run, target)),
    lostOrRepeated: targets.flatMap((target) => lostOrRepeatedOf(run, target)),
  };
}

/** Whether the log of the target explains a status. Only a target that was down explains an unhealthy one. */
function isExplained(run: Run, target: Target, row: { status: string; createdAt: number }): boolean {
  const times = run.offsets
    .map((offset) => row.createdAt - offset)
    .filter((at) => at > run.whole.from - SECOND && at < run.whole.to + SECOND);
  return times.some((at) =>
    target.type === "SCHEDULED"
      ? isJobExplained(run, target, { status: row.status, at })
      : isCheckExplained(run, target, { status: row.status, at }),
  );
}

function isCheckExplained({ report, fault }: Run, { name }: Target, { status, at }: Seen): boolean {
  const outages = report.outages[name] ?? [];
  const from = at - CHECK - MARGIN;
  if (DOWN.has(status)) return outages.some((outage) => outage.from < at + EDGE && outage.to > from - EDGE);
  if (status === "degraded") return report.stalls.some((stall) => stall.from < at && stall.to > from);
  if (!HEALTHY.has(status)) return false;
  // A response that arrived before the process was stopped is read when the process continues.
  const start = at < fault.to + CHECK + MARGIN ? Math.min(from, Math.max(fault.from - CHECK, 0)) : from;
  return !outages.some((outage) => outage.from < start - EDGE && outage.to > at + EDGE);
}

/** A deadline passes without a check-in only if the job sent none for a whole window. */
function isJobExplained({ report, fault }: Run, { name }: Target, { status, at }: Seen): boolean {
  const attempts = report.attempts[name] ?? [];
  const sentWithin = (from: number) => attempts.some((sent) => sent > from && sent < at + EDGE);
  if (status === "havent_heard") return !sentWithin(at - (PERIOD + GRACE) * SECOND + MARGIN);
  // A request waits in its socket while the process is stopped.
  const isInFault = at > fault.from && at < fault.to + MARGIN;
  return status === "ok" && sentWithin((isInFault ? fault.from : at) - PATIENCE);
}

/** Outages and recoveries without a notification in time, and monitors without a check after the fault. */
function missedOf(run: Run, target: Target): string[] {
  const { report, results, fault, offsets } = run;
  const { name } = target;
  const missed: string[] = [];
  const received = report.notifications.filter(({ monitor }) => monitor === name);
  const isNoticed = (isHealthy: boolean, from: number, patience: number) => {
    const isInFault = from > fault.from - patience && from < fault.to;
    const until = (isInFault ? fault.to : from) + patience + SLACK;
    return received.some(
      ({ status, at }) => HEALTHY.has(status) === isHealthy && at > from - EDGE && at < until,
    );
  };
  for (const { from, to } of report.outages[name] ?? []) {
    const patience = noticeableAfter(target);
    if (to - from > patience && !isNoticed(false, from, patience)) missed.push(`${name}: outage`);
    if (Number.isFinite(to) && !isNoticed(true, to, 2 * CHECK)) missed.push(`${name}: recovery`);
  }
  const late = fault.to + noticeableAfter(target) + SLACK;
  const isChecked = results
    .get(name)
    ?.some(({ createdAt }) => offsets.some((offset) => createdAt - offset > late));
  if (!isChecked) missed.push(`${name}: no result after the fault`);
  return missed;
}

/** Each transition has exactly one notification, except the first one to a healthy status (behavior 5.1, 5.2). */
function lostOrRepeatedOf({ report, results, whole }: Run, { name }: Target): string[] {
  const wrong: string[] = [];
  const received = report.notifications.filter(({ monitor }) => monitor === name);
  const byResult = Map.groupBy(received, ({ resultId }) => resultId);
  let previous = "unknown";
  for (const { id, status } of results.get(name) ?? []) {
    const isFirst = previous === "unknown" && HEALTHY.has(status);
    const expected = status === previous || isFirst ? 0 : 1;
    const count = byResult.get(id)?.length ?? 0;
    byResult.delete(id);
    if (count < expected) wrong.push(`${name}: ${previous} → ${status} lost`);
    if (count > expected) wrong.push(`${name}: ${previous} → ${status} received ${count} times`);
    previous = status;
  }
  for (const [one] of byResult.values())
    if (one && one.createdAt <= whole.to)
      wrong.push(`${name}: notification of ${one?.status} without a result`);
  return wrong;
}

interface Seen {
  status: string;
  /** Milliseconds since 1970, of an undisturbed clock. */
  at: number;
}

const DOWN = new Set(["down", "no_cert", "missing"]);
const HEALTHY = new Set(["up", "active", "present", "ok"]);

function describe(
  { fault }: Run,
  name: string,
  {
    status,
    createdAt,
    detail,
  }: { status: string; createdAt: number; detail?: { reason?: string; message?: string } | null },
): string {
  const after = ((createdAt - fault.from) / SECOND).toFixed(1);
  return `${name}: ${status}${detail?.reason ? ` (${detail.reason})` : ""} at ${after} s of the fault`;
}
