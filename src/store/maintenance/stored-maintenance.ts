import { inArray } from "drizzle-orm";
import type { Maintenance } from "../../domain/maintenance/maintenance.ts";
import { stateAt, windowsFrom } from "../../domain/maintenance/windows.ts";
import type { Selector } from "../../domain/monitors/selector.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../tx.ts";

export type MaintenanceRow = Tx["tables"]["maintenances"]["$inferSelect"];

/** The most IDs in one statement. */
const IDS_AT_ONCE = 500;

/** Rows as users see them: without monitors and channels that were deleted. @param now milliseconds since 1970 */
export async function asMaintenances(
  tx: Tx,
  rows: readonly MaintenanceRow[],
  now: number,
): Promise<Maintenance[]> {
  const { monitors, alertChannels } = tx.tables;
  const monitorIds = rows.flatMap(({ selector }) => selector.monitorIds ?? []);
  const channelIds = rows.flatMap(({ notifyChannelIds }) => notifyChannelIds);
  const [organizationPk = 0] = rows.map((row) => row.organizationPk);
  const existing = {
    monitors: await findIds(tx, { table: monitors, organizationPk, ids: monitorIds }),
    channels: await findIds(tx, { table: alertChannels, organizationPk, ids: channelIds }),
  };
  return rows.map((row) => asMaintenance(row, existing, now));
}

/** IDs that exist. */
interface ExistingIds {
  monitors: ReadonlySet<string>;
  channels: ReadonlySet<string>;
}

function asMaintenance(
  { pk: _, organizationPk: __, ...row }: MaintenanceRow,
  existing: ExistingIds,
  now: number,
): Maintenance {
  const [next] = windowsFrom(row, now, 1);
  return {
    ...row,
    selector: withoutDeleted(row.selector, existing.monitors),
    notifyChannelIds: row.notifyChannelIds.filter((id) => existing.channels.has(id)),
    state: stateAt(row, now),
    nextStartsAt: next?.startsAt ?? null,
    nextEndsAt: next?.endsAt ?? null,
  };
}

function withoutDeleted({ monitorIds, ...selector }: Selector, existing: ReadonlySet<string>): Selector {
  return monitorIds ? { monitorIds: monitorIds.filter((id) => existing.has(id)), ...selector } : selector;
}

/** @throws AppError `invalid` that names the first ID that is not a monitor of the organization */
export async function assertMonitors(
  tx: Tx,
  organizationPk: number,
  { monitorIds = [] }: Selector,
): Promise<void> {
  const existing = await findIds(tx, { table: tx.tables.monitors, organizationPk, ids: monitorIds });
  const unknown = monitorIds.findIndex((id) => !existing.has(id));
  if (unknown >= 0)
    throw new AppError("invalid", `selector.monitorIds.${unknown} is not a monitor of this organization`);
}

async function findIds(
  { db }: Tx,
  {
    table,
    organizationPk,
    ids,
  }: {
    table: Tx["tables"]["monitors"] | Tx["tables"]["alertChannels"];
    organizationPk: number;
    ids: readonly string[];
  },
): Promise<Set<string>> {
  const found = new Set<string>();
  const wanted = [...new Set(ids)];
  for (let at = 0; at < wanted.length; at += IDS_AT_ONCE) {
    // With a condition on the organization, SQLite would read all its monitors.
    const rows = await db
      .select({ id: table.id, organization: table.organizationPk })
      .from(table)
      .where(inArray(table.id, wanted.slice(at, at + IDS_AT_ONCE)));
    for (const { id, organization } of rows) if (organization === organizationPk) found.add(id);
  }
  return found;
}
