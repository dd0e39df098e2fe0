import { inArray } from "drizzle-orm";
import { ancestorsOf } from "../../../domain/monitors/dependencies.ts";
import type { Tx } from "../../tx.ts";

/** The most monitors in one statement. */
const MONITORS_AT_ONCE = 500;

/** The numbers of the monitors that each of some monitors depends on, directly or not, the nearest first. */
export async function findAncestors(tx: Tx, monitorPks: readonly number[]): Promise<Map<number, number[]>> {
  const dependsOn = await loadDependencies(tx, monitorPks);
  return new Map(monitorPks.map((pk) => [pk, ancestorsOf(dependsOn, pk)]));
}

/** What some monitors, and all that they depend on, depend on directly. */
async function loadDependencies({ db, tables }: Tx, monitorPks: readonly number[]) {
  const { monitorDependencies } = tables;
  const dependsOn = new Map<number, number[]>();
  const known = new Set(monitorPks);
  let level = [...known];
  while (level.length > 0) {
    const found: typeof level = [];
    for (let at = 0; at < level.length; at += MONITORS_AT_ONCE) {
      const rows = await db
        .select()
        .from(monitorDependencies)
        .where(inArray(monitorDependencies.monitorPk, level.slice(at, at + MONITORS_AT_ONCE)));
      for (const { monitorPk, dependsOnPk } of rows) {
        dependsOn.set(monitorPk, [...(dependsOn.get(monitorPk) ?? []), dependsOnPk]);
        found.push(dependsOnPk);
      }
    }
    level = [...new Set(found).difference(known)];
    for (const pk of level) known.add(pk);
  }
  return dependsOn;
}
