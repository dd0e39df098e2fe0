export function latencyWords(latencyMs: number | null | undefined): string {
  if (latencyMs === null || latencyMs === undefined) return "–";
  if (latencyMs >= 10_000) return `${(latencyMs / 1000).toFixed(1)} s`;
  if (latencyMs === 0) return "0 ms";
  return latencyMs < 10 ? `${latencyMs.toFixed(1)} ms` : `${Math.round(latencyMs)} ms`;
}

/** With a comma between the thousands. Without `Intl`: on a phone, its first formatter takes 50 ms. */
export function numberWords(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}
