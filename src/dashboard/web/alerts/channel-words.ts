import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Delivery } from "../data/api.ts";

interface DeliveryContent {
  /** What it is about, and the view of that. */
  subject: { name: string; href: string };
  change: string;
}

/** What a delivery reports, in words. */
export function contentOf({
  type,
  monitor,
  previousStatus,
  newStatus,
  location,
  maintenance,
}: Pick<
  Delivery,
  "type" | "monitor" | "previousStatus" | "newStatus" | "location" | "maintenance"
>): DeliveryContent {
  const aboutLocation = { name: `Location ${location?.name}`, href: "/locations" };
  const aboutMaintenance = { name: `Maintenance ${maintenance?.title}`, href: "/maintenances" };
  const aboutChecks = { name: "Monitors", href: "/" };
  switch (type) {
    case "location.silent":
      return { subject: aboutLocation, change: "Silent" };
    case "location.connected":
      return { subject: aboutLocation, change: "Connected again" };
    case "maintenance.started":
      return { subject: aboutMaintenance, change: "Started" };
    case "maintenance.ended":
      return { subject: aboutMaintenance, change: "Ended" };
    case "checks.blind":
      return { subject: aboutChecks, change: "Not checked" };
    case "checks.resumed":
      return { subject: aboutChecks, change: "Checked again" };
    case "monitor.status_changed": {
      const statuses = [previousStatus, newStatus].flatMap((status) => status ?? []);
      return {
        subject: { name: monitor?.name ?? "", href: `/monitors/${monitor?.id}` },
        change: statuses.map(statusLabel).join(" → "),
      };
    }
  }
}

/** The groups of statuses that a channel is notified of. */
export function describeNotifyOn(notifyOn: NotifyOn): string {
  return notifyOn.length === 3 ? "every change" : `only ${notifyOn.join(" and ")}`;
}
