import type { MonitorConfig } from "../monitors/monitor.ts";

/** Whether the system of a machine lets stillup ping (behavior 20.36). */
export const PING_ACCESS = ["open", "closed"] as const;
export type PingAccess = (typeof PING_ACCESS)[number];

/** Whether a monitor is checked by pings. */
export function isPinged(config: Partial<MonitorConfig>): boolean {
  return "protocol" in config && config.protocol === "icmp";
}

/**
 * Why the probe of a location can't ping; null if it can, or if nothing is known of it because it has never sent a request.
 *
 * @property pingAccess null from a probe of a version that does not say it
 */
export function pingRefusal({
  name,
  lastSeenAt,
  pingAccess,
}: {
  name: string;
  lastSeenAt: number | null;
  pingAccess: PingAccess | null;
}): string | null {
  if (lastSeenAt === null || pingAccess === "open") return null;
  if (pingAccess === null) return `the probe of ${name} does not know pings: update it`;
  return `the machine of ${name} does not let its probe ping: set net.ipv4.ping_group_range there so that it has the group of the probe`;
}
