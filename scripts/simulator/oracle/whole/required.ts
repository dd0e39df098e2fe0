import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import type { Violation } from "../../ledger.ts";
import { patienceOf } from "../calm/situation.ts";
import { type Known, remaining } from "../calm/stretches.ts";
import { doneBy, extended, type Stretch, touches } from "../own-faults.ts";
import type { Inbox, Received } from "./received.ts";
import { isBoundSinceBefore } from "./situation.ts";
import { noticedWithin } from "./target-sight.ts";
import { found, type Subject, type Whole } from "./whole.ts";

const SECOND = 1000;

/** How long it takes at most until what is to be sent is sent: a parent, and then the monitor, may be checked first. */
const SETTLED = 60 * SECOND;

interface Context {
  subject: Subject;
  whole: Whole;
  inbox: Inbox;
  /** The notifications of this monitor. */
  received: readonly Received[];
  acknowledged: Known;
  bound: Known;
}

/** Trouble that lasts is notified, whatever was recorded of it, as soon as nothing speaks against it for long enough. */
export function judgeTrouble(context: Context): Violation[] {
  const { subject, inbox, received } = context;
  if (!inbox.channel.notifyOn.includes("down")) return [];
  const needed = patienceOf(subject.monitor, inbox.channel.name).after + SETTLED;
  return dueStretches(context)
    .filter(({ from, to }) => to - from > needed)
    .flatMap(({ from, to }): Violation[] => {
      const last = received.findLast(({ startedAt }) => startedAt <= from + needed);
      if (last && last.group === "down") return [];
      const text = `it is down from ${timeOf(from)} to ${timeOf(to)}, but the last notification is ${last ? `${last.text} of ${timeOf(last.startedAt)}` : "none"}`;
      return [violation(context, "trouble that lasts is notified", from + needed, text)];
    });
}

/** When a monitor is down, and nothing forbids to say so. A channel that is bound later is not notified of what lasts already. */
function dueStretches(context: Context): Stretch[] {
  const { subject, whole, inbox, acknowledged, bound } = context;
  const { after } = patienceOf(subject.monitor, inbox.channel.name);
  return subject.sight
    .must("down")
    .filter(({ from }) => isBoundSinceBefore(from, subject, bound))
    .flatMap((down) =>
      remaining(
        [down],
        [
          ...subject.inWindow.possibly,
          ...(after > 0 ? acknowledged.possibly : []),
          ...mutesOf(subject, down, whole),
          ...unavailable(context),
        ],
      ),
    );
}

/** When nothing that is about a monitor reaches a channel. */
function unavailable({ subject, whole, inbox, bound }: Context): Stretch[] {
  const wrong = inbox.channel.receiver.filter(({ answers }) => answers !== "ok");
  const long = inbox.busy.filter(({ from, to }) => to - from > 2 * SECOND);
  return [
    ...remaining([subject.span], bound.surely),
    ...extended([...wrong, ...long], SECOND),
    ...extended(subject.pauses, SETTLED),
    ...extended(subject.disturbed, SECOND),
    ...whole.disturbed,
  ];
}

/** From the first failing check of a child until a parent whose check is older must have been checked; milliseconds. */
const ANSWERED = 30 * SECOND;

/** When what a monitor depends on is down, or not known to be good again. */
function mutesOf({ monitor }: Subject, down: Stretch, whole: Whole): Stretch[] {
  const began = monitor.segments?.findLast(({ from }) => from <= down.from)?.from ?? down.from;
  return [...whole.mayDependOn(monitor.name, down)].flatMap((name) => {
    const parent = whole.subjects.get(name);
    if (!parent) return [];
    if (parent.isJob || parent.monitor.places) return parent.sight.may.down;
    const { segments = [], config } = parent.monitor;
    const timeout = checkTimeout({ interval: config.interval ?? 300 });
    const lag = noticedWithin(parent.monitor, parent.paces);
    const mayRecover = [parent.monitor, ...parent.paces].some(({ recoveries = 0 }) => recoveries > 0);
    return segments
      .filter(({ kind }) => kind === "down" || kind === "missing")
      .map(({ from, to }) => {
        // A parent that was good again before is asked at once.
        const isAsked = !mayRecover && to < began - timeout;
        return { from, to: doneBy(to, isAsked ? ANSWERED : lag + ANSWERED, parent.disturbed) };
      });
  });
}

/** A channel that knows of trouble is notified when it ends. */
export function judgeRecovery(context: Context): Violation[] {
  const { subject, inbox, received } = context;
  if (!inbox.channel.notifyOn.includes("healthy")) return [];
  const healthy = remaining(subject.sight.must("healthy"), unavailable(context));
  return healthy
    .filter(({ from, to }) => to - from > SETTLED)
    .flatMap(({ from }): Violation[] => {
      const last = received.findLast(({ startedAt }) => startedAt <= from + SETTLED);
      if (!last || last.group === "healthy" || !last.isDelivered || last.deliveredAt > from) return [];
      // A pause ends the outage, and an incident ends all the same (behavior 14.27, 16.150).
      const isInterrupted = touches([...subject.pauses, ...remaining([subject.span], context.bound.surely)], {
        from: last.release.from,
        to: from,
      });
      if (isInterrupted && !inbox.channel.format) return [];
      const text = `it is healthy since ${timeOf(from)}, but the last notification is ${last.text} of ${timeOf(last.startedAt)}`;
      return [violation(context, "a channel is notified of the recovery", from + SETTLED, text)];
    })
    .slice(0, 1);
}

/** A reminder comes each `every` while trouble lasts that nobody has acknowledged, and never earlier. */
export function judgeReminders(context: Context): Violation[] {
  const { subject, inbox, received, acknowledged } = context;
  const { every } = patienceOf(subject.monitor, inbox.channel.name);
  const early = received.flatMap((one, place): Violation[] => {
    if (!one.isReminder) return [];
    if (every === 0) return [violation(context, "only some channels are reminded", one.startedAt, one.text)];
    const previous = received[place - 1];
    const gap = previous ? one.startedAt - previous.release.from : 0;
    if (gap >= every - 2 * SECOND) return [];
    const text = `${gap / SECOND} s after the notification before it, instead of ${every / SECOND} s`;
    return [violation(context, "a reminder waits", one.startedAt, text)];
  });
  if (every === 0 || !inbox.channel.notifyOn.includes("down")) return early;
  const due = remaining(dueStretches(context), acknowledged.possibly);
  return [...early, ...due.flatMap((stretch) => missedIn(stretch, every, context))];
}

function missedIn({ from, to }: Stretch, every: number, context: Context): Violation[] {
  const known = context.received.findLast(({ startedAt }) => startedAt <= from + SETTLED);
  if (known?.group !== "down" || !known.isDelivered) return [];
  const times = context.received.map(({ startedAt }) => startedAt).filter((at) => from <= at && at <= to);
  const gaps = [...times, to].map((at, place) => ({
    from: place === 0 ? from : (times[place - 1] ?? from),
    to: at,
  }));
  const missed = gaps.find((gap) => gap.to - gap.from > every + SETTLED);
  if (!missed) return [];
  const text = `nothing for ${(missed.to - missed.from) / SECOND} s, with a repetition every ${every / SECOND} s`;
  return [violation(context, "trouble that lasts is repeated", missed.from + every, text)];
}

function violation({ subject, inbox }: Context, rule: string, at: number, text: string): Violation {
  return found(rule, at, { monitor: subject.monitor, channel: inbox.channel.name, text });
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
