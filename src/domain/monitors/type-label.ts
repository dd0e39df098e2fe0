import type { MonitorType } from "./monitor.ts";

/** The name of each monitor type in texts for users. */
export const typeLabels: Record<MonitorType, string> = {
  HTTP: "Website",
  TCP: "Port",
  TLS: "Certificate",
  DNS: "DNS",
  SCHEDULED: "Cron job",
};
