/** Rollups store their start in hours since 1970. */
export const HOUR = 60 * 60 * 1000;

export type RollupUnit = "hourly" | "daily";
