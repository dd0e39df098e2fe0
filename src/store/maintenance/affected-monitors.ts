import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import type { Tx } from "../tx.ts";
import { listInTrouble } from "./ask-at-end.ts";

/**
 * The monitors whose states may change with some maintenances: jobs with a deadline and probed monitors in trouble that a
 * selector names, before or after the change, or that a window contains until now. For a transaction that locks other states
 * too, and so has to lock all of them at once.
 *
 * @param ids of the maintenances that change @param selectors of the changed ones
 * @returns their numbers
 */
export async function findAffected(
  tx: Tx,
  {
    organizationPk,
    ids,
    selectors,
  }: { organizationPk: number; ids: readonly string[]; selectors: readonly Selector[] },
): Promise<number[]> {
  const { db, sets, tables } = tx;
  const { maintenances, maintenanceRuns: runs, monitors, monitorStates } = tables;
  const stored = await db
    .select({ selector: maintenances.selector })
    .from(maintenances)
    .where(sets.among(maintenances.id, ids));
  const open = await db
    .select({ selector: runs.selector })
    .from(runs)
    .where(and(eq(runs.organizationPk, organizationPk), isNull(runs.endsAt)));
  const isJob = and(eq(monitors.type, "SCHEDULED"), isNotNull(monitorStates.deadline));
  const ofOrganization = eq(monitors.organizationPk, organizationPk);
  const jobs = await db
    .select({ pk: monitors.pk, id: monitors.id, tags: monitors.tags })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(and(ofOrganization, isJob));
  const all = [...selectors, ...[...stored, ...open].map(({ selector }) => selector)];
  return [...jobs, ...(await listInTrouble(tx, ofOrganization))].flatMap((monitor) =>
    all.some((selector) => isSelected(selector, monitor)) ? monitor.pk : [],
  );
}
