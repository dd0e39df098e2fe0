import { CHANNEL_LEASE } from "../../domain/alerts/delivery.ts";
import type { Digest } from "../../domain/alerts/notify.ts";
import { AppError } from "../../errors.ts";
import { recordAttempts } from "../alerts/attempts.ts";
import { type ChannelClaims, claimDeliveries, listDue, saveDigests } from "../alerts/due-deliveries.ts";
import { alertReviews, type ReviewLocks } from "../alerts/review/alert-reviews.ts";
import type { Claimant, EngineQueries } from "../engine-queries.ts";
import { housekeepingOn } from "../housekeeping.ts";
import { voteChanges } from "../locations/latest.ts";
import { listBlind, listProbed } from "../monitors/related-monitors.ts";
import { interruptionsOn, postponeDeadline } from "../recording/heartbeats.ts";
import { KnownMonitors } from "../statistics/monitor-report.ts";
import { noteDnsAnswer, noteSteady, type Sql, type Tx } from "../tx.ts";
import type { Connections, PostgresTx } from "./connections.ts";
import { createPruning, daysAhead, sweepResults } from "./housekeeping/expired-days.ts";
import { createPacking } from "./housekeeping/pack-days.ts";
import { assertStillCompatible } from "./migrate.ts";
import { claimSlots, createOpenClaims, handBackClaims } from "./monitors/check-claims.ts";
import { createDueSearch, recallChecks } from "./monitors/due-monitors.ts";
import { createPartitions, withPartitions } from "./partitions.ts";
import { createRecording, createRecordingEngine } from "./recording/record.ts";
import { claimOverdue, endInterruption, noteAlive, takeSetback } from "./recording/service-time.ts";
import { exportResults } from "./results/day-partitions.ts";
import { listMonitors } from "./statistics/monitor-list.ts";
import { findWorst, listSnapshots, RollupCache } from "./statistics/monitor-snapshots.ts";

/** For work on the deadlines of all jobs, in milliseconds: 10,000 jobs take about a second. */
const ALL_JOBS_WITHIN = 60_000;
/** For work on all monitors of a location, in milliseconds: 10,000 take about two seconds. */
const ALL_MONITORS_WITHIN = 60_000;

/**
 * Binds each query of this engine to the kind of transaction that it needs. A list of all monitors is no transaction, because
 * its reader may take its time.
 *
 * @param everyMinute is called about once a minute while checks are searched, with the time
 */
export function createQueries(
  connections: Connections,
  everyMinute: (sql: Sql, now: number) => void = () => {},
): EngineQueries {
  /** A single statement that looks for work: see `Engine.poll`. */
  const poll =
    <Rest extends unknown[], Result>(query: (sql: Sql, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      query({ query: connections.poll }, ...rest);

  /** See `Connections.transaction`. */
  const write =
    <Rest extends unknown[], Result>(query: (tx: PostgresTx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      connections.transaction((tx) => query(tx, ...rest));

  const forAllJobs = <Result>(work: (tx: Tx) => Promise<Result>) =>
    withPartitions(connections, () => connections.transaction(work, ALL_JOBS_WITHIN));

  const cache = new RollupCache();
  const known = new KnownMonitors();
  const search = createDueSearch(connections, everyMinute);
  const openClaims = createOpenClaims();
  const recordingEngine = createRecordingEngine();
  let version = 0;
  /** Numbers that never repeat: no cache can know of the commits of other nodes. */
  const nextVersion = async () => ++version;

  return {
    claims: { take: write(takeLease), release: write(releaseClaims) },
    monitors: {
      list: (...rest) => listMonitors(connections, cache, ...rest),
      listSnapshots: (...rest) => listSnapshots(connections, cache, ...rest),
      findWorst: (...rest) => findWorst(connections, { cache, known }, ...rest),
    },
    blindness: { listProbed: poll(listProbed), listBlind: poll(listBlind) },
    results: { export: (...rest) => exportResults(connections, ...rest) },
    checks: {
      listDueSlots: search.listDueSlots,
      async claim(slots, by, now) {
        if (slots.length === 0) return [];
        const ended = openClaims.takeEnded();
        const read = await write(claimSlots)({ slots, ended, first: search.firstClaim() }, by, now);
        const claimed = await read();
        openClaims.open(claimed);
        return claimed;
      },
      async recall(now) {
        const recalled = await write(recallChecks)(now);
        search.reset();
        return recalled;
      },
    },
    overdue: { count: search.countOverdue },
    recording: createRecording(connections, openClaims, recordingEngine),
    locations: voteChanges(recordingEngine, (work) => connections.transaction(work, ALL_MONITORS_WITHIN)),
    heartbeats: {
      claimOverdue: write(claimOverdue),
      noteAlive: write(noteAlive),
      ...interruptionsOn({
        engine: recordingEngine,
        transact: forAllJobs,
        transactDurably: forAllJobs,
        endInterruption,
        takeSetback,
      }),
      postponeDeadline: write(postponeDeadline),
    },
    deliveries: {
      listDue: (...rest) => listDue({ query: connections.poll, hasClaims: true }, ...rest),
      claim: (pks, by, now) =>
        connections.transaction((tx) => {
          const save = (digests: readonly Digest[]) => saveDigests(tx, digests).then(() => true);
          const claims = channelClaims(tx, by, now);
          return claimDeliveries(
            { query: tx.query, claims, save, syncedUpTo: Number.MAX_SAFE_INTEGER },
            pks,
            now,
          );
        }),
      isSynced: async () => true,
      recordAttempts: write(recordAttempts),
    },
    alertReviews: alertReviews({
      poll: connections.poll,
      transact: (work) => connections.transaction((tx) => work(tx, reviewLocks(tx))),
    }),
    housekeeping: {
      ...housekeepingOn({
        poll: connections.poll,
        transact: connections.transaction,
        sweepResults,
        scale: 10,
      }),
      sealResults: createPacking(connections),
      pruneResults: createPruning(connections.transaction),
      returnSpace: async () => false,
      async noteSteady(now) {
        await write(noteSteady)(now);
        await createPartitions(connections, daysAhead(now));
      },
      noteDnsAnswer: write(noteDnsAnswer),
    },
    changes: {
      readTime: poll(readTime),
      version: nextVersion,
      foreignVersion: nextVersion,
      turn: async () => {},
    },
    nodes: { assertCompatible: poll(assertStillCompatible) },
    backUp: async () => {
      throw new AppError(
        "invalid",
        "a PostgreSQL database is backed up with pg_dump, and restored with pg_restore",
      );
    },
    fileSizes: poll(fileSizes),
  };
}

const READ_TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time";

async function readTime({ query }: Sql): Promise<number | null> {
  return (await query<{ time: number }>(READ_TIME))[0]?.time ?? null;
}

const READ_SIZE = "SELECT pg_database_size(current_database()) AS database";

async function fileSizes({ query }: Sql): Promise<Record<string, number>> {
  return (await query<Record<string, number>>(READ_SIZE))[0] ?? {};
}

/** A node extends its own claim, or takes over one that has lapsed. */
const TAKE = `INSERT INTO leases AS lease (name, claim, claimed_by, claimed_until) VALUES ($1, 1, $2, $4)
  ON CONFLICT (name) DO UPDATE
  SET claim = lease.claim + 1, claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
  WHERE lease.claimed_by = $2 OR lease.claimed_until < $3
  RETURNING name`;

async function takeLease(
  { query }: Sql,
  name: string,
  { node }: Claimant,
  { now, lease }: { now: number; lease: number },
): Promise<boolean> {
  return (await query(TAKE, [name, node, now, now + lease])).length > 0;
}

/*
 * The fencing numbers stay, so an outcome that is still under way can be written until another node claims the work.
 * Rows are locked in the order in which recordings lock them.
 */
const RELEASE_JOBS = `UPDATE monitor_states SET claimed_until = 0 WHERE monitor_pk IN (
    SELECT monitor_pk FROM monitor_states
    WHERE claimed_by = $1 AND claimed_slot = deadline AND claimed_until > 0
    ORDER BY monitor_pk FOR UPDATE)`;
const RELEASE_CHANNELS = `UPDATE alert_channels SET claimed_until = 0 WHERE pk IN (
    SELECT pk FROM alert_channels WHERE claimed_by = $1 AND claimed_until > 0 ORDER BY pk FOR NO KEY UPDATE)`;
const RELEASE_LEASES = "UPDATE leases SET claimed_until = 0 WHERE claimed_by = $1 AND claimed_until > 0";

async function releaseClaims(sql: Sql, node: number): Promise<void> {
  for (const release of [RELEASE_JOBS, RELEASE_CHANNELS, RELEASE_LEASES]) await sql.query(release, [node]);
  await handBackClaims(sql, node);
}

const LOCK_FREE_CHANNELS = `SELECT channel.pk
  FROM alert_channels AS channel JOIN deliveries ON deliveries.channel_pk = channel.pk
  WHERE deliveries.pk = ANY($1) AND (claimed_until IS NULL OR claimed_until < $2 OR claimed_by = $3)
  FOR NO KEY UPDATE OF channel SKIP LOCKED`;
const CLAIM_CHANNELS = `UPDATE alert_channels SET claim = claim + 1, claimed_by = $2, claimed_until = $3 WHERE pk = ANY($1)
  RETURNING pk, claim`;

/** The claims of channels, within a transaction. */
function channelClaims({ query }: Sql, { node }: Claimant, now: number): ChannelClaims {
  return {
    async lock(deliveryPks) {
      const rows = await query<{ pk: number }>(LOCK_FREE_CHANNELS, [deliveryPks, now, node]);
      return new Set(rows.map(({ pk }) => pk));
    },
    async claim(channelPks) {
      if (channelPks.length === 0) return new Map();
      const rows = await query<{ pk: number; claim: number }>(CLAIM_CHANNELS, [
        channelPks,
        node,
        now + CHANNEL_LEASE,
      ]);
      return new Map(rows.map(({ pk, claim }) => [pk, claim]));
    },
  };
}

/**
 * Writes the same value. This aborts a concurrent serializable transaction, such as an acknowledgement, whose snapshot is older
 * than this review and does not show what the review decides. A row lock would not abort it.
 */
const LOCK_STATES = `UPDATE monitor_states SET claim = monitor_states.claim
  FROM (
    SELECT monitor_pk FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) ORDER BY monitor_pk FOR UPDATE
  ) AS locked
  WHERE monitor_states.monitor_pk = locked.monitor_pk`;

function reviewLocks({ query }: Sql): ReviewLocks {
  return {
    async lockStates(pks) {
      await query(LOCK_STATES, [pks]);
    },
  };
}
