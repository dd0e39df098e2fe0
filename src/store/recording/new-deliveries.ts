import { type StoredTiming, timingDuring } from "../../domain/alerts/alert-binding.ts";
import type { StoredDeliveryStatus, Transition } from "../../domain/alerts/delivery.ts";
import { firstHold, type Hold } from "../../domain/alerts/hold.ts";
import { type BoundChannel, type PlannedDelivery, planDeliveries } from "../../domain/alerts/notify.ts";
import { isInMaintenance } from "../../domain/maintenance/maintenance.ts";
import type { PlannedTransition, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import { groupOf } from "../../domain/monitors/status.ts";
import { deliveryId, resultId } from "../ids.ts";
import { asStored } from "../results/measured.ts";
import type { Tx } from "../tx.ts";
import { type OpenedOutages, type OutageOf, outageFinder } from "./plan-effects.ts";
import { findSubject, type StoredSubjects } from "./stored-subject.ts";

/** Held deliveries are reviewed at once, even if the clock was set back. */
const LONG_AGO = 0;

/** @property isDependent whether the monitor depends on others @property followsHeld see `HoldContext` */
export interface StoredChannel extends BoundChannel {
  pk: number;
  timing: StoredTiming;
  isDependent: boolean;
  followsHeld: boolean;
}

/** A delivery to insert. */
export type NewDelivery = Tx["tables"]["deliveries"]["$inferInsert"];

/** The rows of what a plan contains. @property resultPks of its results @property opened the outages that it opened */
export interface SavedPlan {
  subjects: StoredSubjects;
  resultPks: readonly number[];
  opened: OpenedOutages;
}

/**
 * The monitors of the transitions, by their IDs.
 *
 * @property channels the enabled channels of each @property mutes how many monitors depend on it, if that is needed
 */
export interface LoadedBindings {
  channels: ReadonlyMap<string, readonly StoredChannel[]>;
  mutes: ReadonlyMap<string, number>;
}

/** The monitors that this batch reports as down: their dependents may be muted (behavior 14.51). */
export function mutingMonitors(
  { transitions }: Pick<RecordingPlan, "transitions">,
  channels: LoadedBindings["channels"],
): string[] {
  const down = transitions.filter(({ status }) => groupOf(status) === "down");
  const ids = new Set(down.map(({ monitor: { id } }) => id));
  return [...ids].filter((id) => (channels.get(id)?.length ?? 0) > 0);
}

/** The deliveries that follow from the transitions of a plan, in their order. */
export function newDeliveries(
  plan: RecordingPlan,
  saved: SavedPlan,
  { channels, mutes }: LoadedBindings,
): NewDelivery[] {
  const outageOf = outageFinder(plan, saved);
  const holdOf = holdFinder(plan, outageOf);
  const planned = Map.groupBy(planDeliveries(plan.transitions, channels), ({ transition }) => transition);
  return [...planned].flatMap(([transition, deliveries]) => {
    const { resultAt, monitor } = transition;
    const [resultPk, result] = [saved.resultPks[resultAt], plan.results[resultAt]];
    if (resultPk === undefined || !result) return [];
    const { latencyMs, detail, createdAt } = asStored(result);
    const outage = outageOf(transition);
    const event = {
      ...eventOf(transition, { id: resultId(resultPk), latencyMs, detail, createdAt }),
      ...(outage && { outage: { id: outage.id, startedAt: outage.startedAt } }),
      ...(groupOf(transition.status) === "down" && mutesOf(mutes.get(monitor.id))),
    } satisfies Transition;
    const { pk: monitorPk } = findSubject(saved.subjects, monitor.id);
    const shared = { monitorPk, resultPk, event, createdAt, outagePk: outage?.pk ?? null };
    return deliveries.map((delivery) => {
      const { pk: channelPk, id: channelId, type: channelType } = delivery.channel;
      const channel = { id: deliveryId(resultPk), channelPk, channelId, channelType };
      return { ...shared, ...channel, ...progressOf(holdOf(delivery), createdAt) };
    });
  });
}

/** After one delivery of a monitor to a channel is held, the later ones are held too. */
function holdFinder({ results }: RecordingPlan, outageOf: OutageOf) {
  const held = new Set<StoredChannel>();
  return ({ transition, channel }: PlannedDelivery<StoredChannel>): Hold | null => {
    const result = results[transition.resultAt];
    const hold = firstHold({
      timing: timingDuring(channel.timing, outageOf(transition)?.pk ?? null),
      isInWindow: result !== undefined && isInMaintenance(result),
      isDependent: channel.isDependent,
      followsHeld: channel.followsHeld || held.has(channel),
    });
    if (hold) held.add(channel);
    return hold;
  };
}

function progressOf(hold: Hold | null, createdAt: number) {
  if (!hold) return { status: "pending", nextAttemptAt: createdAt, hold: null, reviewAt: null } as const;
  const status: StoredDeliveryStatus = hold.kind === "maintenance" ? "hidden" : "held";
  return { status, nextAttemptAt: null, hold, reviewAt: LONG_AGO };
}

function eventOf(
  { resultAt: _, ...transition }: PlannedTransition,
  result: Transition["result"],
): Transition {
  return { ...transition, result };
}

function mutesOf(count = 0): Pick<Transition, "mutes"> {
  return count === 0 ? {} : { mutes: count };
}
