import { eq } from "drizzle-orm";
import { type Key, keyOf } from "../../domain/configuration/stored-configuration.ts";
import type { Tx } from "../tx.ts";

/** The stored channels and monitors of an organization by the keys that a plan names them by. */
export interface NamedObjects {
  channels: Map<Key, Named>;
  monitors: Map<Key, Named>;
}

export interface Named {
  pk: number;
  id: string;
}

export async function findNamed({ db, tables }: Tx, organizationPk: number): Promise<NamedObjects> {
  const listed = async (table: typeof tables.monitors | typeof tables.alertChannels) => {
    const rows = await db
      .select({ pk: table.pk, id: table.id, ref: table.ref })
      .from(table)
      .where(eq(table.organizationPk, organizationPk));
    return new Map(rows.map(({ pk, id, ref }) => [keyOf({ ref, id }), { pk, id }]));
  };
  return { channels: await listed(tables.alertChannels), monitors: await listed(tables.monitors) };
}

/** @throws Error for a key that the plan should not have */
export function named(objects: ReadonlyMap<Key, Named>, key: Key): Named {
  const found = objects.get(key);
  if (!found) throw new Error(`a plan names ${key}, which is not stored`);
  return found;
}
