import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "../../../../src/domain/accounts/organization.ts";

import type { Database } from "../../../../src/store/sqlite/database.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { openWithoutMigrations } from "./empty-database.ts";

export interface SqliteDatabase extends Disposable {
  db: Database;
  store: Store;
  owner: { organizationId: string; plan: Plan };
}

/** A new embedded database with one organization, for tests of this engine. */
export async function createSqliteDatabase(plan: Plan = "enterprise"): Promise<SqliteDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "stillup-db-"));
  const engine = openWithoutMigrations(folder);
  const db = engine.writer;
  const store = createStore(engine);
  const values = { name: "Tests", plan, subscription: "active" as const };
  const { id } = await store.organizations.create(values, Date.now());
  return {
    db,
    store,
    owner: { organizationId: id, plan },
    [Symbol.dispose]() {
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
