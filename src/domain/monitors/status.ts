import type { MonitorType } from "./monitor.ts";

export type StatusGroup = "healthy" | "warning" | "down";

interface StatusTraits {
  group: StatusGroup;
  /** The order within the type; 1 is the worst. */
  severity: number;
  /** The name of the status in texts for users. */
  label: string;
  /** Whether a result with this status lowers the uptime. */
  countsAsDown: boolean;
}

const responding = {
  up: { group: "healthy", severity: 3, label: "Up", countsAsDown: false },
  down: { group: "down", severity: 1, label: "Down", countsAsDown: true },
  degraded: { group: "warning", severity: 2, label: "Degraded", countsAsDown: false },
} as const;

/**
 * Every status that a check or a check-in can give, by type of monitor (behavior 1.2). There is room for 32 in all.
 */
const traitsByType = {
  HTTP: responding,
  TCP: responding,
  TLS: {
    active: { group: "healthy", severity: 4, label: "Not expired", countsAsDown: false },
    expiring_soon: { group: "warning", severity: 3, label: "Expires soon", countsAsDown: false },
    expired: { group: "down", severity: 2, label: "Expired", countsAsDown: true },
    no_cert: { group: "down", severity: 1, label: "No certificate", countsAsDown: true },
  },
  DNS: {
    present: { group: "healthy", severity: 3, label: "Present", countsAsDown: false },
    missing: { group: "down", severity: 1, label: "Missing", countsAsDown: true },
    changed: { group: "warning", severity: 2, label: "Changed", countsAsDown: false },
  },
  SCHEDULED: {
    ok: { group: "healthy", severity: 3, label: "OK", countsAsDown: false },
    failed: { group: "down", severity: 1, label: "Failed", countsAsDown: true },
    havent_heard: { group: "warning", severity: 2, label: "No check-in", countsAsDown: true },
  },
} as const satisfies Record<MonitorType, Record<string, StatusTraits>>;

/** A status that a result can have. */
export type ResultStatus<T extends MonitorType = MonitorType> = {
  [One in T]: keyof (typeof traitsByType)[One];
}[T];

/** A monitor is `unknown` until its first result (behavior 1.3). */
export type Status = ResultStatus | "unknown";

const traits: Record<Status, StatusTraits> = {
  ...traitsByType.HTTP,
  ...traitsByType.TCP,
  ...traitsByType.TLS,
  ...traitsByType.DNS,
  ...traitsByType.SCHEDULED,
  /** Group down by behavior 1.4. No result has it, so neither severity nor uptime use it. */
  unknown: { group: "down", severity: 0, label: "Waiting", countsAsDown: false },
};

type AtLeastOne<T> = readonly [T, ...T[]];

/** The statuses of each type. */
export const statusesOf: { readonly [T in MonitorType]: AtLeastOne<ResultStatus<T>> } = {
  HTTP: keysOf(traitsByType.HTTP),
  TCP: keysOf(traitsByType.TCP),
  TLS: keysOf(traitsByType.TLS),
  DNS: keysOf(traitsByType.DNS),
  SCHEDULED: keysOf(traitsByType.SCHEDULED),
};

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

/** Whether a result with this status lowers the uptime (behavior 6.1). */
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

function keysOf<Traits extends object>(traitsOfType: Traits): AtLeastOne<keyof Traits> {
  return Object.keys(traitsOfType) as unknown as AtLeastOne<keyof Traits>;
}

/** The name of each monitor type in texts for users. */
export const typeLabels: Record<MonitorType, string> = {
  HTTP: "Website",
  TCP: "Port",
  TLS: "Certificate",
  DNS: "DNS",
  SCHEDULED: "Cron job",
};
