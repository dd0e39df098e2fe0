import type { NotifyOn } from "../../../domain/alerts/notify.ts";

/** The groups of statuses that a channel is notified of. */
export function describeNotifyOn(notifyOn: NotifyOn): string {
  return notifyOn.length === 3 ? "every change" : `only ${notifyOn.join(" and ")}`;
}
