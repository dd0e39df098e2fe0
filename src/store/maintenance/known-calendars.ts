import { type Calendar, createCalendar, EMPTY_CALENDAR } from "../../domain/maintenance/calendar.ts";
import type { MaintenanceDefinition, WindowAt } from "../../domain/maintenance/maintenance.ts";

/** An organization, and the number of its latest change of a maintenance: see `schema.ts`. */
export interface CalendarKey {
  organizationId: string;
  maintenanceRevision: number;
}

/** Calendars by the ID of the organization. */
export type Calendars = ReadonlyMap<string, Calendar>;

interface KnownCalendar {
  revision: number;
  calendar: Calendar;
}

/** One for each organization. A revision is random, so that it identifies the calendar in any database. */
const known = new Map<string, KnownCalendar>();

/** Bounds the memory of a server with many organizations. */
const MOST_KNOWN = 10_000;

const NONE: Calendars = new Map();

/** The organizations whose definitions are to be read, each once. Almost always there is none. */
export function unknownCalendars(keys: readonly CalendarKey[]): string[] {
  const ids = keys
    .filter(({ organizationId: id, maintenanceRevision: revision }) => {
      return revision !== 0 && known.get(id)?.revision !== revision;
    })
    .map(({ organizationId }) => organizationId);
  return ids.length > 1 ? [...new Set(ids)] : ids;
}

/**
 * The calendars of some organizations; one without maintenances may be missing.
 *
 * @param definitions of those that `unknownCalendars` returned, read after the revisions
 */
export function calendarsOf(
  keys: readonly CalendarKey[],
  definitions: readonly (MaintenanceDefinition & { organizationId: string })[],
): Calendars {
  if (!keys.some(({ maintenanceRevision }) => maintenanceRevision !== 0)) return NONE;
  const byOrganization = Map.groupBy(definitions, ({ organizationId }) => organizationId);
  const unknown = new Set(unknownCalendars(keys));
  const calendars = new Map<string, Calendar>();
  for (const { organizationId: id, maintenanceRevision: revision } of keys) {
    if (revision === 0 || calendars.has(id)) continue;
    const calendar = unknown.has(id)
      ? createCalendar(byOrganization.get(id) ?? [])
      : (known.get(id)?.calendar ?? EMPTY_CALENDAR);
    if (unknown.has(id)) remember(id, { revision, calendar });
    calendars.set(id, calendar);
  }
  return calendars;
}

function remember(id: string, calendar: KnownCalendar): void {
  if (known.size >= MOST_KNOWN && !known.has(id)) known.clear();
  known.set(id, calendar);
}

/** The windows of a monitor; null if its organization has no maintenances. @param tags null only then */
export function windowAtOf(
  calendars: Calendars,
  { organizationId, id, tags }: { organizationId: string; id: string; tags: readonly string[] | null },
): WindowAt | null {
  const calendar = calendars.get(organizationId);
  if (!calendar) return null;
  const monitor = { id, tags: tags ?? [] };
  return (at) => calendar.windowOf(monitor, at);
}
