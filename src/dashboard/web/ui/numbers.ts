import { formatLatency } from "../../../domain/duration.ts";

/** A latency, with a dash for none. */
export function latencyOrDash(latencyMs: number | null | undefined): string {
  return latencyMs === null || latencyMs === undefined ? "–" : formatLatency(latencyMs);
}

/** With commas between the thousands. Without `Intl`, whose first formatter takes 50 ms on a phone. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Such as `1 monitor` or `2 monitors`. */
export function formatCount(count: number, singular: string): string {
  return `${formatNumber(count)} ${singular}${count === 1 ? "" : "s"}`;
}
