import { and, eq } from "drizzle-orm";
import { MAX_RELATED, type Relation } from "../../domain/monitors/dependencies.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { notFound } from "../../errors.ts";
import type { Tx } from "../tx.ts";
import { oneMonitor } from "./monitors.ts";

/** The parts of a monitor that a graph of dependencies shows. */
export interface RelatedMonitor {
  id: string;
  name: string;
  status: Status;
  enabled: boolean;
  /** The IDs of the monitors that it depends on directly. */
  dependsOn: string[];
  /** Whether an enabled channel is bound to it. */
  isNotified: boolean;
}

const NEXT: Record<Relation, string> = {
  dependencies: `SELECT DISTINCT depends_on_pk AS pk FROM monitor_dependencies
    WHERE monitor_pk = ANY($1) LIMIT ${MAX_RELATED + 1}`,
  dependents: `SELECT DISTINCT monitor_pk AS pk FROM monitor_dependencies
    WHERE depends_on_pk = ANY($1) LIMIT ${MAX_RELATED + 1}`,
};

/** A monitor, and then the monitors that are related to it: the first of them that are found. @throws AppError `not_found` */
export async function listRelated(
  tx: Tx,
  organizationId: string,
  { id, relation }: { id: string; relation: Relation },
): Promise<RelatedMonitor[]> {
  const { db, tables, sets } = tx;
  const { monitors, monitorStates } = tables;
  const [self] = await db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!self) throw notFound();
  const pks = await findRelated(tx, self.pk, relation);
  const rows = await db
    .select({
      pk: monitors.pk,
      id: monitors.id,
      name: monitors.name,
      status: monitorStates.status,
      enabled: monitors.enabled,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(sets.among(monitors.pk, pks));
  const known = new Map(rows.map((row) => [row.pk, row]));
  const parents = await findParentIds(tx, pks);
  const notified = await findNotified(tx, pks);
  return pks.flatMap((one) => {
    const row = known.get(one);
    if (!row) return [];
    const { pk, ...monitor } = row;
    return [{ ...monitor, dependsOn: parents.get(pk) ?? [], isNotified: notified.has(pk) }];
  });
}

/** The nearest first, after the monitor itself. */
async function findRelated({ query }: Tx, pk: number, relation: Relation): Promise<number[]> {
  const found = new Set([pk]);
  for (let level = [pk]; level.length > 0; ) {
    const rows = await query<{ pk: number }>(NEXT[relation], [level]);
    level = rows.map((row) => row.pk).filter((one) => !found.has(one));
    for (const one of level) {
      found.add(one);
      if (found.size > MAX_RELATED) return [...found];
    }
  }
  return [...found];
}

async function findParentIds({ db, tables, sets }: Tx, pks: number[]): Promise<Map<number, string[]>> {
  const { monitorDependencies, monitors } = tables;
  const rows = await db
    .select({ pk: monitorDependencies.monitorPk, id: monitors.id })
    .from(monitorDependencies)
    .innerJoin(monitors, eq(monitors.pk, monitorDependencies.dependsOnPk))
    .where(sets.among(monitorDependencies.monitorPk, pks))
    .orderBy(monitors.pk);
  const byChild = Map.groupBy(rows, (row) => row.pk);
  return new Map([...byChild].map(([pk, found]) => [pk, found.map(({ id }) => id)]));
}

async function findNotified({ db, tables, sets }: Tx, pks: number[]): Promise<Set<number>> {
  const { alertBindings, alertChannels } = tables;
  const rows = await db
    .select({ pk: alertBindings.monitorPk })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(sets.among(alertBindings.monitorPk, pks), eq(alertChannels.enabled, true)));
  return new Set(rows.map(({ pk }) => pk));
}
