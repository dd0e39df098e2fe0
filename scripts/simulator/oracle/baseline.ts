const [HOUR, DAY] = [3_600_000, 86_400_000];

/** With fewer checks, none is degraded (behavior 2.4). */
const FEWEST = 10;

/** The usual latency of a monitor (behavior 2.2, 2.3), from its successful results. Latencies in milliseconds. */
export interface Baseline {
  add(at: number, latencyMs: number): void;
  /**
   * The latency above which a check is degraded; null with too few checks.
   *
   * @param isDegraded whether the monitor is degraded before the check (behavior 2.10)
   */
  limit(at: number, isDegraded: boolean): number | null;
}

export function createBaseline(): Baseline {
  let kept: { at: number; latencyMs: number }[] = [];
  let [sum, squares] = [0, 0];
  const count = ({ latencyMs }: { latencyMs: number }, sign: 1 | -1) => {
    sum += sign * latencyMs;
    squares += sign * latencyMs * latencyMs;
  };
  return {
    add(at, latencyMs) {
      kept.push({ at, latencyMs });
      count({ latencyMs }, 1);
    },
    limit(at, isDegraded) {
      const start = Math.floor(at / HOUR) * HOUR - 30 * DAY;
      const firstKept = kept.findIndex((one) => one.at >= start);
      const old = kept.slice(0, firstKept === -1 ? kept.length : firstKept);
      for (const one of old) count(one, -1);
      if (old.length > 0) kept = kept.slice(old.length);
      if (kept.length < FEWEST) return null;
      const mean = sum / kept.length;
      const deviation = Math.sqrt(Math.max(0, squares / kept.length - mean * mean));
      const margin = Math.max(3 * deviation, mean / 2, 50);
      return mean + (isDegraded ? margin / 2 : margin);
    },
  };
}
