import { eq, sql } from "drizzle-orm";
import { METHODS, type Method } from "../../domain/people/person.ts";
import { invalid } from "../../errors.ts";
import type { Tx } from "../tx.ts";

/**
 * The columns that say in which ways a person can sign in, for a query that reads the table of people: see `methodsOf`. As text,
 * because drizzle leaves the names of tables out of a query that has one table, also within a subquery.
 */
export const methodColumns = {
  hasPassword: sql<boolean | number>`people.password_hash IS NOT NULL`,
  hasPasskey: sql<boolean | number>`EXISTS (SELECT 1 FROM passkeys WHERE passkeys.person_pk = people.pk)`,
  hasIdentity: sql<
    boolean | number
  >`EXISTS (SELECT 1 FROM identities WHERE identities.person_pk = people.pk)`,
};

/** On SQLite, a boolean of an expression is 0 or 1. */
export function methodsOf(row: { [Column in keyof typeof methodColumns]: boolean | number }): Method[] {
  const { hasPassword: password, hasPasskey: passkey, hasIdentity: oidc } = row;
  return METHODS.filter((method) => ({ password, passkey, oidc })[method]);
}

/** @param usable the ways that this server offers @throws AppError `invalid` if none of them is left to the person */
export async function assertWayInLeft(
  { db, tables: { people } }: Tx,
  personPk: number,
  usable: readonly Method[],
): Promise<void> {
  const [left] = await db.select(methodColumns).from(people).where(eq(people.pk, personPk));
  if (!left || !methodsOf(left).some((method) => usable.includes(method)))
    throw invalid("your last way to sign in can't be removed: add another one first");
}
