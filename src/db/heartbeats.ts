import { and, eq, isNotNull, lt } from "drizzle-orm";
import { missed } from "../domain/decision.ts";
import { emptyBaseline } from "../domain/degraded.ts";
import { afterOutage, silentHeartbeat } from "../domain/heartbeat.ts";
import type { MonitorConfig } from "../domain/monitor.ts";
import { commitUnsynced } from "./commit.ts";
import type { Database, Queries } from "./open.ts";
import { write } from "./record.ts";
import { monitors, service } from "./schema.ts";

/** The SCHEDULED monitors whose deadline has passed. @returns their inner numbers, the latest first */
export async function listOverdue(db: Database, now: number, limit: number): Promise<number[]> {
  return db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(lt(monitors.deadline, now))
    .orderBy(monitors.deadline)
    .limit(limit)
    .all()
    .map(({ pk }) => pk);
}

/** Keeps that this service runs. */
export async function noteAlive(db: Database, now: number): Promise<void> {
  commitUnsynced(db, (tx) => keepAlive(tx, now));
}

/**
 * Takes the time in which this service did not run out of every deadline: silence then proves nothing (decisions 3,
 * rule 5). What had passed before is recorded. To be called once, before anything else is.
 */
export async function excuseOutage(db: Database, now: number): Promise<void> {
  db.transaction(
    (tx) => {
      const before = tx.select().from(service).get();
      if (before && before.aliveAt < now) excuseAll(db, { from: before.aliveAt, to: now });
      keepAlive(tx, now);
    },
    { behavior: "immediate" },
  );
}

function keepAlive(tx: Queries, now: number): void {
  tx.insert(service)
    .values({ pk: 1, aliveAt: now })
    .onConflictDoUpdate({ target: service.pk, set: { aliveAt: now } })
    .run();
}

function excuseAll(db: Database, outage: { from: number; to: number }): void {
  const waiting = and(eq(monitors.type, "SCHEDULED"), isNotNull(monitors.deadline));
  for (const monitor of db.select().from(monitors).where(waiting).all()) {
    const state = { ...silentHeartbeat, ...monitor.heartbeat, deadline: monitor.deadline };
    const { state: heartbeat, missedAt } = afterOutage(
      state,
      monitor.config as MonitorConfig<"SCHEDULED">,
      outage,
    );
    const decision = { outcomes: missedAt.map(missed), memory: null, baseline: emptyBaseline, heartbeat };
    write(db, monitor, decision, outage.to);
  }
}
