import type { Transition } from "../../../src/domain/alerts/delivery.ts";
import { createLogger } from "../../../src/log.ts";
import type { Check } from "../../../src/probes/probe-thread.ts";
import { createRecorder } from "../../../src/runner/checks/recorder.ts";
import { createScheduler } from "../../../src/runner/checks/scheduler.ts";
import { createAlertReview } from "../../../src/runner/deliveries/alert-review.ts";
import { createDispatcher } from "../../../src/runner/deliveries/dispatcher.ts";
import { createHousekeeping } from "../../../src/runner/housekeeping.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import { createNode } from "../../../src/runner/node.ts";
import { createHeartbeats, createStorageHealth } from "../../../src/runner/runner.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TestClock } from "../clock.ts";
import { type DeathAt, Life, mortalStore } from "../outbox/life.ts";

const STOP_TIMEOUT = 5000;

/** Effects of a node on the world outside; both log first. */
export interface Acts {
  /** Makes a check, which never ends if the target hangs. @param target its port */
  check(target: number, at: number): Promise<void>;
  /** Sends a notification. */
  deliver(id: string, at: number, sent: Sent): Promise<void>;
}

/** A notification. @property url of the channel of type WEBHOOK */
export interface Sent {
  url: string;
  status: string;
  isReminder: boolean;
}

/** One server process on a database that others share: the parts of `createApp` without API, listener and threads. */
export type TestNode = Awaited<ReturnType<typeof startNode>>;

/** @param clock the clock of the database, the same for all nodes */
export async function startNode(opened: Store, { clock, acts }: { clock: TestClock; acts: Acts }) {
  const life = new Life();
  const store = mortalStore(opened, { clock, life });
  const own = {
    ...clock,
    after: (ms: number, task: () => unknown) => clock.after(ms, () => (life.isOver ? undefined : task())),
    every: (ms: number, task: () => unknown) => clock.every(ms, () => (life.isOver ? undefined : task())),
  };
  const log = createLogger({ level: "silent" });
  const [storage, metrics] = [createStorageHealth(), createMetrics()];
  const node = createNode({
    store,
    clock,
    log,
    name: "node",
    version: "1",
    retentionDays: 90,
    checks: metrics.checks,
  });
  const parts = { store, clock: own, claimant: node.claimant, log, storage, metrics };
  const dispatcher = createDispatcher({
    ...parts,
    settings: { clock, resolve: async () => [], baseUrl: () => "https://up.example.com" },
    async deliver({ config }, { id, event }) {
      const { status, reminder: isReminder = false } = event as Transition;
      await acts.deliver(id, clock.now(), { url: "url" in config ? config.url : "", status, isReminder });
      return { outcome: "delivered" };
    },
    max: 100,
    isShort: () => false,
  });
  const recorder = createRecorder({ ...parts, wakeDispatcher: dispatcher.wake });
  const reviewed = { wakeDispatcher: dispatcher.wake, wakeScheduler: () => {} };
  const alertReview = createAlertReview({ store, clock: own, log, ...reviewed });
  const probes = {
    async run({ config, startAt }: Check) {
      await clock.sleep(startAt - clock.now());
      await acts.check("port" in config ? config.port : 0, clock.now());
      return { outcome: "reached", latencyMs: 1, detail: {} } as const;
    },
    cancel() {},
    ping: async () => {},
    sockets: () => 0,
    stop() {},
  };
  const scheduler = createScheduler({ ...parts, probes, recorder, max: 1000 });
  const housekeeping = createHousekeeping({ ...parts, retentionDays: 90 });
  const heartbeats = createHeartbeats({ ...parts, recorder, isDeaf: () => false });

  await node.start();
  await heartbeats.start();
  scheduler.start();
  dispatcher.start();
  alertReview.start();
  housekeeping.start(await store.housekeeping.lastSteady());
  return {
    node,
    recorder,
    metrics,
    /** The process is killed: it does nothing more, and nothing that is under way ends. */
    kill: () => life.end(),
    /** Kills it at a later call of the store. */
    killAt: (deathAt: DeathAt) => life.endAt(deathAt),
    /** As on SIGTERM. */
    async stop() {
      await Promise.all([scheduler.stop(STOP_TIMEOUT), dispatcher.stop(STOP_TIMEOUT)]);
      await Promise.all([heartbeats.stop(), housekeeping.stop(), alertReview.stop()]);
      await recorder.flush();
      await node.stop();
      life.end();
    },
  };
}
