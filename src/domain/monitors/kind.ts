import type { MonitorType } from "./monitor.ts";

/** @property protocols the protocols of the type that the kind is for; without them, the kind is the rest of the type */
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
  MAIL: { type: "TCP", protocols: ["smtp", "imap", "pop3"] },
  DATABASE: { type: "TCP", protocols: ["postgres", "mysql", "redis"] },
  SSH: { type: "TCP", protocols: ["ssh", "ftp"] },
  WEBSOCKET: { type: "HTTP", protocols: ["websocket"] },
  GRPC: { type: "HTTP", protocols: ["grpc"] },
} as const satisfies Record<string, Kind>;

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
