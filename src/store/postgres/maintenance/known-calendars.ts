import type { MaintenanceDefinition } from "../../../domain/maintenance/maintenance.ts";
import {
  type CalendarKey,
  type Calendars,
  calendarsOf,
  unknownCalendars,
} from "../../maintenance/known-calendars.ts";
import type { Sql } from "../connections.ts";

const LIST = `SELECT organizations.id AS "organizationId", maintenances.id, title, selector, starts_at AS "startsAt",
    ends_at AS "endsAt", cron, timezone, duration, until, ended_run AS "endedRun", ended_run_at AS "endedRunAt"
  FROM organizations JOIN maintenances ON maintenances.organization_pk = organizations.pk
  WHERE organizations.id = ANY($1::text[]) ORDER BY maintenances.pk`;

/** The calendars of some organizations; one without maintenances may be missing. */
export async function findCalendars({ query }: Sql, keys: readonly CalendarKey[]): Promise<Calendars> {
  const unknown = unknownCalendars(keys);
  const definitions =
    unknown.length > 0
      ? await query<MaintenanceDefinition & { organizationId: string }>(LIST, [unknown])
      : [];
  return calendarsOf(keys, definitions);
}
