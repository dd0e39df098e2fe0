import { and, eq, type SQL } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import { isSameTarget } from "../../domain/checks/judge.ts";
import {
  afterEdit,
  afterPause,
  afterResume,
  type HeartbeatState,
  silentHeartbeat,
} from "../../domain/heartbeats/heartbeat.ts";
import { assertIntervalAllowed, type MonitorConfig, parseConfig } from "../../domain/monitors/monitor.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { bindChannels, boundChannelIds } from "../alerting/bindings.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { monitorStates, monitors } from "../sqlite/schema.ts";
import { restartBaseline } from "../sqlite/statistics/baselines.ts";
import { configured, dueAtOnce, endOutages, type MonitorWithBindings } from "./monitors.ts";

export interface MonitorChanges {
  name?: string | undefined;
  /** As the request gives it: only the stored type tells whether it fits. */
  config?: unknown;
  enabled?: boolean | undefined;
  alertChannelIds?: string[] | undefined;
}

/**
 * @throws AppError `not_found`, then `invalid` for a config that doesn't fit the type, then for an unknown channel:
 * in this order (decisions 2)
 */
export async function updateMonitor(
  db: Database,
  owner: { organizationId: string; plan: Plan },
  id: string,
  changes: MonitorChanges,
  now: number,
): Promise<MonitorWithBindings> {
  return db.transaction(
    (tx) => {
      const organization = organizationPk(tx, owner.organizationId);
      const its = and(eq(monitors.id, id), eq(monitors.organizationPk, organization));
      const before = findRow(tx, its);
      // The plan's minimum comes before the 404; it doesn't hold for the type whose interval is forced anyway.
      if (before?.type !== "SCHEDULED") assertIntervalAllowed(owner.plan, changes.config);
      if (!before) throw notFound();
      const after = {
        name: changes.name ?? before.name,
        config:
          changes.config === undefined ? before.config : parseConfig(before.type, changes.config, owner.plan),
        enabled: changes.enabled ?? before.enabled,
      };
      const monitor = updateRow(tx, before, after, now);
      bindAnew(tx, { monitorPk: before.pk, organizationPk: organization }, changes.alertChannelIds);
      return { ...monitor, alertChannelIds: boundChannelIds(tx, before.pk) };
    },
    { behavior: "immediate" },
  );
}

type Row = typeof monitors.$inferSelect & { state: typeof monitorStates.$inferSelect };
type After = Pick<Row, "name" | "config" | "enabled">;

function findRow(tx: Queries, its: SQL | undefined): Row | undefined {
  const row = tx
    .select()
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(its)
    .get();
  return row && { ...row.monitors, state: row.monitor_states };
}

function updateRow(tx: Queries, before: Row, after: After, now: number) {
  const { pk, type, state } = before;
  const isSame = before.enabled === after.enabled && Bun.deepEquals(before.config, after.config);
  const { deadline, ...rhythm } = heartbeatAfter(before, after, now);
  tx.update(monitorStates)
    .set({
      deadline,
      ...(state.rhythm && { rhythm }),
      ...(!isSame && { nextCheckAt: dueAtOnce(type, after.enabled, now) }),
    })
    .where(eq(monitorStates.monitorPk, pk))
    .run();
  if (!isSameTarget(before.config, after.config)) restartBaseline(tx, pk, now);
  if (!after.enabled) endOutages(tx, [pk], now);
  // A check that is under way is then discarded.
  const revision = isSame ? before.revision : before.revision + 1;
  const changes = { ...after, updatedAt: now, revision };
  const monitor = tx.update(monitors).set(changes).where(eq(monitors.pk, pk)).returning(configured).get();
  return { ...monitor, status: state.status };
}

/** What is waited for after a pause, its end, or a change of the rhythm; nothing, for other types. */
function heartbeatAfter({ type, ...before }: Row, after: After, now: number): HeartbeatState {
  const state = { ...silentHeartbeat, ...before.state.rhythm, deadline: before.state.deadline };
  if (type !== "SCHEDULED") return state;
  const rhythms = { before: before.config as Rhythm, after: after.config as Rhythm };
  if (!after.enabled) return afterPause(state);
  return before.enabled ? afterEdit(state, rhythms, now) : afterResume(state, rhythms.after, now);
}

type Rhythm = MonitorConfig<"SCHEDULED">;

function bindAnew(
  tx: Queries,
  monitor: { monitorPk: number; organizationPk: number },
  channelIds: string[] | undefined,
): void {
  if (channelIds) bindChannels(tx, { ...monitor, channelIds });
}
