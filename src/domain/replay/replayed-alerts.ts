import { firstHold, type Hold, type Transition } from "../alerts/delivery.ts";
import { EVERY_GROUP, type NotifyOn, shouldNotify } from "../alerts/notify.ts";
import type { ReviewedMonitor, ReviewedOutage, Told, Undecided } from "../alerts/review/pair.ts";
import { planPair, planReminder, reminderOf } from "../alerts/review/plan-pair.ts";
import { planRoute, type RoutedChannel, reachable } from "../alerts/routing.ts";
import { SECOND } from "../duration.ts";
import { isInMaintenance } from "../maintenance/maintenance.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { groupOf, type Status } from "../monitors/status.ts";
import type { ReplayChanges } from "./changes.ts";
import type { MonitorSettings, PastBinding, ReplayedPast } from "./history.ts";

/*
 * The notifications of a monitor in a replay. The review decides as it does about stored deliveries (`domain/alerts/review`); this file has
 * in memory what the store has in rows. Times are milliseconds since 1970.
 */

/** A message to a channel. @property outage the position of its outage among the outages of the monitor; null if it ended in a pause */
export interface ReplayedMessage {
  channelId: string;
  at: number;
  status: Status;
  isReminder: boolean;
  outage: number | null;
}

/** The monitor and its world, as a review needs them. */
export interface ReviewedWorld {
  monitorAt(now: number): ReviewedMonitor;
  /** When the window in which the monitor is ends, also if somebody ended it early. */
  windowEndsAfter(now: number): number;
  /** When one of the monitors that it depends on changes next; infinite if none does. */
  ancestorsChangeAfter(now: number): number;
}

/** A channel, or a schedule, that a monitor notifies. @property told the newest notification of a schedule: a channel has a `Receiver` */
interface Pair {
  binding: PastBinding;
  undecided: Undecided[];
  reviewAt: number | null;
  remindAt: number | null;
  waitsUntil: number | null;
  /** Why the newest delivery was withdrawn, if it was. */
  withdrawn: { row: Undecided; why: string } | null;
  /** The outages of which a delivery was withdrawn since the channel was notified last. */
  withheld: Set<number>;
  told: Told | null;
  newest: RoutedChannel["newest"];
  /** The status in the newest delivery that was not withdrawn. */
  last: Status | undefined;
}

/** A channel, by any binding. @property isRouted whether a schedule notified it */
interface Receiver {
  told: Told | null;
  newest: RoutedChannel["newest"];
  isRouted: boolean;
}

/** The notifications of one monitor, in their order. */
export class ReplayedAlerts {
  readonly messages: ReplayedMessage[] = [];
  readonly #pairs = new Map<string, Pair>();
  readonly #receivers = new Map<string, Receiver>();
  readonly #past: ReplayedPast;
  readonly #changes: ReplayChanges;
  #rows = 0;

  constructor(past: ReplayedPast, changes: ReplayChanges) {
    this.#past = past;
    this.#changes = changes;
  }

  /** The bindings were notified of trouble that is under way at the start. */
  begin(settings: MonitorSettings, event: Transition): void {
    const { status, troubleSince = null, result } = event;
    const told = { status, troubleSince, resultId: result.id };
    const newest = { event, isPending: false, createdAt: result.createdAt };
    for (const binding of settings.bindings) {
      const pair = this.#pairOf(binding);
      Object.assign(pair, { told, newest, last: status });
      const { every } = this.#timingOf(binding);
      pair.remindAt = every > 0 ? newest.createdAt + every * 1000 : null;
      if (binding.channelId !== null) Object.assign(this.#receiverOf(binding.channelId), { told, newest });
    }
  }

  /** @property outage that the change begins, continues or ends, and its position */
  change(
    event: Transition,
    {
      settings,
      result,
      outage,
    }: { settings: MonitorSettings; result: NewResult; outage: ReviewedOutage | null },
  ): void {
    const at = result.createdAt;
    for (const binding of settings.bindings) {
      const notifyOn = this.#notifyOnOf(binding, at);
      const pair = this.#pairOf(binding);
      const last = () => pair.undecided.at(-1)?.event.status ?? pair.last;
      if (!notifyOn || !shouldNotify(notifyOn, event, last)) continue;
      const hold = firstHold({
        timing: this.#timingOf(binding),
        isInWindow: isInMaintenance(result),
        isDependent: settings.dependsOn.length > 0,
        isOfSchedule: binding.scheduleId !== null,
        followsHeld: pair.undecided.length > 0 || pair.withdrawn !== null,
      });
      pair.withdrawn = null;
      if (!hold) {
        this.#send(pair, { event, outage, now: at });
        continue;
      }
      const status = hold.kind === "maintenance" ? "hidden" : "held";
      const isAfterWithdrawn = outage !== null && pair.withheld.has(outage.pk);
      pair.undecided.push({ pk: ++this.#rows, event, status, hold, createdAt: at, outage, isAfterWithdrawn });
      pair.reviewAt = at;
    }
    this.reviewHeld(at);
  }

  /** Everything that is undecided is decided again. */
  reviewHeld(at: number): void {
    for (const pair of this.#pairs.values())
      if (pair.undecided.length > 0) pair.reviewAt = Math.min(pair.reviewAt ?? at, at);
  }

  /** Whether a notification waits for the next check. */
  get isAwaited(): boolean {
    for (const { undecided } of this.#pairs.values())
      if (undecided.some(({ hold }) => hold.kind === "recheck" || hold.kind === "resumed")) return true;
    return false;
  }

  /** When the next review is due; infinite if none is. A reminder is found by the tick after its time. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { reviewAt, remindAt } of this.#pairs.values()) {
      if (reviewAt !== null) next = Math.min(next, reviewAt);
      if (remindAt !== null) next = Math.min(next, tickAfter(remindAt));
    }
    return next;
  }

  /**
   * Decides what is due.
   *
   * @param settings of the monitor now @returns whether the monitor is to be checked now, and which others
   */
  review(
    now: number,
    { settings, world }: { settings: MonitorSettings; world: ReviewedWorld },
  ): { asksItself: boolean; asks: readonly number[] } {
    const monitor = world.monitorAt(now);
    let asksItself = false;
    const asks: number[] = [];
    const bound = new Set(settings.bindings.map((binding) => this.#pairOf(binding)));
    for (const pair of this.#pairs.values())
      if (!bound.has(pair)) Object.assign(pair, { undecided: [], reviewAt: null, remindAt: null });
    for (const pair of bound) {
      const { binding } = pair;
      const notifyOn = this.#notifyOnOf(binding, now);
      if (pair.reviewAt !== null && pair.reviewAt <= now) {
        const plan = this.#decide(pair, { notifyOn: notifyOn ?? EVERY_GROUP, monitor, world, now });
        asksItself ||= plan.asksItself;
        asks.push(...plan.asks);
      } else if (pair.remindAt !== null && pair.remindAt <= now) {
        asksItself ||= this.#remind(pair, { notifyOn, monitor, now });
      }
    }
    return { asksItself, asks };
  }

  #decide(
    pair: Pair,
    {
      notifyOn,
      monitor,
      world,
      now,
    }: { notifyOn: NotifyOn; monitor: ReviewedMonitor; world: ReviewedWorld; now: number },
  ) {
    const timing = this.#timingOf(pair.binding);
    const rows = pair.undecided;
    const plan = planPair({ timing, notifyOn, told: this.#toldOf(pair), undecided: rows }, monitor, now);
    pair.undecided = [];
    pair.reviewAt = null;
    for (const { pk, event, decision } of plan.decided) {
      const row = rows.find((one) => one.pk === pk);
      if (!row) continue;
      const outage = plan.decided.at(-1)?.pk === pk ? (monitor.outage ?? row.outage) : row.outage;
      if (decision.kind === "send") this.#send(pair, { event, outage, now });
      if (decision.kind === "withdraw") this.#withdraw(pair, row, decision.why);
      if (decision.kind !== "keep") continue;
      const { status, hold, reviewAt } = decision;
      pair.undecided.push({ ...row, event, status, hold });
      pair.reviewAt = nextReview({ hold, reviewAt, monitor, world, now });
    }
    if (plan.remindAt !== undefined) Object.assign(pair, { remindAt: plan.remindAt, waitsUntil: null });
    return plan;
  }

  #remind(
    pair: Pair,
    { notifyOn, monitor, now }: { notifyOn: NotifyOn | null; monitor: ReviewedMonitor; now: number },
  ) {
    const newest = this.#newestOf(pair);
    const { status, troubleSince = null } = newest?.event ?? {};
    const due = {
      timing: this.#timingOf(pair.binding),
      notifyOn: notifyOn ?? [],
      last: status ? { status, troubleSince } : null,
      newestAt: newest?.createdAt ?? null,
      isUnready: !notifyOn || pair.undecided.length > 0,
      waitsUntil: pair.waitsUntil,
    };
    const { isDue, remindAt, waitsUntil, asksItself } = planReminder(due, monitor, now);
    Object.assign(pair, { remindAt, waitsUntil });
    if (isDue && newest)
      this.#send(pair, {
        event: reminderOf(newest.event),
        outage: monitor.outage,
        now,
        every: due.timing.every,
      });
    return asksItself;
  }

  #withdraw(pair: Pair, row: Undecided, why: string): void {
    pair.withdrawn = { row, why };
    if (row.outage) pair.withheld.add(row.outage.pk);
  }

  /** The monitor is paused: nothing of it is sent any more (behavior 14.27). */
  pause(): void {
    for (const pair of this.#pairs.values()) {
      for (const row of pair.undecided) this.#withdraw(pair, row, "paused");
      Object.assign(pair, { undecided: [], reviewAt: null, remindAt: null });
    }
  }

  /** The monitor is resumed, or the acknowledgement of its outage is taken back (behavior 14.26, 14.27, 23.6). */
  revive(now: number, kind: "resumed" | "delay", whys: readonly string[]): void {
    for (const pair of this.#pairs.values()) {
      const { every } = this.#timingOf(pair.binding);
      if (every > 0) pair.remindAt = now + every * 1000;
      if (!pair.withdrawn || !whys.includes(pair.withdrawn.why)) continue;
      pair.undecided = [{ ...pair.withdrawn.row, status: "held", hold: { kind } }];
      Object.assign(pair, { withdrawn: null, reviewAt: now });
    }
  }

  #send(
    pair: Pair,
    {
      event,
      outage,
      now,
      every = 0,
    }: { event: Transition; outage: ReviewedOutage | null; now: number; every?: number },
  ): void {
    const { status, troubleSince = null, result } = event;
    const told = { status, troubleSince, resultId: result.id };
    const newest = { event, isPending: false, createdAt: event.reminder ? now : result.createdAt };
    pair.withheld.clear();
    Object.assign(pair, { told, newest, last: status });
    const message = { at: now, status, isReminder: event.reminder === true, outage: outage?.pk ?? null };
    const ids =
      pair.binding.channelId === null ? this.#routed(pair, { event, every, now }) : [pair.binding.channelId];
    for (const channelId of ids) {
      Object.assign(this.#receiverOf(channelId), { told, newest });
      this.messages.push({ ...message, channelId });
    }
  }

  /** The channels that a schedule notifies (behavior 23.35 to 23.38). */
  #routed(
    { binding }: Pair,
    { event, every, now }: { event: Transition; every: number; now: number },
  ): string[] {
    const isRecovery = groupOf[event.status] === "healthy";
    const own = this.#past.onCall.get(binding.scheduleId ?? "")?.(now) ?? [];
    const known = [...this.#receivers].flatMap(([id, { isRouted }]) => (isRouted ? [id] : []));
    const routed = (ids: readonly string[]) => ids.map((id) => this.#routedChannel(id, now));
    const candidates = isRecovery
      ? routed(known)
      : reachable(routed(own), routed(this.#past.defaultChannelIds));
    const chosen = planRoute({ event, every, now }, candidates).map(({ id }) => id);
    for (const id of chosen) this.#receiverOf(id).isRouted = true;
    return chosen;
  }

  #routedChannel(id: string, now: number): RoutedChannel & { id: string } {
    const settings = this.#channelAt(id, now);
    const { newest } = this.#receiverOf(id);
    const notifyOn = this.#changes.notifyOn ?? settings?.notifyOn ?? EVERY_GROUP;
    return { id, pk: 0, enabled: settings?.enabled ?? false, notifyOn, newest };
  }

  #channelAt(id: string, at: number) {
    const settings = this.#past.channels.get(id)?.settings;
    return settings?.findLast(({ since }) => since <= at) ?? settings?.[0];
  }

  /** @returns null for a channel that is disabled */
  #notifyOnOf({ channelId }: PastBinding, at: number): NotifyOn | null {
    if (channelId === null) return EVERY_GROUP;
    const settings = this.#channelAt(channelId, at);
    return settings?.enabled ? (this.#changes.notifyOn ?? settings.notifyOn) : null;
  }

  #timingOf({ timing }: PastBinding) {
    const { after, every, hours } = this.#changes;
    return {
      after: after ?? timing.after,
      every: every ?? timing.every,
      hours: hours ? { outside: "hold" as const, ...hours } : timing.hours,
    };
  }

  #toldOf({ binding, told }: Pair): Told | null {
    return binding.channelId === null ? told : this.#receiverOf(binding.channelId).told;
  }

  #newestOf({ binding, newest }: Pair) {
    return binding.channelId === null ? newest : this.#receiverOf(binding.channelId).newest;
  }

  #pairOf(binding: PastBinding): Pair {
    const key = binding.channelId ?? `schedule ${binding.scheduleId}`;
    const known = this.#pairs.get(key);
    if (known) {
      known.binding = binding;
      return known;
    }
    const pair: Pair = {
      ...{ binding, undecided: [], reviewAt: null, remindAt: null, waitsUntil: null },
      ...{ withdrawn: null, withheld: new Set<number>(), told: null, newest: null, last: undefined },
    };
    this.#pairs.set(key, pair);
    return pair;
  }

  #receiverOf(id: string): Receiver {
    const known = this.#receivers.get(id);
    if (known) return known;
    const receiver = { told: null, newest: null, isRouted: false };
    this.#receivers.set(id, receiver);
    return receiver;
  }
}

/** When a notification that waits is decided next; null if nothing changes any more. */
function nextReview({
  hold,
  reviewAt,
  monitor,
  world,
  now,
}: {
  hold: Hold;
  reviewAt: number;
  monitor: ReviewedMonitor;
  world: ReviewedWorld;
  now: number;
}): number | null {
  if (hold.kind === "muted") return finite(world.ancestorsChangeAfter(now));
  const endsAt = hold.kind === "maintenance" ? world.windowEndsAfter(now) : reviewAt;
  const dueAt = Math.max(endsAt, now + 1);
  // Whoever ends a window early has its notifications reviewed at once.
  const isEarly = hold.kind === "maintenance" && endsAt !== monitor.windowEndsAt;
  return isEarly ? dueAt : tickAfter(dueAt);
}

/** The review decides each second about what is due, and at once after a commit. */
function tickAfter(at: number): number {
  return Math.ceil(at / SECOND) * SECOND;
}

function finite(at: number): number | null {
  return at === Number.POSITIVE_INFINITY ? null : at;
}
