import type { MonitorType } from "../domain/monitors/monitor.ts";
import type { Recorded, Recording } from "../domain/monitors/recording-plan.ts";
import type { Status } from "../domain/monitors/status.ts";
import type { Range } from "../domain/results/range.ts";
import type { Stretch } from "../domain/results/rollup.ts";
import type { ResultColumns } from "../domain/results/segments/segment.ts";
import type { Due, EndedAttempt, PendingDelivery } from "./alerts/due-deliveries.ts";
import type {
  EnrichedMonitor,
  Listing,
  MonitorSelection,
  MonitorSnapshot,
  WorstMonitors,
} from "./monitors/monitor-report.ts";
import type { DueMonitor, Slot, StoredProbedMonitor } from "./monitors/related-monitors.ts";
import type { LookedEvidence } from "./recording/complete-evidence.ts";
import type { ReceivedObservations, RecordedObservations } from "./recording/observations.ts";
import type { PastReads } from "./replays/past-checks.ts";
import type {
  ChangedResult,
  ChangeSelection,
  ExportedResult,
  Position,
  ResultExport,
  ResultRow,
  Selection,
} from "./results/result-items.ts";

/*
 * The queries of which each storage engine has its own version, because they are frequent or large. Times are milliseconds
 * since 1970. An engine may answer from its memory only if no other process can change the answer.
 */

/**
 * A server process that claims work, so that no other one does the same. An engine for one process has claims only in
 * the memory of that process, and its queries ignore them.
 */
export interface Claimant {
  /** Its number in the list of nodes. */
  node: number;
  /** Its place among the live nodes, from 0, and how many there are: each prefers its part of the monitors. */
  place: number;
  nodes: number;
}

/**
 * The parts of reads in which the engines differ, because they keep results in another order. The rest is the same SQL for
 * both: see `Sql.query`.
 */
export interface EngineReads {
  /** The newest results of some monitors, each in one selection, in the order of lists. */
  newestResults(selections: Selection[], page: Position): Promise<ResultRow[]>;
  /** The newest results that changed the status of one of some monitors, newest first. */
  changedResults(selection: ChangeSelection, page: Position): Promise<ChangedResult[]>;
  /** The results of a monitor in a stretch of time, in any order. Cheap for a few days at most. */
  resultsBetween(
    source: { monitorPk: number; statuses: readonly Status[] },
    stretch: Required<Stretch>,
  ): Promise<ResultRow[]>;
  /**
   * The results of a monitor in a stretch of time, each once, as columns, in any order, with some of other times. Other work of the
   * process runs meanwhile.
   */
  columnsBetween(monitorPk: number, stretch: Required<Stretch>): AsyncIterable<ResultColumns>;
  /** The reads of the past of a replay. */
  past: PastReads;
}

/**
 * A stretch of results that become packed.
 *
 * @property end the number before which they are
 * @property after the number of the last monitor whose results of the stretch are packed; null if all are
 */
export interface Sealing {
  end: number;
  after: number | null;
}

export interface EngineQueries {
  claims: ClaimQueries;
  monitors: MonitorQueries;
  blindness: BlindnessQueries;
  results: ResultQueries;
  checks: CheckQueries;
  overdue: OverdueQueries;
  recording: RecordingQueries;
  locations: LocationQueries;
  heartbeats: HeartbeatQueries;
  deliveries: DeliveryQueries;
  alertReviews: AlertReviewQueries;
  housekeeping: HousekeepingQueries;
  changes: ChangeQueries;
  nodes: NodeQueries;
  /**
   * Writes a consistent copy of the database, while others may write to the database. The copy gets its name after it is
   * complete and on the disk.
   *
   * @param file the path of the copy @param onProgress gets the share that is copied, from 0 to 1
   * @throws AppError `refused` if the file exists already
   */
  backUp(file: string, onProgress?: (share: number) => void): Promise<void>;
  /** The sizes of the files of the database in bytes, by name. */
  fileSizes(): Promise<Record<string, number>>;
}

/** A claim ends when its outcome is written, or after a time that is long enough for the work. */
export interface ClaimQueries {
  /**
   * Claims work that only one node does at a time, or extends such a claim.
   *
   * @param lease milliseconds
   * @returns whether this node may do it
   */
  take(name: string, by: Claimant, when: { now: number; lease: number }): Promise<boolean>;
  /** Ends all claims of a node, so that others continue at once. */
  release(node: number): Promise<void>;
}

export interface NodeQueries {
  /**
   * To be called with each sign of life.
   *
   * @throws AppError `refused` if a newer version has migrated the database, and this version can't work with it
   */
  assertCompatible(): Promise<void>;
}

export interface MonitorQueries {
  /**
   * The monitors of an organization, oldest first, in slices: those that existed at the start and still exist, each once.
   * Each slice runs in its own turn of the event loop.
   *
   * @throws AppError `not_found` if the organization does not exist
   */
  list(
    organizationId: string,
    filter: { type: MonitorType | undefined; tag?: string | undefined; range: Range },
    now: number,
  ): AsyncGenerator<EnrichedMonitor[]>;
  /** All monitors of an organization, oldest first, in slices. Each slice runs in its own turn of the event loop. */
  listSnapshots(organizationId: string, listing: Listing): AsyncGenerator<MonitorSnapshot[]>;
  /** The first monitors of a selection, by default the worst ones of all, and the counts of all. */
  findWorst(organizationId: string, selection: MonitorSelection): Promise<WorstMonitors>;
}

/** For the watch that finds blind monitors (behavior 1.58). Lists are by number; each call returns the first ones after `after`. */
export interface BlindnessQueries {
  /** The enabled monitors that are probed and not blind. @property now milliseconds since 1970 */
  listProbed(page: { after: number; limit: number; now: number }): Promise<StoredProbedMonitor[]>;
  /** The monitors that are stored as blind; some may be paused since. */
  listBlind(page: { after: number; limit: number }): Promise<StoredProbedMonitor[]>;
}

export interface ResultQueries {
  /**
   * The results of a monitor in a stretch of time, the oldest first, in slices: almost in the order of their times, because
   * late results (behavior 13.28) are in the order of their recording.
   *
   * @throws AppError `not_found` for the monitor, before the first slice
   */
  export(organizationId: string, wanted: ResultExport): AsyncGenerator<ExportedResult[]>;
}

export interface CheckQueries {
  /**
   * The slots that are due before a moment and that no other node has claimed, the most overdue first. A slot stays due
   * until a result is recorded, so that a check that a crash interrupted runs again (behavior 1.11).
   *
   * @property page those after a slot, in the order of their times and monitors, and at most so many. Default: all
   */
  listDueSlots(
    by: Claimant,
    when: { now: number; before: number; page?: { after: Slot; limit: number } },
  ): Promise<Slot[]>;
  /**
   * Claims these slots.
   *
   * @returns their monitors in the same order, without those that were deleted, paused or changed meanwhile, or that
   *   another node has claimed
   */
  claim(slots: readonly Slot[], by: Claimant, now: number): Promise<DueMonitor[]>;
  /**
   * After the clock was set back, makes each check due now whose time is further away than its interval.
   *
   * @returns how many checks
   */
  recall(now: number): Promise<number>;
}

export interface OverdueQueries {
  /**
   * How many monitors have no result although the slot of their check has passed by more than their interval (behavior
   * 1.61). Cheap while few checks are late.
   */
  count(now: number): Promise<number>;
}

export interface RecordingQueries {
  /**
   * Records a batch of events in one transaction: results, rollups, states of the monitors, outages and deliveries. If
   * anything fails, nothing is recorded. The commit may be on the disk only a little later: see `syncResults`.
   *
   * @returns for each event what was recorded; null if its monitor was deleted, was changed since the check began, or takes
   *   no check-ins, or if the claim of the event no longer holds
   */
  record(events: Recording[]): Promise<(Recorded | null)[]>;
  /**
   * Records what the probe of a location saw, in one transaction that also remembers which observations were taken, so that
   * sending one again is harmless (behavior 13.27). The commit may be on the disk only a little later: see `syncResults`.
   */
  recordObservations(batch: ReceivedObservations): Promise<RecordedObservations>;
  /**
   * Completes evidence by what its location saw when it looked once more, and explains it again (behavior 22.7).
   *
   * @returns false if there is no such evidence any more
   */
  completeEvidence(looked: LookedEvidence): Promise<boolean>;
  /**
   * Resolves when all results and deliveries recorded so far are on the disk.
   *
   * @throws AppError `unavailable` if the sync fails
   */
  syncResults(): Promise<void>;
}

/** @property isChanged false if it was so already @property asksHere whether this server is to check a monitor now */
export interface LocationChange {
  isChanged: boolean;
  asksHere: boolean;
}

/** Each method that changes something is one transaction; the commit may be on the disk only a little later. */
export interface LocationQueries {
  /**
   * Takes the vote of a location whose probe sends nothing, and notifies the default channels (behavior 13.23): monitors
   * without another location that has a vote become `unknown`, and the other locations check the others at once.
   */
  silence(pk: number, now: number): Promise<LocationChange>;
  /**
   * Stores that the probe of a silent location sends again, and notifies the default channels (behavior 13.21). The location
   * checks monitors that are `unknown` at once (behavior 13.70).
   */
  reconnect(pk: number, now: number): Promise<LocationChange>;
  /**
   * Stores whether the network of a location is at fault, and takes its vote as `silence` does (behavior 13.26). After the
   * fault, what it saw down is forgotten (behavior 13.70).
   */
  setAtFault(
    place: { location: number; organizationPk: number },
    isAtFault: boolean,
    now: number,
  ): Promise<LocationChange>;
}

/** Receives a monitor whose rhythm cannot be computed; the monitor keeps its deadline. */
export type OnUncomputable = (monitorId: string, error: unknown) => void;

export interface OverdueMonitor {
  monitorId: string;
  claim: number;
}

export interface HeartbeatQueries {
  /** Claims SCHEDULED monitors whose deadline has passed, the earliest deadline first. */
  claimOverdue(by: Claimant, when: { now: number; limit: number }): Promise<OverdueMonitor[]>;
  /** Stores that this service runs: any of its nodes. */
  noteAlive(now: number): Promise<void>;
  /**
   * Extends every deadline by the time in which this service did not run (behavior 3.20 to 3.22). Deadlines that passed
   * before the outage are recorded as missed. If the clock was set back since, deadlines move back instead. To be called
   * once after the start, before any other recording, and after each later outage.
   *
   * @returns the recordings of monitors that missed a run
   */
  excuseOutage(now: number, onUncomputable: OnUncomputable, outage?: OutageScope): Promise<Recorded[]>;
  /**
   * Moves every deadline, and the last sign of life, back with the clock.
   *
   * @property from the time that the clock would show if it had not been set back
   */
  recallDeadlines(jump: { from: number; to: number }, onUncomputable: OnUncomputable): Promise<void>;
  /** Postpones a deadline whose rhythm cannot be computed, so that the monitor does not delay others. */
  postponeDeadline(monitorId: string, until: number): Promise<void>;
}

/**
 * @property dueBefore leaves later deadlines unchanged, except of jobs with an open run; default: none
 * @property jump by how much the clock jumped ahead since the last sign of life, in milliseconds; default: 0
 */
export interface OutageScope {
  dueBefore?: number;
  jump?: number;
}

export interface DeliveryQueries {
  /**
   * The deliveries to try now: of each channel only the oldest pending one, so that they arrive in order. The
   * organizations take turns. Within one, deliveries that were never tried come first, because an unreachable receiver
   * must not delay others. A delivery whose last attempt is in the future, because the clock was set back, is due now.
   * Channels that another node has claimed are left out.
   */
  listDue(by: Claimant, when: { now: number; limit: number }): Promise<Due[]>;
  /**
   * Claims the channels of deliveries for one attempt each, for `CHANNEL_LEASE`. The number of statements does not depend
   * on how many there are.
   *
   * @param pks listed as due @param now milliseconds since 1970
   * @returns the claimed deliveries, in the order of `pks`. A delivery is left out if it is no longer due or the oldest
   *   pending one of its channel, if its channel or monitor was deleted, or if another node has claimed the channel or
   *   has locked it
   */
  claim(pks: readonly number[], by: Claimant, now: number): Promise<PendingDelivery[]>;
  /**
   * Whether a delivery is known to be on the disk, and with it what it reports, which one transaction wrote. Channels are not
   * notified of what a power failure could undo. After a false, which may be out of date, the caller awaits `syncResults`.
   */
  isSynced(pk: number): Promise<boolean>;
  /**
   * Records the outcomes of some attempts, and when the next attempts are due, in one transaction. The commit may be on the
   * disk only a little later: if a power failure undoes an outcome, the delivery is sent again, in the same order.
   *
   * A delivery that was cancelled meanwhile stays cancelled, unless it arrived. A failure with an old config of the channel
   * does not count. An outcome whose claim no longer holds is dropped: another node tries the delivery again.
   *
   * @returns for each attempt, whether another one follows
   */
  recordAttempts(ended: EndedAttempt[]): Promise<boolean[]>;
}

/** @property releases whether notifications are to be sent now @property asksHere whether this server is to check a monitor now */
export interface Reviewed {
  releases: boolean;
  asksHere: boolean;
  /** Whether more monitors are due. */
  isMore: boolean;
}

/** The commits may be on the disk only a little later: what a power failure undoes is decided again. */
export interface AlertReviewQueries {
  /**
   * Decides, for some monitors, about the deliveries that are due for a decision and the reminders that are due, in one
   * transaction (behavior 14.10 to 14.29). Any node may do it: what another one decided meanwhile is left alone.
   *
   * @param limit the most monitors
   */
  review(now: number, limit: number): Promise<Reviewed>;
  /** After the clock was set back: makes all undecided deliveries due now. */
  recall(now: number): Promise<void>;
}

/** Each method does one small piece of work, which blocks other work for a few milliseconds. */
export interface HousekeepingQueries {
  /** Deletes some of the rows of deleted monitors. @returns whether there may be more */
  sweepDeletedMonitors(): Promise<boolean>;
  /** Marks some pending deliveries of deleted channels as failed. @returns whether there may be more */
  sweepDeletedChannels(): Promise<boolean>;
  /**
   * Packs some of the results that were recorded before a moment. PostgreSQL packs a day when it is over for more than a day.
   *
   * @param sealing what the previous call returned, null to start
   * @returns null if nothing is to be packed for now
   */
  sealResults(before: number, sealing: Sealing | null): Promise<Sealing | null>;
  /**
   * Deletes some of the results of the UTC days that are wholly older than a moment (behavior 6.8), with their ended deliveries and
   * changes of the status. Results with pending deliveries are kept until the deliveries have succeeded or failed. Notices of this age
   * are deleted too, if they are not pending.
   *
   * @returns how many results, deliveries or changes were deleted: at least 1 if there may be more
   */
  pruneResults(before: number): Promise<number>;
  /**
   * Deletes the rollups of some monitors that are older than a moment, and the outages that ended before it.
   *
   * @param after the number of the monitor at which the previous call ended, 0 to start
   * @returns the number at which this call ended, or null at the end
   */
  pruneRollups(before: number, after: number): Promise<number | null>;
  /**
   * Deletes runs of jobs, with their outputs. See `pruneRollups` for the parameters.
   *
   * @param before runs that ended earlier
   */
  pruneRuns(before: number, after: number): Promise<number | null>;
  /**
   * Deletes evidence of some monitors (behavior 22.10). See `pruneRollups` for the other parameters.
   *
   * @property before evidence of no recent outage is deleted if it is older
   * @property outagesBefore an outage that ended earlier is not recent
   */
  pruneEvidence(times: { before: number; outagesBefore: number }, after: number): Promise<number | null>;
  /**
   * Deletes details that no result refers to any more.
   *
   * @param before the time of the oldest result that is kept
   * @param after the number of the detail at which the previous call ended, 0 to start
   * @returns the number at which this call ended, or null at the end
   */
  pruneDetails(before: number, after: number): Promise<number | null>;
  /** Returns some free space of the database to the file system. @returns whether there may be more */
  returnSpace(): Promise<boolean>;
  /** Stores that this service runs with a steady clock. */
  noteSteady(now: number): Promise<void>;
  /** Stores the first such answer. */
  noteDnsAnswer(now: number): Promise<void>;
}

export interface ChangeQueries {
  /** The time of the database in milliseconds since 1970; null if the clock of this machine is its clock. */
  readTime(): Promise<number | null>;
  /** A number that changes with each commit. */
  version(): Promise<number>;
  /** A number that changes with each commit of another process. */
  foreignVersion(): Promise<number>;
  /** Resolves in a turn of the event loop in which no list reads a slice. */
  turn(): Promise<void>;
}
