import { and, eq, inArray } from "drizzle-orm";
import { assertAcyclic, type DependencyGraph } from "../../domain/monitors/dependencies.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../tx.ts";

/** The IDs of the monitors that a monitor depends on, oldest first. */
export async function findDependencies({ db, tables }: Tx, monitorPk: number): Promise<string[]> {
  const { monitorDependencies, monitors } = tables;
  const rows = await db
    .select({ id: monitors.id })
    .from(monitorDependencies)
    .innerJoin(monitors, eq(monitors.pk, monitorDependencies.dependsOnPk))
    .where(eq(monitorDependencies.monitorPk, monitorPk))
    .orderBy(monitors.pk);
  return rows.map(({ id }) => id);
}

/**
 * The numbers of the monitors that a monitor is to depend on, in the order of their IDs.
 *
 * @property monitorPk null for a new monitor, which no other one depends on yet
 * @throws AppError `invalid` for an ID that is not a monitor of the organization, the monitor itself, or a cycle
 */
export async function findParents(
  tx: Tx,
  { monitorPk, organizationPk }: { monitorPk: number | null; organizationPk: number },
  ids: readonly string[],
): Promise<number[]> {
  const parents = await findMonitorPks(tx, organizationPk, ids);
  if (monitorPk !== null && parents.length > 0)
    assertAcyclic(await loadGraph(tx, organizationPk), monitorPk, parents);
  return parents;
}

async function findMonitorPks(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
  ids: readonly string[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: monitors.id, pk: monitors.pk })
    .from(monitors)
    .where(and(inArray(monitors.id, [...ids]), eq(monitors.organizationPk, organizationPk)));
  const pks = new Map(rows.map(({ id, pk }) => [id, pk]));
  return ids.map((id, at) => {
    const pk = pks.get(id);
    if (pk !== undefined) return pk;
    throw new AppError("invalid", `dependsOn.${at} is not a monitor of this organization`);
  });
}

async function loadGraph({ db, tables }: Tx, organizationPk: number): Promise<DependencyGraph> {
  const { monitorDependencies, monitors } = tables;
  const { monitorPk, dependsOnPk } = monitorDependencies;
  const rows = await db
    .select({ monitorPk, dependsOnPk })
    .from(monitorDependencies)
    .innerJoin(monitors, eq(monitors.pk, monitorPk))
    .where(eq(monitors.organizationPk, organizationPk));
  const graph = new Map<number, number[]>();
  for (const row of rows) {
    const parents = graph.get(row.monitorPk);
    if (parents) parents.push(row.dependsOnPk);
    else graph.set(row.monitorPk, [row.dependsOnPk]);
  }
  return graph;
}
