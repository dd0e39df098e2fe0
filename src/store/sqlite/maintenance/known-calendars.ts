import type { MaintenanceDefinition } from "../../../domain/maintenance/maintenance.ts";
import {
  type CalendarKey,
  type Calendars,
  calendarsOf,
  unknownCalendars,
} from "../../maintenance/known-calendars.ts";
import { type Database, prepared } from "../open.ts";

const LIST = `SELECT organizations.id AS organizationId, maintenances.id, title, selector, starts_at AS startsAt,
    ends_at AS endsAt, cron, timezone, duration, until, ended_run AS endedRun, ended_run_at AS endedRunAt
  FROM organizations JOIN maintenances ON maintenances.organization_pk = organizations.pk
  WHERE organizations.id IN (SELECT value FROM json_each(?)) ORDER BY maintenances.pk`;

type Row = Omit<MaintenanceDefinition, "selector"> & { organizationId: string; selector: string };

/** The calendars of some organizations; one without maintenances may be missing. */
export function findCalendars(db: Database, keys: readonly CalendarKey[]): Calendars {
  const unknown = unknownCalendars(keys);
  const rows = unknown.length > 0 ? prepared<Row, [string]>(db, LIST).all(JSON.stringify(unknown)) : [];
  const definitions = rows.map((row) => ({ ...row, selector: JSON.parse(row.selector) }));
  return calendarsOf(keys, definitions);
}
