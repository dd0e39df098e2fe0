import { and, count, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { HERE, HERE_ID } from "../../domain/locations/location.ts";
import {
  type FailureShare,
  failureShareOf,
  MIN_MONITORS,
  type ObservedMonitor,
} from "../../domain/locations/votes.ts";
import { groupOf, RESULT_STATUSES } from "../../domain/monitors/status.ts";
import { statusCodes } from "../status-codes.ts";
import { preparedOnce, type Sql, type TimedTx, type Tx } from "../tx.ts";
import { type KnownPlaces, knownPlacesOf, placesOf } from "./watch.ts";

/** How many monitors of one organization fail at a location. @property location its number */
export interface LocationFailureShare extends FailureShare {
  location: number;
  name: string;
  organizationPk: number;
  organizationId: string;
  /** As it is stored. */
  isAtFault: boolean;
}

/** More than half of `MIN_MONITORS`. */
const MIN_HEALTHY_ELSEWHERE = 2;

/**
 * The locations whose network may be at fault, this server included: locations that see at least three monitors of one
 * organization down, and locations whose network is at fault already (behavior 13.25). It costs little while nothing is down.
 */
export async function listFailureShares(tx: TimedTx): Promise<LocationFailureShare[]> {
  const candidates = [...new Set([...(await listSuspects(tx)), ...(await listAtFault(tx))])];
  if (candidates.length === 0) return [];
  const owners = await listOwners(tx);
  const shares: LocationFailureShare[] = [];
  for (const location of candidates) shares.push(...(await shareFrom(tx, { location, owners })));
  return shares.filter(({ isAtFault, failing }) => isAtFault || failing >= MIN_MONITORS);
}

const DOWN_STATUSES = RESULT_STATUSES.filter((status) => groupOf[status] === "down");

/** The numbers of the locations that see several monitors down, of which other locations see some healthy. Read from an index. */
async function listSuspects(tx: Tx): Promise<number[]> {
  const { db, tables } = tx;
  const { locationStates } = tables;
  const { location, latestStatus } = locationStates;
  const failing = await countFailing(tx).execute();
  if (!failing.some((row) => row.count >= MIN_MONITORS)) return [];
  const codes = sql.raw(DOWN_STATUSES.map((status) => statusCodes[status]).join(", "));
  const isHealthyElsewhere = sql`EXISTS (SELECT 1 FROM location_states AS other
    WHERE other.monitor_pk = location_states.monitor_pk AND other.location <> location_states.location
      AND other.latest_status NOT IN (${codes}))`;
  const contradicted = await db
    .select({ location, count: count() })
    .from(locationStates)
    .where(and(inArray(latestStatus, DOWN_STATUSES), isHealthyElsewhere))
    .groupBy(location);
  const others = new Map(contradicted.map((row) => [row.location, row.count]));
  return failing
    .filter((row) => row.count >= MIN_MONITORS && (others.get(row.location) ?? 0) >= MIN_HEALTHY_ELSEWHERE)
    .map((row) => row.location);
}

const countFailing = preparedOnce(({ db, tables: { locationStates } }) => {
  const { location, latestStatus } = locationStates;
  return db
    .select({ location, count: count() })
    .from(locationStates)
    .where(inArray(latestStatus, DOWN_STATUSES))
    .groupBy(location)
    .prepare();
});

async function listAtFault({ query }: Sql): Promise<number[]> {
  const remote = await query<{ pk: number }>("SELECT pk FROM locations WHERE at_fault_at IS NOT NULL");
  const here = await query<{ pk: number }>("SELECT pk FROM organizations WHERE here_at_fault_at IS NOT NULL");
  return [...remote.map(({ pk }) => pk), ...(here.length > 0 ? [HERE] : [])];
}

/** A share for each organization that has the location. */
async function shareFrom(
  tx: TimedTx,
  { location, owners }: { location: number; owners: readonly Owner[] },
): Promise<LocationFailureShare[]> {
  const shares = owners.flatMap(({ organizationPk, organizationId, known }) => {
    const place = known.get(location);
    if (!place) return [];
    const { name, isAtFault } = place;
    return [{ location, name, organizationPk, organizationId, isAtFault, known, ...NO_CHECKS }];
  });
  const byOrganization = new Map(shares.map((share) => [share.organizationPk, share]));
  for await (const monitors of seenSlices(tx, location)) {
    for (const [organizationPk, some] of Map.groupBy(monitors, (monitor) => monitor.organizationPk)) {
      const share = byOrganization.get(organizationPk);
      if (!share) continue;
      const { fresh, failing, healthyElsewhere } = failureShareOf(
        location,
        withPlaces(some, share.known),
        tx.now,
      );
      share.fresh += fresh;
      share.failing += failing;
      share.healthyElsewhere += healthyElsewhere;
    }
  }
  return shares.map(({ known: _, ...share }) => share);
}

const NO_CHECKS: FailureShare = { fresh: 0, failing: 0, healthyElsewhere: 0 };

function withPlaces(monitors: readonly StoredMonitor[], known: KnownPlaces): ObservedMonitor[] {
  return monitors.flatMap((monitor) => {
    const places = placesOf(monitor, known);
    return places ? [{ ...monitor, places }] : [];
  });
}

type StoredMonitor = Omit<ObservedMonitor, "places"> &
  Parameters<typeof placesOf>[0] & { organizationPk: number };

/** Monitors in one turn of the event loop. */
const SLICE = 200;

/** The enabled monitors that a location has checked, with what all their locations saw, in slices. */
async function* seenSlices(tx: Tx, location: number): AsyncGenerator<StoredMonitor[]> {
  const { monitorPk, latestStatus, location: number } = tx.tables.locationStates;
  const rows = await tx.db
    .select({ monitorPk })
    .from(tx.tables.locationStates)
    .where(and(eq(number, location), inArray(latestStatus, [...RESULT_STATUSES])));
  const pks = rows.map((row) => row.monitorPk);
  for (let at = 0; at < pks.length; at += SLICE) {
    await new Promise((resolve) => setImmediate(resolve));
    yield await listSeen(tx, pks.slice(at, at + SLICE));
  }
}

async function listSeen({ db, tables }: Tx, pks: number[]): Promise<StoredMonitor[]> {
  const { locationStates, monitors, monitorStates } = tables;
  const { pk, organizationPk, config, locations, downWhen } = monitors;
  const { monitorPk, location, latestAt, latestStatus } = locationStates;
  const { placesSince } = monitorStates;
  const rows = await db
    .select({ pk, organizationPk, config, locations, downWhen, placesSince })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, pk))
    .where(and(inArray(pk, pks), eq(monitors.enabled, true)));
  const states = await db
    .select({ monitorPk, location, at: latestAt, status: latestStatus })
    .from(locationStates)
    .where(and(inArray(monitorPk, pks), isNotNull(latestStatus)));
  const byMonitor = Map.groupBy(states, (state) => state.monitorPk);
  return rows.map((row) => {
    const latest = (byMonitor.get(row.pk) ?? []).flatMap(({ location, at, status }) =>
      at === null || status === null ? [] : [[location, { at, status }] as const],
    );
    return { ...row, latest: new Map(latest) };
  });
}

/** An organization that has locations. */
interface Owner {
  organizationPk: number;
  organizationId: string;
  known: KnownPlaces;
}

async function listOwners({ db, tables: { locations, organizations } }: Tx): Promise<Owner[]> {
  const { pk, id, name, lastSeenAt, silentAt, atFaultAt } = locations;
  const [organizationPk, organizationId] = [organizations.pk, organizations.id];
  const rows = await db
    .select({ organizationPk, organizationId, pk, id, name, lastSeenAt, silentAt, atFaultAt })
    .from(locations)
    .innerJoin(organizations, eq(organizationPk, locations.organizationPk));
  const { hereAtFaultAt } = organizations;
  const own = db.select({ pk: locations.organizationPk }).from(locations);
  const owners = await db
    .select({ organizationPk, organizationId, hereAtFaultAt })
    .from(organizations)
    .where(inArray(organizationPk, own));
  const known = knownPlacesOf([...owners.map(hereOf), ...rows]);
  return owners.map((owner) => ({ ...owner, known: known.get(owner.organizationId) ?? new Map() }));
}

/** This server, as a location of an organization. */
function hereOf({ organizationId, hereAtFaultAt }: { organizationId: string; hereAtFaultAt: number | null }) {
  const names = { pk: HERE, id: HERE_ID, name: HERE_ID };
  return { organizationId, ...names, lastSeenAt: null, silentAt: null, atFaultAt: hereAtFaultAt };
}
