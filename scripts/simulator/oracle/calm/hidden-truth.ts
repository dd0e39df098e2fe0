import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { SimChannel, SimMonitor, Violation } from "../../ledger.ts";
import { furtherCheckDelay, intervalOf } from "../due-checks.ts";
import { extended, type Stretch, touches } from "../own-faults.ts";
import { type MonitorSituation, patienceOf, type Situation, tooEarly } from "./situation.ts";
import { has, remaining, united } from "./stretches.ts";
import type { Told } from "./told.ts";

const SECOND = 1000;

/** From the end of a check to its first notification; milliseconds. */
const RELEASED = 5 * SECOND;

/** A check is of now for so long; milliseconds. */
const PRESENT = 5 * SECOND;

/** A target by the truth, whatever was recorded of it. */
export interface Target {
  interval: number;
  timeout: number;
  /** When it is bad. */
  bad: Stretch[];
}

/** Null if the monitor is not checked. */
export function targetOf({ segments, config, type }: SimMonitor): Target | null {
  if (type === "SCHEDULED" || !segments) return null;
  const interval = config.interval ?? 300;
  const bad = united(segments.filter(({ kind }) => kind !== "good"));
  return { interval: interval * SECOND, timeout: checkTimeout({ interval }), bad };
}

/**
 * No channel is notified of trouble that is over: neither if the target is good since before the latest regular check, nor if it
 * is good since a window or a mute ended, at which the target is checked at once.
 */
export function judgeStale(
  situation: MonitorSituation,
  channel: SimChannel,
  { told, absent }: { told: readonly Told[]; absent: readonly Stretch[] },
): Violation[] {
  const target = targetOf(situation.monitor);
  if (!target) return [];
  return told
    .filter(({ status }) => groupOf[status] !== "healthy")
    .flatMap((one): Violation[] => {
      const { release, startedAt, status } = one;
      const seen = oldestEvidence(one, target, { situation, channel, absent });
      if (touches(target.bad, { from: seen.since, to: release.to })) return [];
      const last = target.bad.findLast(({ to }) => to <= seen.since);
      const text = `${status} was notified, but the target is good since ${last ? new Date(last.to).toISOString() : "the start"}`;
      return [
        { rule: seen.rule, at: startedAt, monitor: situation.monitor.name, channel: channel.name, text },
      ];
    });
}

/** The earliest start of a check that a notification may rely on, and the rule that it breaks if that check saw nothing bad. */
function oldestEvidence(
  { release, delivery, isReminder }: Told,
  { interval, timeout }: Target,
  {
    situation: { inWindow, muted, outages, monitor, closed },
    channel,
    absent,
  }: { situation: MonitorSituation; channel: SimChannel; absent: readonly Stretch[] },
): { since: number; rule: string } {
  const { after } = patienceOf(monitor, channel.name);
  const outage = outages.findLast(({ since }) => since <= delivery.createdAtWall + SECOND);
  const dueAt = after > 0 && !isReminder && outage ? outage.since + after : Number.NaN;
  const absence = absent.find(({ from, to }) => from < dueAt - SECOND && dueAt + SECOND < to);
  if (absence)
    return {
      since: absence.to - timeout - RELEASED,
      rule: "a delay that ends while no server runs notifies only of trouble that lasts",
    };
  const outside = closed(channel.name).surely;
  const holds = united([...inWindow.surely, ...muted.surely, ...outside]);
  const [possible = release] = remaining([release], united([...holds, ...tooEarly(outages, after).surely]));
  const held = holds.findLast(
    ({ from, to }) =>
      to <= release.to && to >= release.from - RELEASED && to > delivery.createdAtWall && from < to,
  );
  const regular = possible.from - interval - timeout - RELEASED;
  if (held && has(outside, held.to - 1) && held.to - timeout - PRESENT > regular)
    return {
      since: held.to - timeout - PRESENT,
      rule: "hours that open notify only of trouble that lasts",
    };
  if (held && held.to - timeout > regular) {
    const isOfWindow = has(inWindow.surely, held.to - 1);
    return {
      since: held.to - timeout,
      rule: `the end of a ${isOfWindow ? "window" : "mute"} notifies only of trouble that lasts`,
    };
  }
  return { since: regular, rule: "trouble is notified only of a target that is bad" };
}

/** A target that is bad for longer than its monitor and a channel demand is notified, whatever was recorded of it. */
export function judgeNoticed(
  own: MonitorSituation,
  situation: Situation,
  {
    channel,
    told,
    unreachable,
    settled,
  }: { channel: SimChannel; told: readonly Told[]; unreachable: readonly Stretch[]; settled: number },
): Violation[] {
  const { monitor } = own;
  const target = targetOf(monitor);
  if (!target || !channel.notifyOn.includes("down")) return [];
  const { after } = patienceOf(monitor, channel.name);
  const closed = own.closed(channel.name).possibly;
  const needed = noticedAfter(monitor, target) + after + settled;
  const against = [
    ...own.inWindow.possibly,
    ...closed,
    ...(after > 0 || closed.length > 0 ? own.acknowledged.possibly : []),
    ...extended(own.pauses, 15 * SECOND),
    ...unreachable,
    ...situation.disturbed,
  ];
  const drops = monitor.patience?.[channel.name]?.hours?.outside === "drop";
  const outages = (monitor.segments ?? [])
    .filter(({ kind }) => kind === "down" || kind === "missing")
    .filter((outage) => !drops || !touches(closed, outage));
  return outages.flatMap((outage): Violation[] => {
    const mutes = mutesOf(own, outage, situation);
    if (!mutes) return [];
    return remaining([outage], [...against, ...mutes])
      .filter(({ from, to }) => to - from > needed)
      .filter(({ from }) => {
        const last = told.findLast(({ startedAt }) => startedAt <= from + needed);
        return !last || groupOf[last.status] === "healthy";
      })
      .map(({ from, to }) => ({
        rule: "an outage that lasts is notified",
        at: from + needed,
        monitor: monitor.name,
        channel: channel.name,
        text: `the target is ${outage.kind} for ${(to - from) / SECOND} s, and nothing speaks against a notification`,
      }));
  });
}

function noticedAfter(monitor: SimMonitor, { interval, timeout }: Target): number {
  const further = Math.max(interval, furtherCheckDelay(intervalOf(monitor)) + timeout);
  return interval + (monitor.confirmations ?? 0) * further + timeout;
}

/** From the first failing check of a child until a parent whose check is older must have been checked; milliseconds. */
const ANSWERED = 30 * SECOND;

/** When a monitor that an outage depends on is bad, or not known to be good again; null if the dependencies change meanwhile. */
function mutesOf(
  { monitor, muted }: MonitorSituation,
  outage: Stretch,
  { causes, ledger }: Situation,
): Stretch[] | null {
  const epoch = causes.epochOf(outage);
  if (!epoch) return null;
  const ancestors = causes.ancestors(monitor.name, epoch);
  const parents = ledger.scenario.monitors.filter(({ name }) => ancestors.has(name));
  return parents.flatMap((parent) => {
    const target = targetOf(parent);
    if (!target) return muted.possibly;
    const recovered =
      target.interval + (parent.recoveries ?? 0) * (target.interval + target.timeout) + target.timeout;
    return target.bad.map(({ from, to }) => {
      // A parent that was good again before is asked at once.
      const isAsked = to < outage.from - target.timeout && !parent.recoveries;
      return { from, to: to + (isAsked ? 0 : recovered) + ANSWERED };
    });
  });
}
