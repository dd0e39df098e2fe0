import type { DeliverySettings } from "../alerts/post.ts";
import type { Clock } from "../clock.ts";
import { lacksDescriptors } from "../descriptors.ts";
import type { Logger } from "../log.ts";
import type { NetworkView, ProbeThread } from "../probes/probe-thread.ts";
import type { Claimant, OutageScope, OverdueMonitor, Store } from "../store/store.ts";
import { createCauseWatch } from "./causes/cause-watch.ts";
import { createBlindnessWatch, createOverdueWatch } from "./checks/blindness-watch.ts";
import { createEvidenceLooks } from "./checks/evidence-looks.ts";
import { createPingWatch } from "./checks/ping-watch.ts";
import { createRecorder, type Recorder } from "./checks/recorder.ts";
import { createScheduler } from "./checks/scheduler.ts";
import { createAlertReview } from "./deliveries/alert-review.ts";
import { createDispatcher } from "./deliveries/dispatcher.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { createLocationWatch } from "./locations/location-watch.ts";
import { createRemoteProbes } from "./locations/remote-probes.ts";
import { createFaultLog, createLoop } from "./loop.ts";
import { createMaintenanceWatch } from "./maintenance/maintenance-watch.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createMailSender, createPageWatch } from "./pages/mail-sender.ts";
import type { Registrations } from "./registrations/registrations.ts";
import { createReportSender } from "./reports/report-sender.ts";

/** The parts that work in the background: checks, notifications, watches and housekeeping. They are not started here. */
export type Runner = ReturnType<typeof createRunner>;

/**
 * Creates the parts of the runner, and connects what one of them stores with those that wait for it.
 *
 * @param urlOf the URL of the public page of a slug
 * @param pageSlugs see `createHousekeeping`
 */
export function createRunner({
  probes,
  storage,
  metrics,
  delivery,
  urlOf,
  retentionDays,
  pageSlugs,
  findRegistration,
  ...common
}: {
  store: Store;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  probes: ProbeThread;
  storage: StorageHealth;
  metrics: Metrics;
  delivery: DeliverySettings;
  urlOf: (slug: string) => string;
  retentionDays: number;
  pageSlugs: readonly string[];
  findRegistration: Registrations["find"];
}) {
  const { network } = probes;
  const isOffline = () => network?.state() === "offline";
  const onAnswer = () => network?.answered();
  const causes = { isUndecided: (pk: number) => causeWatch.isUndecided(pk), wake: () => causeWatch.wake() };
  const dispatcher = createDispatcher({
    ...common,
    ...{ settings: delivery, metrics, isOffline, onAnswer, causes },
  });
  const wakeDispatcher = dispatcher.wake;
  /** After a recording with transitions: some notifications are sent at once, about others the review decides. */
  const wakeAlerts = () => {
    wakeDispatcher();
    alertReview.wake();
    causeWatch.wake();
  };
  const looks = createEvidenceLooks({ ...common, probes, isBusy: () => recorder.hasTransitions() });
  const recorder = createRecorder({ ...common, storage, metrics, wakeDispatcher: wakeAlerts, looks });
  const scheduler = createScheduler({ ...common, probes, recorder, findRegistration });
  const causeWatch = createCauseWatch({ ...common, wakeScheduler: scheduler.wake, wakeDispatcher });
  const alertReview = createAlertReview({ ...common, wakeDispatcher, wakeScheduler: scheduler.wake });
  const wakes = { wakeDispatcher: wakeAlerts, wakeScheduler: scheduler.wake };
  const locationWatch = createLocationWatch({ ...common, ...wakes, network });
  const mailSender = createMailSender({ ...common, settings: delivery, urlOf, isOffline });
  return {
    recorder,
    looks,
    scheduler,
    dispatcher,
    alertReview,
    causeWatch,
    heartbeats: createHeartbeats({ ...common, recorder, storage, metrics, network }),
    housekeeping: createHousekeeping({ ...common, retentionDays, pageSlugs }),
    locationWatch,
    maintenanceWatch: createMaintenanceWatch({ ...common, wakeDispatcher, wakeReview: alertReview.wake }),
    blindnessWatch: createBlindnessWatch({ ...common, wakeDispatcher }),
    overdueWatch: createOverdueWatch(common),
    pingWatch: createPingWatch(common),
    mailSender,
    pageWatch: createPageWatch({ ...common, wakeMails: mailSender.wake }),
    reportSender: createReportSender({ ...common, settings: delivery, isOffline }),
    remoteProbes: createRemoteProbes({
      ...common,
      storage,
      metrics,
      findRegistration,
      ...wakes,
      onUnnoted: locationWatch.distrust,
    }),
  };
}

/** How many late monitors are recorded together. */
const GROUP_SIZE = 1000;

const SWEEP_EVERY = 1000;

/** A longer gap between two alive timestamps counts as an outage; milliseconds (behavior 3.20). */
const MAX_GAP = 30_000;

/**
 * A longer gap counts as an outage for jobs that may be late because of it: their check-ins are handled after it. For
 * the others it is too short to matter; milliseconds.
 */
const MAX_PAUSE = 2500;

/** How long a deadline that can't be computed is postponed, in milliseconds. */
const POSTPONE_FOR = 3_600_000;

/** How many characters of an ID identify a monitor in the log. */
const ID_START = 6;

/** Records missed runs of jobs, and stores every second that this service is alive. */
export interface Heartbeats {
  /** Extends the deadlines by the time since the last stop. */
  start(): Promise<void>;
  /**
   * To be called before a report of a job is recorded. If this server has just stalled, or its clock was set, the report waits until
   * open runs and deadlines follow that: it may have waited for as long (behavior 18.75).
   *
   * @returns undefined if there is nothing to wait for; null after the wait if nothing can be written now
   */
  catchUp(): Promise<number | null> | undefined;
  stop(): Promise<void>;
}

export function createHeartbeats({
  store,
  clock,
  recorder,
  claimant,
  log,
  storage,
  metrics,
  isDeaf = lacksDescriptors,
  network,
}: {
  store: Store;
  clock: Clock;
  recorder: Recorder;
  claimant: () => Claimant;
  log: Logger;
  /** Gets the outcome of the alive timestamp, which is the only regular write. */
  storage: StorageHealth;
  /** Counts runs that were missed before an outage; the recorder counts all others. */
  metrics: Pick<Metrics, "missed">;
  /** Whether no check-in can be accepted now. */
  isDeaf?: () => boolean;
  /** While it is offline, no check-in arrives (behavior 13.56). */
  network?: Pick<NetworkView, "state" | "look"> | undefined;
}): Heartbeats {
  const loop = createLoop({
    clock,
    every: SWEEP_EVERY,
    task: sweep,
    onJump({ from, to }) {
      clockShift += to - from;
    },
    faults: createFaultLog(log, "late heartbeats could not be looked for"),
  });
  let isStarted = false;
  let noting: Promise<number | null> | undefined;
  let aliveAt = 0;
  /** While nothing can be written, no check-in is accepted. */
  let isReadOnly = false;
  /** Whether the network was offline at the last sweep. */
  let wasOffline = false;
  /** By how much the wall clock has jumped, in milliseconds, since deadlines last followed it. */
  let clockShift = 0;
  /** Monitors whose deadline can't be computed: each is logged once. */
  const uncomputable = new Set<string>();

  async function sweep(): Promise<void> {
    if (isDeaf()) return;
    if (await isOffline()) {
      wasOffline = true;
      return;
    }
    const now = await note();
    if (now === null) return;
    const overdue = await store.heartbeats.claimOverdue(claimant(), { now, limit: GROUP_SIZE });
    await Promise.all(overdue.map((one) => recordSilence(one, now)));
  }

  /** Stores that this service is alive, after it has excused the time in which it was not. @returns when; null if that failed */
  function note(): Promise<number | null> {
    noting ??= noteNow().finally(() => {
      noting = undefined;
    });
    return noting;
  }

  async function noteNow(): Promise<number | null> {
    const now = clock.now();
    // Measured with one clock, if it was set back meanwhile.
    const gap = now - aliveAt - Math.min(0, clockShift);
    if (clockShift < 0 && !(await save(() => recall(now), now))) return null;
    if (!(await save(() => noteAlive(now, gap), now))) return null;
    wasOffline = false;
    return now;
  }

  function isBehind(): boolean {
    const now = clock.now();
    return isStarted && (now - aliveAt > MAX_PAUSE || clockShift < 0);
  }

  /** Looks at the network only if a job seems to be late: a check may not have noticed yet that it is gone. */
  async function isOffline(): Promise<boolean> {
    if (!network) return false;
    if (network.state() === "offline") return true;
    const late = await store.heartbeats.claimOverdue(claimant(), { now: clock.now(), limit: 1 });
    return late.length > 0 && (await network.look()) === "offline";
  }

  function noteAlive(now: number, gap: number): Promise<void> {
    // A suspended machine received no check-ins either.
    if (isReadOnly || wasOffline || !storage.isHealthy() || gap > MAX_GAP) return excuse(now);
    if (gap > MAX_PAUSE) return excuse(now, { dueBefore: now + gap });
    return store.heartbeats.noteAlive(now);
  }

  async function recordSilence({ monitorId, claim }: OverdueMonitor, now: number): Promise<void> {
    try {
      await recorder.record({ kind: "silence", monitorId, claim, at: now });
      uncomputable.delete(monitorId);
    } catch (error) {
      onUncomputable(monitorId, error);
      await store.heartbeats.postponeDeadline(monitorId, now + POSTPONE_FOR);
    }
  }

  function onUncomputable(monitorId: string, error: unknown): void {
    if (uncomputable.has(monitorId)) return;
    uncomputable.add(monitorId);
    // The whole ID is the secret of the check-in URL.
    const idStart = monitorId.slice(0, ID_START);
    log.error({ err: error, idStart }, "the rhythm of a job can't be computed: it is not reported as late");
  }

  async function excuse(now: number, scope: OutageScope = {}): Promise<void> {
    const jump = Math.max(0, Math.round(clockShift));
    metrics.missed(await store.heartbeats.excuseOutage(now, onUncomputable, { ...scope, jump }));
    clockShift = 0;
  }

  async function recall(now: number): Promise<void> {
    await store.heartbeats.recallDeadlines({ from: now - clockShift, to: now }, onUncomputable);
    clockShift = 0;
  }

  /** @returns whether the disk accepted the write */
  async function save(write: () => Promise<void>, now: number): Promise<boolean> {
    try {
      await write();
    } catch (error) {
      if (!isReadOnly)
        log.error({ err: error }, "writes fail: late jobs are not reported until they succeed");
      isReadOnly = true;
      storage.report(false);
      return false;
    }
    isReadOnly = false;
    storage.report(true);
    aliveAt = now;
    return true;
  }

  return {
    async start() {
      aliveAt = clock.now();
      await excuse(aliveAt);
      isStarted = true;
      loop.start();
    },
    catchUp: () => (isBehind() && !isDeaf() && network?.state() !== "offline" ? note() : undefined),
    async stop() {
      isStarted = false;
      // A claim that is under way must not follow the release of all claims.
      const swept = loop.stop();
      const now = clock.now();
      // If this fails, the next start extends the deadlines by more than the outage.
      const noted = wasOffline || save(() => store.heartbeats.noteAlive(now), now);
      await Promise.all([noted, swept]);
    },
  };
}

/** Whether the disk accepts writes, judged by the last write. */
export interface StorageHealth {
  report(accepted: boolean): void;
  isHealthy(): boolean;
}

export function createStorageHealth(): StorageHealth {
  let isHealthy = true;
  return {
    report(accepted) {
      isHealthy = accepted;
    },
    isHealthy: () => isHealthy,
  };
}
