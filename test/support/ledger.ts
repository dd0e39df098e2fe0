import type { Organization } from "../../src/domain/accounts/organization.ts";
import type { ChannelOutcome } from "../../src/domain/alerts/delivery.ts";
import type { Detail } from "../../src/domain/checks/observation.ts";
import { createOrganization } from "../../src/store/accounts/organizations.ts";
import { createChannel, type NewChannel } from "../../src/store/alerting/channels.ts";
import { createMonitor, findMonitor } from "../../src/store/monitors/monitors.ts";
import { closeDatabase, type Database, openDatabase } from "../../src/store/sqlite/open.ts";
import { type Recording, record } from "../../src/store/sqlite/recording/record.ts";
import { listResults } from "../../src/store/sqlite/results/results.ts";
import { tempDir } from "./temp-dir.ts";

/** A database with one organization, in which things are made to happen without a server around it. */
export class Ledger implements Disposable {
  readonly #dir = tempDir();
  #monitors = 0;

  private constructor(
    readonly organization: Organization,
    public db: Database,
    dir: ReturnType<typeof tempDir>,
  ) {
    this.#dir = dir;
  }

  static async create(): Promise<Ledger> {
    const dir = tempDir();
    const db = openDatabase(dir.path);
    const terms = { name: "A", plan: "enterprise", subscription: "active" } as const;
    return new Ledger(await createOrganization(db, terms, Date.now()), db, dir);
  }

  /** Opens the database anew, as after a crash. */
  reopen(): void {
    closeDatabase(this.db);
    this.db = openDatabase(this.#dir.path);
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
    return (await createChannel(this.db, this.owner, { ...channel, ...values }, Date.now())).id;
  }

  async job(...alertChannelIds: string[]): Promise<string> {
    const job = { name: `job ${++this.#monitors}`, type: "SCHEDULED", config: { interval: 300 } } as const;
    return (await createMonitor(this.db, this.owner, { ...job, alertChannelIds }, Date.now())).id;
  }

  async site(...alertChannelIds: string[]): Promise<Site> {
    const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
    const { id } = await createMonitor(this.db, this.owner, { ...site, alertChannelIds }, Date.now());
    return new Site(this.db, id, ++this.#monitors);
  }

  /** A job calls in: `ok` or `fail`. */
  async checkin(monitorId: string, status: string, at = Date.now()): Promise<void> {
    await record(this.db, [{ kind: "checkin", monitorId, status, at }]);
  }

  /** What became of the latest result's alerts. */
  async outcomes(monitorId: string): Promise<ChannelOutcome[]> {
    const { items } = await listResults(this.db, this.organization.id, {
      monitorId,
      limit: 1,
      cursor: undefined,
    });
    return items[0]?.alertOutcome?.channels ?? [];
  }

  async find(monitorId: string) {
    return findMonitor(this.db, this.organization.id, monitorId);
  }

  [Symbol.dispose](): void {
    closeDatabase(this.db);
    this.#dir[Symbol.dispose]();
  }
}

/** A monitor that is probed. */
export class Site {
  constructor(
    private readonly db: Database,
    readonly id: string,
    private readonly pk: number,
  ) {}

  up(latencyMs: number, at: number, detail: Detail = {}): Promise<unknown> {
    return this.#check({ outcome: "reached", latencyMs, detail }, at);
  }

  down(at: number): Promise<unknown> {
    return this.#check({ outcome: "failed", reason: "refused", detail: {} }, at);
  }

  #check(evidence: Extract<Recording, { kind: "check" }>["evidence"], at: number): Promise<unknown> {
    return record(this.db, [{ kind: "check", monitorPk: this.pk, revision: 0, evidence, at }]);
  }
}
