import { and, eq } from "drizzle-orm";
import { assertSubscribed, type Plan, type Subscription } from "../../domain/accounts/organization.ts";
import type { Monitor, MonitorType } from "../../domain/monitors/monitor.ts";
import {
  type MonitorRequest,
  monitorReplacement,
  parseNewMonitor,
} from "../../domain/monitors/monitor-replacement.ts";
import { assertSameType } from "../../domain/schemas/ref.ts";
import { defaultChannelIds } from "../accounts/organization-settings.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";
import { updateMonitor } from "./monitor-update.ts";
import { createMonitor, type MonitorWithBindings } from "./monitors.ts";

/** What a request with a ref did. */
export type CreatedOrReplacedMonitor =
  | { isNew: true; monitor: Monitor }
  | { isNew: false; monitor: MonitorWithBindings };

/**
 * Creates the monitor with a ref, or replaces it in full (behavior 16.4, 16.5).
 *
 * @param now milliseconds since 1970
 * @throws AppError as `createMonitor` or `replaceMonitor`, and `no_subscription` for a new monitor
 */
export async function createOrReplaceMonitor(
  tx: Tx,
  owner: { organizationId: string; plan: Plan; subscription: Subscription },
  request: MonitorRequest & { ref: string },
  now: number,
): Promise<CreatedOrReplacedMonitor> {
  const stored = await findByRef(tx, owner.organizationId, request.ref);
  if (stored) return { isNew: false, monitor: await replaceMonitor(tx, owner, stored, request, now) };
  assertSubscribed(owner);
  const values = parseNewMonitor(request, owner.plan);
  return { isNew: true, monitor: await createMonitor(tx, owner, values, now) };
}

/**
 * Gives a monitor exactly the values of a request: what it does not give gets the default of a new monitor. Its history stays.
 *
 * @throws AppError `invalid` for another type, then as `updateMonitor`
 */
export async function replaceMonitor(
  tx: Tx,
  owner: { organizationId: string; plan: Plan },
  stored: { id: string; type: MonitorType },
  request: MonitorRequest,
  now: number,
): Promise<MonitorWithBindings> {
  assertSameType(stored.type, request.type);
  const organization = await organizationPk(tx, owner.organizationId);
  const replacement = monitorReplacement(request, await defaultChannelIds(tx, organization));
  return updateMonitor(tx, owner, stored.id, replacement, now);
}

async function findByRef(tx: Tx, organizationId: string, ref: string) {
  const { monitors } = tx.tables;
  const ofOrganization = eq(monitors.organizationPk, await organizationPk(tx, organizationId));
  const [found] = await tx.db
    .select({ id: monitors.id, type: monitors.type })
    .from(monitors)
    .where(and(eq(monitors.ref, ref), ofOrganization));
  return found;
}
