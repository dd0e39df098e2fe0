import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import type { Violation } from "../../ledger.ts";
import { patienceOf } from "../calm/situation.ts";
import { covers, type Known, remaining, united } from "../calm/stretches.ts";
import { type Stretch, touches } from "../own-faults.ts";
import type { Received } from "./received.ts";
import { isBoundSinceBefore, isPlain, surelyMuted, troublesOf } from "./situation.ts";
import { noticedWithin } from "./target-sight.ts";
import { found, type Subject, type Whole } from "./whole.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Context {
  subject: Subject;
  whole: Whole;
  channel: string;
  acknowledged: Known;
  bound: Known;
}

/** Why a notification was not to be sent: a rule, and the stretches in which it forbids it. */
type Reason = [rule: string, stretches: Stretch[]];

/** Every notification had a moment at which nothing that the truth knows for sure spoke against it. */
export function judgeAllowed(received: readonly Received[], context: Context): Violation[] {
  return received.flatMap((one, place) => {
    const reasons = reasonsAgainst(one, received.slice(0, place), context);
    const alone = reasons.find(([, stretches]) => covers(stretches, one.release));
    const all = united(reasons.flatMap(([, stretches]) => stretches));
    const rule =
      alone?.[0] ?? (covers(all, one.release) ? "a notification has a moment that allows it" : undefined);
    const { monitor } = context.subject;
    return rule ? [found(rule, one.startedAt, { monitor, channel: context.channel, text: one.text })] : [];
  });
}

function reasonsAgainst(one: Received, earlier: readonly Received[], context: Context): Reason[] {
  const { subject, bound } = context;
  const span = { from: subject.span.from - MINUTE, to: subject.span.to + MINUTE };
  const last = earlier.at(-1);
  const isKnown = last !== undefined && last.group !== "healthy";
  const truth: Reason = [
    "a notification is true when it is sent",
    remaining([span], united([...subject.sight.may[one.group], { from: subject.span.to, to: span.to }])),
  ];
  if (one.group === "healthy") {
    // A channel that was bound during the trouble knows of it without a notification.
    // A recovery that the receiver did not take is sent again.
    const heard = earlier.findLast(({ group, isDelivered }) => group !== "healthy" || isDelivered);
    const isHeard = heard !== undefined && heard.group !== "healthy";
    const mayBeNew = !isBoundSinceBefore(one.release.from, subject, bound);
    const follows: Reason = [
      "a recovery follows the trouble that was notified",
      isHeard || mayBeNew ? [] : [span],
    ];
    // The incident of a monitor that is unbound or deleted ends, whatever its status is.
    return one.incident ? [follows] : [follows, truth];
  }
  return [
    truth,
    ["only the channels of a monitor are notified", remaining([span], bound.possibly)],
    [
      "a monitor that was deleted is not notified",
      [{ from: subject.until + 2 * SECOND, to: span.to }].filter(
        ({ from }) => subject.until < subject.span.to && from < span.to,
      ),
    ],
    [
      "a monitor that is paused is not notified",
      subject.pauses
        .map(({ surely: { from, to } }) => ({ from: from + 2 * SECOND, to: to - 1 }))
        .filter(({ from, to }) => from < to),
    ],
    ["no trouble is notified in a window", subject.inWindow.surely],
    ...patient(one, isKnown && one.isReminder, context),
    ...muted(one, isKnown && last.group === one.group && !one.isReminder, context),
  ];
}

/**
 * Trouble that has not lasted for `after` yet, or that somebody has acknowledged.
 *
 * @param isKnown whether it repeats what the channel knows, also from before a pause (behavior 14.27)
 */
function patient(one: Received, isKnown: boolean, { subject, channel, acknowledged }: Context): Reason[] {
  const { after } = patienceOf(subject.monitor, channel);
  const early = troublesOf(subject).map(({ from }) => ({ from, to: from + after - 2 * SECOND }));
  return [
    ["a channel waits until trouble has lasted", after > 0 && !isKnown ? early : []],
    ["acknowledged trouble is not notified", after > 0 || one.isReminder ? acknowledged.surely : []],
  ];
}

/** Trouble that the channel does not know, while something that the monitor depends on is down. */
function muted(one: Received, isKnown: boolean, { subject, whole }: Context): Reason[] {
  if (isKnown || one.group === "warning") return [];
  const parents = whole.dependsOn(subject.monitor.name, one.release);
  return [["a monitor is muted while one that it depends on is down", surelyMuted(parents, whole)]];
}

/** A check that began before the release and a margin for what precedes a notification. */
const EVIDENCE = 15 * SECOND;

/** No channel is notified of trouble that is over: the latest check decides, and what is decided later is checked again first. */
export function judgeStale(received: readonly Received[], { subject, whole, channel }: Context): Violation[] {
  const { monitor } = subject;
  if (!isPlain(monitor)) return [];
  const bad = (monitor.segments ?? []).filter(({ kind }) => kind !== "good");
  return received
    .filter(({ group }) => group !== "healthy")
    .flatMap(({ release, startedAt, text }): Violation[] => {
      const since = release.from - evidenceOf(subject, release, whole);
      if (touches(bad, { from: since, to: release.to })) return [];
      const last = bad.findLast(({ to }) => to <= since);
      const over = `${text}, but the target is good since ${last ? new Date(last.to).toISOString() : "the start"}`;
      return [
        found("no channel is notified of trouble that is over", startedAt, { monitor, channel, text: over }),
      ];
    });
}

/** How old the check may be that a notification relies on: what it depends on may be asked before; milliseconds. */
function evidenceOf(subject: Subject, release: Stretch, whole: Whole): number {
  const own = checkTimeout({ interval: subject.monitor.config.interval ?? 300 });
  const parents = [...whole.mayDependOn(subject.monitor.name, release)].map((name) => {
    const parent = whole.subjects.get(name);
    if (!parent || parent.isJob) return 0;
    const { config, ...rest } = parent.monitor;
    // Its further checks, without its interval.
    return noticedWithin({ ...rest, config }, parent.paces) - (config.interval ?? 0) * SECOND;
  });
  const rows =
    noticedWithin(subject.monitor, subject.paces) - (subject.monitor.config.interval ?? 300) * SECOND;
  return 2 * own + rows + EVIDENCE + Math.max(0, ...parents);
}

/** Each change is notified once. */
export function judgeRepetitions(received: readonly Received[], { subject, channel }: Context): Violation[] {
  const changes = received.filter(({ isReminder }) => !isReminder);
  return changes.slice(1).flatMap((one, before): Violation[] => {
    const previous = changes[before];
    if (!previous || previous.group !== one.group || one.group === "healthy") return [];
    const between = { from: previous.release.from, to: one.startedAt };
    const others = [
      ...subject.sight.may.healthy,
      ...subject.sight.may.unknown,
      ...subject.sight.may[one.group === "down" ? "warning" : "down"],
    ];
    if (touches([...others, ...subject.inWindow.possibly, ...subject.disturbed], between)) return [];
    const text = `${one.text} was notified ${(one.startedAt - previous.startedAt) / SECOND} s before`;
    return [
      found("each change is notified once", one.startedAt, { monitor: subject.monitor, channel, text }),
    ];
  });
}
