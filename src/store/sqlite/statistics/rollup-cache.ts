import type { Stretch } from "../../../domain/results/rollup.ts";
import { oncePerEngine } from "../open.ts";

interface CachedStretch<Value> extends Required<Stretch> {
  byMonitor: Map<number, Value>;
}

interface Query {
  /** The name of what is computed. The cache keeps one stretch for each subject. */
  subject: string;
  stretch: Required<Stretch>;
  monitorPks: number[];
}

/**
 * Caches values that are computed from the rollups of past hours and days, which rarely change. It relies on this process
 * being the only one that writes rollups.
 */
class RollupCache {
  readonly #bySubject = new Map<string, CachedStretch<unknown>>();
  #noted: { monitorPk: number; createdAt: number }[] = [];

  /**
   * @param read computes the missing values: one for each monitor, also for a monitor without rollups
   * @returns values by monitor, for these monitors and others; valid until the next write
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

  /** To be called for each result before its commit: a late result, such as one that was held while the disk was full, changes values. */
  noteResult(monitorPk: number, createdAt: number): void {
    this.#noted.push({ monitorPk, createdAt });
  }

  /** Removes the values that the noted results change. To be called after their commit, and before another read. */
  forgetLate(): void {
    for (const { monitorPk, createdAt } of this.#noted)
      for (const { until, byMonitor } of this.#bySubject.values())
        if (createdAt < until) byMonitor.delete(monitorPk);
    this.#noted = [];
  }

  #stretchOf<Value>(subject: string, { since, until }: Required<Stretch>): CachedStretch<Value> {
    const cached = this.#bySubject.get(subject) as CachedStretch<Value> | undefined;
    if (cached?.since === since && cached.until === until) return cached;
    const created: CachedStretch<Value> = { since, until, byMonitor: new Map() };
    this.#bySubject.set(subject, created);
    return created;
  }
}

export const rollupCacheOf = oncePerEngine(() => new RollupCache());
