import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { notFound } from "../../../errors.ts";
import { NO_LATEST } from "../../locations/restart-places.ts";
import type { Queries } from "../../tx.ts";
import {
  alertBindings,
  deliveries,
  locationStates,
  locations,
  monitorStates,
  monitors,
  organizations,
  outages,
} from "../schema.ts";
import { inList } from "../sets.ts";

/** Within a transaction. In a few statements, however many monitors there are. */
export function pauseAllMonitors(db: Queries, organizationId: string, now: number): number {
  const thisOrganization = eq(organizations.id, organizationId);
  const organization = db.select({ pk: organizations.pk }).from(organizations).where(thisOrganization).get();
  if (!organization) throw notFound();
  const running = and(eq(monitors.organizationPk, organization.pk), eq(monitors.enabled, true));
  const changes = { enabled: false, revision: sql`${monitors.revision} + 1`, updatedAt: now };
  const paused = db
    .update(monitors)
    .set(changes)
    .where(running)
    .returning({ pk: monitors.pk, locations: monitors.locations })
    .all();
  const pks = paused.map(({ pk }) => pk);
  endRemoteWork(db, organization.pk, paused);
  const open = and(inList(outages.monitorPk, pks), isNull(outages.endedAt));
  db.update(outages).set({ endedAt: now }).where(open).run();
  const rhythm = sql`json_set(${monitorStates.rhythm}, '$.run', null)`;
  db.update(monitorStates)
    .set({ outagePk: null, nextCheckAt: null, deadline: null, rhythm, suspicion: null })
    .where(inList(monitorStates.monitorPk, pks))
    .run();
  withdraw(db, pks);
  return pks.length;
}

/** As `withdrawPaused` does. */
function withdraw(db: Queries, pks: number[]): void {
  const hold = { kind: "withdrawn", why: "paused" } as const;
  db.update(deliveries)
    .set({ status: "withdrawn", hold, reviewAt: null, nextAttemptAt: null })
    .where(and(inList(deliveries.monitorPk, pks), isNotNull(deliveries.reviewAt)))
    .run();
  db.update(alertBindings)
    .set({ remindAt: null })
    .where(and(inList(alertBindings.monitorPk, pks), isNotNull(alertBindings.remindAt)))
    .run();
}

/** Forgets what the locations of paused monitors saw, and counts the change of their work. */
function endRemoteWork(
  db: Queries,
  organizationPk: number,
  paused: { pk: number; locations: number[] | null }[],
): void {
  const pks = paused.filter((monitor) => monitor.locations !== null).map(({ pk }) => pk);
  if (pks.length === 0) return;
  db.update(locationStates).set(NO_LATEST).where(inList(locationStates.monitorPk, pks)).run();
  const revision = sql`${locations.revision} + 1`;
  db.update(locations).set({ revision }).where(eq(locations.organizationPk, organizationPk)).run();
}
