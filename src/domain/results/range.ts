/** How far back a list may look (interface 4.2). */
export const RANGES = ["1d", "7d", "30d", "90d"] as const;
export type Range = (typeof RANGES)[number];

const DAY = 24 * 60 * 60 * 1000;

/** The moment at which a range that ends now begins, in milliseconds since 1970. */
export function rangeStart(range: Range, now: number): number {
  return now - Number.parseInt(range, 10) * DAY;
}
