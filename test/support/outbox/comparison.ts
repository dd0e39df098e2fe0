import type { AlertOutcome, DeliveryRecord, DeliveryStatus } from "../../../src/domain/alerts/delivery.ts";
import type { Store } from "../../../src/store/store.ts";
import {
  describe,
  existsStill,
  type ModelChannel,
  type ModelMonitor,
  type Notification,
  type OutboxRules,
} from "./rules.ts";

/** A result as the store has it. */
interface Saved {
  id: string;
  status: string;
  outcome: AlertOutcome | null;
}

type Target = Pick<ModelMonitor, "organizationId" | "id">;

/** All results of a monitor, oldest first. */
export async function findSaved(store: Store, { organizationId, id }: Target): Promise<Saved[]> {
  const { items } = await store.results.list(organizationId, { monitorId: id, limit: 200 });
  return items.reverse().map(({ id, status, alertOutcome }) => ({ id, status, outcome: alertOutcome }));
}

/** How many attempts at a notification the store has; undefined if it does not list the notification any more. */
export async function findAttempts(store: Store, notification: Notification): Promise<number | undefined> {
  const { monitor, channel, id } = notification;
  if (!monitor) return (await listDeliveries(store, channel)).find((one) => one.id === id)?.attempts;
  if (!monitor.exists) return undefined;
  const at = monitor.results.findIndex(({ notifications }) => notifications.includes(notification));
  const outcome = (await findSaved(store, monitor))[at]?.outcome;
  return outcome?.channels.find(({ channelId }) => channelId === channel.id)?.attempts;
}

/** The deliveries of a channel, oldest first; none if it was deleted. */
async function listDeliveries(
  store: Store,
  { id, organizationId, exists }: ModelChannel,
): Promise<DeliveryRecord[]> {
  if (!exists) return [];
  const page = { limit: 200, cursor: undefined };
  return (await store.deliveries.list(organizationId, id, page)).items.reverse();
}

/** Compares the results of monitors, and the outcomes of their alerts, with the rules (behavior 5.23 to 5.25). */
export class Comparison {
  /** The last expectation: the store is only read again if it changes. */
  readonly #compared = new Map<ModelMonitor, string>();

  /** @throws Error if they differ */
  async compare(store: Store, monitor: ModelMonitor, { isForced = false } = {}): Promise<void> {
    const expected = monitor.results.map(({ status, notifications }) => ({
      status,
      outcome: outcomeOf(notifications),
    }));
    const text = JSON.stringify(expected);
    if (!isForced && text === this.#compared.get(monitor)) return;
    const saved = (await findSaved(store, monitor)).map(({ status, outcome }) => ({
      status,
      outcome: outcome && withoutCauses(outcome),
    }));
    this.#compared.set(monitor, text);
    if (!Bun.deepEquals(saved, expected))
      throw new Error(`the store has ${JSON.stringify(saved)} instead of ${text} (5.23 to 5.25)`);
  }
}

function outcomeOf(notifications: Notification[]): AlertOutcome | null {
  if (notifications.length === 0) return null;
  const channels = notifications.map(({ channel, state, attempts, error, deliveredAt }) => {
    return { channelId: channel.id, type: "WEBHOOK" as const, status: state, attempts, error, deliveredAt };
  });
  return { status: overall(channels.map(({ status }) => status)), channels };
}

/** Deliveries that were not to be sent do not count, if there are others (behavior 5.25, 14.20). */
function overall(all: DeliveryStatus[]): AlertOutcome["status"] {
  const sent = all.filter((status) => status !== "muted" && status !== "withdrawn");
  const [first] = sent;
  if (!first) return all.includes("muted") ? "muted" : "withdrawn";
  if (sent.includes("pending")) return "pending";
  return sent.every((status) => status === first) ? first : "partial";
}

/** Other tests know which monitor mutes. */
function withoutCauses({ status, channels }: AlertOutcome): AlertOutcome {
  return { status, channels: channels.map(({ mutedBy: _, ...one }) => one) };
}

/**
 * True at the end: nothing is pending, and what was delivered arrived once, or again for each attempt that a
 * crash cut off (behavior 5.11).
 *
 * @throws Error if it is not
 */
export async function assertSettled(store: Store, { notifications }: OutboxRules): Promise<void> {
  for (const notification of notifications) {
    const { state, arrivals, cutOff, hold } = notification;
    if (state === "pending" && hold?.kind !== "resumed" && existsStill(notification))
      throw new Error(`${describe(notification)} did not settle (5.11)`);
    if (state === "delivered" && arrivals === 0)
      throw new Error(`${describe(notification)} did not arrive (5.11)`);
    if (arrivals > 1 + cutOff)
      throw new Error(`${describe(notification)} arrived ${arrivals} times, after ${cutOff} crashes (5.11)`);
  }
  // The background work, which does not run here, deletes the deliveries of a deleted monitor.
  const left = notifications.filter(({ state, channel }) => state === "pending" && channel.exists);
  for (const [organizationId, own] of Map.groupBy(left, ({ channel }) => channel.organizationId)) {
    const pending = await store.deliveries.countPending(organizationId);
    if (pending > own.length) throw new Error(`${pending} deliveries are still pending (5.11)`);
  }
}

/** @throws Error if a channel lists other deliveries than the rules have, or in another order (behavior 13.63) */
export async function assertListed(store: Store, { channels, notifications }: OutboxRules): Promise<void> {
  for (const channel of channels.filter(({ exists }) => exists)) {
    const own = notifications.filter((one) => one.channel === channel && existsStill(one));
    const expected = own.map(({ to, state, attempts, error }) => ({ to, state, attempts, error }));
    const listed = (await listDeliveries(store, channel)).map(
      ({ type, newStatus, status, attempts, error }) => ({
        to: newStatus ?? type,
        state: status,
        ...{ attempts, error },
      }),
    );
    if (!Bun.deepEquals(listed, expected))
      throw new Error(`a channel lists ${JSON.stringify(listed)} instead of ${JSON.stringify(expected)}`);
  }
}
