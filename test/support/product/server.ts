import { type App, createApp } from "../../../src/app.ts";
import { type Config, readConfig } from "../../../src/config.ts";
import type { Plan, Subscription } from "../../../src/domain/accounts/organization.ts";
import type { Role } from "../../../src/domain/accounts/role.ts";
import { HASH_COST, type HashCost } from "../../../src/domain/people/password.ts";
import { createLogger, type Logger } from "../../../src/log.ts";
import { createKey } from "../../../src/store/ids.ts";
import type { Store } from "../../../src/store/store.ts";
import { Client } from "../requests/client.ts";
import { Contract } from "../requests/contract.ts";
import type { Backdoor } from "../store/backdoor.ts";
import { engineOfTests } from "../store/engines.ts";

/** All servers of a process have the same, and to read it takes longer than to start a server. */
let contract: Promise<Contract> | undefined;

/** The whole product on a free port and a fresh database, in this process. */
export class TestServer implements AsyncDisposable {
  private constructor(
    /** With the initial owner key. */
    readonly client: Client,
    /** A second connection, as the command line has it. */
    readonly db: Backdoor,
    readonly store: Store,
    readonly dataDir: string,
    private readonly app: App,
    private readonly data: AsyncDisposable,
  ) {}

  /** @param log by default one of errors, to standard error */
  static async start(changes: Partial<Config> = {}, log?: Logger): Promise<TestServer> {
    const opened = await engineOfTests().open();
    const { db, store } = opened;
    const config = {
      ...readConfig({ port: "0", logLevel: "error" }, NOWHERE),
      ...opened.settings,
      ...changes,
    };
    const { logLevel: level } = config;
    const app = await createApp(config, log ?? createLogger({ level }), LITTLE);
    const { url, initialKey } = await app.start();
    contract ??= Contract.of(url);
    return new TestServer(
      new Client(url, initialKey, await contract),
      db,
      store,
      config.dataDir,
      app,
      opened,
    );
  }

  /** The time by which the server works, in milliseconds since 1970. On PostgreSQL it differs from the time of this process. */
  now(): number {
    return this.app.clock.now();
  }

  /** A key of the first organization. */
  async keyWith(role: Role, expiresAt: number | null = null): Promise<string> {
    const [first] = await this.store.organizations.list();
    return this.#createKey(first?.id ?? "", role, expiresAt);
  }

  /** Another organization, and a client with a key of it. */
  async organization(terms: { plan?: Plan; subscription?: Subscription; role?: Role } = {}): Promise<Client> {
    const { plan = "enterprise", subscription = "active", role = "owner" } = terms;
    const organization = await this.store.organizations.create(
      { name: "Other", plan, subscription },
      this.now(),
    );
    return this.client.as(await this.#createKey(organization.id, role, null));
  }

  async #createKey(organizationId: string, role: Role, expiresAt: number | null): Promise<string> {
    const key = createKey();
    await this.store.apiKeys.create({ organizationId, name: role, role, expiresAt, key }, this.now());
    return key;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.stop();
    await this.data[Symbol.asyncDispose]();
  }
}

/** The cost of a hash in tests, which have hundreds of passwords. */
export const LITTLE: HashCost = { ...HASH_COST, memoryCost: 8, timeCost: 1 };

const NOWHERE = { env: {}, isTerminal: false };
