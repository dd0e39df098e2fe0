import { StorageFault } from "../../errors.ts";
import { alertReviews } from "../alerts/review/alert-reviews.ts";
import type { EngineQueries } from "../engine-queries.ts";
import { noteDnsAnswer, noteSteady } from "../service.ts";
import { backUp } from "./backup.ts";
import { type Connections, classified } from "./connections.ts";
import { recordAttempts } from "./deliveries/attempts.ts";
import { planDigests, saveDigests } from "./deliveries/digests.ts";
import { claimDeliveries, listDue } from "./deliveries/due-deliveries.ts";
import { reviewEngine } from "./deliveries/reviews.ts";
import { isSynced, syncResults } from "./deliveries/synced.ts";
import { pruneDetails, pruneResults, pruneRollups, returnSpace } from "./housekeeping/prune.ts";
import { pruneRuns } from "./housekeeping/prune-runs.ts";
import { sealResults } from "./housekeeping/seal.ts";
import { sweepDeletedChannels, sweepDeletedMonitors } from "./housekeeping/sweep-deleted.ts";
import { locationChanges } from "./locations/changes.ts";
import { assertNotNewer } from "./migrate.ts";
import { claimChecks, listDueSlots, recallChecks } from "./monitors/due-monitors.ts";
import { countOverdue } from "./monitors/overdue-checks.ts";
import { listBlind, listProbed } from "./monitors/probed-monitors.ts";
import { type Database, dataVersion } from "./open.ts";
import {
  claimOverdue,
  excuseOutage,
  noteAlive,
  postponeDeadline,
  recallDeadlines,
} from "./recording/heartbeats.ts";
import { record, recordObservations } from "./recording/record.ts";
import { exportResults } from "./results/exported-results.ts";
import { turn } from "./slices.ts";
import { listMonitors } from "./statistics/monitor-list.ts";
import { findWorst, listSnapshots } from "./statistics/monitor-snapshots.ts";

/** Binds each query of this engine to the connection that it needs. */
export function createQueries(connections: Connections): EngineQueries {
  const { reader, writeDirectly: write } = connections;
  /** Runs the engine's own SQL on the connection for reads. */
  const readDirectly =
    <Rest extends unknown[], Result>(work: (db: Database, ...rest: Rest) => Result) =>
    (...rest: Rest): Promise<Awaited<Result>> =>
      connections.readDirectly((db) => work(db, ...rest));

  /** Like `readDirectly`, for a list that is read in slices. */
  const stream = <Rest extends unknown[], Item>(
    work: (db: Database, ...rest: Rest) => AsyncGenerator<Item>,
  ) =>
    async function* (...rest: Rest): AsyncGenerator<Item> {
      try {
        yield* work(reader, ...rest);
      } catch (error) {
        throw classified(error);
      }
    };

  /** Runs the engine's own SQL on the connection for writes. The query begins its own transaction. */
  const writeDirectly =
    <Rest extends unknown[], Result>(work: (db: Database, ...rest: Rest) => Result) =>
    (...rest: Rest): Promise<Awaited<Result>> =>
      write((db) => work(db, ...rest));

  return {
    // One process has the database: nobody else claims anything.
    claims: { take: async () => true, release: async () => {} },
    monitors: {
      list: stream(listMonitors),
      listSnapshots: stream(listSnapshots),
      findWorst: readDirectly(findWorst),
    },
    blindness: { listProbed: readDirectly(listProbed), listBlind: readDirectly(listBlind) },
    results: { export: stream(exportResults) },
    checks: {
      listDueSlots: readDirectly(listDueSlots),
      claim: readDirectly(claimChecks),
      recall: writeDirectly(recallChecks),
    },
    overdue: { count: readDirectly(countOverdue) },
    recording: {
      record: writeDirectly(record),
      recordObservations: writeDirectly(recordObservations),
      async syncResults() {
        await connections.repairLog();
        await syncResults(reader);
      },
    },
    locations: locationChanges(connections),
    heartbeats: {
      claimOverdue: readDirectly(claimOverdue),
      noteAlive: writeDirectly(noteAlive),
      excuseOutage: writeDirectly(excuseOutage),
      recallDeadlines: writeDirectly(recallDeadlines),
      postponeDeadline: writeDirectly(postponeDeadline),
    },
    deliveries: {
      listDue: readDirectly(listDue),
      async claim(pks) {
        const digests = await readDirectly(planDigests)(pks);
        if (digests.length > 0) await write((db) => saveDigests(db, digests)).catch(ignoreFault);
        return readDirectly(claimDeliveries)(pks);
      },
      isSynced: readDirectly(isSynced),
      recordAttempts: writeDirectly(recordAttempts),
    },
    alertReviews: alertReviews(reviewEngine(connections)),
    housekeeping: {
      sweepDeletedMonitors: writeDirectly(sweepDeletedMonitors),
      sweepDeletedChannels: writeDirectly(sweepDeletedChannels),
      sealResults: (...rest) => sealResults(connections, ...rest),
      pruneResults: writeDirectly(pruneResults),
      pruneRollups: writeDirectly(pruneRollups),
      pruneRuns: writeDirectly(pruneRuns),
      pruneDetails: writeDirectly(pruneDetails),
      returnSpace: writeDirectly(returnSpace),
      noteSteady: (now) => connections.writeWithoutSync((tx) => noteSteady(tx, now)),
      noteDnsAnswer: (now) => connections.writeWithoutSync((tx) => noteDnsAnswer(tx, now)),
    },
    changes: {
      readTime: async () => null,
      version: readDirectly(dataVersion),
      foreignVersion: async () => connections.foreignVersion(),
      turn: readDirectly(turn),
    },
    nodes: { assertCompatible: readDirectly(({ $client }) => assertNotNewer($client)) },
    backUp: writeDirectly((db, file: string) => backUp(db.$client, file)),
    fileSizes: async () => connections.fileSizes(),
  };
}

/** If the disk rejects a digest, the first notification of the channel is sent alone, so that it does not wait for the disk. */
function ignoreFault(error: unknown): void {
  if (!(error instanceof StorageFault)) throw error;
}
