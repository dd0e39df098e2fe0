import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { SimChannel, Violation } from "../../ledger.ts";
import { extended, type Stretch, touches } from "../own-faults.ts";
import { type MonitorSituation, patienceOf, tooEarly } from "./situation.ts";
import type { Spell } from "./spells.ts";
import { has, remaining } from "./stretches.ts";
import type { Receiver, Told } from "./told.ts";

const SECOND = 1000;

/** How long it takes at most until what is to be sent is sent: a parent, and then the monitor, may be checked first. */
export const SETTLED = 45 * SECOND;

interface Context {
  situation: MonitorSituation;
  channel: SimChannel;
  receiver: Receiver;
  /** The notifications of this monitor. */
  told: readonly Told[];
  disturbed: readonly Stretch[];
}

/** The last notification of a channel is the one that it should have, as soon as no rule forbids it for long enough. */
export function judgeRequired(context: Context): Violation[] {
  return context.situation.spells.flatMap((spell) => {
    if (spell.status === "unknown" || !context.channel.notifyOn.includes(groupOf[spell.status])) return [];
    return groupOf[spell.status] === "healthy" ? judgeRecovery(spell, context) : judgeTrouble(spell, context);
  });
}

function judgeTrouble(spell: Spell, context: Context): Violation[] {
  const { situation, told } = context;
  if (isDropped(spell, context)) return [];
  return dueStretches(spell, context)
    .filter(({ from, to }) => to - from > SETTLED)
    .flatMap(({ from }): Violation[] => {
      const last = lastBefore(told, from + SETTLED);
      const isOfThis = last?.status === spell.status && isOfRun(last, spell, situation);
      if (isOfThis) return [];
      const text = `${spell.status} since ${textOf(spell.from)}, but the last notification is ${last ? `${last.status} of ${textOf(last.startedAt)}` : "none"}`;
      return [violation(context, { rule: ruleOf(spell, from, context), at: from + SETTLED, text })];
    });
}

/** Whether a channel may never be notified of a spell, because its hours drop what is outside of them. */
function isDropped(spell: Spell, { situation, channel }: Context): boolean {
  const { hours } = situation.monitor.patience?.[channel.name] ?? {};
  return hours?.outside === "drop" && touches(situation.closed(channel.name).possibly, spell);
}

/** The rule that a missing notification breaks, by what had held it before. */
function ruleOf(spell: Spell, at: number, { situation, channel }: Context): string {
  const { muted, inWindow, acknowledged, monitor } = situation;
  const before = (stretches: readonly Stretch[]) =>
    stretches.some(({ from, to }) => from < at && to > spell.from && to <= at + SECOND);
  if (before(muted.possibly)) return "trouble that outlasts its cause is notified";
  if (before(inWindow.possibly)) return "trouble that outlasts a window is notified";
  if (before(situation.closed(channel.name).possibly))
    return "trouble that lasts until the hours open is notified";
  if (patienceOf(monitor, channel.name).after === 0) return "each trouble is notified";
  if (before(acknowledged.possibly)) return "trouble is notified if the acknowledgement is taken back";
  return "trouble that lasts is notified";
}

/** The stretches of a spell of trouble in which a channel is to know it. */
function dueStretches(spell: Spell, { situation, channel, receiver, disturbed }: Context): Stretch[] {
  const { inWindow, muted, acknowledged, outages, monitor } = situation;
  const { after } = patienceOf(monitor, channel.name);
  const closed = situation.closed(channel.name).possibly;
  const against = [
    ...inWindow.possibly,
    ...muted.possibly,
    ...tooEarly(outages, after).possibly,
    ...closed,
    ...(after > 0 || closed.length > 0 ? acknowledged.possibly : []),
    ...unreachable(channel, receiver),
    ...disturbed,
  ];
  return remaining(situation.during([spell]).surely, against);
}

/** When nothing reaches a channel. */
export function unreachable({ receiver: phases }: SimChannel, { busy }: Receiver): Stretch[] {
  const wrong = phases.filter(({ answers }) => answers !== "ok");
  return [
    ...wrong,
    ...extended(
      busy.filter(({ from, to }) => to - from > 2 * SECOND),
      SECOND,
    ),
  ];
}

function judgeRecovery(spell: Spell, context: Context): Violation[] {
  const { situation, told, channel, receiver, disturbed } = context;
  const before = lastBefore(told, spell.from);
  if (!before || groupOf[before.status] === "healthy" || before.delivery.status !== "delivered") return [];
  const due = remaining(situation.during([spell]).surely, [...unreachable(channel, receiver), ...disturbed]);
  return due
    .filter(({ from, to }) => to - from > SETTLED)
    .slice(0, 1)
    .flatMap(({ from }): Violation[] => {
      const last = lastBefore(told, from + SETTLED);
      if (last && groupOf[last.status] === "healthy") return [];
      const text = `${spell.status} since ${textOf(spell.from)}, but the last notification is ${before.status}`;
      return [
        violation(context, { rule: "a channel is notified of the recovery", at: from + SETTLED, text }),
      ];
    });
}

/** A reminder comes each `every` while trouble lasts that nobody has acknowledged, and never earlier. */
export function judgeReminders(context: Context): Violation[] {
  const { situation, channel, told } = context;
  const { every } = patienceOf(situation.monitor, channel.name);
  const reminders = told.filter(({ isReminder }) => isReminder);
  if (every === 0)
    return reminders.map(({ startedAt }) =>
      violation(context, { rule: "only some channels are reminded", at: startedAt, text: "a reminder" }),
    );
  const early = reminders.flatMap((reminder): Violation[] => {
    const previous = told[told.indexOf(reminder) - 1];
    const gap = previous ? reminder.startedAt - previous.release.from : 0;
    if (gap >= every - 2 * SECOND) return [];
    const text = `a reminder ${gap / SECOND} s after the notification before it, instead of ${every / SECOND} s`;
    return [violation(context, { rule: "a reminder waits", at: reminder.startedAt, text })];
  });
  const spells = situation.spells.filter(
    ({ status }) => status !== "unknown" && groupOf[status] !== "healthy",
  );
  const missed = spells
    .filter(({ status }) => channel.notifyOn.includes(groupOf[status]))
    .flatMap((spell) => remaining(dueStretches(spell, context), situation.acknowledged.possibly))
    .flatMap((stretch) => missedIn(stretch, every, context));
  return [...early, ...missed];
}

function missedIn({ from, to }: Stretch, every: number, context: Context): Violation[] {
  const known = lastBefore(context.told, from + SETTLED);
  // A reminder replaces a first notification that failed for good.
  const isOver = known?.delivery.status === "delivered" || known?.delivery.status === "failed";
  if (!known || groupOf[known.status] === "healthy" || !isOver) return [];
  const times = context.told.map(({ startedAt }) => startedAt).filter((at) => from <= at && at <= to);
  let last = from;
  for (const at of [...times, to]) {
    if (at - last > every + SETTLED)
      return [
        violation(context, {
          rule: "trouble that lasts is repeated",
          at: last + every,
          text: `nothing for ${(at - last) / SECOND} s, with a repetition every ${every / SECOND} s`,
        }),
      ];
    last = at;
  }
  return [];
}

function lastBefore(told: readonly Told[], at: number): Told | undefined {
  return told.findLast(({ startedAt }) => startedAt <= at);
}

/** Whether a notification is about the trouble that a spell continues. A pause does not end it for a channel. */
function isOfRun(last: Told, spell: Spell, { spells, inWindow }: MonitorSituation): boolean {
  let began = spell.from;
  for (const { from, status } of spells.slice(0, spells.indexOf(spell)).toReversed()) {
    if (status !== "unknown" && groupOf[status] === "healthy") break;
    began = from;
  }
  return last.delivery.createdAtWall >= began - SECOND || has(inWindow.possibly, began);
}

function violation(
  { situation, channel }: Context,
  { rule, at, text }: Pick<Violation, "rule" | "at" | "text">,
): Violation {
  return { rule, at, monitor: situation.monitor.name, channel: channel.name, text };
}

function textOf(at: number): string {
  return new Date(at).toISOString();
}
