import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { WindowEnd } from "../../domain/heartbeats/heartbeat.ts";
import { afterWindowChange } from "../../domain/heartbeats/missed-runs.ts";
import {
  type Calendar,
  createCalendar,
  EMPTY_CALENDAR,
  type MaintenanceDefinition,
  type SelectedMonitor,
  type WindowAt,
} from "../../domain/maintenance/maintenance.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { notFound } from "../../errors.ts";
import { heartbeatOf, storedHeartbeat } from "../recording/stored-heartbeat.ts";
import { fromJson, preparedOnce, type Sql, type TimedTx, type Tx } from "../tx.ts";

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

/** A calendar for each organization. A revision is random, so that it identifies the calendar in any database. */
const known = new Map<string, KnownCalendar>();

/** Bounds the memory of a server with many organizations. */
const MAX_KNOWN = 10_000;

const NONE: Calendars = new Map();

/** The organizations whose definitions are to be read, each once. Almost always there is none. */
function unknownCalendars(keys: readonly CalendarKey[]): string[] {
  const ids = keys
    .filter(({ organizationId: id, maintenanceRevision: revision }) => {
      return revision !== 0 && known.get(id)?.revision !== revision;
    })
    .map(({ organizationId }) => organizationId);
  return ids.length > 1 ? [...new Set(ids)] : ids;
}

/** Lists the maintenances of some organizations. @param $1 the IDs of the organizations */
const LIST_DEFINITIONS = `SELECT organizations.id AS "organizationId", maintenances.id, title, selector, starts_at AS "startsAt",
    ends_at AS "endsAt", cron, timezone, duration, until, ended_run AS "endedRun", ended_run_at AS "endedRunAt"
  FROM organizations JOIN maintenances ON maintenances.organization_pk = organizations.pk
  WHERE organizations.id = ANY($1::text[]) ORDER BY maintenances.pk`;

/** A row of `LIST_DEFINITIONS`. */
type DefinitionRow = MaintenanceDefinition & { organizationId: string };

/** The calendars of some organizations; an organization without maintenances may be missing. */
export async function findCalendars({ query }: Sql, keys: readonly CalendarKey[]): Promise<Calendars> {
  const unknown = unknownCalendars(keys);
  return calendarsOf(keys, unknown.length > 0 ? await query(LIST_DEFINITIONS, [unknown]) : []);
}

/**
 * The calendars of some organizations; an organization without maintenances may be missing.
 *
 * @param definitions of those that `unknownCalendars` returned, read after the revisions
 */
function calendarsOf(keys: readonly CalendarKey[], definitions: readonly DefinitionRow[]): Calendars {
  if (!keys.some(({ maintenanceRevision }) => maintenanceRevision !== 0)) return NONE;
  const byOrganization = Map.groupBy(definitions, ({ organizationId }) => organizationId);
  const unknown = new Set(unknownCalendars(keys));
  const calendars = new Map<string, Calendar>();
  for (const { organizationId: id, maintenanceRevision: revision } of keys) {
    if (revision === 0 || calendars.has(id)) continue;
    const calendar = unknown.has(id)
      ? createCalendar((byOrganization.get(id) ?? []).map(definitionOf))
      : (known.get(id)?.calendar ?? EMPTY_CALENDAR);
    if (unknown.has(id)) remember(id, { revision, calendar });
    calendars.set(id, calendar);
  }
  return calendars;
}

function definitionOf(row: DefinitionRow): MaintenanceDefinition {
  return { ...row, selector: fromJson(row.selector) };
}

function remember(id: string, calendar: KnownCalendar): void {
  if (known.size >= MAX_KNOWN && !known.has(id)) known.clear();
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

/**
 * The maintenance windows of an organization: which of its monitors are in one at a moment. It runs one small query as long
 * as its maintenances are the same.
 */
export async function findOpenWindows(tx: Tx, organizationPk: number): Promise<Calendar> {
  return calendarOf(tx, await selectKey(tx).execute({ organizationPk }));
}

/** The same, by the ID of the organization. @throws AppError `not_found` if the organization does not exist */
export async function findCalendar(tx: Tx, organizationId: string): Promise<Calendar> {
  const { id, maintenanceRevision } = tx.tables.organizations;
  const keys = await tx.db
    .select({ organizationId: id, maintenanceRevision })
    .from(tx.tables.organizations)
    .where(eq(id, organizationId));
  return calendarOf(tx, keys);
}

const selectKey = preparedOnce(({ db, tables: { organizations } }) =>
  db
    .select({ organizationId: organizations.id, maintenanceRevision: organizations.maintenanceRevision })
    .from(organizations)
    .where(eq(organizations.pk, sql.placeholder("organizationPk")))
    .prepare(),
);

async function calendarOf(tx: Tx, keys: readonly CalendarKey[]): Promise<Calendar> {
  if (keys.length === 0) throw notFound();
  return (await findCalendars(tx, keys)).get(keys[0]?.organizationId ?? "") ?? EMPTY_CALENDAR;
}

/** How many monitors are in memory at once. */
const BATCH = 2000;

/** The maintenances of an organization before and after a change of one of them. */
interface ChangedDefinitions {
  organizationPk: number;
  before: readonly MaintenanceDefinition[];
  after: readonly MaintenanceDefinition[];
}

/** The update of a state, if its deadline is still the same: one that a recording changes at the same time is left. */
type MovedDeadline = Exclude<ReturnType<typeof movedDeadline>, undefined>;

/** The deadlines of SCHEDULED monitors whose window the change moved or ended (behavior 14.39). */
export async function findMovedDeadlines(
  tx: TimedTx,
  { organizationPk, before, after }: ChangedDefinitions,
): Promise<MovedDeadline[]> {
  const [calendarBefore, calendarAfter] = [createCalendar(before), createCalendar(after)];
  const endsIn =
    (calendar: typeof calendarBefore, monitor: SelectedMonitor): WindowEnd =>
    (at) =>
      calendar.windowOf(monitor, at)?.endsAt ?? null;
  const moved: MovedDeadline[] = [];
  for (let last = 0, rows: JobRow[] = []; ; last = rows.at(-1)?.pk ?? last) {
    rows = await listJobs(tx, organizationPk, last);
    for (const row of rows) {
      const windows = { before: endsIn(calendarBefore, row), after: endsIn(calendarAfter, row) };
      const one = movedDeadline(row, { ...windows, now: tx.now });
      if (one) moved.push(one);
    }
    if (rows.length < BATCH) return moved;
  }
}

type JobRow = Awaited<ReturnType<typeof listJobs>>[number];

async function listJobs(
  { db, tables: { monitors, monitorStates } }: Tx,
  organizationPk: number,
  after: number,
) {
  const { pk, id, tags, config } = monitors;
  const { deadline, rhythm } = monitorStates;
  return db
    .select({ pk, id, tags, config, deadline, rhythm })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, pk))
    .where(
      and(
        eq(monitors.organizationPk, organizationPk),
        eq(monitors.type, "SCHEDULED"),
        isNotNull(deadline),
        gt(pk, after),
      ),
    )
    .orderBy(pk)
    .limit(BATCH);
}

/** @returns undefined if it does not move */
function movedDeadline(
  { pk: monitorPk, config, deadline, rhythm }: JobRow,
  windows: { before: WindowEnd; after: WindowEnd; now: number },
) {
  if (deadline === null) return undefined;
  const state = heartbeatOf({ deadline, rhythm });
  const moved = afterWindowChange(state, config as MonitorConfig<"SCHEDULED">, windows);
  if (moved === state) return undefined;
  return { where: { monitorPk, deadline }, set: storedHeartbeat(moved, config) };
}
