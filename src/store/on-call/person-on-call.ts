import { and, eq, inArray } from "drizzle-orm";
import { findChannelPks } from "../alerts/bindings.ts";
import type { Tx } from "../tx.ts";

/* The part of a person in the schedules of an organization: their own channels, and their turns. */

/** A person in an organization. */
interface Member {
  personPk: number;
  organizationPk: number;
}

/** The IDs of the channels of some people in an organization, the oldest channel first, by the number of the person. */
export async function listOwnChannels(
  { db, sets, tables: { alertChannels, personChannels } }: Tx,
  organizationPk: number,
  personPks: readonly number[],
): Promise<Map<number, string[]>> {
  const { personPk, channelPk } = personChannels;
  const rows = await db
    .select({ personPk, id: alertChannels.id })
    .from(personChannels)
    .innerJoin(alertChannels, eq(alertChannels.pk, channelPk))
    .where(and(eq(alertChannels.organizationPk, organizationPk), sets.among(personPk, personPks)))
    .orderBy(alertChannels.pk);
  const byPerson = Map.groupBy(rows, (row) => row.personPk);
  return new Map([...byPerson].map(([pk, own]) => [pk, own.map(({ id }) => id)]));
}

/** @throws AppError `invalid` for an ID that is not a channel of the organization */
export async function replaceOwnChannels(
  tx: Tx,
  { personPk, organizationPk }: Member,
  channelIds: string[],
): Promise<void> {
  const { alertChannels, personChannels } = tx.tables;
  const fieldOf = (at: number) => `alertChannelIds.${at}`;
  const pks = await findChannelPks(tx, { organizationPk, channelIds, fieldOf });
  const ofOrganization = tx.db
    .select({ pk: alertChannels.pk })
    .from(alertChannels)
    .where(eq(alertChannels.organizationPk, organizationPk));
  await tx.db
    .delete(personChannels)
    .where(and(eq(personChannels.personPk, personPk), inArray(personChannels.channelPk, ofOrganization)));
  const rows = [...pks.values()].map((channelPk) => ({ personPk, channelPk }));
  await tx.sets.insert(personChannels, rows);
}

/**
 * Takes a person who leaves an organization out of its schedules, with their channels there (behavior 23.23).
 *
 * @property personId the ID of the person
 */
export async function leaveSchedules(
  { db, query, tables: { schedules } }: Tx,
  { personPk, organizationPk, personId }: Member & { personId: string },
): Promise<void> {
  const { pk, layers } = schedules;
  const rows = await db
    .select({ pk, layers })
    .from(schedules)
    .where(eq(schedules.organizationPk, organizationPk));
  for (const row of rows) {
    if (!row.layers.some(({ personIds }) => personIds.includes(personId))) continue;
    const left = row.layers.map((layer) => ({
      ...layer,
      personIds: layer.personIds.filter((id) => id !== personId),
    }));
    await db.update(schedules).set({ layers: left }).where(eq(pk, row.pk));
  }
  await query(DELETE_OVERRIDES, [personPk, organizationPk]);
  await query(DELETE_CHANNELS, [personPk, organizationPk]);
}

const DELETE_OVERRIDES = `DELETE FROM schedule_overrides WHERE person_pk = $1
  AND schedule_pk IN (SELECT pk FROM schedules WHERE organization_pk = $2)`;
const DELETE_CHANNELS = `DELETE FROM person_channels WHERE person_pk = $1
  AND channel_pk IN (SELECT pk FROM alert_channels WHERE organization_pk = $2)`;
