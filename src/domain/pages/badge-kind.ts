/** What the badge of a component shows. */
export const BADGE_KINDS = ["status", "uptime", "latency"] as const;
export type BadgeKind = (typeof BADGE_KINDS)[number];
