import { and, desc, eq, type SQL } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import { type Incident, type IncidentUpdate, resolvedAtAfterEdit } from "../../domain/pages/incident.ts";
import type { IncidentUpdateChanges, NewIncidentUpdate } from "../../domain/pages/incident-request.ts";
import { notFound } from "../../errors.ts";
import { audit } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { findComponentIds } from "./components.ts";
import { findPageRow, type PageRow, revisePage } from "./pages.ts";

/* All times are milliseconds since 1970. */

export type IncidentRow = Tx["tables"]["incidents"]["$inferSelect"];

/** The IDs of a path. */
export interface PagePath {
  organizationId: string;
  pageId: string;
}

export interface IncidentPath extends PagePath {
  incidentId: string;
}

/** @throws AppError `not_found` for the page or the incident */
export async function findIncidentRow(tx: Tx, { organizationId, pageId, incidentId }: IncidentPath) {
  const { incidents } = tx.tables;
  const page = await findPageRow(tx, organizationId, pageId);
  const [incident] = await tx.db
    .select()
    .from(incidents)
    .where(and(eq(incidents.id, incidentId), eq(incidents.pagePk, page.pk)));
  if (!incident) throw notFound();
  return { page, incident };
}

/** Changes columns of an incident, which changes its page too. */
export async function saveIncident(
  tx: Tx,
  { page, incident }: { page: PageRow; incident: IncidentRow },
  { now, changes }: { now: number; changes: Partial<IncidentRow> },
): Promise<IncidentRow> {
  const { incidents } = tx.tables;
  const values = { ...changes, updatedAt: now };
  const [saved] = await tx.db.update(incidents).set(values).where(eq(incidents.pk, incident.pk)).returning();
  if (!saved) throw notFound();
  await revisePage(tx, page, { now });
  return saved;
}

/** @param updates the oldest first */
export async function insertUpdates(
  { db, tables: { incidentUpdates }, now }: TimedTx,
  { incident, updates }: { incident: IncidentRow; updates: readonly NewIncidentUpdate[] },
): Promise<void> {
  const rows = updates.map(({ status, body }) => ({
    id: createId(),
    incidentPk: incident.pk,
    status,
    body,
    createdAt: now,
  }));
  await db.insert(incidentUpdates).values(rows);
}

/** The updates of an incident, the newest first. */
async function listUpdatesOf(tx: Tx, { pk }: IncidentRow): Promise<IncidentUpdate[]> {
  const updates = await listUpdates(tx, eq(tx.tables.incidents.pk, pk));
  return updates.get(pk) ?? [];
}

/** A row as users see it. */
export async function oneIncident(tx: Tx, page: PageRow, row: IncidentRow): Promise<Incident> {
  const where = eq(tx.tables.incidents.pk, row.pk);
  const [incident] = await asIncidents(tx, { page, rows: [row], where });
  if (!incident) throw new Error("a row is not shown");
  return incident;
}

/** Rows as users see them: without components that were deleted. @param where the condition that selects the rows */
export async function asIncidents(
  tx: Tx,
  { page, rows, where }: { page: PageRow; rows: readonly IncidentRow[]; where: SQL },
): Promise<Incident[]> {
  const existing = await findComponentIds(tx, page);
  const updates = await listUpdates(tx, where);
  return rows.map(({ pk, id, title, impact, componentIds, startedAt, resolvedAt }) => ({
    id,
    title,
    impact,
    componentIds: componentIds.filter((component) => existing.has(component)),
    startedAt,
    resolvedAt,
    updates: updates.get(pk) ?? [],
  }));
}

/** The newest first, by the number of the incident. */
async function listUpdates(
  { db, tables: { incidents, incidentUpdates } }: Tx,
  ofIncidents: SQL,
): Promise<Map<number, IncidentUpdate[]>> {
  const { pk, incidentPk, id, status, body, createdAt, editedAt } = incidentUpdates;
  const rows = await db
    .select({ incidentPk, update: { id, status, body, createdAt, editedAt } })
    .from(incidentUpdates)
    .innerJoin(incidents, eq(incidents.pk, incidentPk))
    .where(ofIncidents)
    .orderBy(desc(pk));
  const updates = new Map<number, IncidentUpdate[]>();
  for (const row of rows) {
    const listed = updates.get(row.incidentPk);
    if (listed) listed.push(row.update);
    else updates.set(row.incidentPk, [row.update]);
  }
  return updates;
}

/* Updates that are posted already. Nobody gets an e-mail of a change. All times are milliseconds since 1970. */

export interface IncidentUpdatePath extends IncidentPath {
  updateId: string;
}

/** @throws AppError `not_found` */
export async function editIncidentUpdate(
  tx: TimedTx,
  path: IncidentUpdatePath,
  changes: IncidentUpdateChanges,
): Promise<Incident> {
  const { page, incident, update } = await findUpdate(tx, path);
  const { status = update.status, body = update.body } = changes;
  if (status === update.status && body === update.body) return oneIncident(tx, page, incident);
  const { incidentUpdates } = tx.tables;
  const isEdited = eq(incidentUpdates.id, update.id);
  await tx.db.update(incidentUpdates).set({ status, body, editedAt: tx.now }).where(isEdited);
  return saveEdited(tx, { page, incident });
}

/** @throws AppError `not_found`, then `invalid` for the only update, because the latest one decides the status */
export async function deleteIncidentUpdate(tx: TimedTx, path: IncidentUpdatePath): Promise<{ id: string }> {
  const { page, incident, update, updates } = await findUpdate(tx, path);
  if (updates.length === 1) throw fault("onlyUpdate", {});
  const { incidentUpdates } = tx.tables;
  await tx.db.delete(incidentUpdates).where(eq(incidentUpdates.id, update.id));
  await saveEdited(tx, { page, incident });
  return { id: update.id };
}

/** @throws AppError `not_found` for the page, the incident or the update */
async function findUpdate(
  tx: Tx,
  { updateId, ...path }: IncidentUpdatePath,
): Promise<{ page: PageRow; incident: IncidentRow; update: IncidentUpdate; updates: IncidentUpdate[] }> {
  const { page, incident } = await findIncidentRow(tx, path);
  const updates = await listUpdatesOf(tx, incident);
  const update = updates.find(({ id }) => id === updateId);
  if (!update) throw notFound();
  return { page, incident, update, updates };
}

async function saveEdited(
  tx: TimedTx,
  { page, incident }: { page: PageRow; incident: IncidentRow },
): Promise<Incident> {
  const resolvedAt = resolvedAtAfterEdit(await listUpdatesOf(tx, incident), incident.resolvedAt);
  const saved = await saveIncident(tx, { page, incident }, { now: tx.now, changes: { resolvedAt } });
  const { id, title: name } = saved;
  const resource = { type: "incident", id, name } as const;
  const { organizationPk } = page;
  await audit(tx, { organizationPk, action: "incident.updated", resource, changed: ["updates"] });
  return oneIncident(tx, page, saved);
}
