import { eq, inArray, type SQL } from "drizzle-orm";
import { type Calendar, EMPTY_CALENDAR } from "../../domain/maintenance/calendar.ts";
import type { MaintenanceDefinition } from "../../domain/maintenance/maintenance.ts";
import { notFound } from "../../errors.ts";
import type { Tables } from "../tables/tables.ts";
import type { Tx } from "../tx.ts";
import { calendarsOf, unknownCalendars } from "./known-calendars.ts";

/**
 * The maintenance windows of an organization: which of its monitors are in one at a moment. It runs one small query as long
 * as its maintenances are the same.
 */
export async function findOpenWindows(tx: Tx, organizationPk: number): Promise<Calendar> {
  return calendarWhere(tx, eq(tx.tables.organizations.pk, organizationPk));
}

/** The same, by the ID of the organization. @throws AppError `not_found` if the organization does not exist */
export async function findCalendar(tx: Tx, organizationId: string): Promise<Calendar> {
  return calendarWhere(tx, eq(tx.tables.organizations.id, organizationId));
}

async function calendarWhere(tx: Tx, isOrganization: SQL): Promise<Calendar> {
  const { organizations } = tx.tables;
  const keys = await tx.db
    .select({ organizationId: organizations.id, maintenanceRevision: organizations.maintenanceRevision })
    .from(organizations)
    .where(isOrganization);
  if (keys.length === 0) throw notFound();
  const unknown = unknownCalendars(keys);
  const definitions = unknown.length > 0 ? await listDefinitions(tx, unknown) : [];
  return calendarsOf(keys, definitions).get(keys[0]?.organizationId ?? "") ?? EMPTY_CALENDAR;
}

async function listDefinitions({ db, tables }: Tx, organizationIds: string[]) {
  const { maintenances, organizations } = tables;
  return db
    .select({ organizationId: organizations.id, ...definitionColumns(maintenances) })
    .from(maintenances)
    .innerJoin(organizations, eq(organizations.pk, maintenances.organizationPk))
    .where(inArray(organizations.id, organizationIds))
    .orderBy(maintenances.pk);
}

/** The columns of a `MaintenanceDefinition`. */
function definitionColumns(maintenances: Tables["maintenances"]) {
  const { id, title, selector, startsAt, endsAt, cron, timezone, duration, until } = maintenances;
  const { endedRun, endedRunAt } = maintenances;
  return {
    ...{ id, title, selector, startsAt, endsAt, cron, timezone, duration, until },
    ...{ endedRun, endedRunAt },
  } satisfies Record<keyof MaintenanceDefinition, unknown>;
}
