import type { Clock } from "../../../src/clock.ts";
import type { Organization } from "../../../src/domain/accounts/organization.ts";
import type { ChannelOutcome } from "../../../src/domain/alerts/delivery.ts";
import type { Detail } from "../../../src/domain/checks/observation.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import type { NewChannel } from "../../../src/store/alerts/channels.ts";
import type { PendingDelivery, Store } from "../../../src/store/store.ts";
import { systemClock } from "../clock.ts";
import { alone } from "./alone.ts";
import type { Backdoor } from "./backdoor.ts";
import { engineOfTests } from "./engines.ts";
import { FlappingLocation } from "./flapping-location.ts";
import type { TestStore } from "./test-store.ts";

/** A database with one organization, without a server. */
export class Ledger implements AsyncDisposable {
  #monitors = 0;
  readonly #flapping: FlappingLocation;
  private constructor(
    readonly organization: Organization,
    private readonly opened: TestStore,
    /** The time by which a server on it works. */
    readonly clock: Clock,
  ) {
    this.#flapping = new FlappingLocation(() => this.store, organization.id);
  }

  static async create(engine = engineOfTests(), clock: Clock = systemClock()): Promise<Ledger> {
    const opened = await engine.open();
    const values = { name: "A", plan: "enterprise", subscription: "active" } as const;
    return new Ledger(await opened.store.organizations.create(values, clock.now()), opened, clock);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.clock.now();
  }

  get store(): Store {
    return this.opened.store;
  }

  get db(): Backdoor {
    return this.opened.db;
  }

  /** Closes the store and opens the database again. */
  reopen(): Promise<void> {
    return this.opened.reopen();
  }

  get owner() {
    return { organizationId: this.organization.id, plan: this.organization.plan };
  }

  async channel(values: Partial<NewChannel> = {}): Promise<string> {
    const channel = {
      name: "c",
      type: "WEBHOOK",
      config: { url: "http://127.0.0.1:1/" },
      enabled: true,
    } as const;
    return (await this.store.channels.create(this.owner, { ...channel, ...values }, this.now())).id;
  }

  async job(...alertChannelIds: string[]): Promise<string> {
    const job = { name: `job ${++this.#monitors}`, type: "SCHEDULED", config: { interval: 300 } } as const;
    return (await this.store.monitors.create(this.owner, { ...job, alertChannelIds }, this.now())).id;
  }

  async site(...alertChannelIds: string[]): Promise<Site> {
    const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
    const { id } = await this.store.monitors.create(this.owner, { ...site, alertChannelIds }, this.now());
    return new Site(this.store, id);
  }

  /** Records a check-in: `ok` or `fail`. */
  async checkin(monitorId: string, status: string, at = this.now()): Promise<void> {
    await this.store.recording.record([{ kind: "checkin", monitorId, status, at }]);
  }

  /** Sets the default channels of the organization. */
  async setDefaults(...defaultAlertChannelIds: string[]): Promise<void> {
    await this.store.organizations.updateSettings(this.organization.id, { defaultAlertChannelIds });
  }

  /** Lets a location be silent, or connected again, in turn. */
  async notify(at = this.now()): Promise<void> {
    await this.#flapping.turn(at);
  }

  /** The deliveries that are due at a time. @param now milliseconds since 1970 */
  async pending(now: number, limit = 1000): Promise<PendingDelivery[]> {
    const due = await this.store.deliveries.listDue(alone, { now, limit });
    const pks = due.map(({ pk }) => pk);
    return this.store.deliveries.claim(pks, alone, now);
  }

  /** The outcomes of the notifications of the latest result. */
  async outcomes(monitorId: string): Promise<ChannelOutcome[]> {
    const { items } = await this.store.results.list(this.organization.id, {
      monitorId,
      limit: 1,
      cursor: undefined,
    });
    return items[0]?.alertOutcome?.channels ?? [];
  }

  async find(monitorId: string) {
    return this.store.monitors.find(this.organization.id, monitorId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]();
  }
}

/** A TCP monitor whose checks tests record. */
export class Site {
  constructor(
    private readonly store: Store,
    readonly id: string,
  ) {}

  up(latencyMs: number, at: number, detail: Detail = {}): Promise<unknown> {
    return this.#check({ outcome: "reached", latencyMs, detail }, at);
  }

  down(at: number): Promise<unknown> {
    return this.#check({ outcome: "failed", reason: "refused", detail: {} }, at);
  }

  #check(evidence: Extract<Recording, { kind: "check" }>["evidence"], at: number): Promise<unknown> {
    return this.store.recording.record([{ kind: "check", monitorId: this.id, revision: 0, evidence, at }]);
  }
}
