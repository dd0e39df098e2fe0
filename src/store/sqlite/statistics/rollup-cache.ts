import type { Stretch } from "../../../domain/results/rollup.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";

interface Kept<Value> extends Required<Stretch> {
  byMonitor: Map<number, Value>;
}

/** What was read, by subject; one stretch of each. */
const kept = oncePerDatabase(() => new Map<string, Kept<unknown>>());

/**
 * What a stretch of the rollups of some monitors comes to, read once: hours and days that are over hardly ever change.
 *
 * @param read gives a value for every monitor, also for one without rollups
 * @returns with those of these monitors, and good until the next write
 */
export function cachedByMonitor<Value>(
  db: Database,
  { subject, stretch, monitorPks }: { subject: string; stretch: Required<Stretch>; monitorPks: number[] },
  read: (monitorPks: number[]) => Map<number, Value>,
): Map<number, Value> {
  const { byMonitor } = keptOf<Value>(db, subject, stretch);
  const missing = monitorPks.filter((pk) => !byMonitor.has(pk));
  if (missing.length > 0) for (const [pk, value] of read(missing)) byMonitor.set(pk, value);
  return byMonitor;
}

function keptOf<Value>(db: Database, subject: string, { since, until }: Required<Stretch>): Kept<Value> {
  const all = kept(db) as Map<string, Kept<Value>>;
  const known = all.get(subject);
  if (known?.since === since && known.until === until) return known;
  const fresh: Kept<Value> = { since, until, byMonitor: new Map() };
  all.set(subject, fresh);
  return fresh;
}

/** Forgets what a late result changes, such as one that was held while the disk was full. */
export function evictFromCache(db: Database, monitorPk: number, createdAt: number): void {
  for (const { until, byMonitor } of kept(db).values()) if (createdAt < until) byMonitor.delete(monitorPk);
}
