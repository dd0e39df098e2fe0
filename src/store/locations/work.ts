import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { HERE, slotOffset } from "../../domain/locations/location.ts";
import type { PingAccess } from "../../domain/locations/ping-access.ts";
import type { Recheck, WorkItem } from "../../domain/locations/protocol.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { preparedOnce, type Sql, type Tx } from "../tx.ts";

/** The work of the probe of a location. */
export interface LocationWork {
  revision: number;
  /** Enabled monitors, oldest first. */
  monitors: WorkItem[];
  /** The re-checks that no observation has answered yet. */
  rechecks: Recheck[];
  /** The marker of these re-checks: see `findMarker`. */
  after: number;
}

/** @returns undefined if the location was deleted */
export async function findWork(tx: Tx, pk: number): Promise<LocationWork | undefined> {
  const { locations } = tx.tables;
  const [location] = await tx.db
    .select({ revision: locations.revision, organizationPk: locations.organizationPk })
    .from(locations)
    .where(eq(locations.pk, pk));
  if (!location) return undefined;
  return {
    revision: location.revision,
    monitors: await listWorkItems(tx, location.organizationPk, pk),
    ...(await findRechecks(tx, pk)),
  };
}

/** The re-checks of a location, also those that are due later, and their marker. */
export async function findRechecks(tx: Tx, pk: number): Promise<Pick<LocationWork, "rechecks" | "after">> {
  const rechecks = await listRechecks(tx, pk);
  return { rechecks: rechecks.map(({ monitorId, at }) => ({ monitorId, at })), after: markerOf(rechecks) };
}

/** The offset of a slot depends on all locations of the monitor, also on those that are not connected. */
async function listWorkItems(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
  location: number,
): Promise<WorkItem[]> {
  const { id, type, config, revision, locations } = monitors;
  const rows = await db
    .select({ id, type, config, revision, locations })
    .from(monitors)
    .where(and(eq(monitors.organizationPk, organizationPk), eq(monitors.enabled, true), isNotNull(locations)))
    .orderBy(asc(monitors.pk));
  return rows.flatMap(({ id: monitorId, locations, ...monitor }) => {
    const position = locations?.indexOf(location) ?? -1;
    if (!locations || position < 0) return [];
    const type = monitor.type as ProbedType;
    const config = monitor.config as MonitorConfig<ProbedType>;
    const offset = slotOffset(position, locations.length, config.interval);
    return [{ monitorId, revision: monitor.revision, type, config, offset }];
  });
}

/** The re-checks of enabled monitors, oldest first. A pause ends the re-checks of its monitor. */
async function listRechecks(tx: Tx, location: number) {
  const rows = await selectRechecks(tx).execute({ location });
  return rows.flatMap(({ at, ...row }) => (at === null ? [] : [{ ...row, at }]));
}

const selectRechecks = preparedOnce(({ db, tables: { locationStates, monitors } }) => {
  const { monitorPk, recheckAt, location } = locationStates;
  return db
    .select({ monitorPk, monitorId: monitors.id, at: recheckAt })
    .from(locationStates)
    .innerJoin(monitors, eq(monitors.pk, monitorPk))
    .where(and(eq(location, sql.placeholder("location")), isNotNull(recheckAt)))
    .orderBy(asc(monitorPk))
    .prepare();
});

/**
 * A number that differs for another set of re-checks, with at most 15 digits; 0 for none. Not the latest of their times,
 * because what is committed later may be of an earlier time.
 */
function markerOf(rechecks: readonly { monitorPk: number; at: number }[]): number {
  return rechecks.reduce(
    (sum, { monitorPk, at }) => sum + ((at % TIMES) + 1) * ((monitorPk % MONITORS) + 1),
    0,
  );
}

const TIMES = 1_000_003;
const MONITORS = 1009;

/** The same as an expression of SQL, over rows of `location_states`. */
const RECHECK_MARKER = `coalesce(sum((recheck_at % ${TIMES} + 1) * (monitor_pk % ${MONITORS} + 1)), 0)`;

/** Shows whether the work of a location changed. */
export interface WorkMarker {
  revision: number;
  /** 0 if no re-check is outstanding, otherwise a number of at most 15 digits that differs for another set of them. */
  rechecks: number;
}

const FIND = `SELECT revision,
    (SELECT ${RECHECK_MARKER} FROM location_states WHERE location = locations.pk AND recheck_at IS NOT NULL) AS rechecks
  FROM locations WHERE pk = $1`;

/** Cheap: it is read several times each second for each connected location. @returns undefined if it was deleted */
export async function findMarker({ query }: Sql, pk: number): Promise<WorkMarker | undefined> {
  const [marker] = await query<WorkMarker>(FIND, [pk]);
  return marker;
}

/** Column values of a location without an observation. */
const NO_LATEST = { latestAt: null, latestStatus: null, latest: null, recheckAt: null } as const;

/** A monitor whose config or locations changed. @property before the numbers of its locations; null if only this server checks it */
interface RestartedMonitor {
  pk: number;
  before: number[] | null;
  after: number[] | null;
}

/** Forgets what the locations of some monitors saw, and all of those that check them no more. */
export async function restartPlaces(tx: Tx, restarted: readonly RestartedMonitor[]): Promise<void> {
  const placed = new Map(restarted.flatMap((one) => (one.before === null ? [] : [[one.pk, one] as const])));
  if (placed.size === 0) return;
  const { db, sets } = tx;
  const { locationStates } = tx.tables;
  const ofMonitors = sets.among(locationStates.monitorPk, [...placed.keys()]);
  const { monitorPk, location } = locationStates;
  const rows = await db.select({ monitorPk, location }).from(locationStates).where(ofMonitors);
  await db.update(locationStates).set(NO_LATEST).where(ofMonitors);
  const left = rows.filter((row) => !isKept(row.location, placed.get(row.monitorPk)));
  // There are few locations.
  for (const [from, some] of Map.groupBy(left, (row) => row.location)) {
    const pks = some.map((row) => row.monitorPk);
    await db.delete(locationStates).where(and(eq(location, from), sets.among(monitorPk, pks)));
  }
}

function isKept(location: number, monitor: RestartedMonitor | undefined): boolean {
  return location === HERE || (monitor?.after?.includes(location) ?? false);
}

/** The location whose probe sends a request, as its key identifies it. */
export interface ProbeCaller {
  pk: number;
  id: string;
  name: string;
  organizationId: string;
}

/** The location whose probe has the key of this hash; undefined if the key is unknown. */
export async function findProbe(tx: Tx, hash: Uint8Array): Promise<ProbeCaller | undefined> {
  const [found] = await selectProbe(tx).execute({ hash });
  return found;
}

/** Prepared, because each request with a bad key runs it. */
const selectProbe = preparedOnce(({ db, tables: { locations, organizations } }) =>
  db
    .select({
      pk: locations.pk,
      id: locations.id,
      name: locations.name,
      organizationId: organizations.id,
    })
    .from(locations)
    .innerJoin(organizations, eq(organizations.pk, locations.organizationPk))
    .where(eq(locations.keyHash, sql.placeholder("hash")))
    .prepare(),
);

/** @property lag the age of the observations that it sends, in milliseconds; null if it is unknown */
export interface ProbeContact {
  now: number;
  version: string | null;
  /** Missing values stay as they are. */
  waiting?: number | undefined;
  dropped?: number | undefined;
  lag?: number | null | undefined;
  /** Null if it did not say. */
  ping?: PingAccess | null | undefined;
}

/** @param $6 whether the lag is known, which may be null @param $8 the same of the access to pings */
const NOTE_SEEN = `UPDATE locations SET last_seen_at = $2, version = $3::text, waiting = coalesce($4::bigint, waiting),
    dropped = coalesce($5::bigint, dropped), lag_ms = CASE WHEN $6 = 1 THEN $7::bigint ELSE lag_ms END,
    ping_access = CASE WHEN $8 = 1 THEN $9::text ELSE ping_access END
  WHERE pk = $1`;

/** Stores that a probe sent a request: each does so several times a minute. */
export async function noteSeen(
  { query }: Sql,
  pk: number,
  { now, version, waiting, dropped, lag, ping }: ProbeContact,
): Promise<void> {
  const known = (value: unknown) => (value === undefined ? 0 : 1);
  const counts = [waiting ?? null, dropped ?? null];
  const optional = [known(lag), lag ?? null, known(ping), ping ?? null];
  await query(NOTE_SEEN, [pk, now, version, ...counts, ...optional]);
}
