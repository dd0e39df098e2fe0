import { and, asc, desc, eq, inArray, lt } from "drizzle-orm";
import type { AuditEntry, OldValues } from "../../domain/accounts/audit.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { parseTimedId } from "../ids.ts";
import type { Page, PageRequest, Tx } from "../tx.ts";

/**
 * One page of the audit log of an organization, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is not the ID of an entry
 */
export async function listAuditEntries(
  tx: Tx,
  organizationId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<AuditEntry>> {
  const { auditEntries } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const ofOrganization = eq(auditEntries.organizationPk, organization);
  const before = cursor === undefined ? undefined : await isBefore(tx, organization, cursor);
  const rows = await tx.db
    .select(entryColumns(tx))
    .from(auditEntries)
    .where(and(ofOrganization, before))
    .orderBy(desc(auditEntries.pk))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map(asEntry);
  return { items, cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** The condition for the entries after a cursor. Only the oldest entries are deleted: see `pruneAuditEntries`. */
async function isBefore({ db, tables: { auditEntries } }: Tx, organization: number, cursor: string) {
  const at = parseTimedId(cursor);
  if (at === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  const [named] = await db
    .select({ pk: auditEntries.pk })
    .from(auditEntries)
    .where(and(eq(auditEntries.id, cursor), eq(auditEntries.organizationPk, organization)));
  return named ? lt(auditEntries.pk, named.pk) : lt(auditEntries.createdAt, at);
}

function entryColumns({ tables: { auditEntries } }: Tx) {
  const { id, createdAt, actor, address, action, resource, changed, before } = auditEntries;
  return { id, createdAt, actor, address, action, resource, changed, before };
}

/** One entry. @throws AppError `not_found` */
export async function findAuditEntry(tx: Tx, organizationId: string, id: string): Promise<AuditEntry> {
  const { auditEntries } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const [found] = await tx.db
    .select(entryColumns(tx))
    .from(auditEntries)
    .where(and(eq(auditEntries.id, id), eq(auditEntries.organizationPk, organization)));
  if (!found) throw notFound();
  return asEntry(found);
}

function asEntry({
  before,
  ...entry
}: Omit<AuditEntry, "before"> & { before: OldValues | null }): AuditEntry {
  return { ...entry, ...(before && { before }) };
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the entries that are older than a moment. @returns whether there may be more */
export async function pruneAuditEntries({ db, tables }: Tx, before: number): Promise<boolean> {
  const { pk, createdAt } = tables.auditEntries;
  const old = await db
    .select({ pk })
    .from(tables.auditEntries)
    .where(lt(createdAt, before))
    .orderBy(asc(createdAt))
    .limit(BATCH);
  const pks = old.map((row) => row.pk);
  if (pks.length > 0) await db.delete(tables.auditEntries).where(inArray(pk, pks));
  return pks.length === BATCH;
}
