import type { AlertTiming } from "../../domain/alerts/alert-binding.ts";
import type { Monitor } from "../../domain/monitors/monitor.ts";
import { CREATED_SETTINGS, PLACEMENT } from "../../domain/monitors/monitor-settings.ts";
import { firstCheckAt } from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { pick } from "../../domain/pick.ts";
import { isCheckedHere, type StoredPlacement } from "../locations/monitor-locations.ts";
import type { Tx } from "../tx.ts";
import { pingsHere } from "./ping-places.ts";

/*
 * The only functions that insert monitors: a request is a batch of one. The number of statements does not depend on the number of
 * monitors.
 */

/** The settings of a monitor to insert. @property locations as a monitor stores them */
export type NewRow = Pick<Monitor, (typeof CREATED_SETTINGS)[number]> & StoredPlacement;

/**
 * Inserts monitors without their relations. The work of their locations is revised before.
 *
 * @param now milliseconds since 1970
 * @returns their numbers by their IDs
 */
export async function insertMonitors(
  tx: Tx,
  { organizationPk, rows }: { organizationPk: number; rows: readonly NewRow[] },
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map();
  const { monitors, monitorStates } = tx.tables;
  await tx.sets.insert(
    monitors,
    rows.map((row) => {
      const derived = { pushToken: pushTokenOf(row.config), pingsHere: pingsHere(row) };
      const fixed = { organizationPk, ...derived, createdAt: now, updatedAt: now };
      return { ...pick(row, [...CREATED_SETTINGS, ...PLACEMENT]), ...fixed };
    }),
  );
  const { pk, id } = monitors;
  const ids = rows.map((row) => row.id);
  const created = await tx.db.select({ pk, id }).from(monitors).where(tx.sets.among(id, ids));
  const pks = new Map(created.map((row) => [row.id, row.pk]));
  await tx.sets.insert(
    monitorStates,
    rows.map((row) => ({
      monitorPk: pks.get(row.id) ?? 0,
      organizationPk,
      status: "unknown" as const,
      nextCheckAt: firstCheckAt({ ...row, isHere: isCheckedHere(row) }, now),
      placesSince: row.locations && now,
    })),
  );
  return pks;
}

/** Whom a monitor depends on and which channels it notifies, by their numbers; undefined for what does not change. */
export interface Relations {
  dependsOn?: readonly number[] | undefined;
  bindings?: ReadonlyMap<number, AlertTiming> | undefined;
}

/** Stores the relations of monitors that were just created. */
export async function insertRelations(
  { sets, tables }: Tx,
  created: readonly (Relations & { monitorPk: number })[],
): Promise<void> {
  await sets.insert(tables.monitorDependencies, created.flatMap(dependenciesOf));
  const bindings = created.flatMap(({ monitorPk, bindings = new Map() }) =>
    [...bindings].map(([channelPk, { after, every }]) => ({ monitorPk, channelPk, after, every })),
  );
  await sets.insert(tables.alertBindings, bindings);
}

export function dependenciesOf({ monitorPk, dependsOn = [] }: Relations & { monitorPk: number }) {
  return dependsOn.map((dependsOnPk) => ({ monitorPk, dependsOnPk }));
}
