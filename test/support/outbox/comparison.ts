import type { AlertOutcome } from "../../../src/domain/alerts/delivery.ts";
import type { Store } from "../../../src/store/store.ts";
import { describe, type ModelMonitor, type Notice, type OutboxRules } from "./rules.ts";

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

/** Compares the results of monitors, and the outcomes of their alerts, with the rules (behavior 5.23 to 5.25). */
export class Comparison {
  /** What was expected last: the store is only read again if that changes. */
  readonly #compared = new Map<ModelMonitor, string>();

  /** @throws Error if they differ */
  async compare(store: Store, monitor: ModelMonitor, { isForced = false } = {}): Promise<void> {
    const expected = monitor.results.map(({ status, notices }) => ({ status, outcome: outcomeOf(notices) }));
    const text = JSON.stringify(expected);
    if (!isForced && text === this.#compared.get(monitor)) return;
    const saved = (await findSaved(store, monitor)).map(({ status, outcome }) => ({ status, outcome }));
    this.#compared.set(monitor, text);
    if (!Bun.deepEquals(saved, expected))
      throw new Error(`the store has ${JSON.stringify(saved)} instead of ${text} (5.23 to 5.25)`);
  }
}

function outcomeOf(notices: Notice[]): AlertOutcome | null {
  if (notices.length === 0) return null;
  const channels = notices.map(({ channel, state, attempts, error, deliveredAt }) => {
    return { channelId: channel.id, type: "WEBHOOK" as const, status: state, attempts, error, deliveredAt };
  });
  const [first] = channels;
  const isPending = channels.some(({ status }) => status === "pending");
  const agree = channels.every(({ status }) => status === first?.status);
  return { status: isPending ? "pending" : agree && first ? first.status : "partial", channels };
}

/**
 * What is true at the end: nothing is pending, and what was delivered arrived once, or again for each attempt that a
 * crash cut off (behavior 5.11).
 *
 * @throws Error if it is not
 */
export async function assertSettled(store: Store, { notices }: OutboxRules): Promise<void> {
  for (const notice of notices) {
    const { state, arrivals, cutOff, monitor } = notice;
    if (state === "pending" && monitor.exists) throw new Error(`${describe(notice)} did not settle (5.11)`);
    if (state === "delivered" && arrivals === 0) throw new Error(`${describe(notice)} did not arrive (5.11)`);
    if (arrivals > 1 + cutOff)
      throw new Error(`${describe(notice)} arrived ${arrivals} times, after ${cutOff} crashes (5.11)`);
  }
  // Those of a deleted monitor are deleted in the background, which does not run here.
  const left = notices.filter(({ state, channel }) => state === "pending" && channel.exists);
  for (const [organizationId, own] of Map.groupBy(left, ({ monitor }) => monitor.organizationId)) {
    const pending = await store.deliveries.countPending(organizationId);
    if (pending > own.length) throw new Error(`${pending} deliveries are still pending (5.11)`);
  }
}
