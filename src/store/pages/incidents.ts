import { and, count, desc, eq } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import type { Incident, IncidentStatus } from "../../domain/pages/incident.ts";
import {
  type IncidentChanges,
  MAX_UPDATES,
  type NewIncident,
  type NewIncidentUpdate,
} from "../../domain/pages/incident-request.ts";
import { AppError } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { audit, auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { findComponentIds } from "./components.ts";
import { createIncidentMails } from "./due-mails.ts";
import {
  asIncidents,
  findIncidentRow,
  type IncidentPath,
  type IncidentRow,
  insertUpdates,
  oneIncident,
  type PagePath,
  saveIncident,
} from "./incident-rows.ts";
import { findIncidentOutage, type IncidentOutage } from "./page-outages.ts";
import { findPageRow, type PageRow, revisePage } from "./pages.ts";

/* All times are milliseconds since 1970. */

/** @throws AppError `not_found`, then `invalid` for an unknown component, then for the outage */
export async function createIncident(
  tx: TimedTx,
  { organizationId, pageId }: PagePath,
  request: NewIncident,
): Promise<Incident> {
  const page = await findPageRow(tx, organizationId, pageId);
  const { title, impact, componentIds, outageId, updates = [] } = request;
  if (componentIds) await assertComponents(tx, page, componentIds);
  const outage = outageId === undefined ? null : await findIncidentOutage(tx, page, outageId);
  const [created] = await tx.db
    .insert(tx.tables.incidents)
    .values({
      id: createId(),
      pagePk: page.pk,
      title: title.trim(),
      impact,
      componentIds: [...new Set(componentIds ?? outage?.componentIds)],
      startedAt: outage?.startedAt ?? tx.now,
      resolvedAt: resolvedAtFirst(updates.at(-1)?.status, outage, tx.now),
      outageId: outage?.id ?? null,
      updatedAt: tx.now,
    })
    .returning();
  if (!created) throw new Error("the insert returned no incident");
  if (updates.length > 0) await insertUpdates(tx, { incident: created, updates });
  await createMails(tx, { incident: created, update: updates.at(-1) ?? null });
  await revisePage(tx, page, { now: tx.now });
  await auditCreation(tx, auditedAs(created, page), request);
  return oneIncident(tx, page, created);
}

/** The incident of an outage that has ended is resolved, except if its updates say otherwise. */
function resolvedAtFirst(
  last: IncidentStatus | undefined,
  outage: IncidentOutage | null,
  now: number,
): number | null {
  const endedAt = outage?.endedAt ?? null;
  if (last === undefined) return endedAt;
  return last === "resolved" ? (endedAt ?? now) : null;
}

/** The latest first. @throws AppError `not_found` for the page */
export async function listIncidents(tx: Tx, { organizationId, pageId }: PagePath): Promise<Incident[]> {
  const { incidents } = tx.tables;
  const page = await findPageRow(tx, organizationId, pageId);
  const ofPage = eq(incidents.pagePk, page.pk);
  const rows = await tx.db
    .select()
    .from(incidents)
    .where(ofPage)
    .orderBy(desc(incidents.startedAt), desc(incidents.pk));
  return asIncidents(tx, { page, rows, where: ofPage });
}

/** @throws AppError `not_found` */
export async function findIncident(tx: Tx, path: IncidentPath): Promise<Incident> {
  const { page, incident } = await findIncidentRow(tx, path);
  return oneIncident(tx, page, incident);
}

/** The ID of the page of an incident; null if the organization has no such incident. */
export async function findIncidentPage(
  tx: Tx,
  organizationId: string,
  incidentId: string,
): Promise<string | null> {
  const { incidents, pages } = tx.tables;
  const ofOrganization = eq(pages.organizationPk, await organizationPk(tx, organizationId));
  const [page] = await tx.db
    .select({ id: pages.id })
    .from(incidents)
    .innerJoin(pages, eq(pages.pk, incidents.pagePk))
    .where(and(eq(incidents.id, incidentId), ofOrganization));
  return page?.id ?? null;
}

/** @throws AppError `not_found`, then `invalid` for an unknown component */
export async function updateIncident(
  tx: TimedTx,
  path: IncidentPath,
  { title, impact, componentIds }: IncidentChanges,
): Promise<Incident> {
  const { page, incident } = await findIncidentRow(tx, path);
  if (componentIds) await assertComponents(tx, page, componentIds);
  const before = await oneIncident(tx, page, incident);
  const saved = await saveIncident(
    tx,
    { page, incident },
    {
      now: tx.now,
      changes: {
        ...(title !== undefined && { title: title.trim() }),
        ...(impact !== undefined && { impact }),
        ...(componentIds && { componentIds: [...new Set(componentIds)] }),
      },
    },
  );
  const after = await oneIncident(tx, page, saved);
  await auditUpdate(tx, auditedAs(saved, page), { before, after });
  return after;
}

/** @throws AppError `not_found`, then `invalid` if it has too many updates */
export async function addIncidentUpdate(
  tx: TimedTx,
  path: IncidentPath,
  update: NewIncidentUpdate,
): Promise<Incident> {
  const { page, incident } = await findIncidentRow(tx, path);
  await assertFewUpdates(tx, incident);
  await insertUpdates(tx, { incident, updates: [update] });
  // A second update with this status adds to the first: the incident was resolved at the first.
  const resolvedAt = update.status === "resolved" ? (incident.resolvedAt ?? tx.now) : null;
  const saved = await saveIncident(tx, { page, incident }, { now: tx.now, changes: { resolvedAt } });
  await createMails(tx, { incident: saved, update });
  const { organizationPk, ...resource } = auditedAs(saved, page);
  await audit(tx, { organizationPk, action: "incident.updated", resource, changed: ["updates"] });
  return oneIncident(tx, page, saved);
}

/** Deletes an incident with its updates. @throws AppError `not_found` */
export async function deleteIncident(tx: TimedTx, path: IncidentPath): Promise<{ id: string }> {
  const { incidents } = tx.tables;
  const { page, incident } = await findIncidentRow(tx, path);
  await tx.db.delete(incidents).where(eq(incidents.pk, incident.pk));
  await revisePage(tx, page, { now: tx.now });
  await auditDeletion(tx, auditedAs(incident, page));
  return { id: incident.id };
}

function createMails(
  tx: TimedTx,
  { incident, update }: { incident: IncidentRow; update: NewIncidentUpdate | null },
): Promise<void> {
  const { pagePk, title, componentIds } = incident;
  return createIncidentMails(tx, { pagePk, title, componentIds, update });
}

async function assertComponents(tx: Tx, page: PageRow, componentIds: readonly string[]): Promise<void> {
  const existing = await findComponentIds(tx, page);
  const unknown = componentIds.findIndex((id) => !existing.has(id));
  if (unknown >= 0) throw new AppError("invalid", `componentIds.${unknown} is not a component of this page`);
}

async function assertFewUpdates({ db, tables: { incidentUpdates } }: Tx, { pk }: IncidentRow): Promise<void> {
  const [existing] = await db
    .select({ count: count() })
    .from(incidentUpdates)
    .where(eq(incidentUpdates.incidentPk, pk));
  if ((existing?.count ?? 0) >= MAX_UPDATES) throw fault("incidentUpdates", { count: MAX_UPDATES });
}

function auditedAs({ id, title }: IncidentRow, { organizationPk }: PageRow) {
  return { organizationPk, type: "incident", id, name: title } as const;
}
