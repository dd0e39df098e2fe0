import { DAY } from "../duration.ts";
/** The ranges of a history, up to now (behavior 6.4). */
export const RANGES = ["1d", "7d", "30d", "90d"] as const;
export type Range = (typeof RANGES)[number];

/** The start of a range that ends now, in milliseconds since 1970. */
export function rangeStart(range: Range, now: number): number {
  return now - Number.parseInt(range, 10) * DAY;
}
