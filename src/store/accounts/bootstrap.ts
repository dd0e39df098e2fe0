import { count } from "drizzle-orm";
import { FIRST_NAME } from "../../domain/accounts/organization.ts";
import type { Tx } from "../tx.ts";
import { createApiKey } from "./api-keys.ts";
import { createOrganization } from "./organizations.ts";

/** Whether no organization exists yet. */
export async function isFirstStart({ db, tables: { organizations } }: Tx): Promise<boolean> {
  const [row] = await db.select({ count: count() }).from(organizations);
  return row?.count === 0;
}

/**
 * Creates the organization and the owner key of a fresh installation.
 *
 * @param key in plain text @param now milliseconds since 1970 @returns false if there is an organization already
 */
export async function createDefaultOrganization(tx: Tx, key: string, now: number): Promise<boolean> {
  if (!(await isFirstStart(tx))) return false;
  const values = { name: FIRST_NAME, plan: "enterprise", subscription: "active" } as const;
  const { id: organizationId } = await createOrganization(tx, values, now);
  const owner = { name: "Initial owner key", role: "owner", expiresAt: null, key } as const;
  await createApiKey(tx, { ...owner, organizationId }, now);
  return true;
}
