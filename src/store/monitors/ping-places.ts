import { HERE } from "../../domain/locations/location.ts";
import { isPinged, pingRefusal } from "../../domain/locations/ping-access.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { invalid } from "../../errors.ts";
import { isCheckedHere, type StoredPlacement } from "../locations/monitor-locations.ts";
import type { Tx } from "../tx.ts";

type Placed = Pick<StoredPlacement, "locations"> & { name: string; config: MonitorConfig };

/** Whether this server is to ping for a monitor. */
export function pingsHere({ config, locations }: Omit<Placed, "name">): boolean {
  return isPinged(config) && isCheckedHere({ locations });
}

/**
 * Refuses monitors whose pings a location can't send (behavior 20.36).
 *
 * @param isOneOfMany whether the error names the monitor
 * @throws AppError `invalid` that says what to set
 */
export async function assertPingable(
  tx: Tx,
  monitors: readonly Placed[],
  isOneOfMany = false,
): Promise<void> {
  const pinged = monitors.filter(({ config }) => isPinged(config));
  if (pinged.length === 0) return;
  const refusals = await refusalsAt(tx, pinged);
  for (const { name, locations } of pinged) {
    const refusal = (locations ?? [HERE]).map((pk) => refusals.get(pk)).find((one) => one);
    const of = isOneOfMany ? ` of ${JSON.stringify(name)}` : "";
    if (refusal) throw invalid(`config.protocol${of} can't be icmp: ${refusal}`);
  }
}

/** By the number of the location. */
async function refusalsAt(
  tx: Tx,
  pinged: readonly Placed[],
): Promise<ReadonlyMap<number, string | null | undefined>> {
  const { pk, name, lastSeenAt, pingAccess } = tx.tables.locations;
  const all = new Set(pinged.flatMap(({ locations }) => locations ?? [HERE]));
  const here = all.has(HERE) ? await tx.pingRefusal?.() : null;
  const remote = [...all].filter((one) => one !== HERE);
  const rows =
    remote.length === 0
      ? []
      : await tx.db
          .select({ pk, name, lastSeenAt, pingAccess })
          .from(tx.tables.locations)
          .where(tx.sets.among(pk, remote));
  return new Map([[HERE, here], ...rows.map((row) => [row.pk, pingRefusal(row)] as const)]);
}

/** Whether any enabled monitor is to be pinged by this server. */
export async function anyPingsHere({ query }: Pick<Tx, "query">): Promise<boolean> {
  const found = await query("SELECT pk FROM monitors WHERE pings_here AND enabled LIMIT 1");
  return found.length > 0;
}
