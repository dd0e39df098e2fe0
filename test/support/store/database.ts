import type { Plan } from "../../../src/domain/accounts/organization.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Backdoor } from "./backdoor.ts";
import { engineOfTests } from "./engines.ts";

export interface TestDatabase extends AsyncDisposable {
  db: Backdoor;
  store: Store;
  owner: { organizationId: string; plan: Plan };
}

/** A new database with one organization. */
export async function createDatabase(plan: Plan = "enterprise"): Promise<TestDatabase> {
  const opened = await engineOfTests().open();
  const { db, store } = opened;
  const values = { name: "Tests", plan, subscription: "active" as const };
  const { id } = await store.organizations.create(values, Date.now());
  return {
    db,
    store,
    owner: { organizationId: id, plan },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
