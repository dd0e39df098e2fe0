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
import { countPending, listDeliveries } from "./alerting/deliveries.ts";
import { listCertificateExpiries } from "./monitors/certificate-expiries.ts";
import { findChangeMarkers } from "./monitors/change-markers.ts";
import { updateMonitor } from "./monitors/monitor-update.ts";
import { countStatuses, createMonitor, deleteMonitor, findMonitor } from "./monitors/monitors.ts";
import { backUp } from "./sqlite/backup.ts";
import { recordAttempts } from "./sqlite/deliveries/attempts.ts";
import { findPending, isSynced, listDue, syncResults } from "./sqlite/deliveries/due-deliveries.ts";
import { classified, type Engine } from "./sqlite/engine.ts";
import { findDueMonitors, listDueSlots, recallChecks } from "./sqlite/monitors/due-monitors.ts";
import { pauseAllMonitors } from "./sqlite/monitors/pause-all.ts";
import { type Database, dataVersion } from "./sqlite/open.ts";
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
import { turn } from "./sqlite/slices.ts";
import { listMonitors } from "./sqlite/statistics/monitor-list.ts";
import { findReport } from "./sqlite/statistics/monitor-report.ts";
import { findWorst, listSnapshots } from "./sqlite/statistics/monitor-snapshots.ts";
import type { Tx } from "./tx.ts";

export type { CertificateExpiry } from "./monitors/certificate-expiries.ts";
export type { EndedAttempt } from "./sqlite/deliveries/attempts.ts";
export type { Due, PendingDelivery } from "./sqlite/deliveries/due-deliveries.ts";
export type { DueMonitor, Slot } from "./sqlite/monitors/due-monitors.ts";
export type { ResultEvent } from "./sqlite/results/results.ts";
export type { EnrichedMonitor } from "./sqlite/statistics/monitor-list.ts";
export type { MonitorReport } from "./sqlite/statistics/monitor-report.ts";
export type { MonitorSnapshot } from "./sqlite/statistics/monitor-snapshots.ts";

/** The only interface of the database for the other rooms. Each method is documented at its function. */
export type Store = ReturnType<typeof createStore>;

/** Binds each query to the connection and the kind of transaction that it needs. */
export function createStore(engine: Engine) {
  /** Runs on a snapshot. */
  const read =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.read((tx) => work(tx, ...rest));

  /** Runs in a transaction that is on the disk when the promise resolves. */
  const write =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.write((tx) => work(tx, ...rest));

  /** Runs in a transaction that is on the disk a little later: see `durability.ts`. */
  const writeSoon =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.writeWithoutSync((tx) => work(tx, ...rest));

  /** Runs the engine's own SQL on the connection for reads. */
  const readDirectly =
    <Rest extends unknown[], Result>(work: (db: Database, ...rest: Rest) => Result) =>
    async (...rest: Rest): Promise<Awaited<Result>> => {
      try {
        return await work(engine.reader, ...rest);
      } catch (error) {
        throw classified(error);
      }
    };

  /** Like `readDirectly`, for a list that is read in slices. */
  const stream = <Rest extends unknown[], Item>(
    work: (db: Database, ...rest: Rest) => AsyncGenerator<Item>,
  ) =>
    async function* (...rest: Rest): AsyncGenerator<Item> {
      try {
        yield* work(engine.reader, ...rest);
      } catch (error) {
        throw classified(error);
      }
    };

  /** Runs the engine's own SQL on the connection for writes. The query begins its own transaction. */
  const writeDirectly =
    <Rest extends unknown[], Result>(work: (db: Database, ...rest: Rest) => Result) =>
    (...rest: Rest): Promise<Awaited<Result>> =>
      engine.writeDirectly((db) => work(db, ...rest));

  return {
    organizations: {
      create: write(createOrganization),
      list: read(listOrganizations),
      update: write(updateOrganization),
      findSettings: read(findSettings),
      updateSettings: write(updateSettings),
      isFirstStart: read(isFirstStart),
      createDefault: write(createDefaultOrganization),
    },
    apiKeys: {
      create: write(createApiKey),
      list: read(listApiKeys),
      update: write(updateApiKey),
      delete: write(deleteApiKey),
      findCaller: read(findCaller),
      saveLastUses: writeSoon(saveLastUses),
    },
    sessions: {
      create: write(createSession),
      delete: write(deleteSession),
      findCaller: read(findSessionCaller),
    },
    monitors: {
      create: write(createMonitor),
      find: read(findMonitor),
      update: write(updateMonitor),
      delete: write(deleteMonitor),
      pauseAll: writeDirectly(pauseAllMonitors),
      list: stream(listMonitors),
      listSnapshots: stream(listSnapshots),
      findWorst: readDirectly(findWorst),
      findReport: readDirectly(findReport),
      countStatuses: read(countStatuses),
      listCertificateExpiries: read(listCertificateExpiries),
    },
    channels: {
      create: write(createChannel),
      list: read(listChannels),
      find: read(findChannel),
      update: write(updateChannel),
      delete: write(deleteChannel),
    },
    results: { list: readDirectly(listResults), listEvents: readDirectly(listEvents) },
    checks: {
      listDueSlots: readDirectly(listDueSlots),
      findDue: readDirectly(findDueMonitors),
      recall: writeDirectly(recallChecks),
    },
    recording: { record: writeDirectly(record), syncResults: () => syncResults(engine.reader) },
    heartbeats: {
      listOverdue: readDirectly(listOverdue),
      noteAlive: writeDirectly(noteAlive),
      excuseOutage: writeDirectly(excuseOutage),
      recallDeadlines: writeDirectly(recallDeadlines),
      postponeDeadline: writeDirectly(postponeDeadline),
    },
    deliveries: {
      list: read(listDeliveries),
      listDue: readDirectly(listDue),
      findPending: readDirectly(findPending),
      isSynced: readDirectly(isSynced),
      recordAttempts: writeDirectly(recordAttempts),
      countPending: read(countPending),
    },
    housekeeping: {
      sweepDeletedMonitors: writeDirectly(sweepDeletedMonitors),
      sweepDeletedChannels: writeDirectly(sweepDeletedChannels),
      pruneResults: writeDirectly(pruneResults),
      pruneRollups: writeDirectly(pruneRollups),
      pruneDetails: writeDirectly(pruneDetails),
      returnSpace: writeDirectly(returnSpace),
      lastSteady: readDirectly(lastSteady),
      noteSteady: writeDirectly(noteSteady),
    },
    changes: {
      findMarkers: read(findChangeMarkers),
      /** A number that changes with each commit. */
      version: readDirectly(dataVersion),
      /** A number that changes with each commit of another process. */
      foreignVersion: async () => engine.foreignVersion(),
      /** Resolves in a turn of the event loop in which no list reads a slice: see `slices.ts`. */
      turn: readDirectly(turn),
    },
    backUp: writeDirectly((db, file: string) => backUp(db.$client, file)),
    fileSizes: engine.fileSizes,
    close: engine.close,
  };
}
