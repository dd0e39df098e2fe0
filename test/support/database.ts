import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "../../src/domain/accounts/organization.ts";
import { createOrganization } from "../../src/store/accounts/organizations.ts";
import { closeDatabase, type Database, openDatabase } from "../../src/store/sqlite/open.ts";

export interface TestDatabase extends Disposable {
  db: Database;
  owner: { organizationId: string; plan: Plan };
}

/** A database in a file of its own, with one organization. */
export async function createDatabase(plan: Plan = "enterprise"): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "stillup-db-"));
  const db = openDatabase(folder);
  const values = { name: "Tests", plan, subscription: "active" as const };
  const { id } = await createOrganization(db, values, Date.now());
  return {
    db,
    owner: { organizationId: id, plan },
    [Symbol.dispose]() {
      closeDatabase(db);
      rmSync(folder, { recursive: true });
    },
  };
}
