import { and, eq } from "drizzle-orm";
import { assertSubscribed, type Plan, type Subscription } from "../../domain/accounts/organization.ts";
import { type AlertChannel, type ChannelType, parseChannelConfig } from "../../domain/alerts/channel.ts";
import { EVERY_GROUP, type NotifyOn } from "../../domain/alerts/notify.ts";
import { assertSameType } from "../../domain/schemas/ref.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";
import { createChannel, updateChannel } from "./channels.ts";

/** The values of a request that creates a channel, or replaces it in full. */
export interface ChannelRequest {
  name: string;
  type: ChannelType;
  /** As in the request. */
  config: unknown;
  enabled?: boolean | undefined;
  notifyOn?: NotifyOn | undefined;
  ref?: string | undefined;
}

/**
 * Creates the channel with a ref, or replaces it in full (behavior 16.4, 16.5).
 *
 * @param now milliseconds since 1970
 * @throws AppError as `createChannel` or `replaceChannel`, and `no_subscription` for a new channel
 */
export async function createOrReplaceChannel(
  tx: Tx,
  owner: { organizationId: string; plan: Plan; subscription: Subscription },
  request: ChannelRequest & { ref: string },
  now: number,
): Promise<{ isNew: boolean; channel: AlertChannel }> {
  const { organizationId } = owner;
  const stored = await findByRef(tx, organizationId, request.ref);
  if (stored)
    return { isNew: false, channel: await replaceChannel(tx, organizationId, stored, request, now) };
  assertSubscribed(owner);
  const config = parseChannelConfig(request.type, request.config);
  const values = { ...request, name: request.name.trim(), config };
  return { isNew: true, channel: await createChannel(tx, owner, values, now) };
}

/**
 * Gives a channel exactly the values of a request: what it does not give gets the default of a new channel. Its bindings and
 * deliveries stay.
 *
 * @throws AppError `invalid` for another type, then as `updateChannel`
 */
export async function replaceChannel(
  tx: Tx,
  organizationId: string,
  stored: { id: string; type: ChannelType },
  request: ChannelRequest,
  now: number,
): Promise<AlertChannel> {
  assertSameType(stored.type, request.type);
  const { name, config, ref, enabled = true, notifyOn = EVERY_GROUP } = request;
  const values = { name: name.trim(), config, ref, enabled, notifyOn };
  return updateChannel(tx, organizationId, stored.id, values, now);
}

async function findByRef(tx: Tx, organizationId: string, ref: string) {
  const { alertChannels } = tx.tables;
  const ofOrganization = eq(alertChannels.organizationPk, await organizationPk(tx, organizationId));
  const [found] = await tx.db
    .select({ id: alertChannels.id, type: alertChannels.type })
    .from(alertChannels)
    .where(and(eq(alertChannels.ref, ref), ofOrganization));
  return found;
}
