import { formatDuration } from "../../duration.ts";

/*
 * The types and kinds of monitors: what lists, messages and the page need to know of them. The page has this file in its first
 * script, so that it contains no schema: `registry.ts` has those.
 */

export type StatusGroup = "healthy" | "warning" | "down";

export interface StatusTraits {
  group: StatusGroup;
  /** The order within the type; 1 is the worst, which a target that cannot be reached has. */
  severity: number;
  /** Whether a result with this status lowers the uptime. */
  countsAsDown: boolean;
}

type Config = Record<string, unknown>;

/**
 * @property statuses every status that a check or a check-in can give (behavior 1.2)
 * @property target the target in one line; default: host and port
 * @property withoutLatency whether results never have a latency
 */
interface TypeTraits {
  statuses: Record<string, StatusTraits>;
  target?: (config: Config) => string;
  withoutLatency?: true;
}

const responding = {
  up: { group: "healthy", severity: 3, countsAsDown: false },
  down: { group: "down", severity: 1, countsAsDown: true },
  degraded: { group: "warning", severity: 2, countsAsDown: false },
} as const;

/** By type of monitor. There is room for 32 statuses in all. */
export const types = {
  HTTP: {
    statuses: responding,
    target: ({ url, steps = [] }) => {
      const [first, ...others] = steps as { url: string }[];
      return first ? `${first.url}, ${others.length + 1} steps` : String(url);
    },
  },
  TCP: { statuses: responding },
  TLS: {
    statuses: {
      active: { group: "healthy", severity: 4, countsAsDown: false },
      expiring_soon: { group: "warning", severity: 3, countsAsDown: false },
      expired: { group: "down", severity: 2, countsAsDown: true },
      no_cert: { group: "down", severity: 1, countsAsDown: true },
    },
  },
  DNS: {
    statuses: {
      present: { group: "healthy", severity: 3, countsAsDown: false },
      missing: { group: "down", severity: 1, countsAsDown: true },
      changed: { group: "warning", severity: 2, countsAsDown: false },
    },
    target: ({ hostname, recordType = "A, AAAA" }) => `${hostname} ${recordType}`,
    withoutLatency: true,
  },
  SCHEDULED: {
    statuses: {
      ok: { group: "healthy", severity: 3, countsAsDown: false },
      failed: { group: "down", severity: 1, countsAsDown: true },
      havent_heard: { group: "warning", severity: 2, countsAsDown: true },
    },
    target: (config) => describeSchedule(config),
    withoutLatency: true,
  },
} as const satisfies Record<string, TypeTraits>;

export type MonitorType = keyof typeof types;

export const MONITOR_TYPES = Object.keys(types) as MonitorType[];

/** The types that stillup checks. A SCHEDULED monitor is reported by a job (behavior 1.1). */
export type ProbedType = Exclude<MonitorType, "SCHEDULED">;

export const PROBED_TYPES = MONITOR_TYPES.filter((type) => type !== "SCHEDULED");

function traitsOf(type: MonitorType): TypeTraits {
  return types[type];
}

export function hasLatency(type: MonitorType): boolean {
  return !traitsOf(type).withoutLatency;
}

/** The target of a monitor, in one line. */
export function describeTarget(type: MonitorType, config: Config): string {
  const { target = hostAndPort } = traitsOf(type);
  return target(config);
}

function hostAndPort({ host, port }: Config): string {
  const name = String(host);
  if (port === undefined) return name;
  return `${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The schedule that the user set. */
function describeSchedule({ cron, timezone, period }: Config): string {
  if (cron !== undefined) return `${cron} (${timezone ?? "UTC"})`;
  return period === undefined ? "Learns its schedule" : `Every ${formatDuration(Number(period) * 1000)}`;
}

/**
 * @property protocols the protocols of the type that the kind is for; without them, the kind is the rest of the type
 */
interface Kind {
  type: MonitorType;
  protocols?: readonly string[];
}

/** The kinds of monitors, as readers look for them: a type, or some protocols of one. In the order of the form. */
export const kinds = {
  HTTP: { type: "HTTP" },
  PING: { type: "TCP", protocols: ["icmp"] },
  TCP: { type: "TCP" },
  TLS: { type: "TLS" },
  DNS: { type: "DNS" },
  SCHEDULED: { type: "SCHEDULED" },
  MAIL: {
    type: "TCP",
    protocols: ["smtp", "imap", "pop3"],
  },
  DATABASE: {
    type: "TCP",
    protocols: ["postgres", "mysql", "redis"],
  },
  SSH: { type: "TCP", protocols: ["ssh", "ftp"] },
  WEBSOCKET: {
    type: "HTTP",
    protocols: ["websocket"],
  },
  GRPC: { type: "HTTP", protocols: ["grpc"] },
} as const satisfies Record<MonitorType, Kind> & Record<string, Kind>;

export type MonitorKind = keyof typeof kinds;

export const MONITOR_KINDS = Object.keys(kinds) as MonitorKind[];

export function kindById(id: MonitorKind): Kind {
  return kinds[id];
}

/** The kind of a monitor. */
export function kindOf(type: MonitorType, config: object): MonitorKind {
  const { protocol } = config as { protocol?: unknown };
  const isOf = (id: MonitorKind) => {
    const kind = kindById(id);
    return kind.type === type && kind.protocols?.some((one) => one === protocol);
  };
  return MONITOR_KINDS.find(isOf) ?? type;
}
