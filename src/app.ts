import type { DeliverySettings } from "./alerts/delivery-settings.ts";
import { createApi } from "./api/server.ts";
import type { Config } from "./config.ts";
import { createPage } from "./dashboard/page.ts";
import { writeInitialKey } from "./db/data-dir.ts";
import { createDefaultOrganization, isFirstStart } from "./db/first-start.ts";
import { createKey } from "./db/ids.ts";
import { lockDataDir } from "./db/lock.ts";
import { closeDatabase, type Database, openDatabase } from "./db/open.ts";
import type { Logger } from "./log.ts";
import { createNetwork } from "./probes/network.ts";
import { startProbeThread } from "./probes/probe-thread.ts";
import { createCallers } from "./runner/callers.ts";
import { createDispatcher } from "./runner/dispatcher.ts";
import { createHeartbeats } from "./runner/heartbeats.ts";
import { createHousekeeping } from "./runner/housekeeping.ts";
import { tryMonitor } from "./runner/monitor-trial.ts";
import { createRecorder } from "./runner/recorder.ts";
import { createScheduler } from "./runner/scheduler.ts";
import { createWatch } from "./runner/watch.ts";

/** How long checks, deliveries and requests under way may take to end, in milliseconds. */
const PATIENCE = 5000;

/** Resolved from this folder, where the main file lies too: in the executable all paths are relative to that. */
const PROBE_WORKER = new URL("./probes/probe-worker.ts", import.meta.url);

export interface App {
  /** Begins to listen, to check and to deliver. */
  start(): Promise<Started>;
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
 * @throws AppError `refused` where another server runs on the data directory, or a newer one made it
 */
export function createApp(config: Config, log: Logger): App {
  const unlock = lockDataDir(config.dataDir);
  const db = openDatabase(config.dataDir);
  const onDeath = (cause: string) => log.error({ cause }, "the probe thread died");
  const probes = startProbeThread(PROBE_WORKER, config.probes, onDeath);
  const url = () => origin(config, api.server?.port);
  const baseUrl = () => config.baseUrl ?? url();
  const callers = createCallers({ db, log, baseUrl });
  const delivery = deliverySettings(config, baseUrl);
  const dispatcher = createDispatcher({ db, log, settings: delivery });
  const recorder = createRecorder({ db, log, onNotable: dispatcher.wake });
  const scheduler = createScheduler({ db, probes, recorder, log });
  const housekeeping = createHousekeeping({ db, log, retentionDays: config.retentionDays });
  const heartbeats = createHeartbeats({ db, recorder, log });
  const watch = createWatch({ db, log });
  const api = createApi({
    db,
    callers,
    recorder,
    log,
    watch,
    page: createPage(),
    tryMonitor: (target) => tryMonitor(probes, target),
    onDue: scheduler.wake,
    baseUrl,
    delivery,
  });

  return {
    async start() {
      const initialKey = await makeInitialKey(db, config.dataDir);
      await heartbeats.start();
      // Elysia would share a port that another process listens on.
      api.listen({ hostname: config.host, port: config.port, reusePort: false, ...tlsFiles(config) });
      scheduler.start();
      dispatcher.start();
      housekeeping.start();
      return { url: url(), initialKey };
    },
    async stop() {
      watch.stop();
      const requests = Promise.race([api.server?.stop(), Bun.sleep(PATIENCE)]);
      await Promise.all([requests, scheduler.stop(PATIENCE), dispatcher.stop(PATIENCE)]);
      await Promise.all([heartbeats.stop(), housekeeping.stop()]);
      await recorder.flush();
      await callers.stop();
      await api.server?.stop(true);
      probes.stop();
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

function tlsFiles({ tls }: Config) {
  return tls && { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key) } };
}

function origin({ host, port, tls }: Config, listening = port): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${listening}`;
}
