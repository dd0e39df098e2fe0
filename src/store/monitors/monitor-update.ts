import { eq } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import { silentHeartbeat } from "../../domain/heartbeats/heartbeat.ts";
import {
  type MonitorChanges,
  type MonitorUpdatePlan,
  planMonitorUpdate,
} from "../../domain/monitors/monitor-update.ts";
import { bindChannels } from "../alerting/bindings.ts";
import { auditUpdate } from "../audit/audit.ts";
import {
  findLocationIds,
  type LocationIdsByPk,
  placementOf,
  reviseWork,
  storedPlacement,
} from "../locations/monitor-locations.ts";
import { restartPlaces } from "../locations/restart-places.ts";
import type { Tx } from "../tx.ts";
import { endOutages, findMonitor, type MonitorWithBindings, oneMonitor } from "./monitors.ts";
import { restartBaseline } from "./restart-baseline.ts";

/**
 * Loads a monitor, plans the update in the domain and saves it.
 *
 * @param now milliseconds since 1970
 * @throws AppError in this order: `invalid` for the interval, `not_found`, `invalid` for a config that does not fit the
 *   type, `invalid` for its locations, `invalid` for an unknown channel
 */
export async function updateMonitor(
  tx: Tx,
  owner: { organizationId: string; plan: Plan },
  id: string,
  changes: MonitorChanges,
  now: number,
): Promise<MonitorWithBindings> {
  const row = await findRow(tx, owner.organizationId, id);
  const ids = await findLocationIds(tx, row?.monitor.organizationPk ?? 0, row ? [row.monitor] : []);
  const before = row && tx.author && (await findMonitor(tx, owner.organizationId, id));
  const plan = planMonitorUpdate(row && subjectOf(row, ids), changes, { plan: owner.plan, now });
  if (row) await savePlan(tx, row, plan, now);
  const { alertChannelIds: channelIds } = changes;
  if (row && channelIds) {
    const { pk: monitorPk, organizationPk } = row.monitor;
    await bindChannels(tx, { monitorPk, organizationPk, channelIds });
  }
  const after = await findMonitor(tx, owner.organizationId, id);
  if (before) {
    const { organizationPk } = row.monitor;
    await auditUpdate(tx, { organizationPk, type: "monitor", id, name: after.name }, { before, after });
  }
  return after;
}

async function findRow(tx: Tx, organizationId: string, id: string) {
  const { monitors, monitorStates } = tx.tables;
  const [row] = await tx.db
    .select({ monitor: monitors, state: monitorStates })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(await oneMonitor(tx, organizationId, id));
  return row;
}

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>;

function subjectOf({ monitor, state }: Row, ids: LocationIdsByPk) {
  const { type, name, config, enabled, confirmations, recoveries } = monitor;
  const heartbeat = { ...silentHeartbeat, ...state.rhythm, deadline: state.deadline };
  return { type, name, config, enabled, confirmations, recoveries, ...placementOf(monitor, ids), heartbeat };
}

async function savePlan(
  tx: Tx,
  { monitor, state }: Row,
  plan: MonitorUpdatePlan,
  now: number,
): Promise<void> {
  const { monitors, monitorStates } = tx.tables;
  const { pk, revision, organizationPk } = monitor;
  const { name, config, enabled, confirmations, recoveries, isRevised, nextCheckAt } = plan;
  const placement = await storedPlacement(tx, organizationPk, plan);
  const values = { name, config, enabled, confirmations, recoveries, ...placement };
  const { deadline, ...rhythm } = plan.heartbeat;
  if (isRevised) await reviseWork(tx, monitor.locations, placement.locations);
  // The state first, because recordings lock in this order.
  const revised = { nextCheckAt, suspicion: null, placesSince: placement.locations && now };
  await tx.db
    .update(monitorStates)
    .set({ deadline, ...(state.rhythm && { rhythm }), ...(isRevised && revised) })
    .where(eq(monitorStates.monitorPk, pk));
  if (isRevised) await restartPlaces(tx, { pk, before: monitor.locations, after: placement.locations });
  await tx.db
    .update(monitors)
    .set({ ...values, updatedAt: now, ...(isRevised && { revision: revision + 1 }) })
    .where(eq(monitors.pk, pk));
  if (plan.isOtherTarget) await restartBaseline(tx, pk, now);
  if (plan.isPaused) await endOutages(tx, [pk], now);
}
