import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config } from "../data/api.ts";

/** @property protocols the ones of the type that it is for; without them, it is the type itself */
interface Kind {
  type: MonitorType;
  name: string;
  description: string;
  protocols?: readonly string[];
}

/** The kinds of monitors, as readers look for them: a type, or some protocols of one. In the order of the form. */
export const monitorKinds = {
  HTTP: { type: "HTTP", name: "Website", description: "Requests a URL" },
  PING: { type: "TCP", name: "Ping", description: "Asks for echoes", protocols: ["icmp"] },
  TCP: { type: "TCP", name: "Port", description: "Opens a connection" },
  TLS: { type: "TLS", name: "Certificate", description: "Checks its expiry" },
  DNS: { type: "DNS", name: "DNS", description: "Looks up a name" },
  SCHEDULED: { type: "SCHEDULED", name: "Cron job", description: "Waits for check-ins" },
  MAIL: {
    type: "TCP",
    name: "Mail server",
    description: "SMTP, IMAP, POP3",
    protocols: ["smtp", "imap", "pop3"],
  },
  DATABASE: {
    type: "TCP",
    name: "Database",
    description: "PostgreSQL, MySQL, Redis",
    protocols: ["postgres", "mysql", "redis"],
  },
  SSH: { type: "TCP", name: "SSH, FTP", description: "Reads the greeting", protocols: ["ssh", "ftp"] },
  WEBSOCKET: { type: "HTTP", name: "WebSocket", description: "Opens and pings it", protocols: ["websocket"] },
  GRPC: { type: "HTTP", name: "gRPC", description: "Asks for its health", protocols: ["grpc"] },
} as const satisfies Record<string, Kind>;

export type MonitorKind = keyof typeof monitorKinds;

export const MONITOR_KINDS = Object.keys(monitorKinds) as MonitorKind[];

export function kindById(id: MonitorKind): Kind {
  return monitorKinds[id];
}

/** The kind of a monitor that exists. */
export function kindOf(type: MonitorType, { protocol }: Config): MonitorKind {
  const isOf = (id: MonitorKind) => {
    const kind = kindById(id);
    return kind.type === type && kind.protocols?.some((one) => one === protocol);
  };
  return MONITOR_KINDS.find(isOf) ?? type;
}
