import { and, desc, eq, gt, or, sql } from "drizzle-orm";
import {
  type AuditAction,
  type AuditResource,
  type OldValues,
  undoRefusal,
} from "../../domain/accounts/audit.ts";
import { fault } from "../../domain/faults/fault.ts";
import { type AppError, notFound } from "../../errors.ts";
import { inBatches, readInBatches, type Tx } from "../tx.ts";

/** @throws AppError `refused` if the resource of an entry was changed after it (behavior 14.101) */
export async function assertUnchangedSince(tx: Tx, id: string): Promise<void> {
  const { auditEntries } = tx.tables;
  const { pk, organizationPk: organization, action, resource } = auditEntries;
  const [entry] = await tx.db
    .select({ pk, organization, resource })
    .from(auditEntries)
    .where(eq(auditEntries.id, id));
  if (!entry) throw notFound();
  const { type, id: resourceId } = entry.resource;
  const isSame = and(sql`${resource} ->> 'id' = ${resourceId}`, sql`${resource} ->> 'type' = ${type}`);
  const isAbout = type === "monitor" ? or(isSame, eq(action, "monitor.all_paused")) : isSame;
  const [later] = await tx.db
    .select({ action })
    .from(auditEntries)
    .where(and(eq(organization, entry.organization), gt(pk, entry.pk), isAbout))
    .orderBy(desc(pk))
    .limit(1);
  if (later) throw changedSince(entry.resource, later.action);
}

/** Entries about changes of monitors, in the order of their IDs, with what keeps each from being undone. @throws AppError `not_found` */
export async function findUndoable(tx: Tx, organization: number, ids: readonly string[]) {
  const { auditEntries } = tx.tables;
  const { pk, organizationPk: owner, id, action, resource, changed, before } = auditEntries;
  const found: {
    pk: number;
    id: string;
    resource: AuditResource;
    refusal: AppError | null;
    changed: string[];
    before: OldValues | null;
  }[] = [];
  await inBatches(ids, async (some) => {
    const rows = await tx.db
      .select({ pk, id, action, resource, changed, before })
      .from(auditEntries)
      .where(and(tx.sets.among(id, some), eq(owner, organization)));
    for (const row of rows)
      found.push({ ...row, refusal: undoRefusal({ ...row, before: row.before ?? {} }) });
  });
  if (found.length < new Set(ids).size) throw notFound();
  const oldest = Math.min(...found.map((entry) => entry.pk));
  const latest = new Map<string, { pk: number; action: AuditAction }>();
  await readInBatches(async (after, limit) => {
    const rows = await tx.db
      .select({ pk, action, resource })
      .from(auditEntries)
      .where(and(eq(owner, organization), gt(pk, Math.max(after, oldest))))
      .orderBy(pk)
      .limit(limit);
    for (const row of rows) {
      const isOfAll = row.action === "monitor.all_paused";
      latest.set(isOfAll ? ALL : row.resource.id, { pk: row.pk, action: row.action });
    }
    return rows;
  });
  return found.map((entry) => {
    const later = [latest.get(entry.resource.id), latest.get(ALL)].find((one) => one && one.pk > entry.pk);
    const refusal = entry.refusal ?? (later && changedSince(entry.resource, later.action));
    return { ...entry, refusal: refusal?.message ?? null };
  });
}

/** The key of what concerns all monitors. */
const ALL = "all";

/** Why an entry can't be undone. @param action of the latest entry about the resource */
function changedSince({ name }: { name: string }, action: AuditAction): AppError {
  const code = action.endsWith(".deleted") ? "deletedSince" : "changedSince";
  return fault(code, { name }, { kind: "refused" });
}
