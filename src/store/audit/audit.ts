import {
  type AuditAction,
  type AuditResource,
  type Author,
  changedFields,
  givenFields,
} from "../../domain/accounts/audit.ts";
import { timedId } from "../ids.ts";
import type { Tx } from "../tx.ts";

/** @property changed the names of the changed fields; default: none */
export interface AuditedChange {
  organizationPk: number;
  action: AuditAction;
  resource: AuditResource;
  changed?: string[];
}

/**
 * Writes who made a change, in the transaction of the change (behavior 14.70). Nothing is written without an author: see
 * `Store.as`.
 */
export async function audit(tx: Tx, change: AuditedChange): Promise<void> {
  await auditAll(tx, [change]);
}

/** Like `audit`, for several changes, in their order. */
export async function auditAll(
  { sets, tables, author }: Tx,
  changes: readonly AuditedChange[],
): Promise<void> {
  if (!author) return;
  await sets.insert(
    tables.auditEntries,
    changes.map((change) => entryOf(author, change)),
  );
}

export type AuditRow = ReturnType<typeof entryOf>;

/** The row about a change. */
export function entryOf({ at, actor, address }: Author, { changed = [], ...change }: AuditedChange) {
  return { ...change, id: timedId(at), createdAt: at, actor, address, changed };
}

/** The resources with the three actions: created, updated and deleted. */
type Kind = Exclude<AuditResource["type"], "organization" | "outage" | "session">;

/** The resource of an entry, and its organization. */
export interface Audited {
  organizationPk: number;
  type: Kind;
  id: string;
  name: string;
}

/** @param values what it was created with */
export function auditCreation(tx: Tx, created: Audited, values: object): Promise<void> {
  return audit(tx, creationOf(created, givenFields(values)));
}

/** Writes nothing if no field has another value. @param updated with its new name */
export async function auditUpdate(
  tx: Tx,
  updated: Audited,
  { before, after }: { before: object; after: object },
): Promise<void> {
  const changed = changedFields(before, after);
  if (changed.length > 0) await audit(tx, updateOf(updated, changed));
}

export function auditDeletion(tx: Tx, deleted: Audited): Promise<void> {
  return audit(tx, deletionOf(deleted));
}

/** The entry about something that was deleted. */
export function deletionOf(deleted: Audited): AuditedChange {
  return changeOf(deleted, "deleted");
}

/** The entry about something that was created. @param changed the names of the given fields */
export function creationOf(created: Audited, changed: string[]): AuditedChange {
  return { ...changeOf(created, "created"), changed };
}

/** The entry about something that was updated. @param changed the names of the changed fields */
export function updateOf(updated: Audited, changed: string[]): AuditedChange {
  return { ...changeOf(updated, "updated"), changed };
}

function changeOf({ organizationPk, ...resource }: Audited, change: "created" | "updated" | "deleted") {
  const { type, id, name } = resource;
  return { organizationPk, action: `${type}.${change}` as const, resource: { type, id, name } };
}
