import { eq } from "drizzle-orm";
import { type Incident, type IncidentUpdate, resolvedAtAfterEdit } from "../../domain/pages/incident.ts";
import type { IncidentUpdateChanges } from "../../domain/pages/incident-request.ts";
import { AppError, notFound } from "../../errors.ts";
import { audit } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import {
  findIncidentRow,
  type IncidentPath,
  type IncidentRow,
  listUpdatesOf,
  oneIncident,
  saveIncident,
} from "./incident-rows.ts";
import type { PageRow } from "./pages.ts";

/* Updates that are posted already. Nobody gets an e-mail of a change. All times are milliseconds since 1970. */

export interface IncidentUpdatePath extends IncidentPath {
  updateId: string;
}

/** @throws AppError `not_found` */
export async function editIncidentUpdate(
  tx: Tx,
  path: IncidentUpdatePath,
  changes: IncidentUpdateChanges,
  now: number,
): Promise<Incident> {
  const { page, incident, update } = await findUpdate(tx, path);
  const { status = update.status, body = update.body } = changes;
  if (status === update.status && body === update.body) return oneIncident(tx, page, incident);
  const { incidentUpdates } = tx.tables;
  const isEdited = eq(incidentUpdates.id, update.id);
  await tx.db.update(incidentUpdates).set({ status, body, editedAt: now }).where(isEdited);
  return saveEdited(tx, { page, incident }, now);
}

/** @throws AppError `not_found`, then `invalid` for the only update, because the latest one decides the status */
export async function deleteIncidentUpdate(
  tx: Tx,
  path: IncidentUpdatePath,
  now: number,
): Promise<{ id: string }> {
  const { page, incident, update, updates } = await findUpdate(tx, path);
  if (updates.length === 1)
    throw new AppError(
      "invalid",
      "the only update of an incident can't be deleted: edit it, or delete the incident",
    );
  const { incidentUpdates } = tx.tables;
  await tx.db.delete(incidentUpdates).where(eq(incidentUpdates.id, update.id));
  await saveEdited(tx, { page, incident }, now);
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
  tx: Tx,
  { page, incident }: { page: PageRow; incident: IncidentRow },
  now: number,
): Promise<Incident> {
  const resolvedAt = resolvedAtAfterEdit(await listUpdatesOf(tx, incident), incident.resolvedAt);
  const saved = await saveIncident(tx, { page, incident }, { now, changes: { resolvedAt } });
  const { id, title: name } = saved;
  const resource = { type: "incident", id, name } as const;
  const { organizationPk } = page;
  await audit(tx, { organizationPk, action: "incident.updated", resource, changed: ["updates"] });
  return oneIncident(tx, page, saved);
}
