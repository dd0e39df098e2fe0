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
  { unknown: { group: "down", severity: 0, countsAsDown: false } },
  ...MONITOR_TYPES.map((type) => types[type].statuses),
) as Record<Status, StatusTraits>;

type AtLeastOne<T> = readonly [T, ...T[]];

/** The statuses of each type. */
export const statusesOf = Object.fromEntries(
  MONITOR_TYPES.map((type) => [type, Object.keys(types[type].statuses)]),
) as unknown as { readonly [T in MonitorType]: AtLeastOne<ResultStatus<T>> };

/** Every status that a result of some type can have, each once. */
export const RESULT_STATUSES: readonly ResultStatus[] = [...new Set(Object.values(statusesOf).flat())];

/** A table with a value for each status. */
function byStatus<Value>(
  from: (traits: StatusTraits, status: Status) => Value,
): Readonly<Record<Status, Value>> {
  const values = Object.entries(traits).map(([status, own]) => [status, from(own, status as Status)]);
  return Object.fromEntries(values);
}

/** The group of each status; `unknown` is in group down (behavior 1.2, 1.4). */
export const groupOf = byStatus(({ group }) => group);

const levels: Record<StatusGroup, number> = { healthy: 0, warning: 1, down: 2 };

/** How bad the group of each status is: 0 for healthy, 1 for warning, 2 for down and `unknown`. */
export const levelOf = byStatus(({ group }) => levels[group]);

/** Whether a monitor with this status is known to be down: `unknown` is in that group only for counts. */
export const isDown = byStatus(({ group }, status) => status !== "unknown" && group === "down");

/** Whether a result with this status lowers the uptime (behavior 1.2, 6.1). */
export const countsAsDown = byStatus((own) => own.countsAsDown);

/** The statuses of each type, worst first (behavior 1.2). */
export const bySeverity = Object.fromEntries(
  MONITOR_TYPES.map((type) => [
    type,
    statusesOf[type].toSorted((a, b) => traits[a].severity - traits[b].severity),
  ]),
) as unknown as Readonly<Record<MonitorType, AtLeastOne<ResultStatus>>>;

/** The statuses of trouble, whose reason users want to see. */
export const TROUBLE = RESULT_STATUSES.filter((status) => groupOf[status] !== "healthy");

export function isTrouble(status: Status): boolean {
  return (TROUBLE as readonly Status[]).includes(status);
}
