import type { Deletion, ObjectKind } from "../../domain/configuration/plan.ts";
import type { Tx } from "../tx.ts";

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
