import type { InternalRoute } from "elysia";
import { createListener } from "../../../src/api/http/listener.ts";
import { createApi } from "../../../src/api/http/server.ts";
import type { Services } from "../../../src/api/http/services.ts";
import { createSystemClock } from "../../../src/clock.ts";
import { createPage } from "../../../src/dashboard/page.ts";
import type { Plan, Subscription } from "../../../src/domain/accounts/organization.ts";
import { ROLES, type Role } from "../../../src/domain/accounts/role.ts";
import { createPageAddresses, type PageHosts } from "../../../src/domain/pages/page-look.ts";
import type { RdapSource } from "../../../src/domain/registration/rdap-servers.ts";
import { createLogger } from "../../../src/log.ts";
import { createAuthenticator } from "../../../src/runner/authenticator.ts";
import { createChangeFeed } from "../../../src/runner/change-feed.ts";
import { createTestLimit } from "../../../src/runner/checks/monitor-test.ts";
import { createRecorder } from "../../../src/runner/checks/recorder.ts";
import { createAccessRules } from "../../../src/runner/configuration/access-rules.ts";
import { createAlertReview } from "../../../src/runner/deliveries/alert-review.ts";
import { createPushIdentity } from "../../../src/runner/deliveries/channel-test.ts";
import { createRemoteProbes } from "../../../src/runner/locations/remote-probes.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import { createInstallation } from "../../../src/runner/node.ts";
import { createPageLock, createPublicPages } from "../../../src/runner/pages/public-pages.ts";
import { createBeginnings } from "../../../src/runner/people/beginnings.ts";
import {
  createForgottenPasswords,
  createInviteMails,
  createLinkMails,
} from "../../../src/runner/people/link-mails.ts";
import { createSignIn } from "../../../src/runner/people/sign-in.ts";
import { createRegistrations } from "../../../src/runner/registrations/registrations.ts";
import { createReplays } from "../../../src/runner/replays/replays.ts";
import { createStorageHealth } from "../../../src/runner/runner.ts";
import { createKey } from "../../../src/store/ids.ts";
import type { Store } from "../../../src/store/store.ts";
import { reachWith } from "../alerts/reach.ts";
import { Client } from "../requests/client.ts";
import type { Backdoor } from "../store/backdoor.ts";
import { engineOfTests } from "../store/engines.ts";
import { LITTLE } from "./server.ts";

/** An organization, with a client for each role. */
export type Members = { [R in Role]: Client };

const nothingProbed = () => Promise.reject(new Error("nothing is probed here"));

/** The interface alone: nothing is checked and nothing delivered, so that only requests change the database. */
export class ApiServer implements AsyncDisposable {
  private constructor(
    readonly url: string,
    readonly db: Backdoor,
    readonly store: Store,
    /** The time by which it works, in milliseconds since 1970. */
    readonly now: () => number,
    /** All that it answers. */
    readonly routes: readonly Pick<InternalRoute, "method" | "path">[],
    private readonly end: () => Promise<void>,
  ) {}

  /** @param given what a probe sees, if anything is probed */
  static async start({
    testMonitor = nothingProbed,
    pageHosts = new Map(),
    rdapSource,
  }: Partial<Pick<Services, "testMonitor">> & {
    pageHosts?: PageHosts;
    rdapSource?: RdapSource;
  } = {}): Promise<ApiServer> {
    const opened = await engineOfTests().open();
    const { db, store } = opened;
    const log = createLogger({ level: "error" });
    const metrics = createMetrics();
    const clock = createSystemClock(log);
    const settings = { hostname: "127.0.0.1", port: 0 };
    const limits = { descriptors: Number.POSITIVE_INFINITY, others: () => 0 };
    const listener = createListener({ settings, log, limits, metrics });
    const url = () => `http://127.0.0.1:${listener.port()}`;
    // As behind a proxy on this machine.
    const addressOf = ({ headers }: Request) => headers.get("x-forwarded-for") ?? "127.0.0.1";
    const authenticator = createAuthenticator({ store, clock, log, baseUrl: url, addressOf, metrics });
    const storage = createStorageHealth();
    const recorder = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: () => {} });
    const alertReview = createAlertReview({
      store,
      clock,
      log,
      wakeDispatcher: () => {},
      wakeScheduler: () => {},
    });
    const changeFeed = createChangeFeed({ store, clock, log });
    const remoteProbes = createRemoteProbes({
      store,
      clock,
      log,
      storage,
      metrics,
      wakeDispatcher: () => {},
      wakeScheduler: () => {},
      onUnnoted: () => {},
      findRegistration: () => undefined,
    });
    const reach = reachWith();
    const registrations = createRegistrations({
      ...{ store, clock, log, claimant: () => ({ node: 1, place: 0, nodes: 1 }) },
      settings: { source: rdapSource, resolve: reach.resolve, resolveOwn: reach.resolve },
    });
    const signIn = createSignIn({ store, clock, log, hashCost: LITTLE });
    const pushIdentity = createPushIdentity({ store, clock }, { mailFrom: undefined, publicUrl: undefined });
    const delivery = { ...reach, baseUrl: url, authorizePush: pushIdentity.authorize };
    const mails = createLinkMails({ clock, log });
    const beginnings = createBeginnings({ store, clock });
    await beginnings.start();
    const api = createApi({
      store,
      clock,
      accessRules: createAccessRules({ store, privateTargets: "allow" }),
      authenticator,
      signIn,
      beginnings,
      pageLock: createPageLock({ clock, passwords: signIn.passwords }),
      forgottenPasswords: createForgottenPasswords({ store, clock, log, delivery, baseUrl: url, mails }),
      inviteMails: createInviteMails({ store, clock, log, delivery, mails }),
      recorder,
      heartbeats: { catchUp: () => undefined },
      alertReview,
      log,
      changeFeed,
      health: () => ({ database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 1 }),
      metrics,
      processGauges: async () => ({}),
      installation: createInstallation({ dataDir: opened.settings.dataDir, isEmbedded: true }, store),
      page: createPage(),
      remoteProbes,
      registrations,
      publicPages: {
        ...createPublicPages({ store, clock, log }),
        ...createPageAddresses(pageHosts, url),
      },
      replays: createReplays({ store, clock }),
      testLimit: createTestLimit(100),
      testMonitor,
      refreshChecks: async () => {},
      wakePageMails: () => {},
      peerOf: () => "127.0.0.1",
      addressOf,
      delivery,
      pushIdentity,
      baseUrl: url,
      basePath: "",
    });
    listener.start(api);
    return new ApiServer(url(), db, store, clock.now, api.routes, async () => {
      changeFeed.stop();
      remoteProbes.stop();
      await listener.stop(true);
      await registrations.stop();
      await recorder.flush();
      await authenticator.stop();
      await signIn.stop();
      await opened[Symbol.asyncDispose]();
    });
  }

  async organization(name: string, plan: Plan, subscription: Subscription = "active"): Promise<Members> {
    const { id } = await this.store.organizations.create({ name, plan, subscription }, this.now());
    const members = await Promise.all(ROLES.map(async (role) => [role, await this.#member(id, role)]));
    return Object.fromEntries(members) as Members;
  }

  async #member(organizationId: string, role: Role): Promise<Client> {
    const key = createKey();
    await this.store.apiKeys.create({ organizationId, name: role, role, expiresAt: null, key }, this.now());
    return new Client(this.url, key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
