import { count } from "drizzle-orm";
import type { Database } from "../sqlite/open.ts";
import { organizations } from "../sqlite/schema.ts";
import { insertApiKey } from "./api-keys.ts";
import { insertOrganization } from "./organizations.ts";

/** Whether nobody has made an organization yet. */
export async function isFirstStart(db: Database): Promise<boolean> {
  return db.select({ count: count() }).from(organizations).get()?.count === 0;
}

/** Makes the organization and the owner key that a fresh installation begins with (decisions 1). */
export async function createDefaultOrganization(db: Database, key: string, now: number): Promise<void> {
  db.transaction(
    (tx) => {
      const organization = insertOrganization(
        tx,
        { name: "Default", plan: "enterprise", subscription: "active" },
        now,
      );
      const owner = { name: "Initial owner key", role: "owner", expiresAt: null, key } as const;
      insertApiKey(tx, { ...owner, organizationId: organization.id }, now);
    },
    { behavior: "immediate" },
  );
}
