export function formatLatency(latencyMs: number | null | undefined): string {
  if (latencyMs === null || latencyMs === undefined) return "–";
  if (latencyMs >= 10_000) return `${(latencyMs / 1000).toFixed(1)} s`;
  if (latencyMs === 0) return "0 ms";
  return latencyMs < 10 ? `${latencyMs.toFixed(1)} ms` : `${Math.round(latencyMs)} ms`;
}

/** With commas between the thousands. Without `Intl`, whose first formatter takes 50 ms on a phone. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Such as `1 monitor` or `2 monitors`. */
export function formatCount(count: number, singular: string): string {
  return `${formatNumber(count)} ${singular}${count === 1 ? "" : "s"}`;
}
