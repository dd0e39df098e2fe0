import { DAY, HOUR } from "../duration.ts";

/** The ranges of a history, up to now (behavior 6.4). */
export const RANGES = ["1d", "7d", "30d", "90d"] as const;
export type Range = (typeof RANGES)[number];

/** The ranges of the report of a monitor (behavior 16.230). */
export const REPORT_RANGES = ["1h", "6h", ...RANGES] as const;
export type ReportRange = (typeof REPORT_RANGES)[number];

/** Milliseconds. */
export function rangeLength(range: ReportRange): number {
  return Number.parseInt(range, 10) * (range.endsWith("h") ? HOUR : DAY);
}

/** The start of a range that ends now, in milliseconds since 1970. */
export function rangeStart(range: ReportRange, now: number): number {
  return now - rangeLength(range);
}
