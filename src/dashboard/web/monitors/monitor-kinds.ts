import type { MonitorKind } from "../../../domain/monitors/kind.ts";

/** The words for the kinds of monitors. */
export const monitorKinds: Record<MonitorKind, { name: string; description: string }> = {
  HTTP: { name: "Website", description: "Requests a URL" },
  PING: { name: "Ping", description: "Asks for echoes" },
  TCP: { name: "Port", description: "Opens a connection" },
  TLS: { name: "Certificate", description: "Checks its expiry" },
  DNS: { name: "DNS", description: "Looks up a name" },
  SCHEDULED: { name: "Cron job", description: "Waits for check-ins" },
  MAIL: { name: "Mail server", description: "SMTP, IMAP, POP3" },
  DATABASE: { name: "Database", description: "PostgreSQL, MySQL, Redis" },
  SSH: { name: "SSH, FTP", description: "Reads the greeting" },
  WEBSOCKET: { name: "WebSocket", description: "Opens and pings it" },
  GRPC: { name: "gRPC", description: "Asks for its health" },
};
