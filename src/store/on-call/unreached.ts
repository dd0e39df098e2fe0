import { and, eq, type SQL } from "drizzle-orm";
import { onCallAt } from "../../domain/on-call/rotation.ts";
import { availability, type Unreached } from "../../domain/on-call/schedule.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { asSchedules, listOnCallPeople } from "./schedules.ts";

const LIST_BOUND = `SELECT schedule_pk AS pk FROM alert_channels
  WHERE schedule_pk IS NOT NULL AND EXISTS (SELECT 1 FROM alert_bindings WHERE channel_pk = alert_channels.pk)`;

/**
 * The schedules that bindings use and that reach nobody now (behavior 23.39): nobody is on call, or the person has no channel that is
 * enabled. Without a bound schedule, nothing else is read.
 *
 * @param organizationId default: of all organizations
 */
export async function listUnreached(tx: TimedTx, organizationId?: string): Promise<Unreached[]> {
  const bound = (await tx.query<{ pk: number }>(LIST_BOUND)).map(({ pk }) => pk);
  if (bound.length === 0) return [];
  const { schedules } = tx.tables;
  const ofOrganization: SQL | undefined =
    organizationId === undefined
      ? undefined
      : eq(schedules.organizationPk, await organizationPk(tx, organizationId));
  const rows = await tx.db
    .select()
    .from(schedules)
    .where(and(tx.sets.among(schedules.pk, bound), ofOrganization))
    .orderBy(schedules.pk);
  const unreached: Unreached[] = [];
  for (const [pk, some] of Map.groupBy(rows, (row) => row.organizationPk)) {
    const people = await listOnCallPeople(tx, pk);
    const { reachable, hasDefaults } = await findReachable(tx, pk);
    for (const schedule of await asSchedules(tx, some)) {
      const personId = onCallAt(schedule, tx.now, availability(people))?.personId ?? null;
      if (personId !== null && reachable.has(personId)) continue;
      const person = people.find(({ id }) => id === personId)?.name ?? null;
      unreached.push({ schedule: schedule.name, person, hasDefaults });
    }
  }
  return unreached;
}

const LIST_REACHABLE = `SELECT DISTINCT people.id FROM person_channels
  JOIN people ON people.pk = person_pk JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE alert_channels.organization_pk = $1 AND alert_channels.enabled`;
const LIST_DEFAULTS = `SELECT channel_pk FROM default_channels
  JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE default_channels.organization_pk = $1 AND alert_channels.enabled LIMIT 1`;

async function findReachable({ query }: Tx, organization: number) {
  const people = await query<{ id: string }>(LIST_REACHABLE, [organization]);
  const defaults = await query(LIST_DEFAULTS, [organization]);
  return { reachable: new Set(people.map(({ id }) => id)), hasDefaults: defaults.length > 0 };
}
