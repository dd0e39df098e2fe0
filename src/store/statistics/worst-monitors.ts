import { attended, countStandings, standingOf } from "../../domain/monitors/standing.ts";
import { isMatch, ORDERS, type Sort, type Sorted } from "../../domain/overview/selection.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { MonitorCounts, MonitorSelection, MonitorSnapshot } from "../monitors/monitor-lists.ts";
import { unpackTimings } from "../results/timings.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import type { Sql } from "../tx.ts";
import type { KnownMonitor, KnownMonitors } from "./known-monitors.ts";
import { NumberSet } from "./number-set.ts";

/** How many monitors are compared in one turn of the event loop. */
const SIZE = 2500;

/** The index has these columns in this order. */
const LIST = `SELECT monitor_pk AS pk, status FROM monitor_states
  WHERE organization_pk = $1 AND status = $2 AND monitor_pk > $3 ORDER BY monitor_pk LIMIT ${SIZE}`;
const LIST_LATENCIES = LIST.replace(" FROM", ", last_timings AS timings FROM");
const LIST_OTHERS = `SELECT monitor_pk AS pk, status, last_timings AS timings FROM monitor_states
  WHERE monitor_pk = ANY($1)`;

interface Row {
  pk: number;
  status: number;
  timings?: Uint8Array | null;
}

interface Found extends Sorted {
  pk: number;
}

interface Reading {
  known: KnownMonitors;
  /** Resolves when a slice may be read. */
  turn: () => Promise<void>;
  /** Adds the uptimes to these monitors; yields to the event loop between batches. */
  readUptimes: (some: KnownMonitor[]) => Promise<void>;
}

/**
 * The numbers of the first monitors of an organization in an order, and counts of all.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function findWorstPks(
  sql: Sql,
  organizationId: string,
  selection: MonitorSelection,
  { known, turn, readUptimes }: Reading,
): Promise<MonitorCounts & { pks: number[] }> {
  const { now, most, skip = 0, filters, ids, sort = "trouble", attendance } = selection;
  const organization = await organizationPk(sql, organizationId);
  const monitors = await known.find(sql, organization, turn, now);
  if (sort === "uptime") await readUptimes([...monitors.values()]);
  const tags = new Map<string, number>();
  const numbers: MonitorCounts = { counts: countStandings([]), matching: 0, tags };
  const order = ORDERS[sort];
  let best: Found[] = [];
  // A monitor whose status changes meanwhile may be in two slices, or in none.
  const counted = new NumberSet();
  const count = (rows: Row[]) => {
    const last = best.length < skip + most ? undefined : best.at(-1);
    const better: Found[] = [];
    for (const { pk, status: code, timings } of rows) {
      const one = monitors.get(pk);
      if (!one || !counted.add(pk)) continue;
      const { name, uptime } = one;
      const present = attended({ ...one, status: statusOfCode(code) }, attendance);
      numbers.counts[standingOf(present)]++;
      for (const tag of one.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
      if (ids && !ids.has(one.id)) continue;
      if (filters && !isMatch(present, filters)) continue;
      numbers.matching++;
      const latest = timings ? { latencyMs: unpackTimings(timings).latencyMs } : null;
      const { status, enabled, maintenance, acknowledgement } = present;
      const found = { pk, name, status, enabled, maintenance, acknowledgement, uptime, latest };
      if (most > 0 && (!last || order(found, last) < 0)) better.push(found);
    }
    if (better.length > 0) best = [...best, ...better].sort(order).slice(0, skip + most);
  };
  for await (const rows of slices(sql, organization, sort, turn)) count(rows);
  const missing = counted.size === monitors.size ? [] : [...monitors.keys()].filter((pk) => !counted.has(pk));
  if (missing.length > 0) count(await sql.query<Row>(LIST_OTHERS, [missing]));
  return { ...numbers, pks: best.slice(skip).map(({ pk }) => pk) };
}

/** The monitors of an organization, grouped by status. */
async function* slices(
  { query }: Sql,
  organization: number,
  sort: Sort,
  turn: () => Promise<void>,
): AsyncGenerator<Row[]> {
  const text = sort === "latency" ? LIST_LATENCIES : LIST;
  for (const code of Object.values(statusCodes)) {
    for (let after = 0; ; ) {
      await turn();
      const rows = await query<Row>(text, [organization, code, after]);
      if (rows.length > 0) yield rows;
      if (rows.length < SIZE) break;
      after = rows.at(-1)?.pk ?? after;
    }
  }
}

/** The monitors with these numbers in their order, of snapshots in any order. Deleted ones are left out. */
export function inOrderOf(pks: readonly number[], snapshots: readonly MonitorSnapshot[]): MonitorSnapshot[] {
  const byPk = new Map(snapshots.map((snapshot) => [snapshot.pk, snapshot]));
  return pks.flatMap((pk) => byPk.get(pk) ?? []);
}

/** How long an uptime is used for the order by uptime, in milliseconds. */
const FRESH = 60_000;

/** The monitors whose uptime is unknown or old. */
export function withoutUptime(some: readonly KnownMonitor[], now: number): KnownMonitor[] {
  return some.filter(({ uptimeAt = 0 }) => now - uptimeAt > FRESH);
}
