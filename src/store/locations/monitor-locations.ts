import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type DownWhen, HERE, HERE_ID, isOnlyHere } from "../../domain/locations/location.ts";
import { ONLY_HERE, type Placement } from "../../domain/locations/place.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../tx.ts";

/*
 * A monitor stores the numbers of its locations, and null if only this server checks it. So such a monitor needs no look at
 * the locations.
 */

/** The locations of a monitor, as they are stored. @property downWhen null is the default */
export interface StoredPlacement {
  locations: number[] | null;
  downWhen: DownWhen | null;
}

/** The IDs of locations by their numbers. */
export type LocationIdsByPk = ReadonlyMap<number, { id: string }>;

/** @param ids the locations of the organization; may be empty if `locations` is null */
export function placementOf({ locations, downWhen }: StoredPlacement, ids: LocationIdsByPk): Placement {
  return {
    // A list that is no transaction may read a location that was deleted meanwhile.
    locations:
      locations?.flatMap((pk) => (pk === HERE ? HERE_ID : (ids.get(pk)?.id ?? []))) ?? ONLY_HERE.locations,
    downWhen: downWhen ?? ONLY_HERE.downWhen,
  };
}

/** Whether this server is one of the locations. */
export function isCheckedHere({ locations }: Pick<StoredPlacement, "locations">): boolean {
  return locations === null || locations.includes(HERE);
}

/** The IDs of all locations of an organization, if one of some monitors needs them. */
export async function findLocationIds(
  { db, tables: { locations } }: Tx,
  organizationPk: number,
  some: readonly Pick<StoredPlacement, "locations">[],
): Promise<LocationIdsByPk> {
  if (some.every((monitor) => monitor.locations === null)) return new Map();
  const rows = await db
    .select({ pk: locations.pk, id: locations.id })
    .from(locations)
    .where(eq(locations.organizationPk, organizationPk));
  return new Map(rows.map(({ pk, id }) => [pk, { id }]));
}

/**
 * Some monitors with their placements as they are stored.
 *
 * @throws AppError `invalid` for an ID that is not a location of the organization
 */
export async function withStoredPlacements<One extends Placement>(
  { db, tables }: Tx,
  organizationPk: number,
  monitors: readonly One[],
): Promise<(Omit<One, keyof Placement> & StoredPlacement)[]> {
  const { pk, id, organizationPk: organization } = tables.locations;
  const rows = monitors.every(({ locations }) => isOnlyHere(locations))
    ? []
    : await db.select({ pk, id }).from(tables.locations).where(eq(organization, organizationPk));
  const numbers = new Map([[HERE_ID, HERE], ...rows.map((row) => [row.id, row.pk] as const)]);
  return monitors.map((monitor) => ({
    ...monitor,
    locations: isOnlyHere(monitor.locations) ? null : numbersOf(monitor.locations, numbers),
    downWhen: monitor.downWhen === ONLY_HERE.downWhen ? null : monitor.downWhen,
  }));
}

function numbersOf(ids: readonly string[], numbers: ReadonlyMap<string, number>): number[] {
  return ids.map((id, at) => {
    const pk = numbers.get(id);
    if (pk !== undefined) return pk;
    throw new AppError(
      "invalid",
      `locations must be IDs of locations of the organization: locations.${at} is not`,
    );
  });
}

/**
 * Counts a change of the work of some locations, so that their probes are sent it. To be called before the states of
 * monitors are locked, because recordings lock in this order.
 *
 * @param some lists of numbers, as monitors store them
 */
export async function reviseWork(
  { db, tables: { locations } }: Tx,
  ...some: (readonly number[] | null)[]
): Promise<void> {
  const remote = new Set(some.flatMap((one) => one ?? []).filter((pk) => pk !== HERE));
  if (remote.size === 0) return;
  await db
    .update(locations)
    .set({ revision: sql`${locations.revision} + 1` })
    .where(inArray(locations.pk, [...remote]));
}

/** The names of the monitors that a location checks, oldest first. */
export async function namesOfMonitorsAt(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
  location: number,
): Promise<string[]> {
  const rows = await db
    .select({ name: monitors.name, locations: monitors.locations })
    .from(monitors)
    .where(and(eq(monitors.organizationPk, organizationPk), isNotNull(monitors.locations)))
    .orderBy(asc(monitors.pk));
  return rows.filter(({ locations }) => locations?.includes(location)).map(({ name }) => name);
}

/** The IDs of the enabled monitors that a location checks, in the order of their numbers. */
export async function listMonitorsAt(
  { db, tables: { monitors } }: Tx,
  { location, organizationPk }: { location: number; organizationPk: number },
): Promise<string[]> {
  const { id, enabled, locations } = monitors;
  const rows = await db
    .select({ id, locations })
    .from(monitors)
    .where(and(eq(monitors.organizationPk, organizationPk), eq(enabled, true), isNotNull(locations)))
    .orderBy(asc(monitors.pk));
  return rows.filter((row) => row.locations?.includes(location)).map((row) => row.id);
}
