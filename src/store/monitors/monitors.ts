import { and, count, eq, isNull, sql } from "drizzle-orm";
import { type Plan, planLimits } from "../../domain/accounts/organization.ts";
import type { Monitor, MonitorConfig, MonitorType, ProbedType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { AppError, notFound } from "../../errors.ts";
import { defaultChannelIds } from "../accounts/organization-settings.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { bindChannels, boundChannelIds } from "../alerting/bindings.ts";
import { createId } from "../ids.ts";
import { inList } from "../sqlite/in-list.ts";
import { oncePerDatabase } from "../sqlite/once-per-database.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { deletedMonitors, monitorStates, monitors, outages } from "../sqlite/schema.ts";

/** The columns of a monitor that users configure. */
export const configured = {
  id: monitors.id,
  name: monitors.name,
  type: monitors.type,
  config: monitors.config,
  enabled: monitors.enabled,
  createdAt: monitors.createdAt,
  updatedAt: monitors.updatedAt,
};

/** The columns of a monitor in the domain, of `monitors` joined with `monitor_states`. */
export const shown = { ...configured, status: monitorStates.status };

export interface NewMonitor {
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  /** Those of the organization's settings where it is left out (interface 4.2 rule 8). */
  alertChannelIds?: string[] | undefined;
}

/** @throws AppError `invalid` for an unknown channel, `limit_reached` where the plan allows no more monitors */
export async function createMonitor(
  db: Database,
  owner: { organizationId: string; plan: Plan },
  { alertChannelIds, ...values }: NewMonitor,
  now: number,
): Promise<Monitor> {
  return db.transaction(
    (tx) => {
      const organization = organizationPk(tx, owner.organizationId);
      const { pk, ...monitor } = tx
        .insert(monitors)
        .values({
          ...values,
          id: createId(),
          organizationPk: organization,
          enabled: true,
          createdAt: now,
          updatedAt: now,
        })
        .returning({ pk: monitors.pk, ...configured })
        .get();
      const state = { status: "unknown", nextCheckAt: dueAtOnce(values.type, true, now) } as const;
      tx.insert(monitorStates)
        .values({ monitorPk: pk, organizationPk: organization, ...state })
        .run();
      const channelIds = alertChannelIds ?? defaultChannelIds(tx, organization);
      bindChannels(tx, { monitorPk: pk, organizationPk: organization, channelIds });
      assertWithinLimit(tx, organization, owner.plan);
      return { ...monitor, status: state.status };
    },
    { behavior: "immediate" },
  );
}

export interface MonitorWithBindings extends Monitor {
  alertChannelIds: string[];
}

/** @throws AppError `not_found` */
export async function findMonitor(
  db: Database,
  organizationId: string,
  id: string,
): Promise<MonitorWithBindings> {
  const row = findRow(db, organizationPk(db, organizationId), id);
  if (!row) throw notFound();
  const { pk, ...monitor } = row;
  return { ...monitor, alertChannelIds: boundChannelIds(db, pk) };
}

/**
 * Deletes a monitor with its bindings. Its results can't be found from then on; their rows go in the background, for
 * there may be millions.
 *
 * @throws AppError `not_found`
 */
export async function deleteMonitor(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ id: string }> {
  return db.transaction(
    (tx) => {
      const its = and(eq(monitors.id, id), eq(monitors.organizationPk, organizationPk(tx, organizationId)));
      const deleted = tx.delete(monitors).where(its).returning({ pk: monitors.pk }).get();
      if (!deleted) throw notFound();
      tx.insert(deletedMonitors).values(deleted).run();
      return { id };
    },
    { behavior: "immediate" },
  );
}

/** @returns how many were enabled and are paused now */
export async function pauseAllMonitors(db: Database, organizationId: string, now: number): Promise<number> {
  const running = and(
    eq(monitors.organizationPk, organizationPk(db, organizationId)),
    eq(monitors.enabled, true),
  );
  const changes = { enabled: false, revision: sql`${monitors.revision} + 1`, updatedAt: now };
  return db.transaction(
    (tx) => {
      const paused = tx.update(monitors).set(changes).where(running).returning({ pk: monitors.pk }).all();
      const pks = paused.map(({ pk }) => pk);
      endOutages(tx, pks, now);
      // The same as `afterPause`.
      const rhythm = sql`json_set(${monitorStates.rhythm}, '$.run', null)`;
      tx.update(monitorStates)
        .set({ nextCheckAt: null, deadline: null, rhythm })
        .where(inList(monitorStates.monitorPk, pks))
        .run();
      return pks.length;
    },
    { behavior: "immediate" },
  );
}

/** A pause ends the outage of a monitor. */
export function endOutages(tx: Queries, monitorPks: number[], now: number): void {
  const open = and(inList(outages.monitorPk, monitorPks), isNull(outages.endedAt));
  tx.update(outages).set({ endedAt: now }).where(open).run();
  tx.update(monitorStates).set({ outagePk: null }).where(inList(monitorStates.monitorPk, monitorPks)).run();
}

export async function countStatuses(
  db: Database,
  organizationId: string,
): Promise<{ status: Status; count: number }[]> {
  return db
    .select({ status: monitorStates.status, count: count() })
    .from(monitorStates)
    .where(eq(monitorStates.organizationPk, organizationPk(db, organizationId)))
    .groupBy(monitorStates.status)
    .all();
}

export interface DueMonitor {
  pk: number;
  id: string;
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  /** That of the last recorded result. */
  status: Status;
  revision: number;
  /** Milliseconds since 1970; in the past if the check is overdue. */
  nextCheckAt: number;
}

/**
 * The slots that are due before a moment, the most overdue first. A slot stays due until a result is recorded, so that a
 * check that a crash interrupted runs again (behavior 1.11).
 */
export async function listDueSlots(db: Database, before: number): Promise<Slot[]> {
  // All of this is in the index.
  const slots = db.$client.query<Slot, [number]>(
    `SELECT monitor_pk AS pk, next_check_at AS nextCheckAt FROM monitor_states
     WHERE next_check_at < ? ORDER BY next_check_at`,
  );
  return slots.all(before);
}

/** The monitors of these slots, in the same order. Those that are deleted or paused meanwhile are left out. */
export async function findDueMonitors(db: Database, slots: readonly Slot[]): Promise<DueMonitor[]> {
  const rows = slots.flatMap(({ pk }) => dueMonitor(db).all({ pk }));
  return rows.filter(({ nextCheckAt }) => nextCheckAt !== null) as DueMonitor[];
}

/** When a monitor is due. */
export type Slot = Pick<DueMonitor, "pk" | "nextCheckAt">;

const dueMonitor = oncePerDatabase((db) =>
  db
    .select({
      pk: monitors.pk,
      id: monitors.id,
      type: monitors.type,
      config: monitors.config,
      status: monitorStates.status,
      revision: monitors.revision,
      nextCheckAt: monitorStates.nextCheckAt,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(eq(monitors.pk, sql.placeholder("pk")))
    .prepare(),
);

/** Makes due what is due later than its interval allows, as after the clock was put back. @returns how many */
export async function recallChecks(db: Database, now: number): Promise<number> {
  const interval = sql`(SELECT config ->> 'interval' FROM monitors WHERE pk = ${monitorStates.monitorPk})`;
  const tooLate = sql`${monitorStates.nextCheckAt} > ${now} + ${interval} * 1000`;
  const pk = monitorStates.monitorPk;
  return db.update(monitorStates).set({ nextCheckAt: now }).where(tooLate).returning({ pk }).all().length;
}

/** Counted after the insert, within its transaction: two requests at once can't both take the last place. */
function assertWithinLimit(tx: Queries, organization: number, plan: Plan): void {
  const total = tx
    .select({ count: count() })
    .from(monitors)
    .where(eq(monitors.organizationPk, organization))
    .get();
  if ((total?.count ?? 0) > planLimits[plan].monitors)
    throw new AppError("limit_reached", "Monitor limit reached");
}

function findRow(tx: Queries, organization: number, id: string): (Monitor & { pk: number }) | undefined {
  return tx
    .select({ pk: monitors.pk, ...shown })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(and(eq(monitors.id, id), eq(monitors.organizationPk, organization)))
    .get();
}

/** When a monitor is next checked after it was made or changed. */
export function dueAtOnce(type: MonitorType, enabled: boolean, now: number): number | null {
  return enabled && type !== "SCHEDULED" ? now : null;
}
