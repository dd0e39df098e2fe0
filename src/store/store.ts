import {
  createApiKey,
  deleteApiKey,
  findCaller,
  listApiKeys,
  saveLastUses,
  updateApiKey,
} from "./accounts/api-keys.ts";
import { createDefaultOrganization, isFirstStart } from "./accounts/bootstrap.ts";
import { findSettings, updateSettings } from "./accounts/organization-settings.ts";
import { createOrganization, listOrganizations, updateOrganization } from "./accounts/organizations.ts";
import { createSession, deleteSession, findSessionCaller } from "./accounts/sessions.ts";
import {
  createChannel,
  deleteChannel,
  findChannel,
  listChannels,
  updateChannel,
} from "./alerting/channels.ts";
import { listDeliveries } from "./alerting/deliveries.ts";
import { countWaiting } from "./alerting/outbox.ts";
import { listCertificateExpiries } from "./monitors/certificate-expiries.ts";
import { findChangeMarkers } from "./monitors/change-markers.ts";
import { updateMonitor } from "./monitors/monitor-update.ts";
import {
  countStatuses,
  createMonitor,
  deleteMonitor,
  findDueMonitors,
  findMonitor,
  listDueSlots,
  pauseAllMonitors,
  recallChecks,
} from "./monitors/monitors.ts";
import { backUp } from "./sqlite/backup.ts";
import { recordAttempts } from "./sqlite/deliveries/attempts.ts";
import { findPending, isSynced, listDue, syncResults } from "./sqlite/deliveries/due-deliveries.ts";
import { syncWal } from "./sqlite/durability.ts";
import { closeDatabase, type Database, dataVersion, ownChanges } from "./sqlite/open.ts";
import {
  excuseOutage,
  listOverdue,
  noteAlive,
  postponeDeadline,
  recallDeadlines,
} from "./sqlite/recording/heartbeats.ts";
import {
  lastSteady,
  noteSteady,
  pruneResults,
  pruneRollups,
  returnSpace,
  sweepDeletedChannels,
  sweepDeletedMonitors,
} from "./sqlite/recording/housekeeping.ts";
import { record } from "./sqlite/recording/record.ts";
import { pruneDetails } from "./sqlite/results/details.ts";
import { listEvents, listResults } from "./sqlite/results/results.ts";
import { listMonitors } from "./sqlite/statistics/monitor-list.ts";
import { findReport } from "./sqlite/statistics/monitor-report.ts";
import { findWorst, listSnapshots } from "./sqlite/statistics/monitor-snapshots.ts";

/** All that the rest of the program knows of the database. The functions behind it carry the documentation. */
export type Store = ReturnType<typeof createStore>;

export function createStore(db: Database) {
  const on =
    <Rest extends unknown[], Result>(work: (db: Database, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      work(db, ...rest);

  return {
    organizations: {
      create: on(createOrganization),
      list: on(listOrganizations),
      update: on(updateOrganization),
      findSettings: on(findSettings),
      updateSettings: on(updateSettings),
      isFirstStart: on(isFirstStart),
      createDefault: on(createDefaultOrganization),
    },
    apiKeys: {
      create: on(createApiKey),
      list: on(listApiKeys),
      update: on(updateApiKey),
      delete: on(deleteApiKey),
      findCaller: on(findCaller),
      saveLastUses: on(saveLastUses),
    },
    sessions: { create: on(createSession), delete: on(deleteSession), findCaller: on(findSessionCaller) },
    monitors: {
      create: on(createMonitor),
      find: on(findMonitor),
      update: on(updateMonitor),
      delete: on(deleteMonitor),
      pauseAll: on(pauseAllMonitors),
      list: on(listMonitors),
      listSnapshots: on(listSnapshots),
      findWorst: on(findWorst),
      findReport: on(findReport),
      countStatuses: on(countStatuses),
      listCertificateExpiries: on(listCertificateExpiries),
    },
    channels: {
      create: on(createChannel),
      list: on(listChannels),
      find: on(findChannel),
      update: on(updateChannel),
      delete: on(deleteChannel),
    },
    results: { list: on(listResults), listEvents: on(listEvents) },
    checks: { listDueSlots: on(listDueSlots), findDue: on(findDueMonitors), recall: on(recallChecks) },
    recording: { record: on(record), sync: on(syncWal), syncResults: on(syncResults) },
    heartbeats: {
      listOverdue: on(listOverdue),
      noteAlive: on(noteAlive),
      excuseOutage: on(excuseOutage),
      recallDeadlines: on(recallDeadlines),
      postponeDeadline: on(postponeDeadline),
    },
    deliveries: {
      list: on(listDeliveries),
      listDue: on(listDue),
      findPending: on(findPending),
      isSynced: on(isSynced),
      recordAttempts: on(recordAttempts),
      countWaiting: on(countWaiting),
    },
    housekeeping: {
      sweepDeletedMonitors: on(sweepDeletedMonitors),
      sweepDeletedChannels: on(sweepDeletedChannels),
      pruneResults: on(pruneResults),
      pruneRollups: on(pruneRollups),
      pruneDetails: on(pruneDetails),
      returnSpace: on(returnSpace),
      lastSteady: on(lastSteady),
      noteSteady: on(noteSteady),
    },
    changes: {
      findMarkers: on(findChangeMarkers),
      dataVersion: on(dataVersion),
      ownChanges: on(ownChanges),
    },
    backUp: (file: string) => backUp(db.$client, file),
    close: on(closeDatabase),
  };
}
