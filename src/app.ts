import { resolve } from "node:path";
import { version } from "../package.json";
import type { DeliverySettings } from "./alerts/post.ts";
import { assertCanListen, createListener, type ListenerSettings, servedBy } from "./api/http/listener.ts";
import { createApi } from "./api/http/server.ts";
import { type Clock, createSystemClock } from "./clock.ts";
import type { Config, ConfigurationSettings } from "./config.ts";
import { createPage } from "./dashboard/page.ts";
import type { Demonstration } from "./demonstration/demonstration.ts";
import { descriptorLimit } from "./descriptors.ts";
import type { Origin } from "./domain/configuration/parse-document.ts";
import { basePathOf, createLocator } from "./domain/network/base-path.ts";
import { clientAddress } from "./domain/network/client-address.ts";
import { createPageAddresses } from "./domain/pages/page-look.ts";
import type { HashCost } from "./domain/people/password.ts";
import type { AppError } from "./errors.ts";
import type { Logger } from "./log.ts";
import { createDnsHistory } from "./probes/dns/dns-history.ts";
import { type ProbeSettings, startProbeThread } from "./probes/probe-thread.ts";
import { createAuthenticator } from "./runner/authenticator.ts";
import { createChangeFeed } from "./runner/change-feed.ts";
import { createTestLimit, testMonitor } from "./runner/checks/monitor-test.ts";
import { pingRefusalHere } from "./runner/checks/ping-watch.ts";
import { createAccessRules } from "./runner/configuration/access-rules.ts";
import {
  applyDocument,
  assertConfigurable,
  createServerConfiguration,
  type ServerConfiguration,
} from "./runner/configuration/server-configuration.ts";
import { openClock } from "./runner/database-clock.ts";
import { createAcknowledgeLinks } from "./runner/deliveries/acknowledge-links.ts";
import { createPushIdentity } from "./runner/deliveries/channel-test.ts";
import { createDiscovery } from "./runner/discovery/discovery.ts";
import { createFirstOrganization, createOwnerInvites, type OwnerInvite } from "./runner/first-start.ts";
import { createHealth, type HealthReport } from "./runner/health.ts";
import { logNetwork, withRetry } from "./runner/loop.ts";
import { measureLag, processGauges } from "./runner/metrics/gauges.ts";
import { createMetrics } from "./runner/metrics/metrics.ts";
import { createInstallation, createNode } from "./runner/node.ts";
import { createPageLock, createPublicPages } from "./runner/pages/public-pages.ts";
import { createBeginnings } from "./runner/people/beginnings.ts";
import { createForgottenPasswords, createInviteMails, createLinkMails } from "./runner/people/link-mails.ts";
import { createOidc } from "./runner/people/oidc/oidc.ts";
import { createSignIn } from "./runner/people/sign-in.ts";
import { createRegistrations } from "./runner/registrations/registrations.ts";
import { createReplays } from "./runner/replays/replays.ts";
import { createRunner, createStorageHealth } from "./runner/runner.ts";
import { openStoreForServer, storeExists } from "./store/open-store.ts";
import { workerUrl } from "./worker-url.ts";

/** How long running checks, deliveries and requests may take to end, in milliseconds (behavior 9.18). */
const STOP_TIMEOUT = 5000;

const PROBE_WORKER = workerUrl("probes/probe-worker.ts");

export interface App {
  /** The clock of the server: the clock of its database, if nodes share it. */
  clock: Clock;
  /** Starts to accept requests, to check and to deliver. */
  start(): Promise<Started>;
  /** Resolves if a newer version migrates the database, and this version can't work with it: then it must stop. */
  outdated: Promise<AppError>;
  /** Shows the link of the first owner, if it was not shown yet. To be called after the start. @param show prints or logs it */
  showOwnerInvite(show: (invite: OwnerInvite) => void): Promise<void>;
  /** The current state, from memory. */
  health(): HealthReport;
  /** Reads the TLS certificate again, if the server has one. An invalid certificate is logged, and the previous certificate stays. */
  renewCertificate(): void;
  /**
   * Applies the configuration file again, if there is one, and reads again what runs here. A fault of them is logged, and everything stays
   * as it is.
   */
  renewConfiguration(): Promise<void>;
  /** Reports from now on that the server is about to stop, and goes on with everything. */
  drain(): void;
  /** Starts no more work, waits for work in progress, writes everything recorded and closes the database. */
  stop(): Promise<void>;
}

export type { OwnerInvite };

export interface Started {
  /** Without a trailing slash. */
  url: string;
  /** The owner key that a first start created. */
  initialKey: string | undefined;
}

/** @property stop ends it; work in progress may take the given time, in milliseconds */
interface Service {
  start?(): Promise<void> | void;
  stop?(timeout: number): unknown;
}

/**
 * Creates the parts of the server and connects them.
 *
 * @param hashCost of passwords; lower in tests of other things
 * @throws AppError `refused` if another server runs on the data directory, or a newer version created it; `invalid` if
 *   the host or the certificate can't be used
 */
export async function createApp(config: Config, log: Logger, hashCost?: HashCost): Promise<App> {
  const demonstration = config.isDemonstration ? await demonstrate(config, log) : undefined;
  const database = await openDatabase(config, { log, demonstration });
  const parts = createParts(config, { database, log, hashCost, demonstration });
  const { listener, node, runner, configuration, discovery } = parts;
  const { store, clock } = database;
  const api = createApi(apiServices(config, parts));
  const { basePath, addressOf } = parts.used;
  const locate =
    basePath === ""
      ? undefined
      : createLocator(
          basePath,
          api.routes.map(({ path }) => path),
        );
  const served =
    demonstration?.served(api, { addressOf, locate }) ??
    (locate ? servedBy(api, (request) => api.handle(locate(request))) : api);
  const reliably = <Result>(step: () => Promise<Result>) =>
    database.isShared ? withRetry(clock, step) : step();
  const within = (timeout: number, end: Promise<unknown>) => Promise.race([end, clock.sleep(timeout)]);
  let initialKey: string | undefined;
  let steadyAt: number | null = null;

  async function createFirst(): Promise<void> {
    const { dataDir, ownerEmail } = config;
    const { claimant } = node;
    initialKey = await reliably(() =>
      createFirstOrganization({ store, clock, claimant, dataDir, ownerEmail }),
    );
  }

  async function startHeartbeats(): Promise<void> {
    // Read first, because heartbeats overwrite it.
    steadyAt = await reliably(store.housekeeping.lastSteady);
    await reliably(runner.heartbeats.start);
  }

  const endNode = (error: unknown) => node.stop().then(() => Promise.reject(error));

  /** Started in this order, and stopped in the reverse one. Parts in one line stop at the same time. */
  const services: Service[][] = [
    [{ stop: parts.probes.stop }, { stop: database.stopClock }, { stop: store.close }],
    // Aborts the requests that have not ended in time.
    [{ stop: () => listener.stop(true) }],
    // Hands back what it has claimed, after all of it has ended.
    [
      { start: () => reliably(node.start), stop: node.stop },
      { stop: parts.used.authenticator.stop },
      { stop: parts.used.signIn.stop },
      { stop: parts.linkMails.stop },
      { stop: async () => parts.ownerInvites?.stop() },
    ],
    [{ start: createFirst }, { start: () => reliably(parts.used.beginnings.start) }],
    // Before anything else starts, so that only the node has to be ended if the file or a setting is wrong.
    [{ start: () => configuration?.start().catch(endNode) }],
    [{ start: () => parts.used.oidc?.start().catch(endNode) }],
    [{ stop: runner.recorder.flush }],
    [{ stop: async () => parts.used.replays.stop() }],
    // Until the last request has ended, which may wait for a registry, and before the node hands back what it has claimed.
    [parts.used.registrations],
    // Until the last request has ended: check-ins arrive, and changes wait for the review of their notifications.
    [{ start: startHeartbeats, stop: runner.heartbeats.stop }, { stop: runner.alertReview.stop }],
    [
      { start: () => listener.start(served), stop: (timeout) => within(timeout, listener.stop()) },
      { stop: async () => demonstration?.stop() },
      runner.scheduler,
      { stop: async () => runner.looks.stop() },
      runner.dispatcher,
      { start: runner.alertReview.start },
      { start: () => runner.housekeeping.start(steadyAt), stop: runner.housekeeping.stop },
      runner.locationWatch,
      runner.maintenanceWatch,
      runner.blindnessWatch,
      runner.causeWatch,
      runner.overdueWatch,
      runner.pingWatch,
      runner.pageWatch,
      runner.mailSender,
      runner.reportSender,
      // After all others, because its modules are loaded only now.
      ...(discovery ? [discovery] : []),
    ],
    // First, because the listener waits for requests that are held.
    [parts.used.changeFeed, runner.remoteProbes, parts.health, { stop: parts.stopLag }],
  ];

  return {
    clock,
    async start() {
      for (const { start } of services.flat()) {
        const starting = start?.();
        // Only if there is something to wait for: each await lets the first checks run, which delays `listening`.
        if (starting) await starting;
      }
      // The code from here on repeats: see the policy in `scripts/package/compile.ts`.
      Bun.unsafe.setJITPolicy(1);
      return { url: parts.url(), initialKey };
    },
    outdated: node.outdated,
    showOwnerInvite: async (show) => parts.ownerInvites?.start(show),
    health: parts.health.report,
    drain: parts.health.drain,
    renewCertificate: listener.renewCertificate,
    async renewConfiguration() {
      await configuration?.renew();
      discovery?.renew();
    },
    async stop() {
      for (const line of services.toReversed())
        await Promise.all(line.map(({ stop }) => stop?.(STOP_TIMEOUT)));
    },
  };
}

type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Only a demonstration loads it. */
async function demonstrate(config: Config, log: Logger): Promise<Demonstration> {
  // Before its examples, whose targets are at this address.
  assertCanListen({ ...listenerSettings(config), port: 0 });
  const { openDemonstration } = await import("./demonstration/demonstration.ts");
  const refusals = { pingRefusal: pingRefusalHere };
  return openDemonstration(config, { clock: createSystemClock(log), log, refusals });
}

/** A start that can't listen creates no database, and joins no nodes. */
async function openDatabase(
  config: Config,
  { log, demonstration }: { log: Logger; demonstration: Demonstration | undefined },
) {
  if (config.configuration) await assertConfigurable(config.configuration);
  // The running server of an embedded database may use the port: then it is not opened.
  const isFree = !demonstration && (config.databaseUrl !== undefined || !(await storeExists(config)));
  assertCanListen({ ...listenerSettings(config), port: isFree ? config.port : 0 });
  const store =
    demonstration?.store ?? (await openStoreForServer(config, log, { pingRefusal: pingRefusalHere }));
  const { stop: stopClock, ...time } = await openClock(store.changes, log);
  return { store, ...time, stopClock };
}

type Parts = ReturnType<typeof createParts>;

interface Given {
  database: Database;
  log: Logger;
  hashCost: HashCost | undefined;
  demonstration: Demonstration | undefined;
}

/** Creates what is started and stopped. */
function createParts(config: Config, { database, log, hashCost, demonstration }: Given) {
  const { store, clock } = database;
  const common = { store, clock, log };
  const metrics = createMetrics();
  const storage = createStorageHealth();
  const probed = { ...config.probes, ...(demonstration && { only: demonstration.only }) };
  const { probes, dns } = startProbes(probed, { ...database, log });
  const limits = { descriptors: descriptorLimit(), others: probes.sockets };
  const listener = createListener({ settings: listenerSettings(config), log, limits, metrics });
  const url = () => origin(config, listener.port());
  const baseUrl = () => config.baseUrl ?? url();
  const { peerOf } = listener;
  const addressOf = (request: Request) =>
    clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), config.trustedProxies);
  const pushIdentity = createPushIdentity(common, { mailFrom: config.smtp?.from, publicUrl: config.baseUrl });
  const beginnings = createBeginnings(common);
  const acknowledgeLinks = config.acknowledgeLinks
    ? createAcknowledgeLinks({ clock, baseUrl, beginnings })
    : undefined;
  const delivery = {
    ...deliverySettings(config, { clock, baseUrl, onDnsAnswer: dns.answered }),
    ...(demonstration && { resolve: demonstration.sendNothing, resolveOwn: demonstration.sendNothing }),
    authorizePush: pushIdentity.authorize,
    acknowledgeUrl: acknowledgeLinks?.urlOf,
  };
  const publicPages = { ...createPublicPages(common), ...createPageAddresses(config.pageHosts, baseUrl) };
  const { nodeName: name, retentionDays } = config;
  const signIn = createSignIn({ ...common, hashCost });
  const linkMails = createLinkMails(common);
  const pageLock = createPageLock({ clock, passwords: signIn.passwords });
  const node = createNode({ ...common, name, version, retentionDays, checks: metrics.checks });
  const { claimant } = node;
  const registrations = createRegistrations({
    ...common,
    claimant,
    settings: { source: config.rdapSource, resolve: delivery.resolve, resolveOwn: delivery.resolveOwn },
  });
  const accessRules = createAccessRules({ ...common, privateTargets: config.probes.privateTargets });
  const runner = createRunner({
    ...common,
    claimant,
    findRegistration: registrations.find,
    probes,
    storage,
    metrics,
    delivery,
    urlOf: publicPages.urlOf,
    retentionDays,
    pageSlugs: [...config.pageHosts.values()],
  });
  const { recorder, scheduler, alertReview, blindnessWatch, overdueWatch, pingWatch } = runner;
  const applying = {
    async confirm(organizationId: string, document: unknown, origin?: Origin) {
      await accessRules.confirmDocument(organizationId, document, origin);
      await registrations.confirmDocument(document, origin);
    },
    wake() {
      scheduler.wake();
      alertReview.wake();
    },
  };
  const configuration = serverConfiguration(config.configuration, {
    ...common,
    ...applying,
    seal: pageLock.seal,
  });
  const discovery = demonstration
    ? undefined
    : createDiscovery(discoverySet(config, configuration), {
        ...common,
        ...applying,
        claimant,
        organizationId: config.configOrg,
      });
  const health = createHealth({
    clock,
    log,
    probes,
    acceptsWrites: () => storage.isHealthy() && recorder.held() === 0,
    isAway: database.isAway,
    nodes: () => node.claimant().nodes,
    blindness: blindnessWatch.counts,
    overdue: overdueWatch.count,
    network: () => probes.network?.state(),
    isPingClosed: pingWatch.isClosed,
    config: () => configuration?.fault(),
    discovery: () => discovery?.fault(),
    scannedAt: scheduler.scannedAt,
  });
  const anybody = demonstration?.anybody;
  const authenticator = createAuthenticator({ ...common, baseUrl, addressOf, metrics, anybody });
  const changeFeed = createChangeFeed(common);
  const inviteMails = createInviteMails({ ...common, delivery, mails: linkMails });
  const ownerInvites =
    config.ownerEmail === undefined
      ? undefined
      : createOwnerInvites({ ...common, claimant, baseUrl, mails: inviteMails });
  const stopLag = measureLag(metrics.process, clock);
  /** Parts that routes use as they are. */
  const used = {
    ...common,
    metrics,
    baseUrl,
    basePath: basePathOf(config.baseUrl ?? ""),
    peerOf,
    addressOf,
    delivery,
    pushIdentity,
    publicPages,
    authenticator,
    signIn,
    pageLock,
    forgottenPasswords: createForgottenPasswords({ ...common, delivery, baseUrl, mails: linkMails }),
    inviteMails,
    beginnings,
    acknowledgeLinks,
    oidc: config.oidc && createOidc(config.oidc, { ...common, beginnings }),
    registrations,
    accessRules,
    discovery,
    changeFeed,
    replays: createReplays(common),
  };
  return {
    used,
    demonstration,
    linkMails,
    ownerInvites,
    stopLag,
    probes,
    listener,
    url,
    node,
    runner,
    configuration,
    discovery,
    health,
  };
}

function apiServices(
  { pageIcon, baseUrl: publicUrl, dataDir, databaseUrl }: Config,
  { used, demonstration, probes, health, runner }: Parts,
): Parameters<typeof createApi>[0] {
  const { store, clock } = used;
  const { recorder, heartbeats, scheduler, alertReview, remoteProbes, mailSender } = runner;
  const place = {
    dataDir: demonstration ? dataDir : resolve(dataDir),
    isEmbedded: databaseUrl === undefined,
  };
  const installation = createInstallation(place, store);
  return {
    ...used,
    installation,
    recorder,
    heartbeats,
    alertReview,
    remoteProbes,
    health: health.report,
    processGauges: () => processGauges({ recorder, scheduler, installation, health: health.report }),
    page: createPage(used.basePath),
    pageIcon,
    testLimit: createTestLimit(),
    testMonitor: async (target) => {
      demonstration?.assertOwn(target.config);
      return testMonitor(target, { probes, clock });
    },
    isDemonstration: demonstration !== undefined,
    refreshChecks: scheduler.refresh,
    wakePageMails: mailSender.wake,
    publicUrl,
  };
}

/** @returns also what is known of the DNS servers, which deliveries use too */
function startProbes(
  settings: ProbeSettings,
  { store, clock, isShared, log }: Pick<Database, "store" | "clock" | "isShared"> & { log: Logger },
) {
  const dns = createDnsHistory(
    {
      hasAnswer: store.housekeeping.hasDnsAnswer,
      storeAnswer: () => store.housekeeping.noteDnsAnswer(clock.now()),
    },
    (err) => log.warn({ err }, "the first answer of a DNS server could not be stored"),
  );
  const logDeath = (cause: string) => log.error({ cause }, "the probe thread died");
  const probes = startProbeThread(PROBE_WORKER, settings, logDeath, isShared ? clock : undefined, dns);
  logNetwork(probes.network, log);
  return { probes, dns };
}

function listenerSettings({ host: hostname, port, tls }: Config): ListenerSettings {
  return { hostname, port, tls };
}

function serverConfiguration(
  settings: ConfigurationSettings | undefined,
  { log, ...parts }: { log: Logger } & Omit<Parameters<typeof applyDocument>[0], "organizationId">,
): ServerConfiguration | undefined {
  if (!settings) return undefined;
  const { organizationId, ...source } = settings;
  return createServerConfiguration({
    ...source,
    log,
    apply: applyDocument({ ...parts, organizationId }),
  });
}

/** @returns reads what is set now: the configuration file may change */
function discoverySet({ discover: given }: Config, configuration: ServerConfiguration | undefined) {
  return () => {
    const { discover = given, defaults = {} } = configuration?.applied() ?? {};
    return discover && { settings: discover, defaults };
  };
}

/** `--private-targets` does not apply to the mail server, which belongs to the operator (behavior 1.22). */
function deliverySettings(
  { smtp, probes }: Config,
  { clock, baseUrl, onDnsAnswer }: { clock: Clock; baseUrl: () => string; onDnsAnswer: () => void },
): Omit<DeliverySettings, "authorizePush"> & Required<Pick<DeliverySettings, "resolveOwn">> {
  const own = resolverOf({ ...probes, privateTargets: "allow" }, onDnsAnswer);
  return { clock, baseUrl, smtp, resolve: resolverOf(probes, onDnsAnswer), resolveOwn: own };
}

/** The sockets of Node are loaded at the first delivery, because they would delay each start. */
function resolverOf(settings: ProbeSettings, onDnsAnswer: () => void): DeliverySettings["resolve"] {
  const load = async () => (await import("./probes/connections/network.ts")).createNetwork;
  let network: ReturnType<typeof create> | undefined;
  async function create() {
    return (await load())(settings, undefined, onDnsAnswer);
  }
  return async (host, timeout) => {
    network ??= create();
    return (await network).addressesOf(host, timeout);
  };
}

function origin({ host, port, tls }: Config, openPort = port): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${openPort}`;
}
