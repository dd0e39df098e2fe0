import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Delivery } from "../data/api.ts";

interface DeliveryContent {
  /** Its subject, and the path of the subject's view. */
  subject: { name: string; href: string };
  change: string;
}

type Content = Pick<
  Delivery,
  "type" | "monitor" | "previousStatus" | "newStatus" | "location" | "maintenance"
>;

/** The change that a delivery reports, in words; null for a status. */
const changes: Record<Delivery["type"], string | null> = {
  "monitor.status_changed": null,
  "location.silent": "Silent",
  "location.connected": "Connected again",
  "maintenance.started": "Started",
  "maintenance.ended": "Ended",
  "checks.blind": "Not checked",
  "checks.resumed": "Checked again",
};

/** The subject and the change of a delivery, in words. */
export function contentOf(delivery: Content): DeliveryContent {
  const { type, monitor, previousStatus, newStatus, location, maintenance } = delivery;
  const change = changes[type];
  if (change === null) {
    const statuses = [previousStatus, newStatus].flatMap((status) => status ?? []);
    return {
      subject: { name: monitor?.name ?? "", href: `/monitors/${monitor?.id}` },
      change: statuses.map(statusLabel).join(" → "),
    };
  }
  if (location) return { subject: { name: `Location ${location.name}`, href: "/locations" }, change };
  if (maintenance)
    return { subject: { name: `Maintenance ${maintenance.title}`, href: "/maintenances" }, change };
  return { subject: { name: "Monitors", href: "/" }, change };
}

/** The groups of statuses that a channel is notified of. */
export function describeNotifyOn(notifyOn: NotifyOn): string {
  return notifyOn.length === 3 ? "every change" : `only ${notifyOn.join(" and ")}`;
}
