import type { Stretch } from "../../../domain/results/rollup.ts";

/** Shows whether a result was recorded for a stretch that was over: columns of `monitor_states`. */
export interface Version {
  pk: number;
  lateResults: number;
  lastResultPk: number | null;
  lastResultAt: number | null;
}

interface Entry<Value> extends Version {
  value: Value;
}

interface CachedStretch<Value> extends Required<Stretch> {
  byMonitor: Map<number, Entry<Value>>;
}

/**
 * Caches values that are computed from the rollups of past hours and days, which rarely change. Other nodes write rollups
 * too, so a value is used only for the version of its monitor.
 *
 * A result is late if the previous result of its monitor is of a later hour. Any other result is after the cached
 * stretch if the previous one is, so it shows whether a value is still right.
 */
export class RollupCache {
  readonly #bySubject = new Map<string, CachedStretch<unknown>>();

  /**
   * @param query the name of what is computed, of which the cache keeps one stretch
   * @param versions of the monitors; read before the rollups, or in the same snapshot
   * @property stretch without an end, a value is used until the next result of its monitor
   * @param read computes the missing values: one for each monitor, also for a monitor without rollups
   * @returns the values of these monitors
   */
  async get<Value>(
    { subject, stretch }: { subject: string; stretch: Required<Stretch> },
    versions: readonly Version[],
    read: (missing: Version[]) => Promise<Map<number, Value>>,
  ): Promise<Map<number, Value>> {
    const { byMonitor } = this.#stretchOf<Value>(subject, stretch);
    const isValid = (version: Version) => {
      const entry = byMonitor.get(version.pk);
      return entry !== undefined && isSame(entry, version, stretch.until);
    };
    const missing = versions.filter((version) => !isValid(version));
    if (missing.length > 0) {
      const values = await read(missing);
      for (const version of missing) {
        const value = values.get(version.pk);
        if (value !== undefined) byMonitor.set(version.pk, { ...versionOf(version), value });
      }
    }
    return new Map(
      versions.flatMap(({ pk }) => {
        const entry = byMonitor.get(pk);
        return entry ? [[pk, entry.value]] : [];
      }),
    );
  }

  #stretchOf<Value>(subject: string, { since, until }: Required<Stretch>): CachedStretch<Value> {
    const cached = this.#bySubject.get(subject) as CachedStretch<Value> | undefined;
    if (cached?.since === since && cached.until === until) return cached;
    const created: CachedStretch<Value> = { since, until, byMonitor: new Map() };
    this.#bySubject.set(subject, created);
    return created;
  }
}

function isSame(entry: Version, { lateResults, lastResultPk }: Version, until: number): boolean {
  if (entry.lateResults !== lateResults) return false;
  const wasOver = entry.lastResultAt !== null && entry.lastResultAt >= until;
  return wasOver || entry.lastResultPk === lastResultPk;
}

function versionOf({ pk, lateResults, lastResultPk, lastResultAt }: Version): Version {
  return { pk, lateResults, lastResultPk, lastResultAt };
}
