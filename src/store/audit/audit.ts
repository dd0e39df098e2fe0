import {
  type AuditAction,
  type AuditResource,
  type Author,
  changedFields,
  givenFields,
  type OldValues,
} from "../../domain/accounts/audit.ts";
import { deletedValues, oldValues } from "../../domain/accounts/old-values.ts";
import { timedId } from "../ids.ts";
import type { Tx } from "../tx.ts";
import { assertUnchangedSince } from "./undo.ts";

/** @property changed the names of the changed fields; default: none @property before their old values: see `oldValues` */
export interface AuditedChange {
  organizationPk: number;
  action: AuditAction;
  resource: AuditResource;
  changed?: string[];
  before?: OldValues | null;
}

/**
 * Writes who made a change, in the transaction of the change (behavior 14.70). Nothing is written without an author: see
 * `Store.as`.
 */
export async function audit(tx: Tx, change: AuditedChange): Promise<void> {
  await auditAll(tx, [change]);
}

/**
 * Like `audit`, for several changes, in their order.
 *
 * @returns the IDs of the entries
 * @throws AppError `refused` if the author takes back a change after which the resource was changed
 */
export async function auditAll(tx: Tx, changes: readonly AuditedChange[]): Promise<string[]> {
  const { sets, tables, author } = tx;
  if (!author) return [];
  if (author.undoes !== undefined) await assertUnchangedSince(tx, author.undoes);
  const rows = changes.map((change) => entryOf(author, change));
  await sets.insert(tables.auditEntries, rows);
  return rows.map(({ id }) => id);
}

export type AuditRow = ReturnType<typeof entryOf>;

/** The row about a change. */
export function entryOf(
  { at, actor, address }: Author,
  { changed = [], before = null, ...change }: AuditedChange,
) {
  return { ...change, id: timedId(at), createdAt: at, actor, address, changed, before };
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
  if (changed.length > 0) await audit(tx, updateOf(updated, changed, { before, after }));
}

/** @param values that it had, with any others of its row */
export function auditDeletion(tx: Tx, deleted: Audited, values?: object): Promise<void> {
  return audit(tx, deletionOf(deleted, values));
}

/** The entry about something that was deleted. @param values that it had, with any others of its row */
export function deletionOf(deleted: Audited, values: object = {}): AuditedChange {
  return { ...changeOf(deleted, "deleted"), before: deletedValues(deleted.type, values) };
}

/** The entry about something that was created. @param changed the names of the given fields */
export function creationOf(created: Audited, changed: string[]): AuditedChange {
  return { ...changeOf(created, "created"), changed };
}

/**
 * The entry about something that was updated.
 *
 * @param changed the names of the changed fields @param values of the resource, for the old values
 */
export function updateOf(
  updated: Audited,
  changed: string[],
  values?: { before: object; after: object },
): AuditedChange {
  const before = values && oldValues({ type: updated.type, changed, ...values });
  return { ...changeOf(updated, "updated"), changed, ...(before && { before }) };
}

function changeOf({ organizationPk, ...resource }: Audited, change: "created" | "updated" | "deleted") {
  const { type, id, name } = resource;
  return { organizationPk, action: `${type}.${change}` as const, resource: { type, id, name } };
}
