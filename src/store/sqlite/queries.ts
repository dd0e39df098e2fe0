import type { Digest } from "../../domain/alerts/notify.ts";
import { StorageFault } from "../../errors.ts";
import { recordAttempts } from "../alerts/attempts.ts";
import { claimDeliveries, listDue, saveDigests } from "../alerts/due-deliveries.ts";
import { alertReviews } from "../alerts/review/alert-reviews.ts";
import type { EngineQueries } from "../engine-queries.ts";
import { housekeepingOn } from "../housekeeping.ts";
import { voteChanges } from "../locations/latest.ts";
import { listBlind, listProbed } from "../monitors/related-monitors.ts";
import { completeEvidence } from "../recording/complete-evidence.ts";
import { interruptionsOn, postponeDeadline } from "../recording/heartbeats.ts";
import { record, recordObservations } from "../recording/record.ts";
import { noteDnsAnswer, noteSteady, type Tx } from "../tx.ts";
import { backUp } from "./backup.ts";
import { type Connections, classified } from "./connections.ts";
import { type Database, dataVersion } from "./database.ts";
import { isSynced, syncedUpTo, syncResults } from "./durability.ts";
import { pruneResults, returnSpace, sweepResults } from "./housekeeping/prune.ts";
import { sealResults } from "./housekeeping/seal.ts";
import { assertNotNewer } from "./migrate.ts";
import { claimChecks, listDueSlots, recallChecks } from "./monitors/due-monitors.ts";
import { countOverdue } from "./monitors/overdue-checks.ts";
import {
  endInterruption,
  listOverdue,
  noteAlive,
  recordingEngineOn,
  takeSetback,
} from "./recording/recording.ts";
import { exportResults } from "./results/result-times.ts";
import { turn } from "./slices.ts";
import { findWorst, listSnapshots } from "./statistics/monitor-snapshots.ts";
import { listMonitors } from "./statistics/statistics.ts";

/** Binds each query of this engine to the connection that it needs. */
export function createQueries(connections: Connections): EngineQueries {
  const { reader, poll, writeDirectly: write } = connections;
  const recordingEngine = recordingEngineOn(connections.writer);
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

  /** Runs a query in a transaction that is on the disk a little later. */
  const commit =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      connections.writeWithoutSync((tx) => work(tx, ...rest));

  /** Most of the time nothing is pending, and this takes a fraction of the time of the list. */
  const hasPending = async () => (await poll("SELECT 1 FROM deliveries WHERE status = 0 LIMIT 1")).length > 0;

  /**
   * The commit survives the end of the process. After a power failure, the next attempt may be at another message. If the disk
   * rejects it, the first notification of the channel is sent alone, so that it does not wait for the disk.
   */
  async function trySaveDigests(digests: readonly Digest[]): Promise<boolean> {
    if (digests.length === 0) return true;
    return commit(saveDigests)(digests).then(
      () => true,
      (error) => {
        if (error instanceof StorageFault) return false;
        throw error;
      },
    );
  }

  return {
    // One process has the database: nobody else claims anything.
    claims: { take: async () => true, release: async () => {} },
    monitors: {
      list: stream(listMonitors),
      listSnapshots: stream(listSnapshots),
      findWorst: readDirectly((db, organizationId, selection) =>
        findWorst(db, connections.editMark, organizationId, selection),
      ),
    },
    blindness: {
      listProbed: (page) => listProbed({ query: poll }, page),
      listBlind: (page) => listBlind({ query: poll }, page),
    },
    results: { export: stream(exportResults) },
    checks: {
      listDueSlots: readDirectly(listDueSlots),
      claim: readDirectly(claimChecks),
      recall: writeDirectly(recallChecks),
    },
    overdue: { count: readDirectly(countOverdue) },
    recording: {
      record: (events) => connections.writeWithoutSync((tx) => record(tx, recordingEngine, events)),
      recordObservations: (batch) =>
        connections.writeWithoutSync((tx) => recordObservations(tx, recordingEngine, batch)),
      completeEvidence: (looked) =>
        connections.writeWithoutSync((tx) => completeEvidence(tx, recordingEngine.evidence, looked)),
      async syncResults() {
        await connections.repairLog();
        await syncResults(reader);
      },
    },
    locations: voteChanges(recordingEngine, connections.writeWithoutSync),
    heartbeats: {
      claimOverdue: (...rest) => listOverdue({ query: poll }, ...rest),
      noteAlive: commit(noteAlive),
      ...interruptionsOn({
        engine: recordingEngine,
        transact: connections.writeWithoutSync,
        transactDurably: connections.writeApart,
        endInterruption,
        takeSetback,
      }),
      postponeDeadline: commit(postponeDeadline),
    },
    deliveries: {
      listDue: async (...rest) =>
        (await hasPending()) ? listDue({ query: poll, hasClaims: false }, ...rest) : [],
      claim: (pks, _by, now) =>
        claimDeliveries({ query: poll, syncedUpTo: syncedUpTo(reader), save: trySaveDigests }, pks, now),
      isSynced: readDirectly(isSynced),
      recordAttempts: commit(recordAttempts),
    },
    alertReviews: alertReviews({
      poll,
      // One process writes, one transaction at a time: nothing is to be locked.
      transact: (work) => connections.writeWithoutSync((tx) => work(tx, { lockStates: nothing })),
    }),
    housekeeping: {
      ...housekeepingOn({ poll, transact: connections.writeWithoutSync, sweepResults, scale: 1 }),
      sealResults: (...rest) => sealResults(connections, ...rest),
      pruneResults: writeDirectly(pruneResults),
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
    backUp: writeDirectly((db, file: string, onProgress?: (share: number) => void) =>
      backUp(db.$client.filename, file, onProgress),
    ),
    fileSizes: async () => connections.fileSizes(),
  };
}

const nothing = async () => {};
