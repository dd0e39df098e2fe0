import type { DeliverySettings } from "../alerts/delivery-settings.ts";
import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";
import type { Claimant, Store } from "../store/store.ts";
import { createBlindnessWatch } from "./checks/blindness-watch.ts";
import { createOverdueWatch } from "./checks/overdue-watch.ts";
import { createPingWatch } from "./checks/ping-watch.ts";
import { createRecorder } from "./checks/recorder.ts";
import { createScheduler } from "./checks/scheduler.ts";
import { createAlertReview } from "./deliveries/alert-review.ts";
import { createDispatcher } from "./deliveries/dispatcher.ts";
import { createHeartbeats } from "./heartbeats.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { createLocationWatch } from "./locations/location-watch.ts";
import { createRemoteProbes } from "./locations/remote-probes.ts";
import { createMaintenanceWatch } from "./maintenance/maintenance-watch.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createMailSender } from "./pages/mail-sender.ts";
import { createPageWatch } from "./pages/page-watch.ts";
import type { Registrations } from "./registrations/registrations.ts";
import type { StorageHealth } from "./storage-health.ts";

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
  const dispatcher = createDispatcher({ ...common, settings: delivery, metrics, isOffline, onAnswer });
  const wakeDispatcher = dispatcher.wake;
  /** After a recording with transitions: some notifications are sent at once, about others the review decides. */
  const wakeAlerts = () => {
    wakeDispatcher();
    alertReview.wake();
  };
  const recorder = createRecorder({ ...common, storage, metrics, wakeDispatcher: wakeAlerts });
  const scheduler = createScheduler({ ...common, probes, recorder, findRegistration });
  const alertReview = createAlertReview({ ...common, wakeDispatcher, wakeScheduler: scheduler.wake });
  const wakes = { wakeDispatcher: wakeAlerts, wakeScheduler: scheduler.wake };
  const locationWatch = createLocationWatch({ ...common, ...wakes, network });
  const mailSender = createMailSender({ ...common, settings: delivery, urlOf, isOffline });
  return {
    recorder,
    scheduler,
    dispatcher,
    alertReview,
    heartbeats: createHeartbeats({ ...common, recorder, storage, metrics, network }),
    housekeeping: createHousekeeping({ ...common, retentionDays, pageSlugs }),
    locationWatch,
    maintenanceWatch: createMaintenanceWatch({ ...common, wakeDispatcher, wakeReview: alertReview.wake }),
    blindnessWatch: createBlindnessWatch({ ...common, wakeDispatcher }),
    overdueWatch: createOverdueWatch(common),
    pingWatch: createPingWatch(common),
    mailSender,
    pageWatch: createPageWatch({ ...common, wakeMails: mailSender.wake }),
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
