import {
  MONITOR_TYPES,
  type MonitorType,
  type StatusGroup,
  type StatusTraits,
  types,
} from "./kinds/kinds.ts";

export type { StatusGroup };

/** A status that a result can have. */
export type ResultStatus<T extends MonitorType = MonitorType> = {
  [One in T]: keyof (typeof types)[One]["statuses"];
}[T];

/** A monitor is `unknown` until its first result (behavior 1.3). */
export type Status = ResultStatus | "unknown";

const traits = Object.assign(
  /** Group down by behavior 1.4. No result has it, so neither severity nor uptime use it. */
  { unknown: { group: "down", severity: 0, label: "Waiting", countsAsDown: false } },
  ...MONITOR_TYPES.map((type) => types[type].statuses),
) as Record<Status, StatusTraits>;

type AtLeastOne<T> = readonly [T, ...T[]];

/** The statuses of each type. */
export const statusesOf = Object.fromEntries(
  MONITOR_TYPES.map((type) => [type, Object.keys(types[type].statuses)]),
) as unknown as { readonly [T in MonitorType]: AtLeastOne<ResultStatus<T>> };

/** Every status that a result of some type can have, each once. */
export const RESULT_STATUSES: readonly ResultStatus[] = [...new Set(Object.values(statusesOf).flat())];

/** The statuses of trouble, whose reason users want to see. */
export const TROUBLE = RESULT_STATUSES.filter((status) => groupOf(status) !== "healthy");

export function isTrouble(status: Status): boolean {
  return (TROUBLE as readonly Status[]).includes(status);
}

/** The group of a status; `unknown` is in group down (behavior 1.2, 1.4). */
export function groupOf(status: Status): StatusGroup {
  return traits[status].group;
}

/** Whether a monitor with this status is known to be down: `unknown` is in that group only for counts. */
export function isDown(status: Status): boolean {
  return status !== "unknown" && groupOf(status) === "down";
}

const levels: Record<StatusGroup, number> = { healthy: 0, warning: 1, down: 2 };

/** How bad the group of a status is: 0 for healthy, 1 for warning, 2 for down and `unknown`. */
export function levelOf(status: Status): number {
  return levels[groupOf(status)];
}

/** The name of a status in texts for users (behavior 1.5). */
export function statusLabel(status: Status): string {
  return traits[status].label;
}

/** Whether a result with this status lowers the uptime (behavior 1.2, 6.1). */
export function countsAsDown(status: Status): boolean {
  return traits[status].countsAsDown;
}

/** The statuses of a type, worst first (behavior 1.2). */
export function bySeverity(type: MonitorType): ResultStatus[] {
  const statuses: readonly ResultStatus[] = statusesOf[type];
  return statuses.toSorted((a, b) => traits[a].severity - traits[b].severity);
}

/** Whether channels are notified of a change from one status to another (behavior 5.1, 5.2). */
export function isNotable(from: Status, to: Status): boolean {
  if (from === to) return false;
  return from !== "unknown" || groupOf(to) !== "healthy";
}

/**
 * When the current trouble of a monitor began. A change from one unhealthy status to another continues the trouble.
 *
 * @param since when the trouble before this result began; null without any
 * @returns milliseconds since 1970; null if the monitor is healthy or unknown
 */
export function troubleFrom(status: Status, since: number | null, now: number): number | null {
  return status === "unknown" || groupOf(status) === "healthy" ? null : (since ?? now);
}
