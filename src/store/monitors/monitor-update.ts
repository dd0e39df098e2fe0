import { and, eq, sql } from "drizzle-orm";
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
import { monitors } from "../sqlite/schema.ts";
import { restartedBaseline } from "../sqlite/statistics/rollups.ts";
import { dueAtOnce, type MonitorWithBindings, shown } from "./monitors.ts";

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
      const before = tx.select().from(monitors).where(its).get();
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

type Row = typeof monitors.$inferSelect;
type After = Pick<Row, "name" | "config" | "enabled">;

function updateRow(tx: Queries, before: Row, after: After, now: number) {
  const { deadline, ...rhythm } = heartbeatAfter(before, after, now);
  const isSame = before.enabled === after.enabled && Bun.deepEquals(before.config, after.config);
  return tx
    .update(monitors)
    .set({
      ...after,
      updatedAt: now,
      deadline,
      ...(before.heartbeat && { heartbeat: rhythm }),
      ...(!isSameTarget(before.config, after.config) && {
        memory: null,
        baseline: before.baseline && restartedBaseline(tx, before.pk, now),
      }),
      // A check that is under way no longer says anything, and a new one is due.
      ...(!isSame && {
        revision: sql`${monitors.revision} + 1`,
        nextCheckAt: dueAtOnce(before.type, after.enabled, now),
      }),
    })
    .where(eq(monitors.pk, before.pk))
    .returning(shown)
    .get();
}

/** What is waited for after a pause, its end, or a change of the rhythm; nothing, for other types. */
function heartbeatAfter({ type, ...before }: Row, after: After, now: number): HeartbeatState {
  const state = { ...silentHeartbeat, ...before.heartbeat, deadline: before.deadline };
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
