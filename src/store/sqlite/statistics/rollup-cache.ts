import type { Stretch } from "../../../domain/results/rollup.ts";
import { oncePerEngine } from "../once-per-database.ts";

interface CachedStretch<Value> extends Required<Stretch> {
  byMonitor: Map<number, Value>;
}

/** @property subject what is computed from the rollups: one stretch of each subject is kept */
interface Query {
  subject: string;
  stretch: Required<Stretch>;
  monitorPks: number[];
}

/** What was computed from the rollups of past hours and days, which rarely change. */
export class RollupCache {
  readonly #bySubject = new Map<string, CachedStretch<unknown>>();

  /**
   * @param read computes the values that are missing, one for each monitor, also for a monitor without rollups
   * @returns values by monitor, these monitors among them; valid until the next write
   */
  get<Value>(
    { subject, stretch, monitorPks }: Query,
    read: (monitorPks: number[]) => Map<number, Value>,
  ): ReadonlyMap<number, Value> {
    const { byMonitor } = this.#stretchOf<Value>(subject, stretch);
    const missing = monitorPks.filter((pk) => !byMonitor.has(pk));
    if (missing.length > 0) for (const [pk, value] of read(missing)) byMonitor.set(pk, value);
    return byMonitor;
  }

  /** Removes what a late result changes, such as one that was held while the disk was full. */
  invalidate(monitorPk: number, createdAt: number): void {
    for (const { until, byMonitor } of this.#bySubject.values())
      if (createdAt < until) byMonitor.delete(monitorPk);
  }

  #stretchOf<Value>(subject: string, { since, until }: Required<Stretch>): CachedStretch<Value> {
    const known = this.#bySubject.get(subject) as CachedStretch<Value> | undefined;
    if (known?.since === since && known.until === until) return known;
    const created: CachedStretch<Value> = { since, until, byMonitor: new Map() };
    this.#bySubject.set(subject, created);
    return created;
  }
}

export const rollupCacheOf = oncePerEngine(() => new RollupCache());
