import { eq } from "drizzle-orm";
import { type Deletion, isNew, type ObjectKind, type Step } from "../../domain/configuration/plan.ts";
import { type Key, keyOf } from "../../domain/configuration/stored-configuration.ts";
import { createId } from "../ids.ts";
import type { Tx } from "../tx.ts";

/* The objects that a plan names, creates or deletes. */

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

/** The IDs that new objects get, by their steps. */
export type NewIds = ReadonlyMap<Step<unknown>, string>;

export function createNewIds(steps: readonly Step<unknown>[]): NewIds {
  return new Map(steps.filter(isNew).map((step) => [step, createId()]));
}

/** @throws Error for a step that creates nothing */
export function newId(ids: NewIds, step: Step<unknown>): string {
  const id = ids.get(step);
  if (id === undefined) throw new Error(`a plan gives ${step.ref} no ID`);
  return id;
}

/** A stored object that a plan deletes. @property locations of a monitor, as it stores them */
export interface Deleted {
  kind: ObjectKind;
  id: string;
  pk: number;
  name: string;
  locations: number[] | null;
}

/** In the order of the plan. */
export async function findDeleted(tx: Tx, deletions: readonly Deletion[]): Promise<Deleted[]> {
  const found = new Map<string, Deleted>();
  for (const [kind, some] of Map.groupBy(deletions, (deletion) => deletion.kind)) {
    const ids = some.map(({ id }) => id);
    for (const row of await finders[kind](tx, ids)) found.set(row.id, { locations: null, ...row, kind });
  }
  return deletions.flatMap(({ id }) => found.get(id) ?? []);
}

type Row = Omit<Deleted, "kind" | "locations"> & Partial<Pick<Deleted, "locations">>;

const finders: Record<ObjectKind, (tx: Tx, ids: string[]) => Promise<Row[]>> = {
  async channel({ db, sets, tables: { alertChannels } }, ids) {
    const { id, pk, name } = alertChannels;
    return db.select({ id, pk, name }).from(alertChannels).where(sets.among(id, ids));
  },
  async monitor({ db, sets, tables: { monitors } }, ids) {
    const { id, pk, name, locations } = monitors;
    return db.select({ id, pk, name, locations }).from(monitors).where(sets.among(id, ids));
  },
  async maintenance({ db, sets, tables: { maintenances } }, ids) {
    const { id, pk, title: name } = maintenances;
    return db.select({ id, pk, name }).from(maintenances).where(sets.among(id, ids));
  },
  async page({ db, sets, tables: { pages } }, ids) {
    const { id, pk, title: name } = pages;
    return db.select({ id, pk, name }).from(pages).where(sets.among(id, ids));
  },
};
