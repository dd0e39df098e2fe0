import { and, eq, ne } from "drizzle-orm";
import { AppError } from "../errors.ts";
import { organizationPk as findOrganizationPk } from "./accounts/organizations.ts";
import type { Tx } from "./tx.ts";

type Tables = Tx["tables"];

/** A table of what can have a `ref`. */
export type RefTable =
  | Tables["monitors"]
  | Tables["alertChannels"]
  | Tables["maintenances"]
  | Tables["schedules"]
  | Tables["pages"]
  | Tables["reportMails"];

/**
 * Behavior 16.2.
 *
 * @property ref nothing is asserted without one
 * @property except the number of the one that may have it
 * @throws AppError `invalid` if another one of the organization has it
 */
export async function assertRefFree(
  { db }: Tx,
  given: { table: RefTable; organizationPk: number; ref: string | undefined; except?: number },
): Promise<void> {
  const { table, organizationPk, ref, except } = given;
  if (ref === undefined) return;
  const isOther = except === undefined ? undefined : ne(table.pk, except);
  const [taken] = await db
    .select({ pk: table.pk })
    .from(table)
    .where(and(eq(table.organizationPk, organizationPk), eq(table.ref, ref), isOther));
  if (taken)
    throw new AppError("invalid", "ref is taken: it must be unique in the organization for its kind");
}

/** The ID of the object with a ref, or undefined. */
export async function findIdByRef(
  { db }: Tx,
  { table, organizationPk, ref }: { table: RefTable; organizationPk: number; ref: string },
): Promise<string | undefined> {
  const [found] = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.organizationPk, organizationPk), eq(table.ref, ref)));
  return found?.id;
}

/** Whether a monitor or channel of an organization has a ref. @throws AppError `not_found` if the organization does not exist */
export async function isRefUsed(
  tx: Tx,
  organizationId: string,
  { kind, ref }: { kind: "monitors" | "alertChannels"; ref: string },
): Promise<boolean> {
  const organizationPk = await findOrganizationPk(tx, organizationId);
  return (await findIdByRef(tx, { table: tx.tables[kind], organizationPk, ref })) !== undefined;
}
