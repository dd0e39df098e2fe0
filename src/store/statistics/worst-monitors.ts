import { countDisplayStates, type DisplayState, worstFirst } from "../../domain/monitors/display-state.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { MonitorSnapshot } from "../monitors/monitor-lists.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Sql } from "../tx.ts";

/** How many monitors are read and sorted in one turn of the event loop. */
const SIZE = 500;

const LIST = `SELECT pk, name, status, enabled FROM monitors JOIN monitor_states ON monitor_pk = pk
  WHERE monitors.organization_pk = $1 AND pk > $2 ORDER BY pk LIMIT ${SIZE}`;

interface SortKey {
  pk: number;
  name: string;
  status: Status;
  enabled: boolean;
}

/**
 * The numbers of the worst monitors of an organization, the worst first, and the counts of all by state.
 *
 * @param turn resolves when a slice may be read
 * @throws AppError `not_found` if the organization does not exist
 */
export async function findWorstPks(
  sql: Sql,
  { organizationId, most }: { organizationId: string; most: number },
  turn: () => Promise<void>,
): Promise<{ counts: Record<DisplayState, number>; pks: number[] }> {
  const organization = await organizationPk(sql, organizationId);
  let counts = countDisplayStates([]);
  let worst: SortKey[] = [];
  let after = 0;
  for (;;) {
    await turn();
    const keys = await listKeys(sql, organization, after);
    counts = countDisplayStates(keys, counts);
    const last = worst.length < most ? undefined : worst.at(-1);
    const worse = last ? keys.filter((key) => worstFirst(key, last) < 0) : keys;
    worst = [...worst, ...worse].sort(worstFirst).slice(0, most);
    if (keys.length < SIZE) break;
    after = keys.at(-1)?.pk ?? after;
  }
  return { counts, pks: worst.map(({ pk }) => pk) };
}

async function listKeys({ query }: Sql, organization: number, after: number): Promise<SortKey[]> {
  const rows = await query<{ pk: number; name: string; status: number; enabled: boolean | number }>(LIST, [
    organization,
    after,
  ]);
  return rows.map((row) => ({ ...row, status: statusOfCode(row.status), enabled: Boolean(row.enabled) }));
}

/** The monitors with these numbers in their order, of snapshots in any order. Deleted ones are left out. */
export function inOrderOf(pks: readonly number[], snapshots: readonly MonitorSnapshot[]): MonitorSnapshot[] {
  const byPk = new Map(snapshots.map((snapshot) => [snapshot.pk, snapshot]));
  return pks.flatMap((pk) => byPk.get(pk) ?? []);
}
