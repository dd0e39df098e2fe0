import { and, eq, gt, like } from "drizzle-orm";
import type { GoneNote } from "../../domain/discovery/plan-discovered.ts";
import { targetAddresses } from "../../domain/discovery/target-addresses.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { readInBatches, type Tx } from "../tx.ts";

/** A monitor that a discovery has created. @property goneAt since when its source lacks it; milliseconds since 1970 */
export interface DiscoveredMonitor {
  ref: string;
  id: string;
  name: string;
  enabled: boolean;
  goneAt: number | null;
}

/** The discovered monitors of an organization, oldest first. @throws AppError `not_found` */
export async function listDiscovered(tx: Tx, organizationId: string): Promise<DiscoveredMonitor[]> {
  const organization = await organizationPk(tx, organizationId);
  const { monitors, goneMonitors } = tx.tables;
  const { pk, id, ref, name, enabled } = monitors;
  const rows = await tx.db
    .select({ ref, id, name, enabled, goneAt: goneMonitors.goneAt })
    .from(monitors)
    .leftJoin(goneMonitors, eq(goneMonitors.monitorPk, pk))
    .where(and(eq(monitors.organizationPk, organization), like(ref, "%/%")))
    .orderBy(pk);
  return rows.map((row) => ({ ...row, ref: row.ref ?? "" }));
}

/** Where the monitors of an organization watch something, each address once: see `targetAddresses`. @throws AppError `not_found` */
export async function listTargets(tx: Tx, organizationId: string): Promise<string[]> {
  const organization = await organizationPk(tx, organizationId);
  const { monitors } = tx.tables;
  const { pk, type, config } = monitors;
  const rows = await readInBatches((after, limit) =>
    tx.db
      .select({ pk, type, config })
      .from(monitors)
      .where(and(eq(monitors.organizationPk, organization), gt(pk, after)))
      .orderBy(pk)
      .limit(limit),
  );
  return [...new Set(rows.flatMap((row) => targetAddresses(row.type, row.config)))];
}

/** The notes about gone monitors of an organization, by ID. */
export async function findGone(
  { db, tables: { monitors, goneMonitors } }: Tx,
  organization: number,
): Promise<Map<string, GoneNote>> {
  const { monitorPk, goneAt, wasEnabled } = goneMonitors;
  const rows = await db
    .select({ id: monitors.id, goneAt, wasEnabled })
    .from(goneMonitors)
    .innerJoin(monitors, eq(monitors.pk, monitorPk))
    .where(eq(monitors.organizationPk, organization));
  return new Map(rows.map(({ id, ...note }) => [id, note]));
}

/** @param notes by ID of the monitor; null deletes one */
export async function saveNotes(
  { db, sets, tables: { monitors, goneMonitors } }: Tx,
  notes: ReadonlyMap<string, GoneNote | null>,
): Promise<void> {
  if (notes.size === 0) return;
  const { pk, id } = monitors;
  const rows = await db
    .select({ pk, id })
    .from(monitors)
    .where(sets.among(id, [...notes.keys()]));
  const noted = sets.among(
    goneMonitors.monitorPk,
    rows.map((row) => row.pk),
  );
  await db.delete(goneMonitors).where(noted);
  const inserted = rows.flatMap((row) => {
    const note = notes.get(row.id);
    return note ? [{ monitorPk: row.pk, ...note }] : [];
  });
  await sets.insert(goneMonitors, inserted);
}
