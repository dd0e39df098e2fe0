import { alertReviews } from "../../alerts/review/alert-reviews.ts";
import { auditPauseOfAll } from "../../audit/audit-pause-of-all.ts";
import type { EngineQueries } from "../../engine-queries.ts";
import { backUp, createVersions, fileSizes, readTime } from "../changes.ts";
import { releaseClaims, takeLease } from "../claims.ts";
import type { Connections, Sql } from "../connections.ts";
import { recordAttempts } from "../deliveries/attempts.ts";
import { claimDeliveries, listDue } from "../deliveries/due-deliveries.ts";
import { reviewEngine } from "../deliveries/reviews.ts";
import {
  hasDnsAnswer,
  lastSteady,
  noteDnsAnswer,
  noteSteady,
  pruneDetails,
  pruneRollups,
  sweepDeletedChannels,
  sweepDeletedMonitors,
} from "../housekeeping.ts";
import { claimSlots, recallChecks } from "../monitors/due-monitors.ts";
import { createDueSearch } from "../monitors/due-search.ts";
import { pauseAllMonitors } from "../monitors/pause-all.ts";
import { createPartitions, withPartitions } from "../partitions.ts";
import { claimOverdue, excuseOutage, postponeDeadline, recallDeadlines } from "../recording/heartbeats.ts";
import { noteAlive } from "../recording/service-time.ts";
import { createPruning, daysAhead } from "../results/expired-days.ts";
import { bindTo } from "./bind.ts";

type WorkQueries = Pick<
  EngineQueries,
  | "claims"
  | "checks"
  | "overdue"
  | "heartbeats"
  | "deliveries"
  | "alertReviews"
  | "housekeeping"
  | "changes"
  | "backUp"
  | "fileSizes"
> & { monitors: Pick<EngineQueries["monitors"], "pauseAll"> };

/** For work on the deadlines of all jobs, in milliseconds: 10,000 jobs take about a second. */
const ALL_JOBS_WITHIN = 60_000;

/** What nodes do by themselves. */
export function workQueries(
  connections: Connections,
  onFullSearch: (sql: Sql, now: number) => void,
): WorkQueries {
  const { one, write } = bindTo(connections);
  const version = createVersions();
  const search = createDueSearch(connections, onFullSearch);
  const forAllJobs = <Result>(work: (sql: Sql) => Promise<Result>) =>
    withPartitions(connections, () => connections.transaction(work, ALL_JOBS_WITHIN));
  return {
    claims: { take: write(takeLease), release: write(releaseClaims) },
    monitors: {
      pauseAll: (organizationId, now, author) =>
        connections.mixed(async (sql, tx) => {
          const paused = await pauseAllMonitors(sql, organizationId, now);
          await auditPauseOfAll({ ...tx, author }, organizationId);
          return paused;
        }),
    },
    checks: {
      listDueSlots: search.listDueSlots,
      claim: write(claimSlots),
      async recall(now) {
        const recalled = await write(recallChecks)(now);
        search.reset();
        return recalled;
      },
    },
    overdue: { count: search.countOverdue },
    heartbeats: {
      claimOverdue: write(claimOverdue),
      noteAlive: write(noteAlive),
      excuseOutage: (...rest) => forAllJobs((sql) => excuseOutage(sql, ...rest)),
      recallDeadlines: (...rest) => forAllJobs((sql) => recallDeadlines(sql, ...rest)),
      postponeDeadline: write(postponeDeadline),
    },
    deliveries: {
      listDue: one(listDue),
      claim: write(claimDeliveries),
      isSynced: async () => true,
      recordAttempts: write(recordAttempts),
    },
    alertReviews: alertReviews(reviewEngine(connections)),
    housekeeping: {
      sweepDeletedMonitors: write(sweepDeletedMonitors),
      sweepDeletedChannels: write(sweepDeletedChannels),
      pruneResults: createPruning(connections.transaction),
      pruneRollups: write(pruneRollups),
      pruneDetails: write(pruneDetails),
      returnSpace: async () => false,
      lastSteady: one(lastSteady),
      async noteSteady(now) {
        await write(noteSteady)(now);
        await createPartitions(connections, daysAhead(now));
      },
      hasDnsAnswer: one(hasDnsAnswer),
      noteDnsAnswer: write(noteDnsAnswer),
    },
    changes: { readTime: one(readTime), version, foreignVersion: version, turn: async () => {} },
    backUp,
    fileSizes: one(fileSizes),
  };
}
