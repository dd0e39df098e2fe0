import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DeliverySettings } from "./alerts/delivery-settings.ts";
import { assertCanListen, createListener } from "./api/http/listener.ts";
import { createApi } from "./api/http/server.ts";
import type { Config } from "./config.ts";
import { createPage } from "./dashboard/page.ts";
import { clientAddress } from "./domain/network/client-address.ts";
import type { Logger } from "./log.ts";
import { descriptorLimit } from "./probes/descriptor-limit.ts";
import { createNetwork } from "./probes/network.ts";
import { startProbeThread } from "./probes/probe-thread.ts";
import { createAuthenticator } from "./runner/authenticator.ts";
import { createChangeFeed } from "./runner/change-feed.ts";
import { testMonitor } from "./runner/checks/monitor-test.ts";
import { createRecorder } from "./runner/checks/recorder.ts";
import { createScheduler } from "./runner/checks/scheduler.ts";
import { createTestLimit } from "./runner/checks/test-limit.ts";
import { createDispatcher } from "./runner/deliveries/dispatcher.ts";
import { createHealth, type HealthReport } from "./runner/health.ts";
import { createHeartbeats } from "./runner/heartbeats.ts";
import { createHousekeeping } from "./runner/housekeeping.ts";
import { createMetrics } from "./runner/metrics/metrics.ts";
import { measureLag, processGauges } from "./runner/metrics/process-gauges.ts";
import { createDefaultOrganization, isFirstStart } from "./store/accounts/bootstrap.ts";
import { createKey } from "./store/ids.ts";
import { startCheckpoints } from "./store/sqlite/checkpoints.ts";
import { DATABASE, writeInitialKey } from "./store/sqlite/data-dir.ts";
import { lockDataDir } from "./store/sqlite/lock.ts";
import { closeDatabase, type Database, openDatabase } from "./store/sqlite/open.ts";
import { createStore } from "./store/store.ts";

/** How long checks, deliveries and requests under way may take to end, in milliseconds. */
const PATIENCE = 5000;

/** Resolved from this folder, where the main file lies too: in the executable all paths are relative to that. */
const PROBE_WORKER = new URL("./probes/probe-worker.ts", import.meta.url);
const CHECKPOINT_WORKER = new URL("./store/sqlite/checkpoint-worker.ts", import.meta.url);

export interface App {
  /** Begins to listen, to check and to deliver. */
  start(): Promise<Started>;
  /** Whether it does what it is for; costs nothing. */
  health(): HealthReport;
  /** Reads the certificate of TLS again, if there is one; a bad one is logged, and the former one stays. */
  renewCertificate(): void;
  /** Takes no more work, lets what is under way end, writes it and closes the database. */
  stop(): Promise<void>;
}

export interface Started {
  /** Where it listens, without a slash at its end. */
  url: string;
  /** The owner key that a first start has made. */
  initialKey: string | undefined;
}

/**
 * Puts the server together.
 *
 * @throws AppError `refused` where another server runs on the data directory, or a newer one made it; `invalid` if the
 *   host or the certificate can't be used
 */
export function createApp(config: Config, log: Logger): App {
  const listening = { hostname: config.host, port: config.port, tls: config.tls };
  // A start that can't succeed creates no database. If there is one, the server that runs on it may have the port.
  const isNew = !existsSync(join(config.dataDir, DATABASE));
  assertCanListen({ ...listening, port: isNew ? config.port : 0 });
  const unlock = lockDataDir(config.dataDir);
  const db = openDatabase(config.dataDir);
  const store = createStore(db);
  const checkpoints = startCheckpoints(CHECKPOINT_WORKER, join(config.dataDir, DATABASE), log);
  const onDeath = (cause: string) => log.error({ cause }, "the probe thread died");
  const probes = startProbeThread(PROBE_WORKER, config.probes, onDeath);
  const url = () => origin(config, listener.port());
  const baseUrl = () => config.baseUrl ?? url();
  const metrics = createMetrics();
  const authenticator = createAuthenticator({
    db,
    log,
    baseUrl,
    addressOf: (request) =>
      clientAddress(listener.peerOf(request), request.headers.get("x-forwarded-for"), config.trustedProxies),
    onRefused: () => metrics.refused("failed_attempts"),
  });
  const delivery = deliverySettings(config, baseUrl);
  const endLag = measureLag(metrics.process);
  const dispatcher = createDispatcher({ db, log, settings: delivery, onAttempt: metrics.attempted });
  let takesWrites = true;
  const onWrite = (taken: boolean) => {
    takesWrites = taken;
  };
  const recorder = createRecorder({
    db,
    log,
    onNotable: dispatcher.wake,
    onWrite,
    onCommit: metrics.committed,
  });
  const scheduler = createScheduler({ db, probes, recorder, log });
  const housekeeping = createHousekeeping({ db, log, retentionDays: config.retentionDays });
  const heartbeats = createHeartbeats({
    db,
    recorder,
    log,
    takesWrites: () => takesWrites,
    onWrite,
    onMissed: metrics.missed,
  });
  const health = createHealth({
    probes,
    takesWrites: () => takesWrites && recorder.held() === 0,
    lookedAt: scheduler.lookedAt,
    log,
  });
  const changeFeed = createChangeFeed({ db, log });
  const api = createApi({
    store,
    db,
    authenticator,
    recorder,
    log,
    changeFeed,
    health: health.report,
    metrics,
    processGauges: () =>
      processGauges({ dataDir: config.dataDir, recorder, scheduler, health: health.report }),
    page: createPage(),
    testLimit: createTestLimit(),
    testMonitor: (target) => testMonitor(probes, target),
    onDue: scheduler.wake,
    baseUrl,
    publicUrl: config.baseUrl,
    delivery,
  });
  const listener = createListener(api, {
    settings: listening,
    log,
    limits: { descriptors: descriptorLimit(), others: probes.sockets },
    onFull: metrics.full,
  });

  return {
    async start() {
      const initialKey = await makeInitialKey(db, config.dataDir);
      await heartbeats.start();
      listener.start();
      scheduler.start();
      dispatcher.start();
      housekeeping.start();
      health.start();
      return { url: url(), initialKey };
    },
    health: health.report,
    renewCertificate: listener.renewCertificate,
    async stop() {
      changeFeed.stop();
      health.stop();
      endLag();
      const requests = Promise.race([listener.stop(), Bun.sleep(PATIENCE)]);
      await Promise.all([requests, scheduler.stop(PATIENCE), dispatcher.stop(PATIENCE)]);
      await Promise.all([heartbeats.stop(), housekeeping.stop()]);
      await recorder.flush();
      await authenticator.stop();
      await listener.stop(true);
      probes.stop();
      await checkpoints.stop();
      closeDatabase(db);
      unlock();
    },
  };
}

/** The mail server is the operator's own: it may be at a private address. */
function deliverySettings({ smtp, probes }: Config, baseUrl: () => string): DeliverySettings {
  const own = createNetwork({ ...probes, privateTargets: "allow" });
  return { baseUrl, smtp, resolve: createNetwork(probes).addressesOf, resolveOwn: own.addressesOf };
}

async function makeInitialKey(db: Database, dataDir: string): Promise<string | undefined> {
  if (!(await isFirstStart(db))) return undefined;
  const key = createKey();
  // Written first: a crash in between leaves a key that opens nothing, and not an organization without one.
  writeInitialKey(dataDir, key);
  await createDefaultOrganization(db, key, Date.now());
  return key;
}

function origin({ host, port, tls }: Config, listening = port): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${listening}`;
}
