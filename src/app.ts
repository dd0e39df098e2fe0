import { version } from "../package.json";
import type { DeliverySettings } from "./alerts/delivery-settings.ts";
import { assertCanListen, createListener } from "./api/http/listener.ts";
import { createApi } from "./api/http/server.ts";
import type { Clock } from "./clock.ts";
import type { Config, ConfigurationSettings } from "./config.ts";
import { createPage } from "./dashboard/page.ts";
import { clientAddress } from "./domain/network/client-address.ts";
import { createPageAddresses } from "./domain/pages/page-address.ts";
import type { Logger } from "./log.ts";
import { descriptorLimit } from "./probes/connections/descriptor-limit.ts";
import { createNetwork } from "./probes/connections/network.ts";
import { OpenSockets } from "./probes/connections/open-sockets.ts";
import { createDnsHistory } from "./probes/dns-history.ts";
import { startProbeThread } from "./probes/probe-thread.ts";
import { createAuthenticator } from "./runner/authenticator.ts";
import { createChangeFeed } from "./runner/change-feed.ts";
import { createBlindnessWatch } from "./runner/checks/blindness-watch.ts";
import { testMonitor } from "./runner/checks/monitor-test.ts";
import { createOverdueWatch } from "./runner/checks/overdue-watch.ts";
import { createRecorder } from "./runner/checks/recorder.ts";
import { createScheduler } from "./runner/checks/scheduler.ts";
import { createTestLimit } from "./runner/checks/test-limit.ts";
import { applyDocument } from "./runner/configuration/apply-document.ts";
import {
  assertConfigurable,
  createServerConfiguration,
  type ServerConfiguration,
} from "./runner/configuration/server-configuration.ts";
import { openClock } from "./runner/database-clock.ts";
import { createAlertReview } from "./runner/deliveries/alert-review.ts";
import { createDispatcher } from "./runner/deliveries/dispatcher.ts";
import { createFirstOrganization } from "./runner/first-start.ts";
import { createHealth, type HealthReport } from "./runner/health.ts";
import { createHeartbeats } from "./runner/heartbeats.ts";
import { createHousekeeping } from "./runner/housekeeping.ts";
import { createLocationWatch } from "./runner/locations/location-watch.ts";
import { createRemoteProbes } from "./runner/locations/remote-probes.ts";
import { createMaintenanceWatch } from "./runner/maintenances/maintenance-watch.ts";
import { createMetrics } from "./runner/metrics/metrics.ts";
import { measureLag, processGauges } from "./runner/metrics/process-gauges.ts";
import { createNode } from "./runner/node.ts";
import { logNetwork } from "./runner/own-network.ts";
import { createMailSender } from "./runner/pages/mail-sender.ts";
import { createPageWatch } from "./runner/pages/page-watch.ts";
import { createPublicPages } from "./runner/pages/public-pages.ts";
import { patiently } from "./runner/patience.ts";
import { createStorageHealth } from "./runner/storage-health.ts";
import { openStoreForServer, storeExists } from "./store/open-store.ts";
import { workerUrl } from "./worker-url.ts";

/** How long running checks, deliveries and requests may take to end, in milliseconds (behavior 9.18). */
const STOP_TIMEOUT = 5000;

const PROBE_WORKER = workerUrl("probes/probe-worker.ts");

export interface App {
  /** The time that it works by: that of its database, if nodes share it. */
  clock: Clock;
  /** Starts to accept requests, to check and to deliver. */
  start(): Promise<Started>;
  /** The current state, from memory. */
  health(): HealthReport;
  /** Reads the TLS certificate again, if the server has one. An invalid one is logged, and the previous one stays. */
  renewCertificate(): void;
  /** Applies the configuration file again, if there is one. A fault of it is logged, and everything stays as it is. */
  renewConfiguration(): void;
  /** Starts no more work, waits for work in progress, writes everything recorded and closes the database. */
  stop(): Promise<void>;
}

export interface Started {
  /** Without a trailing slash. */
  url: string;
  /** The owner key that a first start created. */
  initialKey: string | undefined;
}

/**
 * Creates the parts of the server and connects them.
 *
 * @throws AppError `refused` if another server runs on the data directory, or a newer version created it; `invalid` if
 *   the host or the certificate can't be used
 */
export async function createApp(config: Config, log: Logger): Promise<App> {
  if (config.configuration) await assertConfigurable(config.configuration);
  const address = { hostname: config.host, port: config.port, tls: config.tls };
  // A start that can't listen creates no database, and joins no nodes. With an embedded one, its running server may use the
  // port: then it is not opened.
  const isFree = config.databaseUrl !== undefined || !(await storeExists(config));
  assertCanListen({ ...address, port: isFree ? config.port : 0 });
  const store = await openStoreForServer(config, log);
  const { clock, isShared, isAway, stop: stopClock } = await openClock(store.changes, log);
  const metrics = createMetrics();
  const storage = createStorageHealth();
  const logDeath = (cause: string) => log.error({ cause }, "the probe thread died");
  const dns = createDnsHistory(
    {
      hasAnswer: store.housekeeping.hasDnsAnswer,
      storeAnswer: () => store.housekeeping.noteDnsAnswer(clock.now()),
    },
    (err) => log.warn({ err }, "the first answer of a DNS server could not be stored"),
  );
  const probes = startProbeThread(PROBE_WORKER, config.probes, logDeath, isShared ? clock : undefined, dns);
  logNetwork(probes.network, log);
  const listener = createListener({
    settings: address,
    log,
    limits: { descriptors: descriptorLimit(), others: probes.sockets },
    metrics,
  });
  const url = () => origin(config, listener.port());
  const baseUrl = () => config.baseUrl ?? url();
  const addressOf = (request: Request) =>
    clientAddress(listener.peerOf(request), request.headers.get("x-forwarded-for"), config.trustedProxies);
  const authenticator = createAuthenticator({ store, clock, log, baseUrl, addressOf, metrics });
  const delivery = deliverySettings(config, { clock, baseUrl, onDnsAnswer: dns.answered });
  const { nodeName: name, retentionDays } = config;
  const node = createNode({ store, clock, log, name, version, retentionDays, checks: metrics.checks });
  const { claimant } = node;
  const stopLag = measureLag(metrics.process, clock);
  const { network } = probes;
  const publicPages = {
    ...createPublicPages({ store, clock, log }),
    ...createPageAddresses(config.pageHosts, baseUrl),
  };
  const isOffline = () => network?.state() === "offline";
  const dispatcher = createDispatcher({
    store,
    clock,
    claimant,
    log,
    settings: delivery,
    metrics,
    isOffline,
    onAnswer: () => network?.answered(),
  });
  /** After a recording with transitions: some notifications are sent at once, about others the review decides. */
  const wakeAlerts = () => {
    dispatcher.wake();
    alertReview.wake();
  };
  const recorder = createRecorder({ store, clock, log, storage, metrics, wakeDispatcher: wakeAlerts });
  const scheduler = createScheduler({ store, clock, probes, recorder, claimant, log });
  const housekeeping = createHousekeeping({
    store,
    clock,
    claimant,
    log,
    retentionDays,
    pageSlugs: [...config.pageHosts.values()],
  });
  const alertReview = createAlertReview({
    store,
    clock,
    log,
    wakeDispatcher: dispatcher.wake,
    wakeScheduler: scheduler.wake,
  });
  const wakes = { wakeDispatcher: wakeAlerts, wakeScheduler: scheduler.wake };
  const locationWatch = createLocationWatch({ store, clock, claimant, log, ...wakes, network });
  const maintenanceWatch = createMaintenanceWatch({
    store,
    clock,
    claimant,
    log,
    wakeDispatcher: dispatcher.wake,
    wakeReview: alertReview.wake,
  });
  const blindnessWatch = createBlindnessWatch({
    store,
    clock,
    claimant,
    log,
    wakeDispatcher: dispatcher.wake,
  });
  const overdueWatch = createOverdueWatch({ store, clock, log });
  const mailSender = createMailSender({
    store,
    clock,
    claimant,
    log,
    settings: delivery,
    urlOf: publicPages.urlOf,
    isOffline,
  });
  const pageWatch = createPageWatch({ store, clock, claimant, log, wakeMails: mailSender.wake });
  const remoteProbes = createRemoteProbes({
    store,
    clock,
    log,
    storage,
    metrics,
    ...wakes,
    onUnnoted: locationWatch.distrust,
  });
  const heartbeats = createHeartbeats({ store, clock, recorder, claimant, log, storage, metrics, network });
  const configuration = serverConfiguration(config.configuration, {
    store,
    clock,
    log,
    wake() {
      scheduler.wake();
      alertReview.wake();
    },
  });
  const health = createHealth({
    clock,
    probes,
    acceptsWrites: () => storage.isHealthy() && recorder.held() === 0,
    isAway,
    nodes: () => claimant().nodes,
    blindness: blindnessWatch.counts,
    overdue: overdueWatch.count,
    network: () => network?.state(),
    config: () => configuration?.fault(),
    scannedAt: scheduler.scannedAt,
    log,
  });
  const changeFeed = createChangeFeed({ store, clock, log });
  const api = createApi({
    store,
    clock,
    authenticator,
    recorder,
    alertReview,
    log,
    changeFeed,
    health: health.report,
    metrics,
    processGauges: () => processGauges({ store, recorder, scheduler, health: health.report }),
    page: createPage(),
    remoteProbes,
    publicPages,
    pageIcon: config.pageIcon,
    testLimit: createTestLimit(),
    testMonitor: (target) => testMonitor(target, { probes, clock }),
    refreshChecks: scheduler.refresh,
    wakePageMails: mailSender.wake,
    addressOf,
    baseUrl,
    publicUrl: config.baseUrl,
    delivery,
  });

  return {
    clock,
    async start() {
      const reliably = <Result>(step: () => Promise<Result>) => (isShared ? patiently(clock, step) : step());
      await reliably(node.start);
      const { dataDir } = config;
      const initialKey = await reliably(() => createFirstOrganization({ store, clock, claimant, dataDir }));
      // Before anything else starts, so that only the node has to be ended if the file is wrong.
      await configuration?.start().catch((error) => node.stop().then(() => Promise.reject(error)));
      // Read first, because heartbeats overwrite it.
      const steadyAt = await reliably(store.housekeeping.lastSteady);
      await reliably(heartbeats.start);
      listener.start(api);
      scheduler.start();
      dispatcher.start();
      alertReview.start();
      housekeeping.start(steadyAt);
      locationWatch.start();
      maintenanceWatch.start();
      blindnessWatch.start();
      overdueWatch.start();
      pageWatch.start();
      mailSender.start();
      health.start();
      return { url: url(), initialKey };
    },
    health: health.report,
    renewCertificate: listener.renewCertificate,
    renewConfiguration: () => void configuration?.renew(),
    async stop() {
      changeFeed.stop();
      remoteProbes.stop();
      health.stop();
      stopLag();
      const requests = Promise.race([listener.stop(), clock.sleep(STOP_TIMEOUT)]);
      const sent = [dispatcher.stop(STOP_TIMEOUT), mailSender.stop(STOP_TIMEOUT)];
      await Promise.all([requests, scheduler.stop(STOP_TIMEOUT), ...sent]);
      await Promise.all([
        heartbeats.stop(),
        housekeeping.stop(),
        locationWatch.stop(),
        maintenanceWatch.stop(),
        blindnessWatch.stop(),
        overdueWatch.stop(),
        pageWatch.stop(),
        alertReview.stop(),
      ]);
      await recorder.flush();
      await Promise.all([node.stop(), authenticator.stop()]);
      await listener.stop(true);
      probes.stop();
      stopClock();
      await store.close();
    },
  };
}

function serverConfiguration(
  settings: ConfigurationSettings | undefined,
  { log, ...parts }: { log: Logger } & Omit<Parameters<typeof applyDocument>[0], "organizationId">,
): ServerConfiguration | undefined {
  if (!settings) return undefined;
  const { file, variables, organizationId } = settings;
  return createServerConfiguration({
    file,
    variables,
    log,
    apply: applyDocument({ ...parts, organizationId }),
  });
}

/** `--private-targets` does not apply to the mail server, which belongs to the operator (behavior 1.22). */
function deliverySettings(
  { smtp, probes }: Config,
  { clock, baseUrl, onDnsAnswer }: { clock: Clock; baseUrl: () => string; onDnsAnswer: () => void },
): DeliverySettings {
  const own = createNetwork({ ...probes, privateTargets: "allow" }, new OpenSockets(), onDnsAnswer);
  const others = createNetwork(probes, new OpenSockets(), onDnsAnswer);
  return { clock, baseUrl, smtp, resolve: others.addressesOf, resolveOwn: own.addressesOf };
}

function origin({ host, port, tls }: Config, openPort = port): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${openPort}`;
}
