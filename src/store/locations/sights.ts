import { and, count, eq, inArray, isNotNull } from "drizzle-orm";
import { HERE, HERE_ID } from "../../domain/locations/location.ts";
import { type SeenMonitor, sightFrom } from "../../domain/locations/sight.ts";
import type { Sight } from "../../domain/locations/silence.ts";
import { levelOf, type Status } from "../../domain/monitors/status.ts";
import type { Tx } from "../tx.ts";
import { type KnownPlaces, knownPlacesOf, placesOf } from "./known-places.ts";

/** How the monitors of a location look. @property location its number */
export interface LocationSight extends Sight {
  location: number;
  name: string;
  organizationPk: number;
  organizationId: string;
  /** As it is stored. */
  isAtFault: boolean;
}

const FEWEST_FAILING = 3;
const DOWN = 2;

/**
 * The locations whose network may be at fault, this server included: those that see at least three monitors of one
 * organization down, and those whose network is at fault already (behavior 13.25). It costs little while nothing is down.
 *
 * @param now milliseconds since 1970
 */
export async function countSights(tx: Tx, now: number): Promise<LocationSight[]> {
  const failing = await listFailing(tx);
  const candidates = [...new Set([...failing, ...(await listAtFault(tx))])];
  if (candidates.length === 0) return [];
  const owners = await listOwners(tx);
  const sights: LocationSight[] = [];
  for (const location of candidates) sights.push(...(await lookFrom(tx, { location, owners }, now)));
  return sights.filter(({ isAtFault, failing }) => isAtFault || failing >= FEWEST_FAILING);
}

/** The numbers of the locations that see several monitors down. Read from an index. */
async function listFailing({ db, tables: { locationStates } }: Tx): Promise<number[]> {
  const { location, latestStatus } = locationStates;
  const rows = await db
    .select({ location, status: latestStatus, count: count() })
    .from(locationStates)
    .where(isNotNull(latestStatus))
    .groupBy(location, latestStatus);
  const down = rows.filter(({ status }) => status !== null && isDown(status));
  const counts = Map.groupBy(down, (row) => row.location);
  const sum = (some: typeof down) => some.reduce((total, row) => total + row.count, 0);
  return [...counts].filter(([, some]) => sum(some) >= FEWEST_FAILING).map(([number]) => number);
}

function isDown(status: Status): boolean {
  return status !== "unknown" && levelOf(status) === DOWN;
}

async function listAtFault({ db, tables: { locations, organizations } }: Tx): Promise<number[]> {
  const remote = await db.select({ pk: locations.pk }).from(locations).where(isNotNull(locations.atFaultAt));
  const here = await db
    .select({ pk: organizations.pk })
    .from(organizations)
    .where(isNotNull(organizations.hereAtFaultAt));
  return [...remote.map(({ pk }) => pk), ...(here.length > 0 ? [HERE] : [])];
}

/** One for each organization that has the location. */
async function lookFrom(
  tx: Tx,
  { location, owners }: { location: number; owners: readonly Owner[] },
  now: number,
): Promise<LocationSight[]> {
  const monitors = Map.groupBy(await listSeen(tx, location), ({ organizationPk }) => organizationPk);
  return owners.flatMap(({ organizationPk, organizationId, known }) => {
    const place = known.get(location);
    if (!place) return [];
    const seen = (monitors.get(organizationPk) ?? []).flatMap((monitor): SeenMonitor[] => {
      const places = placesOf(monitor, known);
      return places ? [{ ...monitor, places }] : [];
    });
    const { name, isAtFault } = place;
    return [{ location, name, organizationPk, organizationId, isAtFault, ...sightFrom(location, seen, now) }];
  });
}

/** The enabled monitors that a location has checked, with what all their locations saw. */
async function listSeen({ db, tables }: Tx, from: number) {
  const { locationStates, monitors, monitorStates } = tables;
  const { pk, organizationPk, config, locations, downWhen } = monitors;
  const { monitorPk, latestAt, latestStatus, latest } = locationStates;
  const { placesSince } = monitorStates;
  const ofLocation = and(eq(locationStates.location, from), isNotNull(latestStatus));
  const rows = await db
    .select({ pk, organizationPk, config, locations, downWhen, placesSince })
    .from(locationStates)
    .innerJoin(monitors, eq(pk, monitorPk))
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, pk))
    .where(and(ofLocation, eq(monitors.enabled, true)));
  const states = await db
    .select({ monitorPk, location: locationStates.location, at: latestAt, status: latestStatus, latest })
    .from(locationStates)
    .where(inArray(monitorPk, db.select({ monitorPk }).from(locationStates).where(ofLocation)));
  const byMonitor = Map.groupBy(states, (state) => state.monitorPk);
  return rows.map((row) => {
    const latestStates = (byMonitor.get(row.pk) ?? []).flatMap(({ location, at, status, latest }) =>
      at === null || status === null || latest === null
        ? []
        : [[location, { latest: { at, status, ...latest } }] as const],
    );
    return { ...row, states: new Map(latestStates) };
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
