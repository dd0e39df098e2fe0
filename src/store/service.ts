import type { Sql } from "./tx.ts";

/* The row that this service stores about itself. */

const FIND_STEADY = 'SELECT alive_at AS "aliveAt", coalesce(steady_at, alive_at) AS "steadyAt" FROM service';

/** When this service last ran with a steady clock; null before its first start. */
export async function lastSteady({ query }: Sql): Promise<number | null> {
  const [row] = await query<{ aliveAt: number; steadyAt: number }>(FIND_STEADY);
  return row ? Math.min(row.aliveAt, row.steadyAt) : null;
}

/** Stores that this service runs with a steady clock. */
export async function noteSteady({ query }: Sql, now: number): Promise<void> {
  await query("UPDATE service SET steady_at = $1", [now]);
}

/** Whether a DNS server of the operator has ever answered (behavior 4.18). */
export async function hasDnsAnswer({ query }: Sql): Promise<boolean> {
  return (await query("SELECT 1 FROM service WHERE dns_answered_at IS NOT NULL")).length > 0;
}

/** Stores the first such answer. */
export async function noteDnsAnswer({ query }: Sql, now: number): Promise<void> {
  await query("UPDATE service SET dns_answered_at = $1 WHERE dns_answered_at IS NULL", [now]);
}
