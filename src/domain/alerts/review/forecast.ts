import { groupOf } from "../../monitors/status.ts";
import type { AlertTiming } from "../alert-binding.ts";
import type { Hold, Transition, WithdrawnWhy } from "../delivery.ts";
import { type NotifyOn, shouldNotify } from "../notify.ts";
import { planRoute, type RoutedChannel, reachable } from "../routing.ts";
import { decideTrouble, type ReviewedMonitor, type Undecided } from "./pair.ts";

/*
 * Who would be notified if a monitor failed now, and when (behavior 23.45): the review decides about trouble that begins now, or that is
 * under way, and decides again whenever it would, until it sends. Times are milliseconds since 1970.
 */

/** A channel that may be notified. */
export type ForecastChannel = Pick<RoutedChannel, "pk" | "enabled" | "notifyOn"> & {
  id: string;
  name: string;
};

/** Who is on call. @property person their name; null if nobody is @property own the channels of the person */
export interface ForecastRoster {
  person: string | null;
  own: readonly ForecastChannel[];
}

/** A channel, or a schedule, that is bound to a monitor. */
export interface ForecastBinding {
  /** The number of the channel, or of the row that represents the schedule. */
  pk: number;
  id: string;
  name: string;
  enabled: boolean;
  notifyOn: NotifyOn;
  timing: AlertTiming;
  /** Absent for a channel. */
  rosterAt?: (at: number) => ForecastRoster;
  /** The outcome of its notification of the trouble that is under way; absent without any. */
  earlier?: { status: "notified" | "failed" | "undecided"; hold: Hold };
}

/** Why a receiver is not notified at once. Of one that is notified later, what it waits for first. */
export const FORECAST_WHY = [
  ...(["delay", "hours", "maintenance", "muted", "paused", "acknowledged", "ended", "superseded"] as const),
  ...(["disabled", "notifyOn", "twice", "nobody", "notified", "failed", "bound"] as const),
] as const;
export type ForecastWhy = (typeof FORECAST_WHY)[number];

/** When a receiver is notified, and whom a schedule then notifies. */
export interface Foreseen {
  id: string;
  isSchedule: boolean;
  name: string;
  /** Null if it is not notified. */
  at: number | null;
  /** Null if it is notified at once. */
  why: ForecastWhy | null;
  /** The ID of the monitor that mutes it. */
  mutedBy: string | null;
  /** The name of whoever is on call then; null if nobody is, and for a channel. */
  person: string | null;
  /** The names of the channels that a schedule notifies. */
  channels: string[];
  /** Whether they are the default channels of the organization, because the schedule reaches nobody. */
  areDefaults: boolean;
}

/** @property monitorAt what a review of the trouble knows at a moment @property event the notification of the trouble */
export interface ForecastSubject {
  event: Transition;
  monitorAt: (at: number) => ReviewedMonitor;
  defaults: readonly ForecastChannel[];
  /** Whether trouble is under way, so that nothing is decided at once. */
  isUnderWay: boolean;
  now: number;
}

/** Who is notified, the first ones first, and then who is not. */
export function forecast(bindings: readonly ForecastBinding[], subject: ForecastSubject): Foreseen[] {
  const timed = bindings
    .map((binding) => ({ binding, outcome: whenSent(binding, subject) }))
    .toSorted(
      (one, other) => order(one.outcome) - order(other.outcome) || rank(one.binding) - rank(other.binding),
    );
  const notified = new Set(
    bindings.flatMap(({ pk, earlier }) => (earlier?.status === "notified" ? [pk] : [])),
  );
  return timed.map(({ binding, outcome }) => {
    const { id, name, rosterAt } = binding;
    const foreseen = {
      ...{ id, name, isSchedule: rosterAt !== undefined, mutedBy: null },
      ...{ person: null, channels: [], areDefaults: false, ...outcome },
    };
    if (outcome.at === null) return foreseen;
    return rosterAt
      ? { ...foreseen, ...routed(rosterAt(outcome.at), { ...subject, notified, ...outcome, at: outcome.at }) }
      : { ...foreseen, ...once(binding.pk, notified) };
  });
}

interface Outcome {
  at: number | null;
  why: ForecastWhy | null;
  mutedBy?: string;
}

function order({ at }: Outcome): number {
  return at ?? Number.POSITIVE_INFINITY;
}

/** A schedule sends after the channels that are notified at the same moment. */
function rank({ rosterAt }: ForecastBinding): number {
  return rosterAt ? 1 : 0;
}

function once(pk: number, notified: Set<number>): Partial<Outcome> {
  if (notified.has(pk)) return { at: null, why: "twice" };
  notified.add(pk);
  return {};
}

interface Sent extends ForecastSubject {
  at: number;
  notified: Set<number>;
}

/** Whom a schedule notifies (behavior 23.35 to 23.38). */
function routed({ person, own }: ForecastRoster, { at, event, defaults, notified }: Sent): Partial<Foreseen> {
  const receivers = reachable(own, defaults);
  const known = receivers.map((channel) => ({
    ...channel,
    newest: notified.has(channel.pk) ? { event, isPending: false, createdAt: at } : null,
  }));
  const chosen = planRoute({ event, every: 0, now: at }, known);
  for (const { pk } of chosen) notified.add(pk);
  const areDefaults = !own.some(({ enabled }) => enabled);
  const shown = { person, areDefaults: areDefaults && receivers.length > 0 };
  if (chosen.length > 0) return { ...shown, channels: chosen.map(({ name }) => name) };
  const isTwice = receivers.some(({ pk }) => notified.has(pk));
  return { ...shown, at: null, why: receivers.length === 0 ? "nobody" : isTwice ? "twice" : "notifyOn" };
}

/** Bounds the number of decisions: windows may follow one another. */
const MAX_DECISIONS = 100;

function whenSent(binding: ForecastBinding, subject: ForecastSubject): Outcome {
  const { enabled, notifyOn, timing, earlier } = binding;
  const { event, monitorAt, isUnderWay, now } = subject;
  if (!enabled) return never("disabled");
  if (!shouldNotify(notifyOn, event, () => undefined)) return never("notifyOn");
  if (isUnderWay && !earlier) return never("bound");
  if (earlier && earlier.status !== "undecided") return never(earlier.status);
  if (earlier?.hold.kind === "withdrawn") return never(earlier.hold.why);
  let hold: Hold = earlier ? known(earlier.hold) : { kind: "new" };
  let why: ForecastWhy | null = null;
  let at = now;
  for (let count = 0; count < MAX_DECISIONS; count++) {
    const monitor = monitorAt(at);
    const row = undecided(event, { hold, outage: monitor.outage });
    const pair = { timing, notifyOn, told: null, undecided: [row] };
    const { decision } = decideTrouble(row, monitor, { pair, now: at });
    if (decision.kind === "send") return { at, why };
    if (decision.kind === "withdraw") return never(decision.why);
    if (decision.kind === "delete") return never("twice");
    hold = decision.hold;
    if (hold.kind === "muted") return { ...never("muted"), mutedBy: hold.by.monitorId };
    if (hold.kind !== "delay" && hold.kind !== "hours" && hold.kind !== "maintenance") break;
    why ??= hold.kind;
    at = hold.kind === "maintenance" ? (monitor.windowEndsAt ?? decision.reviewAt) : decision.reviewAt;
  }
  return never(why ?? "paused");
}

function never(why: ForecastWhy | WithdrawnWhy): Outcome {
  return { at: null, why };
}

/** A check that a notification waits for is not foreseen: the trouble lasts. */
function known(hold: Hold): Hold {
  return hold.kind === "delay" || hold.kind === "hours" || hold.kind === "maintenance"
    ? hold
    : { kind: "new" };
}

function undecided(event: Transition, { hold, outage }: Pick<Undecided, "hold" | "outage">): Undecided {
  const { createdAt } = event.result;
  return { ...{ pk: 0, event, hold, outage }, status: "held", createdAt, isAfterWithdrawn: false };
}

/** Whether a monitor has trouble that was notified, or is to be. */
export function isUnderWay({ status, outage, enabled }: ReviewedMonitor): boolean {
  return enabled && outage !== null && status !== "unknown" && groupOf[status] !== "healthy";
}
