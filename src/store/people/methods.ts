import { sql } from "drizzle-orm";
import type { Method } from "../../domain/people/person.ts";

/** Columns of a query on `people` that say how somebody can sign in: see `methodsOf`. */
export const methodColumns = {
  hasPassword: sql<boolean | number>`people.password_hash IS NOT NULL`,
  hasIdentity: sql<
    boolean | number
  >`EXISTS (SELECT 1 FROM identities WHERE identities.person_pk = people.pk)`,
};

export function methodsOf(row: { [Column in keyof typeof methodColumns]: boolean | number }): Method[] {
  return [...(row.hasPassword ? ["password" as const] : []), ...(row.hasIdentity ? ["oidc" as const] : [])];
}
