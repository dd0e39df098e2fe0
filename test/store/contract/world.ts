import type { Organization, Plan } from "../../../src/domain/accounts/organization.ts";
import type { ChannelOutcome, DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import type { Detail, Evidence } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { CheckResult } from "../../../src/domain/results/history.ts";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import type { NewChannel } from "../../../src/store/alerts/channels.ts";
import type { MonitorWithBindings, NewMonitor } from "../../../src/store/monitors/monitors.ts";
import type { PendingDelivery, Store } from "../../../src/store/store.ts";
import { alone } from "../../support/store/alone.ts";
import { FlappingLocation } from "../../support/store/flapping-location.ts";
import type { TestStore } from "../../support/store/test-store.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The time at which each test begins. */
export const NOW = Date.UTC(2027, 5, 1, 12);

/** Later than every attempt at a delivery is due. */
export const MUCH_LATER = NOW + 1000 * DAY;

export const WEBHOOK = { url: "http://127.0.0.1:1/" };

/** A store with an organization in it. Whatever it creates belongs to that organization. */
export class World implements AsyncDisposable {
  #jobs = 0;
  readonly #flapping: FlappingLocation;

  private constructor(
    readonly opened: TestStore,
    readonly organization: Organization,
  ) {
    this.#flapping = new FlappingLocation(() => this.store, organization.id);
  }

  static async create(opened: TestStore, plan: Plan = "enterprise"): Promise<World> {
    const values = { name: "A", plan, subscription: "active" } as const;
    return new World(opened, await opened.store.organizations.create(values, NOW));
  }

  /** Another organization in the same store. */
  another(plan: Plan = "enterprise"): Promise<World> {
    return World.create(this.opened, plan);
  }

  get store(): Store {
    return this.opened.store;
  }

  get organizationId(): string {
    return this.organization.id;
  }

  get owner() {
    return { organizationId: this.organization.id, plan: this.organization.plan };
  }

  async channel(values: Partial<NewChannel> = {}): Promise<string> {
    const channel = { name: "c", type: "WEBHOOK", config: WEBHOOK, enabled: true } as const;
    return (await this.store.channels.create(this.owner, { ...channel, ...values }, NOW)).id;
  }

  job(...alertChannelIds: string[]): Promise<string> {
    return this.jobWith({}, ...alertChannelIds);
  }

  async jobWith(config: Partial<MonitorConfig<"SCHEDULED">>, ...alertChannelIds: string[]): Promise<string> {
    const job = { name: `job ${++this.#jobs}`, type: "SCHEDULED", alertChannelIds } as const;
    const values = { ...job, config: { interval: 300, ...config } };
    return (await this.store.monitors.create(this.owner, values, NOW)).id;
  }

  /** A monitor that is probed. */
  async site(...alertChannelIds: string[]): Promise<string> {
    const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
    return (await this.store.monitors.create(this.owner, { ...site, alertChannelIds }, NOW)).id;
  }

  /** Another location than this server, whose probe was seen. @returns its ID and its number */
  async location(name = "fra", seenAt = NOW): Promise<{ id: string; pk: number }> {
    const key = `stillup_probe_${name}${this.organizationId}`;
    const { id } = await this.store.locations.create({ organizationId: this.organizationId, name, key }, NOW);
    const probe = await this.store.locations.findProbe(hashKey(key));
    if (!probe) throw new Error("the key of a new location is unknown");
    await this.store.locations.noteSeen(probe.pk, { now: seenAt, version: "1.0.0" });
    return { id, pk: probe.pk };
  }

  /** A monitor that these locations check: `here` is this server. */
  async placed(locations: string[], values: Partial<NewMonitor> = {}): Promise<string> {
    const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
    const monitor = { ...site, alertChannelIds: [], locations, ...values };
    return (await this.store.monitors.create(this.owner, monitor, NOW)).id;
  }

  /** Records a check-in: `ok` or `fail`. */
  checkin(monitorId: string, status: string, at = NOW) {
    return this.store.recording.record([{ kind: "checkin", monitorId, status, at }]);
  }

  /** Records a check of a monitor whose config was not changed yet. */
  check(monitorId: string, evidence: Evidence, at = NOW) {
    return this.store.recording.record([{ kind: "check", monitorId, revision: 0, evidence, at }]);
  }

  up(monitorId: string, { latencyMs = 10, at = NOW, detail = {} as Detail } = {}) {
    return this.check(monitorId, { outcome: "reached", latencyMs, detail }, at);
  }

  down(monitorId: string, at = NOW) {
    return this.check(monitorId, { outcome: "failed", reason: "refused", detail: {} }, at);
  }

  /** Sets the default channels of the organization. */
  async setDefaults(...defaultAlertChannelIds: string[]): Promise<void> {
    await this.store.organizations.updateSettings(this.organizationId, { defaultAlertChannelIds });
  }

  /** Lets a location be silent, or connected again, in turn. */
  async notify(at = NOW): Promise<void> {
    await this.#flapping.turn(at);
  }

  find(monitorId: string) {
    return this.store.monitors.find(this.organizationId, monitorId);
  }

  /** All results of a monitor, most recent first. */
  results(monitorId: string, limit = 200): Promise<CheckResult[]> {
    return allPages((cursor) => this.store.results.list(this.organizationId, { monitorId, limit, cursor }));
  }

  /** The outcomes of the notifications of the latest result. */
  async outcomes(monitorId: string): Promise<ChannelOutcome[]> {
    const page = await this.store.results.list(this.organizationId, { monitorId, limit: 1 });
    return page.items[0]?.alertOutcome?.channels ?? [];
  }

  /** The deliveries that are due, as the dispatcher reads them. */
  async due(now = MUCH_LATER, limit = 1000): Promise<PendingDelivery[]> {
    const { deliveries } = this.store;
    const due = await deliveries.listDue(alone, { now, limit });
    const pks = due.map(({ pk }) => pk);
    const claimed = await deliveries.claim(pks, alone, now);
    return claimed.filter(({ organizationId }) => organizationId === this.organizationId);
  }

  async attempt(delivery: PendingDelivery, attempt: DeliveryAttempt, at = NOW): Promise<boolean> {
    const made = { delivery, attempt, startedAt: at, endedAt: at };
    const [isRetried = false] = await this.store.deliveries.recordAttempts([made]);
    return isRetried;
  }

  /** Attempts every delivery that is due. */
  async attemptAll(attempt: DeliveryAttempt, at = NOW): Promise<void> {
    for (const delivery of await this.due()) await this.attempt(delivery, attempt, at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]();
  }
}

/** The channels of a monitor. */
export function channelsOf({ alertBindings }: Pick<MonitorWithBindings, "alertBindings">): string[] {
  return alertBindings.map(({ alertChannelId = "" }) => alertChannelId);
}

/** The items of all pages, in order. @throws Error if a cursor is repeated */
export async function allPages<Item>(
  read: (cursor: string | undefined) => Promise<{ items: Item[]; cursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.cursor ?? undefined;
    if (cursor && cursors.size === cursors.add(cursor).size) throw new Error(`repeated cursor: ${cursor}`);
  } while (cursor);
  return items;
}

/** The items of a list that is read in slices. */
export async function allSlices<Item>(slices: AsyncIterable<Item[]>): Promise<Item[]> {
  return (await Array.fromAsync(slices)).flat();
}

const MAX_PIECES = 1000;

/** Repeats a piece of background work until nothing is left. @throws Error if the work does not end */
export async function untilDone(work: () => Promise<boolean>): Promise<void> {
  for (let pieces = 0; await work(); pieces++)
    if (pieces === MAX_PIECES) throw new Error("the background work does not end");
}
